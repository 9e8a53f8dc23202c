"""arguments.py - what several methods of solvers and cloths take: regions, fences and collider sets."""

from __future__ import annotations

import ctypes
from typing import Any, Iterable, Optional, Sequence, Tuple, Union

from .arrays import Array, address, whole_numbers
from .colliders import ColliderSet
from .errors import InvalidArgument
from .fence import Fence
from .raw import Region, Update

Regions = Union[Sequence[Tuple[int, int, int]], Sequence[Region], Array, None]
"""Ranges to copy: source offset, target offset and count of each, in elements. None = from the first element on."""
Signal = Tuple[Fence, int]
"""A fence and one of its values."""


def region_array(regions: Regions) -> Optional[Array]:
    """Regions as an array of the library's structs."""
    if regions is None:
        return None
    rows: Any = regions
    if len(rows) == 0:
        raise InvalidArgument("there are no regions; want at least one, or None for all")
    if isinstance(rows[0], Region):
        rows = [(region.source_offset, region.target_offset, region.count) for region in rows]
    return whole_numbers(rows, "regions", None, ctypes.sizeof(Region) // 4)


def region_arguments(regions: Optional[Array]) -> tuple[int, int]:
    """The address of regions and their number."""
    return (0, 0) if regions is None else (address(regions), len(regions))


def with_fences(update: Update, wait: Optional[Signal], signal: Optional[Signal]) -> Update:
    """A copy of an update that waits for a fence and signals one."""
    copy = update.copy()
    if wait is not None:
        copy.wait_fence, copy.wait_value = wait[0]._handle, wait[1]
    if signal is not None:
        copy.signal_fence, copy.signal_value = signal[0]._handle, signal[1]
    return copy


def collider_set_ids(sets: Iterable[ColliderSet]) -> Array:
    """The ids of collider sets."""
    return whole_numbers([each.id for each in sets], "collider_sets", None)
