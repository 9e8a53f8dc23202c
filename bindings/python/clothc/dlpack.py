"""dlpack.py - capsules of DLPack, through which other libraries use memory without a copy.

Source: DLPack 0.8, dlpack.h and "Python Specification for DLPack". A capsule owns a DLManagedTensor until its consumer
renames it to used_dltensor; then the consumer calls the tensor's deleter.
Invariant: what a tensor refers to is kept until the deleter has run, and the deleter exists as long as the process.
"""

from __future__ import annotations

import ctypes
from typing import Any

CPU = 1
CUDA = 2
_CODES = {"i": 0, "u": 1, "f": 2}
_NAME = b"dltensor"


class DLDevice(ctypes.Structure):
    """Where the memory is."""

    _fields_ = [("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32)]


class DLDataType(ctypes.Structure):
    """The type of the elements."""

    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class DLTensor(ctypes.Structure):
    """An array. The strides count elements."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", DLDevice),
        ("ndim", ctypes.c_int32),
        ("dtype", DLDataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class DLManagedTensor(ctypes.Structure):
    """An array, and how its consumer gives it back."""

    _fields_ = [("dl_tensor", DLTensor), ("manager_ctx", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


_exported: dict[int, Any] = {}

_new = ctypes.pythonapi.PyCapsule_New
_new.restype = ctypes.py_object
_new.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.restype = ctypes.c_int
_is_valid.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_pointer_of.argtypes = (ctypes.c_void_p, ctypes.c_char_p)


# The defaults bind what the functions need, because modules are emptied before the last arrays go.
def _delete(tensor: int, exported: dict[int, Any] = _exported) -> None:
    """Gives a tensor back. Consumers may call this from any thread."""
    exported.pop(tensor, None)


def _destroy(capsule: int, is_valid: Any = _is_valid, pointer_of: Any = _pointer_of, delete: Any = _delete) -> None:
    """Gives back the tensor of a capsule that nobody has consumed. A capsule that dies must come as an address."""
    if is_valid(capsule, b"dltensor"):
        delete(pointer_of(capsule, b"dltensor"))


_deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_delete)
_destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(_destroy)
for _function in (_deleter, _destructor):
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(_function))


def capsule_of(
    pointer: int,
    device: tuple[int, int],
    typestr: str,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    owner: Any,
) -> Any:
    """A capsule for an array at an address. typestr is that of NumPy, as in "<f4"; strides are in bytes; owner is kept
    until the consumer gives the array back."""
    size = int(typestr[2:])
    if typestr[1] not in _CODES or any(stride % size for stride in strides):
        raise BufferError(f"DLPack has no arrays with elements of type {typestr} and strides of {strides} bytes")
    tensor = DLManagedTensor()
    lengths = (ctypes.c_int64 * len(shape))(*shape)
    steps = (ctypes.c_int64 * len(shape))(*(stride // size for stride in strides))
    array = tensor.dl_tensor
    array.data = pointer
    array.device = DLDevice(*device)
    array.ndim = len(shape)
    array.dtype = DLDataType(_CODES[typestr[1]], 8 * size, 1)
    array.shape = lengths
    array.strides = steps
    tensor.deleter = ctypes.cast(_deleter, ctypes.c_void_p).value
    place = ctypes.addressof(tensor)
    _exported[place] = (tensor, lengths, steps, owner)
    return _new(place, _NAME, ctypes.cast(_destructor, ctypes.c_void_p).value)
