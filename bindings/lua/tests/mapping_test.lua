-- mapping_test.lua - misuse of mapped memory is an error that says what is wrong, and never a crash.
local ffi = require "ffi"
local sheets = require "sheets"
local suite = require "suite"

local equal, fails = suite.equal, suite.fails

local function read_first(mapping) return mapping[0] end
local function write_first(mapping) mapping[0] = {1, 2, 3, 4} end

suite.test("elements are counted from 0 and checked against the count", function()
  local buffer = sheets.device():create_buffer {count = 3}
  local mapping = buffer:map "read write"
  mapping[2] = {1, 2, 3, 4}
  mapping[1].x = 5
  mapping:set(0, 7, 8, 9)
  equal(mapping[2].w, 4, "w of element 2")
  equal(mapping:get(1), 5, "x of element 1")
  equal(select("#", mapping:get(0)), 4, "the components of a FLOAT4")
  equal(mapping.pointer[0].z, 9, "z of element 0 through the pointer")
  equal(mapping.count, 3, "the count")
  for _, index in ipairs {-1, 3, 2 ^ 32, 0 / 0, math.huge} do
    fails("INVALID_ARGUMENT", {"0 to 2"}, function() return mapping[index] end)
    fails("INVALID_ARGUMENT", {"0 to 2"}, function() mapping[index] = {0, 0, 0, 0} end)
    fails("INVALID_ARGUMENT", {"0 to 2"}, mapping.get, mapping, index)
    fails("INVALID_ARGUMENT", {"0 to 2"}, mapping.set, mapping, index, 0, 0, 0)
  end
  equal(mapping.nothing, nil, "a field that no mapping has")
end)

suite.test("only numbers that fit are set", function()
  local device = sheets.device()
  local floats, integers = device:create_buffer {count = 2}, device:create_buffer {count = 2, format = "uint"}
  local mapping, integer_mapping = floats:map "write", integers:map "write"
  fails("INVALID_ARGUMENT", {"y is nil"}, mapping.set, mapping, 0, 1)
  fails("INVALID_ARGUMENT", {"x is the string"}, mapping.set, mapping, 0, "1", 2, 3)
  fails("INVALID_ARGUMENT", {"x is -1"}, integer_mapping.set, integer_mapping, 0, -1)
  fails("INVALID_ARGUMENT", {"x is 4294967296"}, integer_mapping.set, integer_mapping, 0, 2 ^ 32)
  fails("INVALID_ARGUMENT", {"no colour to set"}, function() mapping.colour = 1 end)
  for _, value in ipairs {"one", {"one"}, print} do
    suite.holds(not pcall(function() mapping[0] = value end), "an element took a value of the wrong kind")
  end
end)

suite.test("each format has its elements, with and without gaps", function()
  local device = sheets.device()
  for format, width in pairs {float = 1, float3 = 3, float4 = 4, uint = 1} do
    for _, stride in ipairs {0, 32} do
      local buffer = device:create_buffer {count = 4, format = format, stride = stride}
      local mapping = buffer:map "write read"
      mapping:set(3, 7, 8, 9)
      equal(mapping:get(3), 7, format)
      equal(select("#", mapping:get(3)), width, "the components of " .. format)
      local address = ffi.cast("uint8_t*", mapping.pointer) + 3 * mapping.stride
      equal(tonumber(ffi.cast(format == "uint" and "uint32_t*" or "float*", address)[0]), 7, "the number in memory")
      equal(width > 1 and mapping[3].x or mapping[3], 7, format)
      mapping:unmap()
    end
  end
end)

suite.test("a buffer is mapped once at a time", function()
  local buffer = sheets.device():create_buffer {count = 3}
  local mapping = buffer:map "write"
  mapping[0] = {1, 2, 3, 4}
  fails("INVALID_STATE", {"mapped"}, buffer.map, buffer, "read")
  equal(mapping[0].x, 1, "the mapping after a second map has failed")
  buffer:unmap()
  fails("INVALID_STATE", {"not mapped"}, buffer.unmap, buffer)
  fails("INVALID_STATE", {"not mapped"}, mapping.unmap, mapping)
end)

suite.test("a mapping cannot be used after the unmap, until the buffer is mapped again", function()
  local buffer = sheets.device():create_buffer {count = 3}
  local mapping = buffer:map "write"
  buffer:unmap()
  equal(mapping.pointer, false, "the pointer")
  for _, use in ipairs {read_first, write_first, mapping.get, mapping.bytes} do
    fails("INVALID_STATE", {"not mapped"}, use, mapping, 0)
  end
  fails("INVALID_STATE", {"not mapped"}, buffer.write, buffer, mapping)
  equal(buffer:map "write discard", mapping, "the mapping of the second map")
  equal(#{mapping:get(0)}, 4, "the components")
end)

suite.test("a mapping cannot be used after its buffer or device is destroyed", function()
  local device = sheets.device()
  local first, second = device:create_buffer {count = 3}, device:create_buffer {count = 3}
  local first_mapping, second_mapping = first:map(), second:map()
  first:destroy()
  fails("INVALID_STATE", {"not mapped"}, read_first, first_mapping)
  equal(second_mapping[0].x, 0, "another mapping")
  device:destroy()
  fails("INVALID_STATE", {"not mapped"}, read_first, second_mapping)
  fails("INVALID_STATE", {"not mapped"}, write_first, second_mapping)
  fails("INVALID_HANDLE", {}, second_mapping.unmap, second_mapping)
end)

suite.test("a mapping keeps its buffer and its device", function()
  local mapping = sheets.device():create_buffer({count = 3}):map "read write"
  for _ = 1, 3 do collectgarbage() end
  mapping[2] = {1, 2, 3, 4}
  equal(mapping[2].w, 4, "w of element 2")
end)

suite.test("sets, gets, reads and updates refuse a buffer that is mapped", function()
  local world = sheets.world()
  local buffer = world.device:create_buffer {count = world.count}
  world.cloth:bind("normal", buffer)
  buffer:map "read"
  fails("INVALID_STATE", {"mapped"}, world.solver.set, world.solver, "position", buffer)
  fails("INVALID_STATE", {"mapped"}, world.solver.get, world.solver, "position", buffer)
  fails("INVALID_STATE", {"mapped"}, world.solver.update, world.solver)
  fails("INVALID_STATE", {"mapped"}, buffer.read, buffer)
  fails("INVALID_STATE", {"mapped"}, buffer.write, buffer, {1, 2, 3, 4})
  buffer:unmap()
  world.solver:update()
end)

suite.test("a map with no_wait says when the buffer is busy", function()
  local world = sheets.world()
  local buffer, fence = world.device:create_buffer {count = world.count}, world.device:create_fence()
  world.solver:update {wait_fence = fence, wait_value = 1}
  world.solver:get("position", buffer)
  local mapping, reason = buffer:map "read no_wait"
  equal(mapping, nil, "the mapping")
  equal(reason, "NOT_READY", "the reason")
  fence:signal(1)
  equal(buffer:map("read").count, world.count, "the count")
end)

suite.test("a mapping gives its numbers to other calls", function()
  local world = sheets.world()
  local buffer = world.device:create_buffer {count = world.count}
  world.solver:get("position", buffer)
  local copy = world.solver:add_cloth {fabric = world.fabric, positions = buffer:map "read"}
  equal(copy:info().particle_count, world.count, "particle_count")
  local other = world.device:create_buffer {count = world.count}
  other:write(buffer.mapping)
  equal(other:map()[1].x, buffer.mapping[1].x, "x of element 1")
  local numbers = world.device:create_buffer {count = 4 * world.count, format = "uint"}
  fails("INVALID_ARGUMENT", {"cloth.positions is the mapping", "float"}, world.solver.add_cloth, world.solver,
    {fabric = world.fabric, positions = numbers:map()})
  local gaps = world.device:create_buffer {count = world.count, stride = 20}
  fails("INVALID_ARGUMENT", {"without gaps"}, buffer.write, other, gaps:map())
end)

suite.test("records that are larger than the elements are refused", function()
  local buffer = sheets.device():create_buffer {count = 2, format = "record", stride = 64}
  fails("INVALID_ARGUMENT", {"64 bytes", "cloth_parameters has 232"}, buffer.map, buffer, "read", "cloth_parameters")
  equal(buffer:map("read", "cloth_frame")[1].flags, 0, "flags")
end)
