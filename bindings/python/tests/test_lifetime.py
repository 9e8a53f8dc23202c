"""Objects end well: explicitly, forgotten, in any order, on any thread, and during an update."""

import gc
import os
import threading
import unittest
import weakref

import clothc
import numpy
from clothc import Buffer, Channel, Fence, InvalidHandle, Solver
from support import cook, hanging_sheet, processor


class Ends(unittest.TestCase):
    def test_destroying_twice_does_nothing(self):
        device = processor()
        buffer = Buffer(device, 4)
        for thing in (buffer, device):
            self.assertFalse(thing.is_destroyed)
            thing.destroy()
            thing.destroy()
            self.assertTrue(thing.is_destroyed)
            self.assertIn("destroyed", repr(thing))

    def test_children_of_a_destroyed_device_raise_an_exception_on_use(self):
        device = processor()
        solver, cloth = hanging_sheet(device)
        buffer, fence, fabric = Buffer(device, 4), Fence(device), cook(device)
        device.destroy()
        for use in (
            solver.update,
            solver.wait,
            solver.state_hash,
            lambda: cloth.info,
            lambda: solver.add_cloth(fabric),
            lambda: solver.get(Channel.POSITION, buffer),
            buffer.map,
            buffer.read,
            lambda: fabric.info,
            lambda: fence.value,
            lambda: Solver(device),
            lambda: cook(device),
        ):
            self.assertRaisesRegex(InvalidHandle, "is not a living .*: it was destroyed", use)
        for thing in (solver, buffer, fence, fabric):
            self.assertTrue(thing.is_destroyed)
            thing.destroy()

    def test_objects_are_context_managers(self):
        with processor() as device, Solver(device) as solver, Buffer(device, 4) as buffer:
            solver.add_cloth(cook(device))
        for thing in (device, solver, buffer):
            self.assertTrue(thing.is_destroyed)

    def test_a_removed_cloth_raises_an_exception(self):
        with processor() as device:
            solver, cloth = hanging_sheet(device)
            cloth.remove()
            for use in (cloth.remove, lambda: cloth.parameters, cloth.status, cloth.reset, cloth.clone):
                self.assertRaises(InvalidHandle, use)

    def test_what_is_forgotten_is_destroyed(self):
        device = processor()
        handles = [weakref.ref(thing) for thing in (Buffer(device, 4), Solver(device), Fence(device), cook(device))]
        gc.collect()
        self.assertEqual([None] * 4, [reference() for reference in handles])
        life, forgotten = device._life, weakref.ref(device)
        solver, cloth = hanging_sheet(device)
        del device, solver
        gc.collect()
        self.assertTrue(life.is_alive)
        cloth.solver.update()
        del cloth
        gc.collect()
        self.assertEqual((None, False), (forgotten(), life.is_alive))

    def test_what_is_forgotten_during_an_update_changes_nothing(self):
        def run(is_forgetful):
            device = processor()
            solver, cloth = hanging_sheet(device, 30, 30)
            fence, buffer, fabric = Fence(device), Buffer(device, 900), cook(device)
            other, _ = hanging_sheet(device, 30, 30)
            for each in (solver, other):
                each.update(wait=(fence, 1))
                each.get(Channel.POSITION, buffer)
            keep = None if is_forgetful else (buffer, fabric, fence)
            fence.signal(1)
            del buffer, fabric, fence, other
            gc.collect()
            solver.update()
            return solver.state_hash(), keep is None

        self.assertEqual(run(False)[0], run(True)[0])

    def test_what_another_thread_forgets_is_destroyed_there(self):
        device = processor()
        solver, cloth = hanging_sheet(device, 20, 20)
        things = [[Buffer(device, 100), cook(device), Fence(device), Solver(device, particle_capacity=64)]
                  for _ in range(20)]  # fmt: skip
        errors = []

        def forget():
            try:
                while things:
                    things.pop()
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=forget) for _ in range(2)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            solver.update()
        for thread in threads:
            thread.join()
        self.assertEqual(([], 20), (errors, solver.info.update_count))

    def test_a_device_may_be_destroyed_while_another_thread_waits(self):
        device = processor()
        solver, _ = hanging_sheet(device)
        fence = Fence(device)
        solver.update(wait=(fence, 1))
        errors = []

        def wait():
            try:
                solver.wait()
            except clothc.ClothcError as error:
                errors.append(error)

        thread = threading.Thread(target=wait)
        thread.start()
        fence.signal(1)
        device.destroy()
        thread.join()
        self.assertLessEqual(len(errors), 1)
        self.assertTrue(all(isinstance(error, InvalidHandle) for error in errors), errors)

    def test_cycles_of_forgotten_objects_are_destroyed(self):
        device = processor()
        life = device._life
        thing = {"device": device, "solver": hanging_sheet(device), "array": Buffer(device, 4).map()}
        thing["self"] = thing
        del thing, device
        gc.collect()
        self.assertFalse(life.is_alive)


class Leaks(unittest.TestCase):
    def resident(self):
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def test_thousands_of_objects_come_and_go(self):
        device = processor()
        fabric = cook(device)

        def cycle():
            solver = Solver(device, particle_capacity=64)
            solver.add_cloth(fabric).change(friction=1)
            buffer = Buffer(device, 64)
            solver.get(Channel.POSITION, buffer)
            with buffer.map(write=True) as array:
                array[:] = 1
                numpy.from_dlpack(array)
            Fence(device)
            cook(device, 3, 3)
            try:
                solver.add_cloth(fabric)
            except clothc.Capacity:
                pass

        for _ in range(200):
            cycle()
        gc.collect()
        begin, objects = self.resident(), len(gc.get_objects())
        for _ in range(1000):
            cycle()
        gc.collect()
        self.assertLess(self.resident() - begin, 2 << 20)
        self.assertLess(len(gc.get_objects()) - objects, 50)

    def test_devices_come_and_go(self):
        for index in range(100):
            if index == 40:
                begin = self.resident()
            device = processor()
            hanging_sheet(device)[0].update()
            del device
        self.assertLess(self.resident() - begin, 2 << 20)
