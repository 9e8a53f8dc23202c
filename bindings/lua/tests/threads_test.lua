-- threads_test.lua - several Lua states in several threads use the library at once, and their finalisers run on any of
-- them.
local ffi = require "ffi"
local sheets = require "sheets"
local suite = require "suite"
local threads = require "threads"

local simulation = [[
  local world = require "sheets".world(20, 20)
  for _ = 1, 40 do world.solver:update() end
  return (world.solver:state_hash())
]]

suite.test("states in several threads simulate at once, with the same hash", function()
  local states, joins = {}, {}
  for index = 1, 3 do
    states[index] = threads.state()
    joins[index] = threads.start(states[index], simulation)
  end
  local hash = loadstring(simulation)()
  for index, join in ipairs(joins) do suite.equal(join(), hash, "the hash of thread " .. index) end
  for _, state in ipairs(states) do threads.close(state)() end
end)

suite.test("finalisers run on another thread while updates of their objects are queued", function()
  local world = sheets.world(20, 20)
  for _ = 1, 5 do
    local state = threads.state [[
      world = require "sheets".world(30, 30)
      buffer = world.device:create_buffer {count = world.count}
      fence = world.device:create_fence()
      for _ = 1, 3 do world.solver:update {signal_fence = fence, signal_value = fence:value() + 3 + _} end
      world.solver:get("position", buffer)
    ]]
    local join = threads.close(state)
    for _ = 1, 5 do world.solver:update() end
    join()
  end
  suite.holds(world.cloth:status().bounds_minimum[2] < 0, "the sheet has not fallen")
end)

suite.test("another thread destroys buffers while updates write to others of their device", function()
  local world = sheets.world(20, 20)
  local kept, addresses = world.device:create_buffer {count = world.count}, {}
  for index = 1, 50 do
    local handle = ffi.gc(world.device:create_buffer({count = world.count}).handle, nil)
    addresses[index] = ("%.0f"):format(tonumber(ffi.cast("uintptr_t", handle)))
  end
  local state = threads.state(([[
    local ffi, C = require "ffi", require "clothc.library".C
    handles = {}
    for address in ("%s"):gmatch "%%d+" do
      handles[#handles + 1] = ffi.gc(ffi.cast("clothc_buffer", ffi.cast("uintptr_t", tonumber(address))),
        C.clothc_buffer_destroy)
    end
  ]]):format(table.concat(addresses, " ")))
  local join = threads.close(state)
  for _ = 1, 20 do
    world.solver:update()
    world.solver:get("position", kept)
  end
  join()
  suite.holds(kept:map()[world.count - 1].y < 0, "the sheet has not fallen")
end)
