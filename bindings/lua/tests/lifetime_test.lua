-- lifetime_test.lua - objects may be destroyed in any order, by the program or the garbage collector, also while the
-- library's threads work; stale handles are errors; nothing leaks.
local ffi = require "ffi"
local clothc = require "clothc"
local sheets = require "sheets"
local suite = require "suite"

local equal, holds, fails = suite.equal, suite.holds, suite.fails

--- Finalisers that run may make more garbage, so one collection is not always enough.
local function collect()
  for _ = 1, 3 do collectgarbage() end
end

suite.test("what was destroyed is refused, and destroying it again does nothing", function()
  local world = sheets.world()
  local buffer, fence = world.device:create_buffer {count = 4}, world.device:create_fence()
  for _, object in ipairs {buffer, fence, world.fabric} do
    equal(object:destroy(), true, "destroying")
    equal(object:destroy(), false, "destroying again")
  end
  fails("INVALID_HANDLE", {}, buffer.map, buffer)
  fails("INVALID_HANDLE", {}, buffer.info, buffer)
  fails("INVALID_HANDLE", {}, world.solver.get, world.solver, "position", buffer)
  fails("INVALID_HANDLE", {}, fence.value, fence)
  fails("INVALID_HANDLE", {}, world.solver.add_cloth, world.solver, {fabric = world.fabric})
  world.cloth:remove()
  fails("INVALID_HANDLE", {}, world.cloth.status, world.cloth)
  equal(world.solver:destroy(), true, "destroying a solver")
  fails("INVALID_HANDLE", {}, world.solver.update, world.solver)
end)

suite.test("a device destroys everything made from it", function()
  local world = sheets.world()
  local buffer, fence = world.device:create_buffer {count = 4}, world.device:create_fence()
  world.solver:update()
  equal(world.device:destroy(), true, "destroying a device")
  for _, object in ipairs {buffer, fence, world.fabric, world.solver, world.device} do
    equal(object:destroy(), false, "destroying what the device has destroyed")
  end
  fails("INVALID_HANDLE", {}, world.solver.update, world.solver)
  fails("INVALID_HANDLE", {}, buffer.map, buffer)
  fails("INVALID_HANDLE", {}, world.device.create_solver, world.device)
  fails("INVALID_HANDLE", {}, world.cloth.info, world.cloth)
end)

suite.test("an object keeps its device", function()
  local solver = sheets.device():create_solver()
  local cloth = sheets.world().cloth
  collect()
  equal(solver:info().cloth_count, 0, "cloth_count")
  equal(cloth:status().iteration_count, 0, "iteration_count")
end)

suite.test("the collector destroys what is unreachable, and only that", function()
  local device = sheets.device()
  local kept = device:create_buffer {count = 4}
  local handles = {}
  for index = 1, 20 do
    local buffer = device:create_buffer {count = 4}
    handles[index] = ffi.cast("clothc_buffer", ffi.cast("uintptr_t", buffer.handle))
  end
  collect()
  local C, info = require "clothc.library".C, clothc.struct "buffer_info"
  for _, handle in ipairs(handles) do
    equal(C.clothc_buffer_get_info(handle, info), clothc.result.ERROR_INVALID_HANDLE, "a handle that was collected")
  end
  equal(kept:info().count, 4, "the count of a buffer that is reachable")
end)

suite.test("finalisers run after their device is destroyed", function()
  do
    local world = sheets.world()
    local held = {world.device:create_buffer {count = 4}, world.device:create_fence(), world.fabric, world.solver}
    world.solver:update()
    world.device:destroy()
    held[1] = nil
  end
  collect()
  equal(sheets.world().cloth:status().iteration_count, 0, "iteration_count of a new world")
end)

suite.test("objects are collected while their updates are queued and running", function()
  for round = 1, 30 do
    do
      local world = sheets.world(30, 30)
      local buffers = {}
      for index = 1, 4 do
        world.solver:update()
        buffers[index] = world.device:create_buffer {count = world.count}
        world.solver:get("position", buffers[index])
      end
      world.cloth:bind("normal", world.device:create_buffer {count = world.count})
      world.solver:update()
      -- The device goes first in every third round, by name.
      if round % 3 == 0 then world.device:destroy() end
    end
    collectgarbage()
  end
  collect()
end)

suite.test("memory that is borrowed outlives the buffer", function()
  local device = sheets.device()
  local solver = device:create_solver()
  solver:add_cloth {fabric = device:cook_fabric(sheets.mesh(40, 40))}
  local watched, handle = setmetatable({}, {__mode = "v"}), nil
  do
    watched.memory = ffi.new("float[?]", 4 * 1600)
    local buffer = device:create_buffer {kind = "wrapped_host", memory = watched.memory}
    handle = ffi.cast("clothc_buffer", ffi.cast("uintptr_t", buffer.handle))
    solver:update()
    solver:get("position", buffer)
  end
  -- The collection that destroys the buffer must leave the memory, as the finaliser runs after memory is freed.
  collectgarbage()
  local C, info = require "clothc.library".C, clothc.struct "buffer_info"
  equal(C.clothc_buffer_get_info(handle, info), clothc.result.ERROR_INVALID_HANDLE, "the buffer that was collected")
  holds(watched.memory ~= nil, "the memory was freed together with the buffer")
  collect()
  equal(watched.memory, nil, "the memory after more collections")
end)

local function resident_bytes()
  local file = assert(io.open "/proc/self/statm")
  local pages = tonumber(file:read "*a":match "^%d+ (%d+)")
  file:close()
  return pages * 4096
end

--- Runs a body many times. Fails if the process or the heap of Lua grows from the first part to the last.
local function is_bounded(rounds, body)
  for _ = 1, rounds do body() end
  collect()
  local bytes, heap = resident_bytes(), collectgarbage "count"
  for _ = 1, 3 * rounds do body() end
  collect()
  local growth, heap_growth = resident_bytes() - bytes, collectgarbage "count" - heap
  holds(growth < 3e6, ("the process grew by %d bytes"):format(growth))
  holds(heap_growth < 100, ("the heap of Lua grew by %d KiB"):format(heap_growth))
end

suite.test("thousands of objects are destroyed by the program without a leak", function()
  local world = sheets.world()
  is_bounded(400, function()
    local buffer, fence = world.device:create_buffer {count = 1000}, world.device:create_fence()
    local solver = world.device:create_solver {particle_capacity = 1000}
    local cloth = world.solver:add_cloth {fabric = world.fabric}
    world.cloth:bind("normal", buffer)
    cloth:remove()
    buffer:destroy()
    fence:destroy()
    solver:destroy()
  end)
end)

suite.test("thousands of objects are destroyed by the collector without a leak", function()
  local world, count = sheets.world(), 0
  is_bounded(400, function()
    world.device:create_buffer {count = 1000}
    world.device:create_fence()
    world.device:create_solver {particle_capacity = 1000}
    world.device:load_fabric(world.fabric:save())
    count = count + 1
    if count % 20 == 0 then collectgarbage() end
  end)
end)

suite.test("devices are made and destroyed without a leak", function()
  is_bounded(25, function()
    local world = sheets.world()
    world.solver:update()
    world.device:destroy()
  end)
end)

suite.test("a frame makes no tables, closures or strings", function()
  local world = sheets.world()
  local solver, cloth = world.solver, world.cloth
  local buffer = world.device:create_buffer {count = world.count}
  local parameters, status = clothc.struct "cloth_parameters", clothc.struct "cloth_status"
  local height = 0
  local function frame(index)
    parameters.wind_velocity[0] = index % 7
    cloth:set_parameters(parameters)
    solver:update(1 / 60)
    solver:get("position", buffer)
    local mapping = buffer:map "read"
    local _, y = mapping:get(world.count - 1)
    height = height + y
    buffer:unmap()
    height = height + cloth:status(status).bounds_minimum[2]
  end
  -- Without the compiler, each access to an array or 64-bit value of a struct makes a box of 16 to 24 bytes, always as
  -- many. With it these are gone; programs_test.lua looks at that.
  jit.off()
  jit.flush()
  for index = 1, 10 do frame(index) end
  collect()
  collectgarbage "stop"
  local before = collectgarbage "count"
  for index = 1, 100 do frame(index) end
  local bytes = (collectgarbage "count" - before) * 1024 / 100
  collectgarbage "restart"
  jit.on()
  holds(bytes < 160, ("a frame makes %.1f bytes of garbage"):format(bytes))
  holds(height < 0, "the cloth has not fallen")
end)
