"""waiting.py - waits with a time-out in seconds, which Ctrl-C can interrupt."""

from __future__ import annotations

import time
from typing import Callable, Optional

from .errors import check

_SLICE = 0.1  # seconds; a call of the library cannot be interrupted, so long waits are several calls


def wait_for(wait: Callable[[int], int], timeout: Optional[float]) -> bool:
    """Calls wait with a time-out in nanoseconds until it succeeds or the time is over. None waits for ever."""
    if timeout is not None and not timeout >= 0:
        raise ValueError(f"timeout is {timeout}; want seconds, 0 or more, or None")
    end = None if timeout is None else time.monotonic() + timeout
    while True:
        left = _SLICE if end is None else max(0.0, min(_SLICE, end - time.monotonic()))
        if check(wait(int(left * 1e9))) == 0:
            return True
        if end is not None and time.monotonic() >= end:
            return False
