"""Cloths and groups: parameters, phases, frames, channels, springs, and active particles."""

import numpy
from clothc import Buffer, Capacity, Channel, ClothFrame, ClothParameters, ClothStatus, FabricArray, Format
from clothc import FrameFlags, Group, InvalidArgument, InvalidHandle, InvalidState, ParticlePhase, PhaseConfig
from clothc import PhaseType, Solver, StatisticFlags, View
from support import OnProcessor, cook, hanging_sheet


class Cloths(OnProcessor):
    def test_a_cloth_says_what_it_is(self):
        solver, cloth = hanging_sheet(self.device)
        fabric = cook(self.device)
        other = solver.add_cloth(fabric, scale=0.5, spare_particle_count=3)
        info = other.info
        self.assertEqual((48, 1, 1), (info.particle_count, info.index, info.ordinal))
        self.assertEqual((0.5, 3), (info.scale, info.spare_particle_count))
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


class Groups(OnProcessor):
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
