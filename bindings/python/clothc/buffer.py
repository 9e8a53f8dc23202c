"""buffer.py - flat typed memory, through which data travels between a program and a solver."""

from __future__ import annotations

import ctypes
import weakref
from operator import index
from typing import Any, Optional

import numpy

from . import dlpack, raw
from .arrays import Array, ArrayLike, RecordLike, address, dtype_of, format_of, host_array
from .device import Device
from .errors import InvalidArgument, InvalidState, check
from .handles import Handle
from .mapping import Mapping
from .raw import BufferDesc, BufferFlags, BufferInfo, BufferKind, ExternalHandle, Format, MapFlags, VulkanBufferDesc

_READ, _WRITE, _DISCARD, _NO_WAIT = (int(flag) for flag in MapFlags)


class Buffer(Handle):
    """count elements of memory.

    The format is that of vectors such as Format.FLOAT4, or with dtype that of structs: a struct of the library such as
    ClothParameters, or the NumPy type of a vertex, whose parts a View then names. The kind HOST can be mapped; DEVICE
    is what the device accesses fastest; EXPORTABLE can be exported. stride is the number of bytes from one element to
    the next, 0 for no gaps. With host_if_unsupported the buffer is a HOST one where the device lacks the kind; info
    then has the requested_kind and the reason; raw.BufferFlags.HOST_IF_UNSUPPORTED says what it costs.
    """

    def __init__(
        self,
        device: Device,
        count: int,
        format: int = Format.FLOAT4,
        *,
        dtype: Optional[RecordLike] = None,
        kind: int = BufferKind.HOST,
        stride: int = 0,
        host_if_unsupported: bool = False,
    ) -> None:
        desc = BufferDesc(kind=kind, format=format, stride=stride, count=count)
        if host_if_unsupported:
            desc.flags = BufferFlags.HOST_IF_UNSUPPORTED
        self._create(device, desc, dtype)

    @classmethod
    def wrap(cls, device: Device, array: Array) -> Buffer:
        """A buffer whose memory is that of a NumPy array: float32 or uint32 of the shape (n,), float32 of (n, 3) or
        (n, 4), or structs. The array is kept until the buffer is destroyed; read and write it only while the buffer is
        mapped. The device must have the capability WRAPPED_HOST."""
        if not isinstance(array, numpy.ndarray) or not array.flags.writeable:
            raise TypeError("a buffer wraps a NumPy array that can be written")
        formats = {("f4", ()): Format.FLOAT, ("f4", (3,)): Format.FLOAT3, ("f4", (4,)): Format.FLOAT4}
        formats[("u4", ())] = Format.UINT
        dtype = None if array.dtype.names is None else array.dtype
        format = Format.RECORD if dtype is not None else formats.get((array.dtype.str[1:], array.shape[1:]))
        is_dense = array.ndim > 0 and array.strides[0] > 0 and array[:1].flags.c_contiguous
        if format is None or not is_dense or array.dtype.byteorder == ">":
            raise InvalidArgument(f"an array of {array.dtype} with the shape {array.shape} is of no format of a buffer")
        stride = array.strides[0] if len(array) > 1 else array[:1].nbytes
        desc = BufferDesc(kind=BufferKind.WRAPPED_HOST, format=format, stride=stride, count=len(array))
        desc.memory = address(array)
        buffer = cls.__new__(cls)
        buffer._create(device, desc, dtype, array)
        return buffer

    @classmethod
    def wrap_device(
        cls,
        device: Device,
        pointer: int,
        count: int,
        format: int = Format.FLOAT4,
        *,
        dtype: Optional[RecordLike] = None,
        stride: int = 0,
        owner: Any = None,
    ) -> Buffer:
        """A buffer whose memory this program has allocated with CUDA, at a CUdeviceptr. owner is kept until the buffer
        is destroyed."""
        desc = BufferDesc(kind=BufferKind.WRAPPED_DEVICE, format=format, stride=stride, count=count)
        desc.memory = pointer
        buffer = cls.__new__(cls)
        buffer._create(device, desc, dtype, owner)
        return buffer

    @classmethod
    def wrap_vulkan(
        cls,
        device: Device,
        vulkan: VulkanBufferDesc,
        count: int,
        format: int = Format.FLOAT4,
        *,
        dtype: Optional[RecordLike] = None,
        stride: int = 0,
        owner: Any = None,
    ) -> Buffer:
        """A buffer on a VkBuffer of this program, for a device that works on its VkDevice. owner is kept until the
        buffer is destroyed."""
        desc = BufferDesc(kind=BufferKind.WRAPPED_DEVICE, format=format, stride=stride, count=count)
        buffer = cls.__new__(cls)
        buffer._create(device, desc, dtype, owner, VulkanBufferDesc.expect(vulkan))
        return buffer

    @classmethod
    def import_memory(
        cls,
        device: Device,
        external: ExternalHandle,
        count: int,
        format: int = Format.FLOAT4,
        *,
        dtype: Optional[RecordLike] = None,
        stride: int = 0,
        host_if_unsupported: bool = False,
    ) -> Buffer:
        """A buffer of memory that another device, API or process has exported. If it succeeds the buffer owns the file
        descriptor; if it fails, or makes a HOST buffer because host_if_unsupported asks for it, the caller still
        does."""
        desc = BufferDesc(kind=BufferKind.IMPORTED, format=format, stride=stride, count=count)
        if host_if_unsupported:
            desc.flags = BufferFlags.HOST_IF_UNSUPPORTED
        desc.external = ctypes.addressof(ExternalHandle.expect(external))
        buffer = cls.__new__(cls)
        buffer._create(device, desc, dtype)
        return buffer

    def _create(
        self,
        device: Device,
        desc: BufferDesc,
        dtype: Optional[RecordLike],
        keep: Any = None,
        vulkan: Optional[VulkanBufferDesc] = None,
    ) -> None:
        if dtype is not None:
            self._dtype = dtype_of(dtype)
            shape: tuple[int, ...] = ()
            desc.format = Format.RECORD
            desc.stride = desc.stride or self._dtype.itemsize
            if desc.stride < self._dtype.itemsize:
                raise InvalidArgument(f"stride is {desc.stride}; an element has {self._dtype.itemsize} bytes")
        elif desc.format == Format.RECORD:
            self._dtype, shape = numpy.dtype(numpy.uint8), (desc.stride,)
        else:
            try:
                self._dtype, shape = format_of(desc.format)
            except KeyError:
                raise InvalidArgument(f"format is {desc.format}; want one of Format") from None
        handle = ctypes.c_void_p()
        if vulkan is not None:
            check(raw.vulkan_buffer_create(device._handle, desc, vulkan, ctypes.byref(handle)))
        else:
            check(raw.buffer_create(device._handle, desc, ctypes.byref(handle)))
        super().__init__(handle.value or 0, device._life, raw.buffer_destroy, keep)
        self._device = device
        self._count = desc.count
        self._format = desc.format
        element = self._dtype.itemsize * int(numpy.prod(shape, dtype=numpy.int64))
        self._stride = desc.stride or element
        self._has_gaps = self._stride > element
        strides = (self._stride, *(self._dtype.itemsize for _ in shape))
        self._layout = (self._dtype.str, (self._count, *shape), strides)
        self._mapping: Optional[weakref.ref[Mapping]] = None
        self._tensors: weakref.WeakSet[_Tensor] = weakref.WeakSet()
        device._buffers.add(self)

    @property
    def device(self) -> Device:
        """The device that the buffer was made from."""
        return self._device

    @property
    def count(self) -> int:
        """The number of elements."""
        return self._count

    @property
    def format(self) -> Format:
        """The format of the elements."""
        return self._format

    @property
    def dtype(self) -> numpy.dtype[Any]:
        """The NumPy type of the elements, or of the components of vectors."""
        return self._dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the buffer as an array."""
        return self._layout[1]

    @property
    def info(self) -> BufferInfo:
        """What the buffer is, and whether it is mapped or busy."""
        info = BufferInfo()
        check(raw.buffer_get_info(self._handle, info))
        return info

    def __len__(self) -> int:
        return self._count

    def map(self, *, read: bool = True, write: bool = False, discard: bool = False) -> Mapping:
        """Maps the buffer, so that the host can read it, or write it too. Waits for what uses the buffer.

        discard: write all of it without waiting; the old contents are not needed. Use it with a with statement, as in
        "with buffer.map(write=True) as array".
        """
        mapping = self._mapped(read, write, discard, 0)
        assert mapping is not None
        return mapping

    def try_map(self, *, read: bool = True, write: bool = False, discard: bool = False) -> Optional[Mapping]:
        """Does the same without waiting: None while sets or gets that use the buffer have not ended."""
        return self._mapped(read, write, discard, _NO_WAIT)

    def _mapped(self, read: bool, write: bool, discard: bool, flags: int) -> Optional[Mapping]:
        if discard:
            self._check_tensors()
            flags |= _WRITE | _DISCARD
        else:
            flags |= (_READ if read else 0) | (_WRITE if write else 0)
        pointer = ctypes.c_void_p()
        result = raw.buffer_map(self._handle, flags, ctypes.byref(pointer))
        if result != 0:
            check(result)
            return None
        mapping = Mapping(self, pointer.value or 0, not flags & _WRITE)
        self._mapping = weakref.ref(mapping)
        return mapping

    def read(self, first: int = 0, count: Optional[int] = None) -> Array:
        """Copies elements out of the buffer, of any kind, after what uses it."""
        elements = self._range(first, self._count - first if count is None else count)
        octets = numpy.empty((elements, self._stride), numpy.uint8)
        check(raw.buffer_read(self._handle, first * self._stride, octets.nbytes, address(octets)))
        return self._elements(octets).copy()

    def write(self, values: ArrayLike, first: int = 0) -> None:
        """Copies elements into the buffer, of any kind, after what uses it."""
        array = host_array(values, "values")
        if array.dtype.names is None and array.dtype.kind not in "fiub":
            raise TypeError(f"values have the type {array.dtype}; want {self._dtype}")
        if array.shape[1:] != self.shape[1:] or array.ndim == 0:
            raise InvalidArgument(f"values have the shape {array.shape}; want (any, {str(self.shape[1:])[1:]}")
        octets = numpy.zeros((self._range(first, len(array)), self._stride), numpy.uint8)
        if self._has_gaps:  # what is between the elements stays as it is
            check(raw.buffer_read(self._handle, first * self._stride, octets.nbytes, address(octets)))
        with numpy.errstate(over="ignore"):
            self._elements(octets)[...] = array
        check(raw.buffer_write(self._handle, first * self._stride, octets.nbytes, address(octets)))

    def _range(self, first: int, count: int) -> int:
        if not 0 <= index(first) <= first + index(count) <= self._count:
            raise InvalidArgument(f"elements {first} to {first} + {count} lie beyond the buffer's {self._count}")
        return count

    def _elements(self, octets: Array) -> Array:
        """The elements in rows of as many bytes as the stride."""
        typestr, shape, strides = self._layout
        return numpy.ndarray((len(octets), *shape[1:]), self._dtype, octets, 0, strides)

    def export_memory(self) -> ExternalHandle:
        """Exports the memory of an EXPORTABLE buffer. The caller closes the new file descriptor or gives it away."""
        external = ExternalHandle()
        check(raw.buffer_export(self._handle, external))
        return external

    @property
    def cuda_pointer(self) -> int:
        """The CUdeviceptr of element 0. Programs that use it order their work with the solver's."""
        pointer = ctypes.c_uint64()
        check(raw.cuda_buffer_get_pointer(self._handle, ctypes.byref(pointer)))
        return pointer.value

    @property
    def vulkan_handle(self) -> tuple[int, int]:
        """The VkBuffer, and the offset of element 0 in it in bytes, for this program's own commands."""
        handle, offset = ctypes.c_uint64(), ctypes.c_uint64()
        check(raw.vulkan_buffer_get_handle(self._handle, ctypes.byref(handle), ctypes.byref(offset)))
        return handle.value, offset.value

    def __dlpack_device__(self) -> tuple[int, int]:
        self.cuda_pointer  # raises Unsupported for buffers of other devices, which are mapped first
        return dlpack.CUDA, self._device.info.device_index

    def __dlpack__(self, stream: Any = None) -> Any:
        """A capsule for the memory on a CUDA device. Waits for the sets and gets that use the buffer, unless stream is
        the one that the device works in, or -1."""
        pointer = self.cuda_pointer
        if stream != -1 and (not stream or stream != self._device._cuda_stream):
            self.read(0, 1)
        typestr, shape, strides = self._layout
        tensor = _Tensor(self)
        self._tensors.add(tensor)
        return dlpack.capsule_of(pointer, self.__dlpack_device__(), typestr, shape, strides, tensor)

    def _end_mapping(self) -> None:
        """Ends the mapping if there is one. Raises InvalidState while an array refers to the memory."""
        mapping = None if self._mapping is None else self._mapping()
        info = BufferInfo()
        if mapping is not None:
            mapping.unmap()
        elif not self.is_destroyed and raw.buffer_get_info(self._handle, info) == 0 and info.mapped:
            raise InvalidState("arrays of the buffer's mapping still exist; delete them first")
        self._check_tensors()

    def _check_tensors(self) -> None:
        """Raises InvalidState while another library has an array of the memory on the device."""
        if self._tensors:
            raise InvalidState("another library still has an array of the buffer's memory; delete it first")

    def destroy(self) -> None:
        """Destroys the buffer, even a mapped one. A second call does nothing. Raises InvalidState while arrays refer
        to its memory."""
        self._end_mapping()
        super().destroy()


class _Tensor:
    """What an exported array on a device refers to."""

    def __init__(self, buffer: Buffer) -> None:
        self.buffer = buffer


