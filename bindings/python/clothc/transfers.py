"""transfers.py - the arguments of sets and gets: views and regions."""

from __future__ import annotations

import ctypes
from typing import Any, Optional, Sequence, Tuple, Union

from .arrays import Array, address, whole_numbers
from .errors import InvalidArgument
from .raw import Region, View

Regions = Union[Sequence[Tuple[int, int, int]], Sequence[Region], Array, None]
"""Ranges to copy: source offset, target offset and count of each, in elements. None = from the first element on."""


def view_argument(view: Optional[View]) -> Optional[View]:
    """A view for the library. A wrong type would otherwise be taken as an address."""
    if view is not None and not isinstance(view, View):
        raise TypeError(f"view is {view!r}; want a View or None")
    return view


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
