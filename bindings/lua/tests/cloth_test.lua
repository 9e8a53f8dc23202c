-- cloth_test.lua - cloths, groups, channels and colliders do what the functions of the library do.
local ffi = require "ffi"
local clothc = require "clothc"
local sheets = require "sheets"
local suite = require "suite"

local equal, holds = suite.equal, suite.holds

local function near(value, wanted, tolerance, what)
  holds(math.abs(value - wanted) <= tolerance, ("%s is %g; want %g"):format(what or "the value", value, wanted))
end

suite.test("a free particle falls as semi-implicit Euler predicts", function()
  local device = sheets.device()
  local solver = device:create_solver()
  local group = solver:add_group {positions = {{0, 0, 0, 1}}}
  local buffer = device:create_buffer {count = 1}
  for _ = 1, 60 do solver:update(1 / 60) end
  solver:get("position", buffer, {regions = {{source_offset = group:info().first_particle, count = 1}}})
  -- n steps of h: x = g h^2 n (n + 1) / 2; the default is 300 iterations per second.
  near(buffer:map()[0].y, -9.81 * 300 * 301 / 2 / 300 ^ 2, 1e-3, "the height")
end)

suite.test("parameters, frames and phases are read as they were set", function()
  local cloth = sheets.world().cloth
  local parameters = cloth:parameters()
  near(parameters.gravity[2], -9.81, 1e-6, "the default of gravity")
  parameters.friction, parameters.gravity, parameters.sleep_policy = 0.25, {1, -2, 3}, "report"
  cloth:set_parameters(parameters)
  local found = cloth:parameters()
  equal(found.friction, 0.25, "friction")
  equal(table.concat(found.gravity, " "), "1 -2 3", "gravity")
  equal(found.sleep_policy, clothc.sleep_policy.REPORT, "sleep_policy")
  equal(cloth:parameters(clothc.struct "cloth_parameters").friction, 0.25, "friction in a struct")

  cloth:set_frame {translation = {1, 2, 3}, flags = "teleport clear_inertia"}
  local frame = cloth:frame()
  equal(table.concat(frame.translation, " "), "1 2 3", "translation")
  equal(frame.flags, clothc.frame.TELEPORT + clothc.frame.CLEAR_INERTIA, "flags")

  local phases = cloth:phases()
  holds(#phases >= 2, "a sheet has " .. #phases .. " phases")
  phases[1].stiffness = 0.5
  cloth:set_phases {phases[1]}
  equal(#cloth:phases(), 1, "the number of phases")
  equal(cloth:phases()[1].stiffness, 0.5, "stiffness")
  cloth:set_phases {}
  equal(#cloth:phases(), 0, "the number of phases")
end)

suite.test("status and information follow the updates", function()
  local world = sheets.world()
  for _ = 1, 3 do world.solver:update() end
  local status = world.cloth:status()
  equal(status.iteration_count, 5, "iteration_count")
  holds(status.bounds_minimum[2] < 0, "the sheet has not fallen")
  local record = clothc.struct "cloth_status"
  equal(world.cloth:status(record), record, "the struct that was filled")
  equal(record.iteration_count, 5, "iteration_count in a struct")
  local info = world.solver:info()
  equal(info.update_count, 3, "update_count")
  equal(info.cloth_count, 1, "cloth_count")
  equal(world.cloth:info().fabric_hash, world.fabric:info().content_hash, "fabric_hash")
  equal(type(world.cloth:info().fabric_hash), "cdata", "the type of a hash")
end)

suite.test("timers tell the times of an update", function()
  local world = sheets.world(40, 40)
  for _ = 1, 4 do world.solver:update {flags = "timers"} end
  world.solver:wait()
  world.solver:update {flags = {"timers"}}
  world.solver:wait()
  local timers = world.solver:timers()
  holds(timers.update >= 1 and timers.total_ns > 0, "no times have arrived")
  holds(timers.part_ns[clothc.part.PROGRAMS] + timers.part_ns[clothc.part.ITERATIONS] > 0, "no part took time")
  equal(timers.particle_count, 1600, "particle_count")
end)

suite.test("sets and gets copy regions and views", function()
  local world = sheets.world()
  local solver, device, count = world.solver, world.device, world.count
  local buffer = device:create_buffer {count = count, format = "float3"}
  local positions = {}
  for index = 1, count do positions[index] = {index, 2 * index, 3 * index} end
  buffer:write(positions)
  solver:set("position", buffer, {flags = "at_rest"})
  local vertices = device:create_buffer {count = count, format = "record", stride = 32}
  solver:get(clothc.channel.POSITION, vertices, {view = {format = "float3", byte_offset = 8}})
  local mapping = vertices:map "read"
  local element = ffi.cast("float*", mapping:bytes() + 32 * 5 + 8)
  equal(element[0], 6, "x of particle 5")
  equal(element[2], 18, "z of particle 5")
  mapping:unmap()
  -- Two elements from the middle of the channel to the end of the buffer.
  solver:get("position", buffer, {regions = {{source_offset = 3, target_offset = count - 2, count = 2}}})
  local x, _, z = buffer:map():get(count - 1)
  equal(x, 5, "x of particle 4")
  equal(z, 15, "z of particle 4")
end)

suite.test("record channels are mapped as structs", function()
  local world = sheets.world()
  local other = world.solver:add_cloth {fabric = world.fabric, parameters = {friction = 0.5}}
  local buffer = world.device:create_buffer {
    count = 2, format = "record", stride = ffi.sizeof "clothc_cloth_parameters",
  }
  world.solver:get("cloth_parameters", buffer)
  local mapping = buffer:map("read write", "cloth_parameters")
  equal(mapping[1].friction, 0.5, "friction")
  mapping[0].friction = 0.75
  mapping:unmap()
  world.solver:set("cloth_parameters", buffer)
  equal(world.cloth:parameters().friction, 0.75, "friction")
  equal(other:parameters().friction, 0.5, "friction")
end)

suite.test("cloths are listed, cloned, reset, cleared, compacted and removed", function()
  local world = sheets.world()
  local solver = world.solver
  for _ = 1, 10 do solver:update() end
  local copy = world.cloth:clone()
  equal(#solver:cloths(), 2, "the number of cloths")
  equal(solver:cloths()[2], copy, "the second cloth")
  equal(solver:cloth(copy.id), copy, "the cloth of an id")
  holds(copy ~= world.cloth, "a copy equals its source")
  local buffer = world.device:create_buffer {count = world.count}
  local function height_of_last()
    solver:get("position", buffer)
    local _, height = buffer:map():get(world.count - 1)
    buffer:unmap()
    return height
  end
  holds(height_of_last() < 0, "the sheet has not fallen")
  world.cloth:reset()
  equal(height_of_last(), 0, "the height of a cloth that was reset")
  local high = {}
  for index = 1, world.count do high[index] = {0.1 * index, 7, 0, 1} end
  world.cloth:reset(high)
  equal(height_of_last(), 7, "the height of a cloth that was reset")
  world.cloth:clear "acceleration"
  local first = copy:info().first_particle
  world.cloth:remove()
  local moves = solver:compact()
  equal(#moves, 1, "the number of moves")
  equal(moves[1].cloth, copy.id, "the cloth that moved")
  equal(moves[1].old_first, first, "where it was")
  equal(moves[1].new_first, copy:info().first_particle, "where it is")
end)

suite.test("cloth lies on a box, and contacts name it", function()
  local device = sheets.device()
  local solver = device:create_solver {contact_capacity = 500}
  local mesh = sheets.mesh(6, 6)
  mesh.inverse_masses = nil
  local set = solver:create_collider_set {boxes = {{0.25, -0.2, 0.25, 0, 0, 0, 1, 2, 0.1, 2}}, space = "world"}
  local cloth = solver:add_cloth {
    fabric = device:cook_fabric(mesh), collider_sets = {set}, parameters = {collision_flags = {"report"}},
  }
  for _ = 1, 60 do solver:update() end
  near(cloth:status().bounds_minimum[2], -0.1, 1e-3, "the height")
  local count = device:create_buffer {count = 1, format = "uint"}
  local contacts = device:create_buffer {count = 500, format = "record", stride = ffi.sizeof "clothc_contact"}
  solver:get("contact_count", count)
  solver:get("contact", contacts)
  equal(count:read()[0], 36, "the number of contacts")
  local contact = contacts:map("read", "contact")[35]
  equal(solver:cloth(contact.cloth), cloth, "the cloth of a contact")
  equal(solver:collider_set(contact.collider_set).id, set.id, "the set of a contact")
  equal(contact.kind, clothc.shape_kind.BOX, "the kind of a contact")
  set:write {}
  cloth:set_collider_sets {}
  equal(cloth:info().collider_set_count, 0, "collider_set_count")
  cloth:set_collider_sets {set}
  set:destroy()
  equal(cloth:info().collider_set_count, 0, "collider_set_count")
end)

local tetrahedron = {
  vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
}

suite.test("meshes and distance fields are collider assets", function()
  local solver = sheets.world().solver
  local mesh = solver:create_collider_mesh(tetrahedron)
  local cooked = clothc.cook_sdf {vertices = tetrahedron.vertices, triangles = tetrahedron.triangles, resolution = 8}
  equal(ffi.sizeof(cooked.values), 4 * cooked.counts[1] * cooked.counts[2] * cooked.counts[3], "the bytes of the field")
  holds(cooked.spacing > 0, "the spacing is " .. cooked.spacing)
  local sdf = solver:create_collider_sdf(cooked)
  local at_origin = {0, 0, 0, 0, 0, 0, 1, 1}
  local set = solver:create_collider_set {instance_assets = {mesh, sdf}, instances = {at_origin, at_origin}}
  equal(solver:info().collider_asset_count, 2, "collider_asset_count")
  suite.fails("INVALID_STATE", {}, sdf.destroy, sdf)
  set:destroy()
  sdf:destroy()
  mesh:destroy()
  equal(solver:info().collider_asset_count, 0, "collider_asset_count")
end)

suite.test("all shapes of a set are taken from tables", function()
  local solver = sheets.world().solver
  local identity = {0, 0, 0, 1}
  local function posed(...) return {0, 0, 0, identity[1], identity[2], identity[3], identity[4], ...} end
  local set = solver:create_collider_set {
    spheres = {0, 0, 0, 1, 2, 0, 0, 0.5}, sphere_starts = {{0, 0, 0, 1}, {2, 1, 0, 0.5}}, capsules = {{0, 1}},
    planes = {{0, 1, 0, 5}, {1, 0, 0, 5}}, convex_ends = {1, 2}, convex_planes = {0, 1},
    ellipsoids = {posed(1, 2, 3)}, boxes = {posed(1, 1, 1)}, box_starts = {posed(1, 1, 1)},
    vertices = tetrahedron.vertices, triangles = tetrahedron.triangles, triangle_reach = math.huge,
  }
  solver:update()
  equal(solver:info().collider_set_count, 1, "collider_set_count")
  set:destroy()
end)

suite.test("groups have springs and an active set, from tables and from buffers", function()
  local device = sheets.device()
  local solver = device:create_solver()
  local group = solver:add_group {positions = {{0, 0, 0, 0}, {1, 0, 0, 1}, {2, 0, 0, 1}, {3, 0, 0, 1}}, radius = 0.1}
  group:set_springs({{0, 1}, {1, 2}}, {1, 1}, {1, 0.5})
  equal(group:group_info().spring_count, 2, "spring_count")
  local indices = device:create_buffer {count = 10, format = "uint"}
  local lengths = device:create_buffer {count = 5, format = "float"}
  indices:write {0, 1, 1, 2, 2, 3}
  lengths:write {1, 1, 1}
  group:set_springs(indices, lengths, nil, 3)
  equal(group:group_info().spring_count, 3, "spring_count")
  group:set_springs()
  equal(group:group_info().spring_count, 0, "spring_count")
  group:set_active {3, 1}
  equal(table.concat(group:active(), " "), "1 3", "the active particles")
  group:set_active(nil, 2)
  equal(table.concat(group:active(), " "), "0 1", "the active particles")
  group:set_active {}
  equal(#group:active(), 0, "the number of active particles")
  equal(getmetatable(solver:cloths()[1]), getmetatable(group), "the class of a group that is listed")
  equal(solver:group(group.id), group, "the group of an id")
  suite.fails("INVALID_ARGUMENT", {"spring_count"}, group.set_springs, group, indices, lengths)
  group:remove()
  equal(#solver:cloths(), 0, "the number of cloths")
end)

suite.test("self-collision takes some or all particles", function()
  local cloth = sheets.world().cloth
  cloth:set_parameters {self_collision_distance = 0.05}
  cloth:set_self_collision_particles {0, 5, 7}
  cloth:set_self_collision_particles()
  suite.fails("INVALID_ARGUMENT", {"48"}, cloth.set_self_collision_particles, cloth, {48})
end)

suite.test("a bound channel writes one element per vertex in every update", function()
  local world = sheets.world()
  local buffer = world.device:create_buffer {count = 48, format = "float3"}
  world.cloth:bind("position", buffer)
  for _ = 1, 5 do world.solver:update() end
  local bound = buffer:map()[47].y
  buffer:unmap()
  holds(bound < 0, "the last vertex has not fallen")
  world.cloth:bind("position", nil)
  world.solver:update()
  equal(buffer:map()[47].y, bound, "the height after the binding ended")
end)
