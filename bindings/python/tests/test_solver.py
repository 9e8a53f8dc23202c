"""The whole interface does what it says: updates, cloths, groups, colliders, state, fences, and what is described."""

import logging
import os
import threading
import unittest

import clothc
import numpy
from clothc import Backend, Buffer, BufferKind, Capacity, CapabilityFlags, Channel, Cloth, ClothFrame, ClothParameters
from clothc import CollisionFlags, ConstraintType, CookFlags, Device, DiagnosticKind, ExternalHandle, Fabric, FabricArray
from clothc import Fence, Format, FrameFlags, Group, InvalidArgument, InvalidHandle, InvalidState, Part, ParticlePhase
from clothc import PhaseConfig, PhaseType, ShapeKind, Solver, StatisticFlags, Unsupported, View, dtype_of
from clothc import Contact, ClothStatus
from support import cook, hanging_sheet, processor, sheet


class Objects(unittest.TestCase):
    def setUp(self):
        self.device = processor()
        self.addCleanup(self.device.destroy)


class Devices(unittest.TestCase):
    def test_all_backends_are_listed(self):
        listed = clothc.devices()
        self.assertEqual({Backend.CPU, Backend.CUDA, Backend.VULKAN}, {info.backend for info in listed})
        processors = [info for info in listed if info.backend == Backend.CPU]
        self.assertTrue(processors[0].available)
        self.assertTrue(all(info.available or info.reason for info in listed))

    def test_a_device_says_what_it_is(self):
        with Device(Backend.CPU, worker_count=2, tasks_only=True) as device:
            info = device.info
            self.assertEqual((Backend.CPU, 2), (info.backend, info.worker_count))
            self.assertTrue(info.name)
            self.assertIn(CapabilityFlags.STRICT_PARITY, info.capabilities)
            self.assertEqual((16, 4), (len(info.uuid), len(info.pci)))

    def test_a_device_that_does_not_exist_is_an_error(self):
        with self.assertRaisesRegex(Unsupported, "."):
            Device(Backend.CPU, uuid=bytes(range(1, 17)))
        with self.assertRaises(Unsupported):
            Device(Backend.CUDA, cuda_context=16)

    def test_messages_go_to_a_function_or_a_logger(self):
        received = []
        with Device(Backend.CPU, message=lambda result, message: received.append((result, message))) as device:
            with self.assertRaises(InvalidArgument) as caught:
                Solver(device, particle_capacity=0)
        self.assertEqual([(clothc.Result.ERROR_INVALID_ARGUMENT, caught.exception.message)], received)
        with Device(Backend.CPU, message=logging.getLogger("cloth")) as device, self.assertLogs("cloth") as logs:
            self.assertRaises(InvalidArgument, Solver, device, particle_capacity=0)
        self.assertIn("CLOTHC_ERROR_INVALID_ARGUMENT: solver_desc.particle_capacity is 0", logs.output[0])

    def test_a_device_is_not_destroyed_while_it_reports_a_message(self):
        errors, others = [], [processor()]

        def receive(result, message):
            others.clear()  # another device is forgotten; it goes later
            try:
                device.destroy()
            except InvalidState as error:
                errors.append(error)

        device = Device(Backend.CPU, message=receive)
        self.assertRaises(InvalidArgument, Solver, device, particle_capacity=0)
        self.assertEqual(1, len(errors))
        self.assertEqual(1, len(clothc.device._postponed))
        device.destroy()
        self.assertEqual([], clothc.device._postponed)

    def test_the_version_is_that_of_the_package(self):
        self.assertEqual(clothc.__version__, ".".join(map(str, clothc.version())))

    def test_functions_for_cuda_say_that_the_device_is_another(self):
        with processor() as device:
            solver, _ = hanging_sheet(device)
            self.assertRaises(Unsupported, solver.capture_update, 1, 1 / 60)


class Updates(Objects):
    def test_a_free_particle_falls(self):
        solver = Solver(self.device)
        group = solver.add_group([[0, 0, 0, 1]])
        for _ in range(60):
            solver.update(1 / 60)
        height = group.read(Channel.POSITION)[0, 1]
        self.assertAlmostEqual(-9.81 / 2, height, delta=0.05)

    def test_waiting_and_polling_follow_the_timeline(self):
        solver, _ = hanging_sheet(self.device)
        fence, done = Fence(self.device), Fence(self.device, 5)
        value = solver.update(wait=(fence, 1), signal=(done, 9))
        self.assertFalse(solver.poll(value))
        self.assertFalse(solver.wait(value, timeout=0))
        self.assertFalse(solver.wait(timeout=0.01))
        self.assertFalse(done.wait(9, 0))
        self.assertLess(solver.completed_value, value)
        threading.Timer(0.02, fence.signal, [1]).start()
        self.assertTrue(done.wait(9))
        self.assertTrue(solver.wait(value))
        self.assertTrue(solver.poll())
        self.assertEqual((1, 9), (fence.value, done.value))
        self.assertEqual(value, solver.completed_value)
        self.assertRaises(InvalidArgument, solver.wait, value + 1)
        self.assertRaises(InvalidArgument, fence.signal, 1)
        self.assertRaises(ValueError, fence.wait, 1, -1)

    def test_an_update_that_would_wait_can_be_left_out(self):
        solver = Solver(self.device, updates_in_flight=1)
        solver.add_cloth(cook(self.device))
        fence = Fence(self.device)
        self.assertTrue(solver.try_update(wait=(fence, 1)))
        self.assertIsNone(solver.try_update())
        fence.signal(1)
        self.assertTrue(solver.wait())
        self.assertTrue(solver.try_update(0))

    def test_timers_measure_an_update(self):
        solver, _ = hanging_sheet(self.device)
        self.assertEqual(0, solver.timers().update)
        solver.update(timers=True)
        solver.wait()
        solver.update()
        timers = solver.timers()
        self.assertEqual((1, 48), (timers.update, timers.particle_count))
        self.assertGreaterEqual(timers.total_ns, sum(timers.part_ns[: Part.COUNT]))

    def test_two_solvers_run_in_two_threads(self):
        def run(device, hashes):
            solver, _ = hanging_sheet(device, 20, 20)
            for _ in range(30):
                solver.update()
            hashes.append(solver.state_hash())

        hashes = []
        threads = [threading.Thread(target=run, args=(self.device, hashes)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        run(self.device, hashes)
        self.assertEqual(1, len(set(hashes)))
        self.assertEqual(3, len(hashes))

    def test_one_solver_may_be_called_from_several_threads(self):
        solver, cloth = hanging_sheet(self.device)
        errors = []

        def run():
            try:
                for _ in range(100):
                    solver.update(0)
                    cloth.change(friction=0.5)
                    cloth.read(Channel.POSITION)
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=run) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([], errors)
        self.assertEqual(300, solver.info.update_count)


class Cloths(Objects):
    def test_a_cloth_says_what_it_is(self):
        solver, cloth = hanging_sheet(self.device)
        fabric = cook(self.device)
        other = solver.add_cloth(fabric, scale=0.5, spare_particle_count=3)
        info = other.info
        self.assertEqual((48, 1, 1, 0.5, 3),
                         (info.particle_count, info.index, info.ordinal, info.scale, info.spare_particle_count))  # fmt: skip
        self.assertEqual(fabric.info.content_hash, info.fabric_hash)
        self.assertEqual([cloth, other], solver.cloths)
        self.assertIs(solver, other.solver)
        self.assertEqual({cloth, other}, set(solver.cloths))
        cloth.remove()
        self.assertEqual([other], solver.cloths)
        self.assertRaises(InvalidHandle, cloth.status)
        self.assertEqual(1, len(solver.compact()))

    def test_parameters_are_set_and_read(self):
        solver = Solver(self.device)
        cloth = solver.add_cloth(cook(self.device), parameters=ClothParameters(friction=0.25))
        self.assertEqual(0.25, cloth.parameters.friction)
        parameters = cloth.parameters
        parameters.gravity = numpy.array([0, 0, -1])
        parameters.statistics = StatisticFlags.KINETIC_ENERGY
        cloth.parameters = parameters
        cloth.change(friction=0.5)
        self.assertEqual(((0, 0, -1), 0.5), (cloth.parameters.gravity, cloth.parameters.friction))
        solver.update()
        self.assertGreater(cloth.status().kinetic_energy, 0)
        self.assertRaises(AttributeError, cloth.change, gravty=1)

    def test_phases_are_set_and_read(self):
        solver = Solver(self.device)
        fabric = cook(self.device, long_range_edges=(4, 0, 0, 0))
        types = fabric.read(FabricArray.PHASE_TYPES).tolist()
        self.assertIn(PhaseType.LONG_RANGE, types)
        cloth = solver.add_cloth(fabric)
        self.assertEqual(list(range(len(types))), [phase.phase for phase in cloth.phases])
        cloth.phases = [PhaseConfig(phase=1, stiffness=0.5), PhaseConfig(phase=0)]
        self.assertEqual([(1, 0.5), (0, 1)], [(phase.phase, phase.stiffness) for phase in cloth.phases])
        cloth.phases = []
        self.assertEqual([], cloth.phases)
        self.assertEqual([], solver.add_cloth(fabric, phases=[]).phases)
        self.assertEqual(1, len(solver.add_cloth(fabric, phases=[PhaseConfig(phase=2)]).phases))
        self.assertRaises(InvalidArgument, setattr, cloth, "phases", [PhaseConfig(phase=9)])

    def test_frames_are_set_and_read(self):
        solver, cloth = hanging_sheet(self.device)
        cloth.frame = ClothFrame(translation=(1, 2, 3), flags=FrameFlags.TELEPORT)
        frame = cloth.frame
        self.assertEqual(((1, 2, 3), FrameFlags.TELEPORT), (frame.translation, frame.flags))
        solver.update()
        self.assertEqual(0, cloth.frame.flags)
        self.assertRaises(InvalidArgument, setattr, cloth, "frame", ClothFrame(rotation=(1, 1, 1, 1)))

    def test_channels_are_read_and_written(self):
        solver, cloth = hanging_sheet(self.device)
        other = solver.add_cloth(cook(self.device))
        positions = other.read(Channel.POSITION)
        self.assertEqual((48, 4), positions.shape)
        cloth.write(Channel.POSITION, positions[:, :3] + numpy.float32(1), at_rest=True)
        cloth.write(Channel.ACCELERATION, numpy.full((48, 3), 2))
        cloth.write(Channel.PARTICLE_PHASE, numpy.arange(48) | ParticlePhase.SELF_COLLIDE)
        self.assertTrue(numpy.array_equal(positions[:, :3] + 1, cloth.read(Channel.POSITION, Format.FLOAT3)))
        self.assertTrue(numpy.array_equal(positions, other.read(Channel.POSITION)))
        self.assertEqual(47 | 1 << 24, cloth.read(Channel.PARTICLE_PHASE)[-1])
        self.assertEqual(0, cloth.read(Channel.INTERSECTION_COUNT).sum())
        self.assertEqual(2, cloth.read(Channel.ACCELERATION)[0, 0])
        cloth.clear(Channel.ACCELERATION)
        self.assertEqual(0, cloth.read(Channel.ACCELERATION)[0, 0])
        for channel in (Channel.CLOTH_STATUS, Channel.CONTACT_COUNT):
            self.assertRaises(InvalidArgument, cloth.read, channel)
        self.assertRaises(InvalidArgument, cloth.write, Channel.NORMAL, numpy.zeros((48, 3)))

    def test_records_of_all_cloths_travel_in_one_buffer(self):
        solver, _ = hanging_sheet(self.device)
        solver.add_cloth(cook(self.device), parameters=ClothParameters(friction=1))
        parameters = Buffer(self.device, 2, dtype=ClothParameters)
        solver.get(Channel.CLOTH_PARAMETERS, parameters)
        with parameters.map(write=True) as array:
            self.assertEqual([0, 1], array["friction"].tolist())
            array["friction"] = [2, 3]
        solver.set(Channel.CLOTH_PARAMETERS, parameters)
        self.assertEqual([2, 3], [cloth.parameters.friction for cloth in solver.cloths])
        solver.update()
        statuses = Buffer(self.device, 2, dtype=ClothStatus)
        solver.get(Channel.CLOTH_STATUS, statuses)
        self.assertEqual([5, 5], statuses.read()["iteration_count"].tolist())

    def test_a_channel_is_bound_to_a_buffer(self):
        solver, cloth = hanging_sheet(self.device)
        buffer = Buffer(self.device, 48, Format.FLOAT3)
        cloth.bind(Channel.POSITION, buffer, View(format=Format.FLOAT3))
        solver.update()
        with buffer.map() as array:
            self.assertTrue(numpy.array_equal(cloth.read(Channel.POSITION, Format.FLOAT3), array))
            self.assertRaises(InvalidState, solver.update)
        cloth.unbind(Channel.POSITION)
        solver.update()
        self.assertFalse(numpy.array_equal(cloth.read(Channel.POSITION, Format.FLOAT3), buffer.read()))

    def test_reset_and_clone(self):
        solver, cloth = hanging_sheet(self.device)
        begin = cloth.read(Channel.POSITION)
        solver.update()
        copy = cloth.clone()
        self.assertTrue(numpy.array_equal(cloth.read(Channel.POSITION), copy.read(Channel.POSITION)))
        cloth.reset()
        self.assertTrue(numpy.array_equal(begin, cloth.read(Channel.POSITION)))
        cloth.reset(begin + 1)
        self.assertTrue(numpy.array_equal(begin + 1, cloth.read(Channel.POSITION)))

    def test_cloth_collides_with_cloth(self):
        solver, cloth = hanging_sheet(self.device)
        cloth.change(self_collision_distance=0.02)
        cloth.set_self_collision_particles([0, 1, 2])
        solver.update()
        cloth.set_self_collision_particles(None)
        solver.update()
        self.assertRaises(InvalidArgument, cloth.set_self_collision_particles, [48])

    def test_a_full_solver_names_the_field_to_raise(self):
        solver = Solver(self.device, particle_capacity=64)
        solver.add_cloth(cook(self.device))
        with self.assertRaisesRegex(Capacity, "particle_capacity"):
            solver.add_cloth(cook(self.device))


class Groups(Objects):
    def test_springs_hold_particles_together(self):
        solver = Solver(self.device)
        group = solver.add_group([[0, 0, 0, 0], [1, 0, 0, 1], [2, 0, 0, 1]], radius=0.1)
        group.set_springs([[0, 1], [1, 2]], [1, 1], [1, 0.5])
        info = group.group_info
        self.assertEqual((3, 3, 2), (info.particle_count, info.active_count, info.spring_count))
        for _ in range(10):
            solver.update()
        self.assertLess(numpy.linalg.norm(group.read(Channel.POSITION)[1, :3]), 1.05)
        indices, lengths = Buffer(self.device, 4, Format.UINT), Buffer(self.device, 2, Format.FLOAT)
        indices.write([0, 1, 0, 2])
        lengths.write([1, 2])
        group.set_springs(indices, lengths)
        group.set_springs(indices, lengths, count=1)
        self.assertEqual(1, group.group_info.spring_count)
        group.set_springs([], [])
        self.assertEqual(0, group.group_info.spring_count)

    def test_particles_become_active_and_inactive(self):
        solver = Solver(self.device)
        group = solver.add_group(numpy.ones((6, 4)))
        group.set_active([4, 1])
        self.assertEqual([1, 4], group.active.tolist())
        chosen = Buffer(self.device, 3, Format.UINT)
        chosen.write([5, 3, 1])
        group.set_active(chosen, 2)
        self.assertEqual([3, 5], group.active.tolist())
        group.set_active(count=2)
        self.assertEqual([0, 1], group.active.tolist())
        group.set_active()
        self.assertEqual(6, len(group.active))
        self.assertRaises(InvalidArgument, group.set_active, [1, 1])
        self.assertEqual(group, Group(solver, solver.cloths[0].id))
        group.remove()
        self.assertEqual([], solver.cloths)


class Colliders(Objects):
    def falling(self, **shapes):
        """The heights where two particles 10 cm and 3 m from the axis come to rest on shapes in the world."""
        solver = Solver(self.device, contact_capacity=16)
        colliders = solver.add_collider_set(space=clothc.ColliderSpace.WORLD, **shapes)
        parameters = ClothParameters(collision_flags=CollisionFlags.REPORT, friction=1)
        positions = [[0.1, 1.5, 0.1, 1], [3, 1.5, 3, 1]]
        cloth = solver.add_group(positions, parameters=parameters, collider_sets=[colliders])
        for _ in range(60):
            solver.update()
        contacts, count = Buffer(self.device, 16, dtype=Contact), Buffer(self.device, 1, Format.UINT)
        solver.get(Channel.CONTACT, contacts)
        solver.get(Channel.CONTACT_COUNT, count)
        found = contacts.read(0, int(count.read()[0]))
        return cloth.read(Channel.POSITION)[:, 1], found

    def test_each_kind_of_shape_stops_a_particle(self):
        identity = [0, 0, 0, 1]
        ground = [[-9, 0, -9], [-9, 0, 9], [9, 0, 9]]
        for kind, shapes in {
            ShapeKind.SPHERE: {"spheres": [[0.1, -1, 0.1, 1]], "sphere_starts": [[0.1, -1, 0.1, 1]]},
            ShapeKind.CAPSULE: {"spheres": [[-5, -1, 0.1, 1], [5, -1, 0.1, 1]], "capsules": [[0, 1]]},
            ShapeKind.CONVEX: {"planes": [[0, 1, 0, 0]]},
            ShapeKind.BOX: {"boxes": [[0, -1, 0, *identity, 1, 1, 1]]},
            ShapeKind.ELLIPSOID: {"ellipsoids": [[0.1, -1, 0.1, *identity, 2, 1, 2]]},
            ShapeKind.TRIANGLE: {"vertices": ground, "triangle_reach": 0.5},
        }.items():
            with self.subTest(kind):
                heights, contacts = self.falling(**shapes)
                self.assertAlmostEqual(0, heights[0], delta=0.02)
                self.assertEqual(kind, contacts[0]["kind"])
                self.assertEqual(dtype_of(Contact), contacts.dtype)

    def test_convexes_are_lists_of_planes(self):
        planes = [[0, 1, 0, 0], [1, 0, 0, -1], [-1, 0, 0, -1], [0, 1, 0, 1]]
        heights, _ = self.falling(planes=planes, convexes=[[0, 1, 2], [3]])
        self.assertAlmostEqual(0, heights[0], delta=0.02)
        self.assertAlmostEqual(-1, heights[1], delta=0.02)

    def test_meshes_and_distance_fields_are_shared_by_instances(self):
        corners = numpy.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
        triangles = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6],
                     [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]  # fmt: skip
        field = clothc.cook_sdf(corners, triangles, resolution=24, padding=0.5)
        self.assertEqual((24, 24, 24), field.values.shape)
        self.assertLess(field.values[12, 12, 12], -0.7)
        instance = [[0, -1, 0, 0, 0, 0, 1, 1]]
        for add in (lambda solver: solver.add_collider_mesh(corners, triangles),
                    lambda solver: solver.add_collider_sdf(field)):  # fmt: skip
            solver = Solver(self.device)
            asset = add(solver)
            colliders = solver.add_collider_set(instances=instance, instance_assets=[asset], instance_starts=instance)
            cloth = solver.add_group([[0.1, 0.2, 0.1, 1]])
            cloth.set_collider_sets([colliders])
            for _ in range(30):
                solver.update()
            self.assertAlmostEqual(0, cloth.read(Channel.POSITION)[0, 1], delta=0.05)
            self.assertRaises(InvalidState, asset.destroy)
            colliders.destroy()
            asset.destroy()
            self.assertRaises(InvalidHandle, asset.destroy)
            self.assertEqual(0, solver.info.collider_asset_count)

    def test_a_set_that_cannot_be_written_is_not_left_behind(self):
        solver = Solver(self.device)
        self.assertRaises(InvalidArgument, solver.add_collider_set, spheres=[[0, 0, 0, -1]])
        self.assertEqual(0, solver.info.collider_set_count)


class Fabrics(Objects):
    def test_the_cooker_reports_what_it_found(self):
        positions, quads, _ = sheet()
        fabric = Fabric.cook(self.device, positions, quads=quads, triangles=[[0, 0, 1]], flags=CookFlags.NO_BEND)
        kinds = [diagnostic.kind for diagnostic in fabric.diagnostics]
        self.assertIn(DiagnosticKind.REPEATED_VERTEX, kinds)
        self.assertTrue(fabric.diagnostics[0].message)
        self.assertEqual(1, fabric.info.dropped_triangle_count)

    def test_all_arrays_can_be_read(self):
        uv = numpy.random.default_rng(1).random((48, 2), numpy.float32)
        fabric = cook(self.device, texture_coordinates=uv, virtual_particles_per_triangle=1, long_range_edges=[4, 0, 0, 0])
        info = fabric.info
        shapes = {
            FabricArray.VERTEX_MAP: (48,),
            FabricArray.POSITIONS: (48, 4),
            FabricArray.PHASE_SETS: (info.phase_count,),
            FabricArray.INDICES: (info.constraint_count, 2),
            FabricArray.REST_LENGTHS: (info.constraint_count,),
            FabricArray.TETHER_ANCHORS: (info.tethers_per_particle, 48),
            FabricArray.TRIANGLES: (info.triangle_count, 3),
            FabricArray.TRIANGLE_VERTICES: (info.triangle_count, 3),
            FabricArray.TEXTURE_COORDINATES: (48, 2),
            FabricArray.VIRTUAL_PARTICLES: (info.virtual_particle_count, 4),
            FabricArray.STIFFNESS_VALUES: (0,),
        }
        for array in FabricArray:
            read = fabric.read(array)
            self.assertEqual(shapes.get(array, read.shape), read.shape, array)
        self.assertTrue(numpy.array_equal(uv, fabric.read(FabricArray.TEXTURE_COORDINATES)))

    def test_a_fabric_is_made_from_the_arrays_of_another(self):
        fabric = cook(self.device)
        read = fabric.read
        copy = Fabric.from_arrays(
            self.device,
            fabric.particle_count,
            phase_sets=read(FabricArray.PHASE_SETS),
            phase_types=read(FabricArray.PHASE_TYPES),
            set_ends=read(FabricArray.SET_ENDS),
            indices=read(FabricArray.INDICES),
            rest_lengths=read(FabricArray.REST_LENGTHS),
            tether_anchors=read(FabricArray.TETHER_ANCHORS),
            tether_lengths=read(FabricArray.TETHER_LENGTHS),
            triangles=read(FabricArray.TRIANGLES),
            positions=read(FabricArray.POSITIONS),
            flags=clothc.FabricFlags.EXACT_LENGTHS,
        )
        self.assertEqual(fabric.info.constraint_count, copy.info.constraint_count)
        solver = Solver(self.device)
        cloths = [solver.add_cloth(fabric), solver.add_cloth(copy)]
        solver.update()
        first, second = (cloth.read(Channel.POSITION) for cloth in cloths)
        self.assertTrue(numpy.allclose(first, second, atol=1e-4))

    def test_constraints_of_any_type_are_given(self):
        rows = {ConstraintType.DISTANCE: (2, [1.0]), ConstraintType.STIFF_DISTANCE: (2, [1, 0.5]),
                ConstraintType.LONG_RANGE: (2, [2]), ConstraintType.DIHEDRAL_ANGLE: (4, [0, 1]),
                ConstraintType.TRIANGLE_AREA: (3, [0.5, 1]), ConstraintType.TETHER: (2, [3]),
                ConstraintType.VIRTUAL_PARTICLE: (3, [0.5, 0.25, 0.25])}  # fmt: skip
        sets = [(kind, [list(range(arity))], [values]) for kind, (arity, values) in rows.items()]
        fabric = Fabric.from_arrays(self.device, 4, constraint_sets=sets, phase_sets=[0, 1, 2, 3, 4],
                                    positions=numpy.eye(4))  # fmt: skip
        self.assertEqual(set(rows), set(ConstraintType))
        self.assertEqual([int(kind) for kind in rows], fabric.read(FabricArray.CONSTRAINT_TYPES).tolist())
        self.assertEqual(1.0, fabric.read(FabricArray.CONSTRAINT_PARAMETERS)[0])

    def test_a_saved_fabric_is_loaded(self):
        fabric = cook(self.device)
        with processor() as other:
            self.assertEqual(fabric.info.content_hash, Fabric.load(other, fabric.save()).info.content_hash)


class State(Objects):
    def test_a_snapshot_continues_on_another_device(self):
        solver, _ = hanging_sheet(self.device)
        solver.update()
        snapshot, begin = solver.snapshot(), solver.state_hash()
        solver.update()
        end = solver.state_hash()
        self.assertNotEqual(begin, end)
        with Device(Backend.CPU, worker_count=2) as other:
            second = Solver(other)
            second.restore(bytearray(snapshot), [cook(other)])
            self.assertEqual(begin, second.state_hash())
            second.update()
            self.assertEqual(end, second.state_hash())
            self.assertEqual(1, len(second.cloths))
            with self.assertRaisesRegex(InvalidArgument, "fabric"):
                second.restore(snapshot, [])
        solver.restore(snapshot, [cook(self.device)])
        self.assertEqual(begin, solver.state_hash())

    def test_compacting_tells_what_moved(self):
        solver = Solver(self.device, particle_capacity=1000)
        fabric = cook(self.device)
        cloths = [solver.add_cloth(fabric) for _ in range(3)]
        before = cloths[2].info.first_particle
        cloths[0].remove()
        moves = solver.compact()
        self.assertEqual([cloth.id for cloth in cloths[1:]], [move.cloth for move in moves])
        self.assertEqual((before, cloths[2].info.first_particle), (moves[1].old_first, moves[1].new_first))


class Information(Objects):
    def test_channels_and_parameters_are_described(self):
        described = {info.name.upper(): info for info in clothc.channels()}
        self.assertEqual({channel.name for channel in Channel}, set(described))
        solver, _ = hanging_sheet(self.device)
        info = solver.describe_channel(Channel.POSITION)
        self.assertEqual((Format.FLOAT4, solver.info.particle_capacity), (info.format, info.count))
        self.assertEqual(list(ClothParameters.names()), [parameter.name for parameter in clothc.parameters()])
        defaults = ClothParameters()
        for parameter in clothc.parameters():
            self.assertEqual(parameter.offset, getattr(ClothParameters, "_" + parameter.name).offset)
            value = getattr(defaults, parameter.name)
            self.assertAlmostEqual(parameter.initial[0], value[0] if isinstance(value, tuple) else value, places=5)

    def test_a_solver_says_what_it_holds(self):
        solver, _ = hanging_sheet(self.device)
        solver.update()
        info = solver.info
        self.assertEqual((48, 1, 1), (info.particle_count, info.cloth_count, info.update_count))


class Sharing(Objects):
    """The processor's device shares no memory; how the calls pass file descriptors is seen from what they refuse."""

    def test_what_the_processor_cannot_share_is_an_error(self):
        descriptor = os.open("/dev/null", os.O_RDONLY)
        external = ExternalHandle(handle=descriptor, size=4096)
        for call in [
            lambda: Buffer(self.device, 4, kind=BufferKind.EXPORTABLE),
            lambda: Buffer.import_memory(self.device, external, 4),
            lambda: Buffer.wrap_device(self.device, 4096, 4),
            lambda: Fence.import_semaphore(self.device, external),
            lambda: Fence(self.device).export_semaphore(),
        ]:
            self.assertRaises(Unsupported, call)
        self.assertRaises(InvalidState, Buffer(self.device, 4).export_memory)
        os.close(descriptor)  # which is still the caller's, because the calls failed

    def test_an_id_alone_is_enough(self):
        solver, cloth = hanging_sheet(self.device)
        self.assertEqual(cloth, Cloth(solver, cloth.id))
        self.assertNotEqual(cloth, Cloth(solver, cloth.id + 1))
        self.assertEqual(48, Cloth(solver, cloth.id).info.particle_count)
