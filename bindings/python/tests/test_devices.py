"""Devices: what there is, what they say, and the messages of failing calls."""

import ctypes
import logging
import unittest
import unittest.mock

import clothc
from clothc import Backend, Buffer, CapabilityFlags, Device, InvalidArgument, InvalidHandle, InvalidState, Solver
from clothc import Stage, Unsupported, VulkanBufferDesc, VulkanDeviceDesc, raw
from support import OnProcessor, hanging_sheet, processor, run_python


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


class Preparation(OnProcessor):
    def test_a_processor_is_prepared_at_once(self):
        self.device.prepare()
        self.device.prepare([Stage.BEGIN, Stage.INTEGRATION, Stage.PHASES, Stage.END])
        self.assertTrue(self.device.wait_prepared())
        self.assertTrue(self.device.wait_prepared(timeout=0))
        self.assertEqual((0, 0), self.device.preparation_progress)

    def test_what_is_no_stage_is_refused(self):
        with self.assertRaisesRegex(InvalidArgument, "stages is 0x80000000"):
            self.device.prepare([31])
        with self.assertRaisesRegex(InvalidArgument, "stages: 32"):
            self.device.prepare(iter([Stage.WIND, 32]))
        self.assertRaises(TypeError, self.device.prepare, ["wind"])
        self.assertRaises(ValueError, self.device.wait_prepared, -1)

    def test_a_cache_is_saved_and_loaded(self):
        cache = self.device.save_cache()
        self.device.load_cache(cache)
        with processor() as other:
            other.load_cache(memoryview(cache))
        with self.assertRaisesRegex(InvalidArgument, "damaged"):
            self.device.load_cache(cache[:-1] + bytes([cache[-1] ^ 1]))
        with self.assertRaisesRegex(InvalidArgument, "does not begin with"):
            self.device.load_cache(bytes(100))
        with self.assertRaisesRegex(InvalidArgument, "data is null"):
            self.device.load_cache(b"")
        self.assertRaises(TypeError, self.device.load_cache, "text")
        self.device.destroy()
        self.assertRaises(InvalidHandle, self.device.save_cache)

    def test_a_cache_that_grows_while_it_is_saved_is_saved_anew(self):
        save, sizes = raw.device_save_cache, []

        def grow(handle, data, size):
            sizes.append(size._obj.value)
            if len(sizes) == 2:
                size._obj.value -= 1  # as if the array were for what was compiled before
            return save(handle, data, size)

        with unittest.mock.patch.object(raw, "device_save_cache", grow):
            cache = self.device.save_cache()
        self.assertEqual([0, len(cache), 0, len(cache)], sizes)
        self.device.load_cache(cache)

    def test_a_driver_that_compiles_tells_how_far_it_is(self):
        code = """
from clothc import Backend, Device, Stage, Unsupported

with Device(Backend.VULKAN) as device:
    device.prepare([Stage.BEGIN])
    seen = [device.preparation_progress]
    while not device.wait_prepared(0.01):
        seen.append(device.preparation_progress)
    seen.append(device.preparation_progress)
    done, total = seen[-1]
    print(done == total > 0, seen == sorted(seen), {total} == {of for _, of in seen})
    cache = device.save_cache()
    device.load_cache(cache)
with Device(Backend.CPU) as device:
    try:
        device.load_cache(cache)
    except Unsupported as error:
        print("ignored" in error.message)
"""
        driver = {"VK_ICD_FILENAMES": "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json", "NODEVICE_SELECT": "1"}
        self.assertEqual("True True True\nTrue\n", run_python(code, **driver))


class Vulkan(unittest.TestCase):
    def test_a_device_without_an_instance_is_refused(self):
        vulkan = VulkanDeviceDesc(extensions="VK_KHR_swapchain")
        self.assertEqual(("VK_KHR_swapchain", 0x401000), (vulkan.extensions, vulkan.api_version))
        with self.assertRaisesRegex(InvalidArgument, "instance is null"):
            clothc.vulkan_requirements(vulkan)
        with self.assertRaisesRegex(InvalidArgument, "instance is null"):
            Device(vulkan=vulkan)
        with self.assertRaisesRegex(InvalidArgument, "device_desc.backend"):
            Device(Backend.CPU, vulkan=vulkan)
        with self.assertRaisesRegex(InvalidArgument, "cuda_context"):
            Device(vulkan=vulkan, cuda_context=1)
        self.assertRaises(TypeError, Device, vulkan=7)
        self.assertRaises(TypeError, clothc.vulkan_requirements, None)

    def test_a_copy_keeps_the_text(self):
        vulkan = VulkanDeviceDesc(extensions="VK_KHR_" + "x" * 100)
        copy = vulkan.copy()
        del vulkan
        self.assertEqual("VK_KHR_" + "x" * 100, copy.extensions)
        copy.extensions = None
        self.assertEqual("", copy.extensions)
        self.assertRaises(TypeError, setattr, copy, "extensions", b"VK_KHR_swapchain")
        self.assertRaises(ValueError, setattr, copy, "extensions", "VK_\0")

    def test_functions_are_those_of_ctypes_or_addresses(self):
        called = []
        lock = raw.VulkanQueueCallback(called.append)
        address = ctypes.cast(lock, ctypes.c_void_p).value
        vulkan = VulkanDeviceDesc(lock_queue=lock, unlock_queue=address, get_instance_proc_addr=address)
        vulkan.lock_queue(5)
        vulkan.unlock_queue(6)
        self.assertEqual([5, 6], called)
        self.assertEqual(address, ctypes.cast(vulkan.get_instance_proc_addr, ctypes.c_void_p).value)
        vulkan.unlock_queue = None
        self.assertFalse(vulkan.unlock_queue)
        self.assertRaises(TypeError, setattr, vulkan, "lock_queue", called.append)
        self.assertRaises(ValueError, setattr, vulkan, "lock_queue", -1)

    def test_functions_for_vulkan_say_that_the_device_is_another(self):
        with processor() as device:
            solver, _ = hanging_sheet(device)
            vulkan = VulkanBufferDesc(buffer=1, size=64)
            self.assertEqual(raw.VULKAN_NO_QUEUE_FAMILY, vulkan.queue_family)
            self.assertRaises(Unsupported, Buffer.wrap_vulkan, device, vulkan, 4)
            self.assertRaises(TypeError, Buffer.wrap_vulkan, device, None, 4)
            commands = ctypes.addressof(ctypes.c_uint64())
            self.assertRaises(Unsupported, solver.record_update, commands)
            self.assertRaises(Unsupported, solver.record_queued, commands)
            with self.assertRaisesRegex(InvalidArgument, "command_buffer"):
                solver.record_update(0)
            self.assertEqual(0, solver.info.update_count)
