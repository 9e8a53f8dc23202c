"""arrays.py - what arrays the binding takes, and the NumPy types of the library's formats and structs.

Invariant: an array that reaches the library is contiguous, and has the type and the shape that the call expects.
"""

from __future__ import annotations

import ctypes
from typing import Any, Optional, Type, Union

import numpy
import numpy.typing

from .errors import InvalidArgument, check
from .raw import Format, Record
from .raw.record import whole_number

Array = numpy.typing.NDArray[Any]
ArrayLike = Any
"""Lists, NumPy arrays, and whatever has a buffer, __array__, __array_interface__ or __dlpack__ in host memory."""
RecordLike = Union[Type[Record], "numpy.dtype[Any]", "list[tuple[Any, ...]]"]

_FORMATS: dict[int, tuple[str, tuple[int, ...]]] = {
    Format.FLOAT: ("<f4", ()),
    Format.FLOAT3: ("<f4", (3,)),
    Format.FLOAT4: ("<f4", (4,)),
    Format.UINT: ("<u4", ()),
}
_HOST = 1  # kDLCPU of DLPack


def format_of(value: int) -> tuple[numpy.dtype[Any], tuple[int, ...]]:
    """The type of a format's components, and the shape of one element."""
    typestr, shape = _FORMATS[value]
    return numpy.dtype(typestr), shape


def dtype_of(record: RecordLike) -> numpy.dtype[Any]:
    """The NumPy type of a struct of the library, such as ClothParameters; other types as they are."""
    if not (isinstance(record, type) and issubclass(record, Record)):
        return numpy.dtype(record)
    slots = [slot for slot, *_ in record._fields_]
    fields: Any = {
        "names": [slot[1:] for slot in slots],
        "formats": [numpy.dtype(kind) for _, kind, *_ in record._fields_],
        "offsets": [getattr(record, slot).offset for slot in slots],
        "itemsize": ctypes.sizeof(record),
    }
    return numpy.dtype(fields)


def records(kind: Type[Record], count: int) -> Array:
    """An array of structs with the library's defaults, for buffers of the format RECORD."""
    return numpy.full(count, numpy.frombuffer(bytes(kind()), dtype_of(kind))[0], dtype_of(kind))


def host_array(value: ArrayLike, name: str) -> Array:
    """A NumPy array of what is given, without a copy where there is one in host memory."""
    device = getattr(value, "__dlpack_device__", None)
    if device is not None and device()[0] != _HOST:
        raise TypeError(f"{name} is in the memory of a device; copy it to the host")
    if device is not None and not hasattr(value, "__array_interface__") and not hasattr(value, "__array__"):
        return numpy.from_dlpack(value)
    try:
        return numpy.asarray(value)
    except ValueError as error:
        raise InvalidArgument(f"{name} is not an array: {error}") from None


def floats(value: ArrayLike, name: str, *shape: Optional[int]) -> Array:
    """A contiguous array of float32. None in the shape stands for any length."""
    array = host_array(value, name)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{name} has elements of type {array.dtype}; want numbers")
    with numpy.errstate(over="ignore"):
        return _shaped(numpy.asarray(array, numpy.dtype("<f4"), order="C"), name, shape)


def whole_numbers(value: ArrayLike, name: str, *shape: Optional[int]) -> Array:
    """A contiguous array of uint32. None in the shape stands for any length."""
    array = host_array(value, name)
    if array.dtype.kind not in "iu" and array.size > 0:
        raise TypeError(f"{name} has elements of type {array.dtype}; want whole numbers")
    if array.size > 0 and (array.min() < 0 or array.max() > 2**32 - 1):
        raise InvalidArgument(f"{name} has values from {array.min()} to {array.max()}; want 0 to 2^32 - 1")
    return _shaped(numpy.asarray(array, numpy.dtype("<u4"), order="C"), name, shape)


def _shaped(array: Array, name: str, shape: tuple[Optional[int], ...]) -> Array:
    if array.size == 0 and None in shape:
        array = array.reshape([length or 0 for length in shape])
    right = array.ndim == len(shape) and all(want in (None, got) for want, got in zip(shape, array.shape))
    if not right:
        wanted = ", ".join("any" if length is None else str(length) for length in shape)
        raise InvalidArgument(f"{name} has the shape {array.shape}; want ({wanted})")
    return array


def octets(value: ArrayLike, name: str) -> Array:
    """The bytes of anything that has a buffer, such as bytes, bytearray or a memory-mapped file."""
    try:
        return numpy.frombuffer(value, numpy.uint8)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} has no contiguous bytes: {error}") from None


def sized_bytes(call: Any) -> bytes:
    """The bytes of a call that first tells their number and then writes them."""
    size = ctypes.c_uint64()
    check(call(None, ctypes.byref(size)))
    data = ctypes.create_string_buffer(size.value)
    check(call(data, ctypes.byref(size)))
    return data.raw[: size.value]


def number(value: Any, name: str, bits: int = 32) -> int:
    """An int that is not negative and has so many bits. ctypes would cut it."""
    try:
        return whole_number(value, bits)
    except ValueError as error:
        raise InvalidArgument(f"{name}: {error}") from None
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None


def address(array: Optional[Array]) -> int:
    """Where an array is, or 0 for none. The caller keeps the array until the call has returned."""
    if array is None or array.size == 0:
        return 0
    return int(array.__array_interface__["data"][0])
