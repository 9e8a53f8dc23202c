"""Mapped buffers as arrays: how they are used and misused, and DLPack."""

import ctypes
import gc
from unittest import mock

import numpy
from clothc import Buffer, BufferInfo, BufferKind, Channel, ClothParameters, Fence, Format, InvalidArgument
from clothc import InvalidState, device, dlpack, raw
from support import OnProcessor, hanging_sheet, processor


class Mappings(OnProcessor):
    def setUp(self):
        super().setUp()
        self.buffer = Buffer(self.device, 8)

    def test_a_mapping_is_used_as_an_array(self):
        with self.buffer.map(write=True) as array:
            array[:] = 2
            array += 1
            numpy.multiply(array, 2, out=array.array)
            self.assertEqual(8, len(array))
            self.assertEqual(8 * 4 * 6, numpy.sum(array))
            self.assertTrue(((array + array) == 12).all())
            self.assertEqual([6, 6, 6, 6], next(iter(array)).tolist())
        self.assertEqual(8 * 4 * 6, self.buffer.read().sum())

    def test_the_array_is_the_memory_of_the_buffer(self):
        with self.buffer.map(write=True) as array:
            first = array.array.ctypes.data
            self.assertEqual(first, numpy.asarray(array).ctypes.data)
            self.assertEqual(0, first % 64)

    def test_what_is_mapped_to_be_read_cannot_be_written(self):
        with self.buffer.map() as array, self.assertRaises(ValueError):
            array[0] = 1

    def test_a_second_mapping_fails(self):
        with self.buffer.map(), self.assertRaisesRegex(InvalidState, "mapped already"):
            self.buffer.map()
        with self.assertRaises(InvalidArgument):
            self.buffer.map(read=False)

    def test_a_mapping_cannot_be_used_after_its_end(self):
        with self.buffer.map(write=True) as array:
            pass
        for use in (
            lambda: array[0],
            lambda: array.array,
            lambda: array.__setitem__(0, 1),
            lambda: array + 1,
            lambda: numpy.asarray(array),
            lambda: array.shape,
            lambda: len(array),
            lambda: numpy.from_dlpack(array),
        ):
            self.assertRaisesRegex(InvalidState, "the mapping has ended", use)
        array.unmap()
        self.assertIn("ended", repr(array))

    def test_unmap_fails_while_an_array_exists_and_leaves_it_usable(self):
        mapping = self.buffer.map(write=True)
        part = mapping[2:, 1]
        with self.assertRaisesRegex(InvalidState, "arrays of the mapping still exist"):
            mapping.unmap()
        part[:] = 3
        self.assertEqual(3, mapping[2, 1])
        del part
        mapping.unmap()
        self.assertFalse(self.buffer.info.mapped)
        self.assertEqual(18, self.buffer.read().sum())

    def test_an_array_that_outlives_the_with_statement_is_an_error_and_not_dangling(self):
        with self.assertRaisesRegex(InvalidState, "arrays of the mapping still exist"):
            with self.buffer.map(write=True) as array:
                part = memoryview(array[4:])
        self.assertRaises(InvalidState, lambda: array[0])
        for call in (self.buffer.destroy, self.device.destroy, lambda: self.buffer.map(discard=True)):
            self.assertRaises(InvalidState, call)
        self.assertEqual(0, part[0, 0])
        del part
        self.assertFalse(self.buffer.info.mapped)

    def test_an_array_alone_keeps_the_buffer_and_its_device(self):
        owner = processor()
        array = Buffer(owner, 100_000).map(write=True).array
        handle = owner.handle
        del owner
        gc.collect()
        array[:] = 1
        self.assertEqual(400_000, array.sum())
        del array
        gc.collect()
        self.assertNotIn(handle, [living.handle for living in device._living])

    def test_an_exception_in_the_with_statement_is_not_replaced(self):
        with self.assertRaisesRegex(KeyError, "mine"):
            with self.buffer.map() as array:
                part = array[1:]
                raise KeyError("mine")
        self.assertTrue(self.buffer.info.mapped)
        del part
        self.assertFalse(self.buffer.info.mapped)

    def test_a_forgotten_mapping_ends(self):
        self.buffer.map()
        gc.collect()
        self.assertFalse(self.buffer.info.mapped)

    def test_destroying_a_mapped_buffer_ends_the_mapping(self):
        mapping = self.buffer.map()
        self.buffer.destroy()
        self.assertRaises(InvalidState, lambda: mapping[0])
        self.assertTrue(self.buffer.is_destroyed)

    def test_sets_and_gets_fail_while_the_buffer_is_mapped(self):
        solver, _ = hanging_sheet(self.device)
        with self.buffer.map():
            for call in (solver.set, solver.get):
                with self.assertRaisesRegex(InvalidState, "the buffer is mapped"):
                    call(Channel.POSITION, self.buffer)
            self.assertRaises(InvalidState, self.buffer.read)
            self.assertRaises(InvalidState, self.buffer.write, numpy.zeros((8, 4)))

    def test_try_map_does_not_wait(self):
        solver, _ = hanging_sheet(self.device)
        fence = Fence(self.device)
        solver.update(wait=(fence, 1))
        solver.get(Channel.POSITION, self.buffer)
        self.assertIsNone(self.buffer.try_map())
        self.assertTrue(self.buffer.info.busy)
        fence.signal(1)
        self.assertTrue(solver.wait())
        with self.buffer.try_map() as array:
            self.assertEqual((8, 4), array.shape)


class DlPack(OnProcessor):
    def test_numpy_reads_a_mapping_without_a_copy(self):
        buffer = Buffer(self.device, 4, Format.FLOAT3, stride=16)
        with buffer.map(write=True) as array:
            array[:] = numpy.arange(12).reshape(4, 3)
            other = numpy.from_dlpack(array)
            self.assertEqual((array.array.ctypes.data, (16, 4)), (other.ctypes.data, other.strides))
            array[0, 0] = 99
            self.assertEqual(99, other[0, 0])
            del other

    def test_an_array_from_dlpack_keeps_the_mapping(self):
        buffer = Buffer(self.device, 4)
        mapping = buffer.map(write=True)
        other = numpy.from_dlpack(mapping)
        self.assertRaises(InvalidState, mapping.unmap)
        del mapping
        gc.collect()
        self.assertTrue(buffer.info.mapped)
        self.assertEqual(0, other.sum())
        del other
        self.assertFalse(buffer.info.mapped)
        self.assertEqual({}, dlpack._exported)

    def test_a_capsule_that_nobody_takes_is_given_back(self):
        buffer = Buffer(self.device, 4)
        mapping = buffer.map(write=True)
        capsule = mapping.__dlpack__()
        self.assertEqual(1, len(dlpack._exported))
        del capsule
        self.assertEqual({}, dlpack._exported)
        mapping.unmap()

    def test_memory_that_is_only_read_is_refused(self):
        with Buffer(self.device, 4).map() as array, self.assertRaises(BufferError):
            numpy.from_dlpack(array)
        buffer = Buffer(self.device, 4, dtype=ClothParameters)
        with buffer.map(write=True) as array, self.assertRaises(BufferError):
            array.__dlpack__()

    def test_a_capsule_of_device_memory_has_the_fields_of_the_specification(self):
        class Owner:
            pass

        owner = Owner()
        capsule = dlpack.capsule_of(0x7000, (dlpack.CUDA, 3), "<f4", (10, 3), (16, 4), owner)
        place = dlpack._pointer_of(id(capsule), b"dltensor")
        managed = dlpack.DLManagedTensor.from_address(place)
        tensor = managed.dl_tensor
        self.assertEqual((0x7000, 2, 3), (tensor.data, tensor.device.device_type, tensor.device.device_id))
        self.assertEqual((2, 32, 1), (tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes))
        self.assertEqual((2, 0), (tensor.ndim, tensor.byte_offset))
        self.assertEqual(([10, 3], [4, 1]), (tensor.shape[:2], tensor.strides[:2]))
        # A consumer renames the capsule and calls the deleter itself.
        rename = ctypes.pythonapi.PyCapsule_SetName
        rename.argtypes = (ctypes.py_object, ctypes.c_char_p)
        used = ctypes.create_string_buffer(b"used_dltensor")
        self.assertEqual(0, rename(capsule, ctypes.cast(used, ctypes.c_char_p)))
        del capsule
        self.assertIn(place, dlpack._exported)
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(managed.deleter)(place)
        self.assertEqual({}, dlpack._exported)


    def test_memory_on_a_device_stays_while_another_library_has_it(self):
        # Only the calls that ask a CUDA device are replaced; the device here is the processor.
        buffer = Buffer(self.device, 10, Format.FLOAT3, kind=BufferKind.DEVICE, stride=16)

        def pointer_of(handle, pointer):
            pointer._obj.value = 0x7000
            return 0

        with mock.patch.object(raw, "cuda_buffer_get_pointer", pointer_of):
            self.assertEqual((dlpack.CUDA, 0), buffer.__dlpack_device__())
            for stream in (None, 1, -1):
                capsule = buffer.__dlpack__(stream=stream)
                tensor = dlpack.DLManagedTensor.from_address(dlpack._pointer_of(id(capsule), b"dltensor")).dl_tensor
                self.assertEqual((0x7000, [10, 3], [4, 1]), (tensor.data, tensor.shape[:2], tensor.strides[:2]))
                for call in (buffer.destroy, self.device.destroy, lambda: buffer.map(discard=True)):
                    self.assertRaisesRegex(InvalidState, "another library still has an array", call)
                del capsule
            dense = Buffer(self.device, 10)
            capsule = dense.__dlpack__()
            tensor = dlpack.DLManagedTensor.from_address(dlpack._pointer_of(id(capsule), b"dltensor")).dl_tensor
            self.assertEqual(([10, 4], [4, 1]), (tensor.shape[:2], tensor.strides[:2]))
            handle = dense.handle
            del dense
            gc.collect()
            self.assertEqual(0, raw.buffer_get_info(handle, BufferInfo()))
            del capsule, tensor
            gc.collect()
            self.assertNotEqual(0, raw.buffer_get_info(handle, BufferInfo()))
        buffer.destroy()
