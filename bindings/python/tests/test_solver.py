"""Solvers: updates, waiting, threads, state, information, and what devices share."""

import os
import threading

import clothc
from clothc import Backend, Buffer, BufferKind, Channel, Cloth, ClothParameters, DebugFlags, Device, ExternalHandle
from clothc import Fence, Format
from clothc import InvalidArgument, InvalidState, Part, Solver, Unsupported
from support import OnProcessor, cook, hanging_sheet


class Updates(OnProcessor):
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

    def test_a_call_on_a_solver_begins_when_that_of_another_thread_has_ended(self):
        solver = Solver(self.device, updates_in_flight=1)
        fence = Fence(self.device)
        solver.update(wait=(fence, 1))
        counts = []
        first = threading.Thread(target=solver.update)  # waits for the update before it
        second = threading.Thread(target=lambda: counts.append(solver.info.update_count))
        first.start()
        first.join(0.05)
        second.start()
        second.join(0.05)
        early = list(counts)
        self.assertFalse(solver.wait(timeout=0))  # which may be called at any time
        fence.signal(1)
        first.join()
        second.join()
        self.assertEqual(([], [2]), (early, counts))

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


class State(OnProcessor):
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


class DebugLines(OnProcessor):
    def test_what_the_flags_say_is_drawn(self):
        solver, cloth = hanging_sheet(self.device)
        self.assertEqual(cook(self.device).info.constraint_count, len(solver.debug_lines()))
        axes = solver.debug_lines(flags=DebugFlags.FRAMES, cloth=cloth, size=0.25)
        self.assertEqual([[1, 0, 0], [0, 1, 0], [0, 0, 1]], axes["second"].tolist())
        self.assertEqual([255, 0, 0, 255], axes["first_colour"][:1].view("u1").tolist())
        particles = solver.debug_lines(flags=DebugFlags.PARTICLES)
        middles = (particles["first"] + particles["second"]) / 2
        self.assertLess(abs(middles[::3] - cloth.read(Channel.POSITION)[:, :3]).max(), 1e-6)
        self.assertEqual(0, len(solver.debug_lines(flags=DebugFlags.CONTACTS)))
        with self.assertRaisesRegex(InvalidArgument, "full_strain"):
            solver.debug_lines(full_strain=0)


class Information(OnProcessor):
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


class Sharing(OnProcessor):
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

    def test_what_the_processor_cannot_share_is_a_host_buffer_that_says_why(self):
        descriptor = os.open("/dev/null", os.O_RDONLY)
        external = ExternalHandle(handle=descriptor, size=4096)
        exportable = Buffer(self.device, 4, kind=BufferKind.EXPORTABLE, host_if_unsupported=True)
        imported = Buffer.import_memory(self.device, external, 4, host_if_unsupported=True)
        for kind, buffer in [(BufferKind.EXPORTABLE, exportable), (BufferKind.IMPORTED, imported)]:
            self.assertEqual((BufferKind.HOST, kind), (buffer.info.kind, buffer.info.requested_kind))
            self.assertIn("CLOTHC_CAPABILITY_EXTERNAL_MEMORY_FD", buffer.info.reason)
            with buffer.map(write=True) as mapped:
                mapped.array[2] = 7
            self.assertEqual([7, 7, 7, 7], buffer.read()[2].tolist())
        os.close(descriptor)  # which is still the caller's, because nothing was imported
        plain = Buffer(self.device, 4, kind=BufferKind.DEVICE, host_if_unsupported=True).info
        self.assertEqual((BufferKind.DEVICE, ""), (plain.kind, plain.reason))

    def test_an_id_alone_is_enough(self):
        solver, cloth = hanging_sheet(self.device)
        self.assertEqual(cloth, Cloth(solver, cloth.id))
        self.assertNotEqual(cloth, Cloth(solver, cloth.id + 1))
        self.assertEqual(48, Cloth(solver, cloth.id).info.particle_count)
