"""errors.py - the exceptions that results of the library become.

Invariant: an exception carries the library's own message, which says what was wrong and what to do about it. Statuses
are no errors; methods return them.
"""

from __future__ import annotations

from . import raw
from .raw import Result


class ClothcError(Exception):
    """A call of the library failed and has changed nothing."""

    code: int = Result.ERROR_INTERNAL
    """The result of the call, a Result or the number of one that this binding does not know."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    @property
    def name(self) -> str:
        """The name of the result in C, such as "CLOTHC_ERROR_CAPACITY"."""
        return raw.result_name(self.code)


class InvalidArgument(ClothcError, ValueError):
    """A value is outside its documented range, not finite, or an array has the wrong shape."""

    code = Result.ERROR_INVALID_ARGUMENT


class InvalidHandle(ClothcError):
    """An object was destroyed, or its device was, or it belongs to another device."""

    code = Result.ERROR_INVALID_HANDLE


class InvalidStruct(ClothcError):
    """No release of the library had a struct of this size."""

    code = Result.ERROR_INVALID_STRUCT


class InvalidState(ClothcError):
    """The object is not in a state that allows the call, for example because a buffer is mapped."""

    code = Result.ERROR_INVALID_STATE


class OutOfMemory(ClothcError, MemoryError):
    """The host or the device has no memory left."""

    code = Result.ERROR_OUT_OF_MEMORY


class Capacity(ClothcError):
    """A capacity given at creation is used up. The message names the field to raise."""

    code = Result.ERROR_CAPACITY


class Unsupported(ClothcError):
    """This build, backend or device cannot do it."""

    code = Result.ERROR_UNSUPPORTED


class DeviceLost(ClothcError):
    """The device failed, or was made before a fork. It stays lost until it is destroyed."""

    code = Result.ERROR_DEVICE_LOST


class Internal(ClothcError):
    """A defect of the library. Please report it."""

    code = Result.ERROR_INTERNAL


_KINDS: dict[int, type[ClothcError]] = {
    int(kind.code): kind
    for kind in (
        InvalidArgument,
        InvalidHandle,
        InvalidStruct,
        InvalidState,
        OutOfMemory,
        Capacity,
        Unsupported,
        DeviceLost,
        Internal,
    )
}


def error_of(result: int) -> ClothcError:
    """The exception for the failing call that this thread has just made."""
    message = raw.last_error_message()
    kind = _KINDS.get(result)
    if kind is not None:
        return kind(message)
    error = ClothcError(message)
    error.code = result
    return error


def check(result: int) -> int:
    """Returns a result that is no error, and raises the exception for one that is."""
    if result < 0:
        raise error_of(result)
    return result


