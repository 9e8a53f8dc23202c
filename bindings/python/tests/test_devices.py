"""Devices: what there is, what they say, and the messages of failing calls."""

import logging
import unittest

import clothc
from clothc import Backend, CapabilityFlags, Device, InvalidArgument, InvalidState, Solver, Unsupported
from support import hanging_sheet, processor


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
