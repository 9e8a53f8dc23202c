-- state_test.lua - snapshots, state hashes, debug lines, and that results do not depend on workers.
local ffi = require "ffi"
local clothc = require "clothc"
local sheets = require "sheets"
local suite = require "suite"

local equal, fails = suite.equal, suite.fails

suite.test("a snapshot continues with the same hash in another solver", function()
  local world = sheets.world()
  for _ = 1, 10 do world.solver:update() end
  local snapshot, before = world.solver:snapshot(), world.solver:state_hash()
  for _ = 1, 10 do world.solver:update() end
  local after = world.solver:state_hash()
  suite.holds(before ~= after, "the hash does not change")

  local device = clothc.create_device {backend = "cpu", worker_count = 1, isa = "scalar"}
  local solver = device:create_solver()
  solver:restore(snapshot, {device:load_fabric(world.fabric:save())})
  equal(solver:state_hash(), before, "the hash after restoring")
  equal(solver:cloths()[1].id, world.cloth.id, "the id of the cloth")
  for _ = 1, 10 do solver:update() end
  equal(solver:state_hash(), after, "the hash after ten more updates")
end)

suite.test("the hash is text and an integer of 64 bits", function()
  local text, number = sheets.world().solver:state_hash()
  suite.holds(text:find "^%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x$", text)
  equal(ffi.istype("uint64_t", number), true, "the type")
  equal(bit.tohex(number), text, "the digits")
end)

suite.test("snapshots that are damaged or lack a fabric are refused, and change nothing", function()
  local world = sheets.world()
  local snapshot, hash = world.solver:snapshot(), world.solver:state_hash()
  fails("INVALID_ARGUMENT", {}, world.solver.restore, world.solver, snapshot)
  fails("INVALID_ARGUMENT", {}, world.solver.restore, world.solver, snapshot:sub(1, 100), {world.fabric})
  fails("INVALID_ARGUMENT", {}, world.solver.restore, world.solver, "", {world.fabric})
  fails("INVALID_ARGUMENT", {}, world.solver.restore, world.solver, ("x"):rep(#snapshot), {world.fabric})
  equal(world.solver:state_hash(), hash, "the hash")
end)

suite.test("restoring ends bindings", function()
  local world = sheets.world()
  local buffer = world.device:create_buffer {count = 48}
  world.cloth:bind("position", buffer)
  world.solver:restore(world.solver:snapshot(), {world.fabric})
  world.solver:update()
  equal(buffer:map()[47].z, 0, "what an update wrote into a buffer that is no longer bound")
end)

suite.test("debug lines are an array of structs", function()
  local world = sheets.world()
  local _, count = world.solver:debug_lines()
  equal(count, tonumber(world.fabric:info().constraint_count), "the constraints")
  local lines, three = world.solver:debug_lines {flags = "frames", cloth = world.cloth.id, size = 0.25}
  equal(three, 3, "the axes")
  equal(lines[2].second[2], 1, "the length of an axis")
  equal(bit.tohex(lines[2].second_colour), "ffff0000", "blue, in memory from the lowest byte on")
  local _, none = world.solver:debug_lines {flags = "contacts"}
  equal(none, 0, "no contacts")
  fails("INVALID_HANDLE", {}, world.solver.debug_lines, world.solver, {cloth = 12345})
end)
