"""handles.py - the base of everything that has a handle: it is destroyed once, explicitly or when nothing refers to it.

Invariant: destroying never raises an exception because something is gone already. What is made from a device refers to
the Device, so that a forgotten device is destroyed after it.
"""

from __future__ import annotations

import weakref
from types import TracebackType
from typing import Any, Callable, Optional, Type, TypeVar

Self = TypeVar("Self", bound="Handle")


class Life:
    """Whether a device still exists in the library, for the finalisers of what was made from it."""

    __slots__ = ("is_alive",)

    def __init__(self) -> None:
        self.is_alive = True


def _release(destroy: Callable[[int], int], handle: int, life: Life, keep: Any) -> None:
    """Destroys an object unless its device has been destroyed, and drops what it borrowed only then."""
    if life.is_alive:
        destroy(handle)


class Handle:
    """An object of the library. It is a context manager that destroys itself at its end."""

    def __init__(self, handle: int, life: Life, destroy: Callable[[int], int], keep: Any = None) -> None:
        self._handle = handle
        self._life = life
        self._finalizer = weakref.finalize(self, _release, destroy, handle, life, keep)
        # At the end of the interpreter devices are destroyed, and everything else with them (see device.py).
        self._finalizer.atexit = False

    @property
    def handle(self) -> int:
        """The handle for functions of clothc.raw."""
        return self._handle

    @property
    def is_destroyed(self) -> bool:
        """Whether the object was destroyed, or its device was. Every other use of it then raises InvalidHandle."""
        return not (self._finalizer.alive and self._life.is_alive)

    def destroy(self) -> None:
        """Destroys the object. A second call does nothing."""
        self._finalizer()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.destroy()

    def __repr__(self) -> str:
        return f"<clothc.{type(self).__name__} {self._handle:#x}{' destroyed' if self.is_destroyed else ''}>"
