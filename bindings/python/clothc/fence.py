"""fence.py - values that only grow, through which updates wait for each other and for other APIs."""

from __future__ import annotations

import ctypes
from typing import Optional

from . import raw
from .device import Device
from .arrays import number
from .errors import check
from .handles import Handle
from .raw import ExternalHandle
from .waiting import wait_for


class Fence(Handle):
    """A 64-bit value that only grows, for waiting and signalling."""

    def __init__(self, device: Device, value: int = 0) -> None:
        handle = ctypes.c_void_p()
        check(raw.fence_create(device._handle, number(value, "value", 64), ctypes.byref(handle)))
        self._adopt(device, handle)

    @classmethod
    def import_semaphore(cls, device: Device, external: ExternalHandle) -> Fence:
        """A fence that is a timeline semaphore of another device, API or process. If it succeeds the fence owns the
        file descriptor; if it fails the caller still does."""
        handle = ctypes.c_void_p()
        check(raw.fence_import(device._handle, ExternalHandle.expect(external), ctypes.byref(handle)))
        fence = cls.__new__(cls)
        fence._adopt(device, handle)
        return fence

    def _adopt(self, device: Device, handle: ctypes.c_void_p) -> None:
        super().__init__(handle.value or 0, device._life, raw.fence_destroy)
        self._device = device

    @property
    def value(self) -> int:
        """The present value."""
        value = ctypes.c_uint64()
        check(raw.fence_get_value(self._handle, ctypes.byref(value)))
        return value.value

    def signal(self, value: int) -> None:
        """Raises the fence to a value from the host."""
        check(raw.fence_signal(self._handle, number(value, "value", 64)))

    def wait(self, value: int, timeout: Optional[float] = None) -> bool:
        """Waits until the fence has reached a value, at most so many seconds. Returns whether it has."""
        wanted = number(value, "value", 64)
        return wait_for(lambda nanoseconds: raw.fence_wait(self._handle, wanted, nanoseconds), timeout)

    def export_semaphore(self) -> ExternalHandle:
        """Exports the fence as a timeline semaphore. The caller closes the new file descriptor or gives it away."""
        external = ExternalHandle()
        check(raw.fence_export(self._handle, external))
        return external
