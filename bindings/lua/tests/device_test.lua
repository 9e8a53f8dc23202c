-- device_test.lua - devices, buffers, fabrics, fences and the parts that need a GPU.
local ffi = require "ffi"
local clothc = require "clothc"
local sheets = require "sheets"
local suite = require "suite"

local equal, holds, fails = suite.equal, suite.holds, suite.fails

suite.test("the processor is among the devices, and a device can be chosen", function()
  local cpu = nil
  for _, info in ipairs(clothc.devices()) do
    holds(info.available == 1 or #info.reason > 0, "an absent device has no reason")
    if info.backend == clothc.backend.CPU then cpu = info end
  end
  holds(cpu, "no device of the backend CPU")
  local device = clothc.create_device {backend = "cpu", isa = "scalar", worker_count = 1, flags = {"tasks_only"}}
  local info = device:info()
  equal(info.isa, clothc.isa.SCALAR, "isa")
  equal(info.worker_count, 1, "worker_count")
  equal(#info.uuid, 16, "the bytes of the uuid")
  holds(bit.band(info.capabilities, clothc.capability.STRICT_PARITY) ~= 0, "the device has no STRICT_PARITY")
  fails("UNSUPPORTED", {}, clothc.create_device, {backend = "cpu", device_index = 7})
end)

suite.test("a device is prepared, which is nothing to do on the processor", function()
  local device = sheets.device()
  device:prepare()
  device:prepare {"begin", "INTEGRATION", clothc.stage.PHASES, "end"}
  equal(device:wait_prepared(), true, "whether all is compiled")
  equal(device:wait_prepared(0), true, "whether all is compiled, at once")
  local done, total = device:progress()
  equal(total, 0, "the number of kernels to compile")
  equal(done, total, "the number of compiled kernels")
  fails("INVALID_ARGUMENT", {"clothc.stage has no winds", "wind"}, device.prepare, device, {"winds"})
  fails("INVALID_ARGUMENT", {"stages[2] is 32"}, device.prepare, device, {0, 32})
  fails("INVALID_ARGUMENT", {"stages is 0x80000000"}, device.prepare, device, {31})
  fails("INVALID_ARGUMENT", {"want a list"}, device.prepare, device, "wind")
  fails("INVALID_ARGUMENT", {"timeout_ns is -1"}, device.wait_prepared, device, -1)
end)

suite.test("what a device has compiled is saved and loaded", function()
  local device = sheets.device()
  local cache = device:save_cache()
  holds(#cache > 0, "the cache does not name its device")
  device:load_cache(cache)
  sheets.device():load_cache(cache)
  local last = string.char(bit.bxor(cache:byte(-1), 1))
  fails("INVALID_ARGUMENT", {"damaged"}, device.load_cache, device, cache:sub(1, -2) .. last)
  fails("INVALID_ARGUMENT", {"does not begin with"}, device.load_cache, device, "not a cache")
  fails("INVALID_ARGUMENT", {"want a string"}, device.load_cache, device, 5)
  device:destroy()
  fails("INVALID_HANDLE", {}, device.save_cache, device)
end)

suite.test("channels and parameters are described", function()
  local channels, parameters = clothc.channels(), clothc.parameters()
  for name, number in pairs(clothc.channel) do
    holds(channels[number].name:upper():find(name, 1, true), channels[number].name .. " is not " .. name)
  end
  equal(channels[1].count, 0, "a count without a solver")
  equal(sheets.world().solver:channels()[1].count, 16384, "a count of a solver")
  for _, parameter in ipairs(parameters) do
    equal(parameter.offset, ffi.offsetof("clothc_cloth_parameters", parameter.name), "the offset of " .. parameter.name)
  end
end)

suite.test("buffers are written and read as tables, arrays and strings", function()
  local device = sheets.device()
  local buffer = device:create_buffer {count = 3, format = "float4"}
  buffer:write {{1, 2, 3, 4}, {5, 6, 7, 8}}
  buffer:write({9, 10, 11, 12}, 2)
  local data = buffer:read()
  for index = 0, 11 do equal(data[index], index + 1, "number " .. index) end
  buffer:write(ffi.new("float[4]", {-1, -2, -3, -4}), 1)
  buffer:write(("\0"):rep(16))
  local into = ffi.new "float[12]"
  equal(buffer:read(into), into, "the array that was filled")
  equal(into[0], 0, "number 0")
  equal(into[7], -4, "number 7")
  fails("INVALID_ARGUMENT", {"float [3]", "48 bytes"}, buffer.read, buffer, ffi.new "float[3]")
  fails("INVALID_ARGUMENT", {"32", "48"}, buffer.write, buffer, {{1, 2, 3, 4}, {1, 2, 3, 4}}, 2)
  local gaps = device:create_buffer {count = 2, format = "float3", stride = 16}
  fails("INVALID_ARGUMENT", {"gaps"}, gaps.write, gaps, {{1, 2, 3}})
  gaps:write(ffi.new("float[8]", {1, 2, 3, 0, 5, 6, 7, 0}))
  equal(gaps:map()[1].y, 6, "y of element 1")
  local info = buffer:info()
  equal(info.size, 48, "size")
  equal(info.mapped, 0, "mapped")
end)

suite.test("a buffer uses the memory of the program, and keeps it", function()
  local device = sheets.device()
  local memory = ffi.new("float[8]", {1, 2, 3, 4, 5, 6, 7, 8})
  local buffer = device:create_buffer {kind = "wrapped_host", memory = memory}
  equal(buffer.count, 2, "the count that follows from the memory")
  buffer:map("write")[1].x = 50
  buffer:unmap()
  equal(memory[4], 50, "the number in the memory")
  fails("INVALID_ARGUMENT", {"32 bytes", "48"}, device.create_buffer, device,
    {kind = "wrapped_host", memory = memory, count = 3})
  fails("INVALID_ARGUMENT", {"memory is nil"}, device.create_buffer, device, {kind = "wrapped_host", count = 3})
end)

suite.test("a buffer that the device cannot make is a HOST buffer that says why", function()
  local device = sheets.device()
  fails("UNSUPPORTED", {"EXTERNAL_MEMORY"}, device.create_buffer, device, {kind = "exportable", count = 3})
  local buffer = device:create_buffer {kind = "exportable", count = 3, flags = "host_if_unsupported"}
  local info = buffer:info()
  equal(info.kind, clothc.buffer_kind.HOST, "the kind")
  equal(info.requested_kind, clothc.buffer_kind.EXPORTABLE, "the kind that was asked for")
  holds(info.reason:find "EXTERNAL_MEMORY", "the reason is " .. info.reason)
  buffer:map("write")[1].x = 50
  buffer:unmap()
  equal(buffer:read()[4], 50, "the number in the buffer")
  local memory = ffi.new "float[4]"
  local wrapped = device:create_buffer {kind = "wrapped_host", memory = memory, flags = "host_if_unsupported"}
  equal(wrapped:info().kind, clothc.buffer_kind.WRAPPED_HOST, "the kind of one that the device can make")
  equal(wrapped:info().reason, "", "its reason")
end)

suite.test("fabrics are saved, loaded, read, and tell what the cooker found", function()
  local device = sheets.device()
  local mesh = sheets.mesh(4, 3)
  mesh.triangles = {0, 1, 1}
  mesh.positions[13], mesh.inverse_masses[13] = {9, 9, 9}, 1
  local fabric = device:cook_fabric(mesh)
  local info, diagnostics = fabric:info(), fabric:diagnostics()
  equal(info.particle_count, 13, "particle_count")
  equal(#diagnostics, info.diagnostic_count, "the number of diagnostics")
  equal(diagnostics[1].kind, clothc.diagnostic_kind.REPEATED_VERTEX, "the first diagnostic")
  holds(#diagnostics[1].message > 10, "a diagnostic has no message")
  local loaded = device:load_fabric(fabric:save())
  equal(loaded:info().content_hash, info.content_hash, "content_hash")
  local map, count = fabric:read "vertex_map"
  equal(count, 13, "the length of the vertex map")
  equal(map[12] < 13, true, "a particle of the vertex map")
  local lengths, length_count = fabric:read(clothc.fabric_array.REST_LENGTHS)
  equal(length_count, info.constraint_count, "the number of rest lengths")
  holds(lengths[0] > 0, "a rest length is " .. lengths[0])
  equal(select(2, fabric:read "stiffness_values"), 0, "the length of an empty array")
  fails("INVALID_ARGUMENT", {"vertex_map"}, fabric.read, fabric, "vertex_mop")
  fails("INVALID_ARGUMENT", {}, device.load_fabric, device, "not a fabric")
  fails("INVALID_ARGUMENT", {"want a string"}, device.load_fabric, device, 5)
end)

suite.test("fabrics are made from arrays, with constraints of several types", function()
  local device = sheets.device()
  local fabric = device:create_fabric {
    phase_sets = {0, 1}, phase_types = {clothc.phase_type.STRETCH, clothc.phase_type.BEND}, set_ends = {3},
    indices = {{0, 1}, {1, 2}, {2, 3}}, rest_lengths = {1, 1, 1},
    positions = {{0, 0, 0, 0}, {1, 0, 0, 1}, {2, 0, 0, 1}, {3, 0, 0, 1}}, tether_anchors = {0, 0, 0, 0},
    tether_lengths = {{0, 1, 2, 3}}, triangles = {{0, 1, 2}},
    constraint_sets = {{type = "dihedral_angle", particles = {{0, 1, 2, 3}}, parameters = {{0, 0.5}}}},
  }
  local info = fabric:info()
  equal(info.particle_count, 4, "particle_count")
  equal(info.constraint_count, 3, "constraint_count")
  equal(info.tethers_per_particle, 1, "tethers_per_particle")
  equal(info.constraint_set_count, 1, "constraint_set_count")
  fails("INVALID_ARGUMENT", {"constraint_sets[1].parameters", "want 2"}, device.create_fabric, device,
    {particle_count = 4, constraint_sets = {{type = 6, particles = {0, 1, 2, 3}, parameters = {1}}}})
end)

suite.test("a constraint of each type has as many particles and parameters as the library reads", function()
  local device = sheets.device()
  local parameters = {
    DISTANCE = {1}, STIFF_DISTANCE = {1, 0.5}, LONG_RANGE = {1}, TETHER = {1}, VIRTUAL_PARTICLE = {0.5, 0.25, 0.25},
    DIHEDRAL_ANGLE = {0, 0.5}, TRIANGLE_AREA = {0.5, 0.5},
  }
  local particles = {VIRTUAL_PARTICLE = {0, 1, 2}, TRIANGLE_AREA = {0, 1, 2}, DIHEDRAL_ANGLE = {0, 1, 2, 3}}
  for name, number in pairs(clothc.constraint_type) do
    local set = {type = number, particles = particles[name] or {0, 1}, parameters = parameters[name]}
    local fabric = device:create_fabric {
      constraint_sets = {set}, positions = {{0, 0, 0, 0}, {1, 0, 0, 1}, {1, 1, 0, 1}, {0, -1, 0, 1}},
    }
    local read, count = fabric:read "constraint_particles"
    equal(count, #set.particles, "the particles of " .. name)
    equal(read[count - 1], set.particles[count], "the last particle of " .. name)
    equal(select(2, fabric:read "constraint_parameters"), #set.parameters, "the parameters of " .. name)
    -- One number less is refused here, as the library cannot know how long an array is.
    table.remove(set.parameters)
    fails("INVALID_ARGUMENT", {"constraint_sets[1].parameters has"}, device.create_fabric, device,
      {particle_count = 4, constraint_sets = {{type = number, constraint_count = 1, particles = set.particles,
                                               parameters = set.parameters}}})
  end
end)

suite.test("meshes may have indices of two bytes and positions with gaps", function()
  local device = sheets.device()
  ffi.cdef "struct clothc_test_vertex { float position[3]; float other[5]; };"
  local vertices = ffi.new "struct clothc_test_vertex[4]"
  local corners = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}
  for index, corner in ipairs(corners) do
    vertices[index - 1].position[0], vertices[index - 1].position[2] = corner[1], corner[2]
  end
  local mesh = {
    vertex_count = 4, positions = vertices, position_stride = 32, quads = ffi.new("uint16_t[4]", {0, 1, 2, 3}),
  }
  local info = device:cook_fabric(mesh):info()
  equal(info.particle_count, 4, "particle_count")
  equal(info.welded_vertex_count, 0, "welded_vertex_count")
  mesh.vertex_count = 5
  fails("INVALID_ARGUMENT", {"mesh.positions", "140", "128"}, device.cook_fabric, device, mesh)
end)

suite.test("fences order updates", function()
  local world = sheets.world()
  local fence, done = world.device:create_fence(5), world.device:create_fence()
  equal(fence:value(), 5, "the value")
  local value = world.solver:update {wait_fence = fence, wait_value = 6, signal_fence = done, signal_value = 1}
  local is_done, reason = done:wait(1, 0)
  equal(is_done, false, "waiting for an update that cannot start")
  equal(reason, "TIMEOUT", "the reason")
  equal(select(2, world.solver:wait(value, 0)), "TIMEOUT", "the reason")
  equal(world.solver:poll(value), false, "the poll")
  fence:signal(6)
  equal(done:wait(1), true, "waiting for an update")
  holds(world.solver:wait(value), "the update has not ended")
  local is_reached, completed = world.solver:poll(value)
  equal(is_reached, true, "the poll")
  holds(completed >= value, "the timeline is at " .. completed)
  fails("INVALID_ARGUMENT", {}, fence.signal, fence, 6)
end)

suite.test("an update with no_wait says when enough updates are queued", function()
  local world = sheets.world()
  local fence = world.device:create_fence()
  local results = {}
  for index = 1, 4 do
    results[index] = {world.solver:update {wait_fence = fence, wait_value = 1, flags = "no_wait"}}
  end
  equal(results[4][1], nil, "the value of the fourth update")
  equal(results[4][2], "NOT_READY", "the reason")
  holds(results[3][1] > results[2][1], "timeline values do not grow")
  fence:signal(1)
  world.solver:wait()
end)

suite.test("functions for GPUs say that the processor cannot do it", function()
  local world = sheets.world()
  local buffer = world.device:create_buffer {count = 4}
  fails("UNSUPPORTED", {}, buffer.cuda_pointer, buffer)
  fails("UNSUPPORTED", {}, world.solver.capture_cuda_update, world.solver, 0, 1 / 60)
  fails("UNSUPPORTED", {}, buffer.vulkan_handle, buffer)
  local commands = ffi.new "uint64_t[1]"
  fails("UNSUPPORTED", {}, world.solver.record_vulkan_update, world.solver, commands, 1 / 60)
  fails("UNSUPPORTED", {}, world.solver.record_vulkan_queued, world.solver, commands)
  fails("INVALID_ARGUMENT", {"command_buffer"}, world.solver.record_vulkan_update, world.solver, 0)
  fails("INVALID_ARGUMENT", {"command_buffer", "nil"}, world.solver.record_vulkan_queued, world.solver)
  equal(world.solver:info().update_count, 0, "the updates of calls that failed")
  fails("UNSUPPORTED", {}, world.device.create_vulkan_buffer, world.device, {count = 4}, {buffer = 1, size = 64})
  fails("INVALID_STATE", {}, buffer.export, buffer)
  local fence = world.device:create_fence()
  fails("UNSUPPORTED", {}, fence.export, fence)
  fails("UNSUPPORTED", {}, world.device.import_fence, world.device, {handle = 1})
  fails("UNSUPPORTED", {}, world.device.create_buffer, world.device,
    {kind = "imported", count = 4, external = {handle = 1, size = 64}})
  fails("INVALID_ARGUMENT", {"backend"}, clothc.create_cuda_device, {backend = "cpu"})
  fails("INVALID_ARGUMENT", {"nearest name is stream"}, clothc.create_cuda_device, nil, {strem = 1})
end)

suite.test("what a device of Vulkan adopts is checked", function()
  equal(clothc.VULKAN_NO_QUEUE_FAMILY, clothc.struct("vulkan_buffer_desc").queue_family, "the default queue family")
  fails("INVALID_ARGUMENT", {"instance is null"}, clothc.vulkan_requirements, nil)
  fails("INVALID_ARGUMENT", {"instance is null"}, clothc.create_vulkan_device, nil, {extensions = "VK_KHR_swapchain"})
  fails("INVALID_ARGUMENT", {"device_desc.backend"}, clothc.create_vulkan_device, {backend = "cpu"}, {})
  -- A function's address is given as a pointer or number. It is not called here, since there is no instance.
  local get = require "clothc.library".C.clothc_version
  for _, address in ipairs {get, ffi.cast("void*", get), 4096} do
    fails("INVALID_ARGUMENT", {"instance is null"}, clothc.vulkan_requirements, {get_instance_proc_addr = address})
  end
  fails("INVALID_ARGUMENT", {"vulkan.get_instance_proc_addr", "function"}, clothc.vulkan_requirements,
    {get_instance_proc_addr = print})
  fails("INVALID_ARGUMENT", {"vulkan.extensions", "want a string"}, clothc.create_vulkan_device, nil, {extensions = 5})
  fails("INVALID_ARGUMENT", {"vulkan.lock_queue", "callback"}, clothc.create_vulkan_device, nil, {lock_queue = print})
  fails("INVALID_ARGUMENT", {"nearest name is queue"}, clothc.create_vulkan_device, nil, {quue = 1})
  fails("INVALID_ARGUMENT", {"nearest name is queue_family"}, sheets.device().create_vulkan_buffer, sheets.device(),
    {count = 4}, {queue_famly = 1})
end)
