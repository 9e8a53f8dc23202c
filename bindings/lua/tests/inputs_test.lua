-- inputs_test.lua - inputs that are wrong give errors that name the value and the remedy, and never crash.
local ffi = require "ffi"
local clothc = require "clothc"
local sheets = require "sheets"
local suite = require "suite"

local fails = suite.fails
-- Objects that all tests share.
local world = sheets.world()
local device, solver, cloth = world.device, world.solver, world.cloth

suite.test("unknown names are refused, and the nearest known one is named", function()
  fails("INVALID_ARGUMENT", {"solver has no particle_capcity", "particle_capacity"}, device.create_solver, device,
    {particle_capcity = 5})
  fails("INVALID_ARGUMENT", {"cloth.parameters has no gravty", "gravity"}, solver.add_cloth, solver,
    {fabric = world.fabric, parameters = {gravty = {0, 0, 0}}})
  fails("INVALID_ARGUMENT", {"clothc.backend has no cpv", "cpu"}, clothc.create_device, {backend = "cpv"})
  fails("INVALID_ARGUMENT", {"clothc.map has no reed", "read"}, function()
    device:create_buffer({count = 1}):map "reed write"
  end)
  fails("INVALID_ARGUMENT", {"clothc.channel has no POSITON", "POSITION"}, function() return clothc.channel.POSITON end)
  fails("INVALID_ARGUMENT", {"options has no region", "regions"}, solver.get, solver, "position",
    device:create_buffer {count = 1}, {region = {}})
  fails("INVALID_ARGUMENT", {"clothc.struct has no updat", "update"}, clothc.struct, "updat")
end)

suite.test("integers are checked against the range of their type", function()
  for _, value in ipairs {-1, 2 ^ 32, 1.5, 0 / 0, math.huge, "7", {}, true} do
    fails("INVALID_ARGUMENT", {"solver.particle_capacity is", "4294967295"}, device.create_solver, device,
      {particle_capacity = value})
  end
  fails("INVALID_ARGUMENT", {"buffer.count is -1"}, device.create_buffer, device, {count = -1})
  fails("INVALID_ARGUMENT", {"buffer.count is -1"}, device.create_buffer, device, {count = -1LL})
  fails("INVALID_ARGUMENT", {"timeout_ns is 1.5"}, solver.wait, solver, nil, 1.5)
  fails("INVALID_ARGUMENT", {"value is the string"}, solver.wait, solver, "soon")
end)

suite.test("numbers that are not finite are named by the library", function()
  fails("INVALID_ARGUMENT", {"gravity", "nan"}, cloth.set_parameters, cloth, {gravity = {0, 0 / 0, 0}})
  fails("INVALID_ARGUMENT", {"friction"}, cloth.set_parameters, cloth, {friction = 1e300})
  fails("INVALID_ARGUMENT", {"dt"}, solver.update, solver, 0 / 0)
  fails("INVALID_ARGUMENT", {"nan"}, device.cook_fabric, device, {positions = {{0, 0, 0 / 0}}})
  fails("INVALID_ARGUMENT", {"sphere 1"}, solver.create_collider_set, solver, {spheres = {0, 0, 0, 1, 0, 0, 0, -1}})
  suite.equal(solver:info().collider_set_count, 0, "the number of sets after one was refused")
end)

local function cook(mesh) return device:cook_fabric(mesh) end

suite.test("arrays are checked element by element, and against their counts", function()
  fails("INVALID_ARGUMENT", {"mesh.positions[2] has 2 elements; want 3"}, cook, {positions = {{0, 0, 0}, {1, 0}}})
  fails("INVALID_ARGUMENT", {"mesh.positions has 4 numbers", "multiple of 3"}, cook, {positions = {0, 0, 0, 1}})
  fails("INVALID_ARGUMENT", {"mesh.inverse_masses has 1 numbers; want 2", "vertex_count is 2"}, cook,
    {positions = {0, 0, 0, 1, 1, 1}, inverse_masses = {1}})
  fails("INVALID_ARGUMENT", {"want 9", "vertex_count is 3"}, cook, {vertex_count = 3, positions = {0, 0, 0, 1, 1, 1}})
  fails("INVALID_ARGUMENT", {"mesh.positions[2] is the string"}, cook, {positions = {{0, 0, 0}, "no"}})
  fails("INVALID_ARGUMENT", {"mesh.positions[1][2] is the string"}, cook, {positions = {{0, "no", 0}}})
  fails("INVALID_ARGUMENT", {"mesh.quads[3] is -1"}, cook, {positions = {0, 0, 0}, quads = {0, 1, -1, 2}})
  fails("INVALID_ARGUMENT", {"mesh.triangles[2] is 65536"}, cook,
    {positions = {0, 0, 0}, index_size = 2, triangles = {0, 65536, 1}})
  fails("INVALID_ARGUMENT", {"double [3]", "array of float"}, cook, {positions = ffi.new "double[3]"})
  fails("INVALID_ARGUMENT", {"pointer", "vertex_count"}, cook, {positions = ffi.cast("float*", ffi.new "float[3]")})
  fails("INVALID_ARGUMENT", {"mesh.positions is the string"}, cook, {positions = "0 0 0"})
  fails("INVALID_ARGUMENT", {"mesh.gravity_hint is a table of 2", "3"}, cook, {gravity_hint = {0, 1}})
  fails("INVALID_ARGUMENT", {"cloth.positions has 4 numbers; want 192"}, solver.add_cloth, solver,
    {fabric = world.fabric, positions = {0, 0, 0, 1}})
  fails("INVALID_ARGUMENT", {"positions has 4 numbers; want 192"}, cloth.reset, cloth, {0, 0, 0, 1})
  fails("INVALID_ARGUMENT", {"sdf.values has 7 numbers; want 8"}, solver.create_collider_sdf, solver,
    {counts = {2, 2, 2}, spacing = 1, values = {1, 1, 1, 1, 1, 1, 1}})
  fails("INVALID_ARGUMENT", {"shapes.convex_planes has 1 numbers; want 2"}, solver.create_collider_set, solver,
    {planes = {{0, 1, 0, 0}, {1, 0, 0, 0}}, convex_ends = {1, 2}, convex_planes = {0}})
end)

suite.test("objects and structs of the wrong kind are refused", function()
  local buffer = device:create_buffer {count = 4}
  fails("INVALID_ARGUMENT", {"buffer is nil"}, solver.get, solver, "position", nil)
  fails("INVALID_ARGUMENT", {"buffer is number"}, solver.get, solver, "position", 5)
  fails("INVALID_ARGUMENT", {"buffer is solver"}, solver.get, solver, "position", solver)
  fails("INVALID_ARGUMENT", {"channel is nil"}, solver.get, solver, nil, buffer)
  fails("INVALID_ARGUMENT", {"channel"}, solver.get, solver, 99, buffer)
  fails("INVALID_ARGUMENT", {"update is the string"}, solver.update, solver, "fast")
  fails("INVALID_ARGUMENT", {"clothc_update"}, solver.update, solver, clothc.struct "view")
  fails("INVALID_ARGUMENT", {"fabrics[1] is buffer"}, solver.restore, solver, "", {buffer})
  fails("INVALID_ARGUMENT", {"snapshot is nil"}, solver.restore, solver, nil)
  fails("INVALID_ARGUMENT", {"device is 5"}, clothc.create_device, 5)
  fails("INVALID_ARGUMENT", {"id is the string"}, solver.cloth, solver, "first")
  fails("INVALID_HANDLE", {}, solver.update, {plain_update = clothc.struct "update", default_dt = 0})
  fails("INVALID_HANDLE", {}, cloth.remove, solver:cloth(12345))
  fails("INVALID_HANDLE", {}, solver.add_cloth, solver, {})
end)

suite.test("callbacks are refused, with the reason", function()
  fails("INVALID_ARGUMENT", {"device.submit", "other threads"}, clothc.create_device, {submit = function() end})
  fails("INVALID_ARGUMENT", {"device.message", "errors"}, clothc.create_device, {message = print})
end)

suite.test("a struct that would point to garbage is refused", function()
  fails("INVALID_ARGUMENT", {"mesh_desc would point to memory"}, clothc.struct, "mesh_desc", {positions = {0, 0, 0}})
end)

suite.test("errors carry code, name, message, and the line of the program", function()
  local failure = fails("CAPACITY", {"particle_capacity"}, function()
    local small = device:create_solver {particle_capacity = 16}
    small:add_cloth {fabric = world.fabric}
  end)
  suite.equal(failure.code, clothc.result.ERROR_CAPACITY, "the code")
  suite.holds(tostring(failure):find "inputs_test.lua:%d+: CLOTHC_ERROR_CAPACITY: ", tostring(failure))
  suite.equal(clothc.result_name(failure.code), failure.name, "the name")
end)
