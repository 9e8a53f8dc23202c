"""device.py - devices, the messages of their failing calls, and what happens to them at the interpreter's end.

Invariant: a device is destroyed only when no array refers to the memory of its buffers.
"""

from __future__ import annotations

import atexit
import ctypes
import logging
import threading
import weakref
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional, Type, Union

from . import raw
from .arrays import ArrayLike, address, number, octets, sized_bytes
from .errors import ClothcError, InvalidArgument, InvalidState, check
from .handles import Handle, Life
from .raw import Backend, CudaDeviceDesc, DeviceDesc, DeviceFlags, DeviceInfo, Isa, Result
from .raw import Verification, VerificationRow, VerifyFlags, VulkanDeviceDesc, VulkanRequirements
from .waiting import wait_for

if TYPE_CHECKING:
    from .buffer import Buffer

MessageReceiver = Union[Callable[[Result, str], object], logging.Logger]

_living: weakref.WeakSet[Device] = weakref.WeakSet()
_inside = threading.local()
_postponed: list[int] = []


def devices() -> list[DeviceInfo]:
    """All backends and devices of this machine. Absent ones are listed too, with the reason of their absence."""
    count = ctypes.c_uint32()
    check(raw.device_enumerate(None, ctypes.byref(count)))
    infos = (DeviceInfo * count.value)()
    for info in infos:
        info.reset()
    check(raw.device_enumerate(infos, ctypes.byref(count)))
    return [info.copy() for info in infos[: count.value]]


def vulkan_requirements(vulkan: VulkanDeviceDesc) -> VulkanRequirements:
    """What a VkDevice must be created with so that a Device can adopt it. Of the fields only api_version,
    get_instance_proc_addr, instance and physical_device count."""
    requirements = VulkanRequirements()
    check(raw.vulkan_get_requirements(VulkanDeviceDesc.expect(vulkan), requirements))
    return requirements


def _message_callback(receiver: MessageReceiver) -> Any:
    """A callback for the library that hands messages to a function or a logger."""

    def receive(result: int, message: bytes, user: Optional[int]) -> None:
        _inside.depth = getattr(_inside, "depth", 0) + 1
        try:
            if isinstance(receiver, logging.Logger):
                level = logging.ERROR if result < 0 else logging.WARNING
                receiver.log(level, "%s: %s", raw.result_name(result), message.decode())
            else:
                receiver(Result(result), message.decode())
        finally:
            _inside.depth -= 1

    return raw.MessageCallback(receive)


def _is_inside_callback() -> bool:
    return getattr(_inside, "depth", 0) > 0


def _destroyer(life: Life) -> Callable[[int], int]:
    """The function that destroys a device, and ends its life first, so that finalisers leave its children alone."""

    def destroy(handle: int) -> int:
        life.is_alive = False
        if _is_inside_callback():  # where the library forbids it; the next device that comes or goes sees to it
            _postponed.append(handle)
            return 0
        return raw.device_destroy(handle)

    return destroy


def _destroy_postponed() -> None:
    while _postponed and not _is_inside_callback():
        raw.device_destroy(_postponed.pop())


class Device(Handle):
    """Does the work of everything made from it: the processor, or a GPU through Vulkan or CUDA.

    Without arguments it is the best device that works. message receives the messages of failing calls, in addition to
    the exceptions, and of better devices that were passed over: a function of a Result and a str, or a logging.Logger.
    cuda_context and cuda_stream are the addresses of a CUcontext and CUstream of this program that a CUDA device is to
    work in. vulkan has the addresses of a VkDevice and VkQueue of this program, and what goes with them; the device
    keeps this struct, and through it the functions of ctypes that lock and unlock the queue, which threads of the
    library call too.
    The other arguments are those of DeviceDesc. Its callbacks for memory and tasks are not offered: the library calls
    them from its own threads and in the middle of its work, where each call would wait for the interpreter's lock, and
    where no interpreter may be left when the program ends. Native callbacks can be set through clothc.raw.
    """

    def __init__(
        self,
        backend: int = Backend.AUTO,
        *,
        device_index: int = 0,
        worker_count: int = 0,
        isa: int = Isa.AUTO,
        tasks_only: bool = False,
        strict_parity: bool = False,
        cache: Optional[ArrayLike] = None,
        uuid: Optional[bytes] = None,
        hang_timeout_ms: Optional[int] = None,
        message: Optional[MessageReceiver] = None,
        cuda_context: int = 0,
        cuda_stream: int = 0,
        vulkan: Optional[VulkanDeviceDesc] = None,
    ) -> None:
        _destroy_postponed()
        callback = None if message is None else _message_callback(message)
        desc = DeviceDesc(backend=backend, device_index=device_index, worker_count=worker_count, isa=isa)
        desc.set(uuid=uuid, hang_timeout_ms=hang_timeout_ms, message=callback)
        desc.flags = (DeviceFlags.TASKS_ONLY if tasks_only else 0) | (DeviceFlags.STRICT_PARITY if strict_parity else 0)
        kept = None if cache is None else octets(cache, "cache")
        if kept is not None:
            desc.cache, desc.cache_size = address(kept), len(kept)
        handle = ctypes.c_void_p()
        if vulkan is not None:
            if cuda_context or cuda_stream:
                raise InvalidArgument("vulkan is given with cuda_context or cuda_stream; want one API")
            check(raw.vulkan_device_create(desc, VulkanDeviceDesc.expect(vulkan), ctypes.byref(handle)))
        elif cuda_context or cuda_stream:
            cuda = CudaDeviceDesc(context=cuda_context, stream=cuda_stream)
            check(raw.cuda_device_create(desc, cuda, ctypes.byref(handle)))
        else:
            check(raw.device_create(desc, ctypes.byref(handle)))
        life = Life()
        super().__init__(handle.value or 0, life, _destroyer(life), (callback, vulkan))
        self._cuda_stream = cuda_stream
        self._buffers: weakref.WeakSet[Buffer] = weakref.WeakSet()
        _living.add(self)

    @property
    def info(self) -> DeviceInfo:
        """What the device is, and why it was chosen."""
        info = DeviceInfo()
        check(raw.device_get_info(self._handle, info))
        return info

    def prepare(self, stages: Iterable[int] = ()) -> None:
        """Begins to compile what updates with these stages need, in a thread of the library (see raw.device_prepare).
        stages: values of Stage; none = all that updates may have."""
        bits = 0
        for stage in stages:
            bits |= 1 << number(stage, "stages", 5)
        check(raw.device_prepare(self._handle, bits))

    def wait_prepared(self, timeout: Optional[float] = None) -> bool:
        """Waits until everything that prepare began is compiled and what verify began has ended, at most so many
        seconds. Returns whether it has."""
        return wait_for(lambda nanoseconds: raw.device_wait(self._handle, nanoseconds, None, None), timeout)

    @property
    def preparation_progress(self) -> tuple[int, int]:
        """How many kernels and programs are compiled, and how many were asked for."""
        done, total = ctypes.c_uint32(), ctypes.c_uint32()
        check(raw.device_wait(self._handle, 0, ctypes.byref(done), ctypes.byref(total)))
        return done.value, total.value

    def save_cache(self) -> bytes:
        """What the driver has compiled so far, for load_cache in the next run of the program."""
        while True:
            try:
                return sized_bytes(lambda data, size: raw.device_save_cache(self._handle, data, size))
            except InvalidArgument:
                continue  # another thread has had more compiled since the size was asked for

    def load_cache(self, data: ArrayLike) -> None:
        """Gives the bytes that save_cache gave to the driver, such as those of a file that is mapped into memory. An
        exception says why they are of no use here; everything works without them."""
        cache = octets(data, "data")
        check(raw.device_load_cache(self._handle, address(cache), len(cache)))

    def verify(self, *, in_background: bool = False) -> None:
        """Finds out whether the device gives the bits of all others (see raw.device_verify); verification tells. In the
        background, wait_prepared waits for the end."""
        check(raw.device_verify(self._handle, VerifyFlags.IN_BACKGROUND if in_background else 0))

    @property
    def verification(self) -> Verification:
        """What is known of the bits that the device gives."""
        known = Verification()
        check(raw.device_get_verification(self._handle, known, None, None))
        return known

    @property
    def verification_rows(self) -> list[VerificationRow]:
        """The results by kernel and form; empty unless the device was verified here."""
        count = ctypes.c_uint32()
        check(raw.device_get_verification(self._handle, None, None, ctypes.byref(count)))
        rows = (VerificationRow * count.value)()
        for row in rows:
            row.reset()
        if count.value > 0:
            check(raw.device_get_verification(self._handle, None, rows, ctypes.byref(count)))
        return [row.copy() for row in rows[: count.value]]

    def destroy(self) -> None:
        """Destroys the device and everything made from it, after all its work. A second call does nothing.

        Raises InvalidState, and destroys nothing, while arrays refer to a buffer that is mapped.
        """
        if _is_inside_callback():
            raise InvalidState("a device cannot be destroyed while it reports a message; do it after the call")
        _destroy_postponed()
        if self._life.is_alive:
            for buffer in list(self._buffers):
                buffer._end_mapping()
        super().destroy()

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        try:
            self.destroy()
        except InvalidState:
            if error is None:  # else the exception's frames may hold the arrays; the device goes when they do
                raise


@atexit.register
def _destroy_all() -> None:
    """Destroys the devices that a program leaves, so that no thread of the library runs while the process ends. A
    device whose memory arrays refer to is left to the end of the process."""
    for device in list(_living):
        try:
            device.destroy()
        except ClothcError:
            pass
