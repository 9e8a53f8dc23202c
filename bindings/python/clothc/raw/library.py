"""library.py - finds the shared library, loads it, and gives access to its functions.

The order is the file that the environment variable CLOTHC_LIBRARY names, the file beside this package that a wheel
carries, and then libclothc where the system's loader looks.
"""

from __future__ import annotations

import ctypes
import os
import pathlib
import sys
from typing import Any, Callable, Union

Handle = Union[int, None]
"""A device, buffer, fabric, solver or fence; None where a call takes none."""
Output = Union["ctypes._CArgObject", "ctypes._CData", None]
"""Where a call writes: ctypes.byref(...) or an object of ctypes; None where a call takes none."""
Memory = Union[int, bytes, "ctypes._CArgObject", "ctypes._CData", None]
"""The address of an array as an int or an object of ctypes, or bytes that the call only reads."""


def file_name() -> str:
    """The name of the library's file on this system."""
    if sys.platform == "win32":
        return "clothc.dll"
    return "libclothc.dylib" if sys.platform == "darwin" else "libclothc.so"


def candidates() -> list[str]:
    """The names to load the library by, in the order in which they are tried."""
    given = os.environ.get("CLOTHC_LIBRARY")
    if given:
        return [given]
    packaged = pathlib.Path(__file__).resolve().parent.parent / file_name()
    return [*([str(packaged)] if packaged.exists() else []), file_name(), file_name() + ".0"]


def load() -> ctypes.CDLL:
    """Loads the library, or raises an ImportError that says where it was looked for."""
    reasons = []
    for name in candidates():
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            reasons.append(str(error))
    raise ImportError(
        "the library of clothc cannot be loaded: "
        + "; ".join(reasons)
        + ". Set CLOTHC_LIBRARY to its file, or install a wheel that carries it."
    )


LIBRARY = load()


def function(name: str, result: Any, *parameters: Any) -> Callable[..., Any]:
    """A function of the library with the types of its result and its parameters."""
    try:
        found = LIBRARY[name]
    except AttributeError:
        raise ImportError(f"{LIBRARY._name} has no function {name}: it is older than this package") from None
    found.restype = result
    found.argtypes = parameters
    return found
