"""Buffers: formats, memory of the caller, and memory that is shared."""

import gc
import unittest

import numpy
from clothc import Buffer, BufferKind, Channel, ClothParameters, Format, InvalidArgument, InvalidState, Unsupported
from clothc import View, dtype_of, records
from support import OnProcessor, hanging_sheet, run_python


class Formats(OnProcessor):
    def test_the_format_gives_the_type_and_the_shape(self):
        for format, shape, dtype in [
            (Format.FLOAT, (5,), "f4"),
            (Format.FLOAT3, (5, 3), "f4"),
            (Format.FLOAT4, (5, 4), "f4"),
            (Format.UINT, (5,), "u4"),
        ]:
            buffer = Buffer(self.device, 5, format)
            with self.subTest(format), buffer.map() as array:
                self.assertEqual((shape, numpy.dtype(dtype)), (array.shape, array.dtype))
                self.assertEqual((shape, numpy.dtype(dtype)), (buffer.shape, buffer.dtype))
                self.assertFalse(array.array.any())

    def test_a_stride_gives_a_view_of_the_same_memory(self):
        buffer = Buffer(self.device, 4, Format.FLOAT3, stride=20)
        with buffer.map(write=True) as array:
            self.assertEqual((20, 4), array.array.strides)
            array[:] = numpy.arange(12).reshape(4, 3)
        self.assertEqual([3, 4, 5], buffer.read(1, 1)[0].tolist())
        buffer.write([[9, 8, 7]], 2)
        self.assertEqual([[3, 4, 5], [9, 8, 7], [9, 10, 11]], buffer.read(1).tolist())

    def test_structs_of_the_library_are_structured_arrays(self):
        buffer = Buffer(self.device, 3, dtype=ClothParameters)
        buffer.write(records(ClothParameters, 3))
        with buffer.map(write=True) as array:
            self.assertEqual(dtype_of(ClothParameters), array.dtype)
            array["friction"] = [0.5, 1, 1.5]
            self.assertEqual(300, array[2]["solver_frequency"])
        friction = ClothParameters.from_buffer_copy(buffer.read(1, 1).tobytes()).friction
        self.assertEqual(1, friction)

    def test_vertices_of_a_renderer_hold_positions_and_other_data(self):
        vertex = numpy.dtype([("uv", "f4", 2), ("position", "f4", 3)])
        solver, cloth = hanging_sheet(self.device)
        buffer = Buffer(self.device, cloth.info.particle_count, dtype=vertex)
        with buffer.map(write=True) as array:
            array["uv"] = 0.25
        solver.get(Channel.POSITION, buffer, view=View(format=Format.FLOAT3, byte_offset=8))
        with buffer.map() as array:
            self.assertTrue((array["uv"] == 0.25).all())
            self.assertTrue(numpy.array_equal(array["position"], cloth.read(Channel.POSITION, Format.FLOAT3)))

    def test_memory_on_the_device_is_read_and_written_but_not_mapped(self):
        buffer = Buffer(self.device, 4, kind=BufferKind.DEVICE)
        buffer.write(numpy.ones((4, 4)))
        self.assertEqual(16, buffer.read().sum())
        with self.assertRaisesRegex(InvalidState, "cannot be mapped"):
            buffer.map()
        for call in (buffer.__dlpack__, buffer.__dlpack_device__, lambda: buffer.cuda_pointer):
            self.assertRaises(Unsupported, call)
        self.assertRaises(Unsupported, getattr, buffer, "vulkan_handle")


class Wrapped(OnProcessor):
    def test_memory_of_an_array_is_used_as_it_is(self):
        array = numpy.zeros((6, 4), numpy.float32)
        buffer = Buffer.wrap(self.device, array)
        buffer.write(numpy.ones((6, 4)))
        self.assertEqual(24, array.sum())
        with buffer.map() as mapped:
            self.assertEqual(array.ctypes.data, mapped.array.ctypes.data)
        reference = array.ctypes.data
        del array, mapped
        gc.collect()
        with buffer.map() as mapped:
            self.assertEqual((reference, 24), (mapped.array.ctypes.data, mapped.array.sum()))

    def test_parts_of_wider_rows_and_structs_are_wrapped(self):
        rows = numpy.arange(24, dtype=numpy.float32).reshape(4, 6)
        buffer = Buffer.wrap(self.device, rows[:, 2:5])
        self.assertEqual(24, buffer.info.stride)
        self.assertTrue(numpy.array_equal(rows[:, 2:5], buffer.read()))
        buffer = Buffer.wrap(self.device, records(ClothParameters, 2))
        self.assertEqual([300, 300], buffer.read()["solver_frequency"].tolist())

    def test_other_arrays_are_refused(self):
        read_only = numpy.zeros((4, 4), numpy.float32)
        read_only.flags.writeable = False
        for array, error in [
            (read_only, TypeError),
            ([[1, 2, 3, 4]], TypeError),
            (numpy.zeros((4, 4)), InvalidArgument),
            (numpy.zeros((4, 2), numpy.float32), InvalidArgument),
            (numpy.zeros((4, 8), numpy.float32)[:, ::2], InvalidArgument),
            (numpy.zeros((4, 4), ">f4"), InvalidArgument),
            (numpy.zeros((4, 4), numpy.float32)[::-1], InvalidArgument),
            (numpy.zeros((0, 4), numpy.float32), InvalidArgument),
        ]:
            with self.subTest(array=array), self.assertRaises(error):
                Buffer.wrap(self.device, array)


class Shared(unittest.TestCase):
    def test_memory_is_exported_and_imported(self):
        code = """
import os
import numpy
from clothc import Backend, Buffer, BufferKind, Device

with Device(Backend.VULKAN) as device, Device(Backend.VULKAN) as other:
    exported = Buffer(device, 16, kind=BufferKind.EXPORTABLE)
    external = exported.export_memory()
    imported = Buffer.import_memory(other, external, 16)
    exported.write(numpy.arange(64).reshape(16, 4))
    print(imported.read()[3].tolist())
    print(os.path.exists(f"/proc/self/fd/{external.handle}"))
"""
        # The software driver of Mesa (mesa-vulkan-drivers), because the processor's device shares no memory.
        driver = {"VK_ICD_FILENAMES": "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json", "NODEVICE_SELECT": "1"}
        self.assertEqual("[12.0, 13.0, 14.0, 15.0]\nFalse\n", run_python(code, **driver))
