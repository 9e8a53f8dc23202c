"""information.py - what the library is made of: its version, its channels, and the parameters of cloths."""

from __future__ import annotations

import itertools
from typing import Callable, Iterator, TypeVar

from . import raw
from .errors import InvalidArgument, check
from .raw import ChannelInfo, ParameterInfo

Info = TypeVar("Info", ChannelInfo, ParameterInfo)


def version() -> tuple[int, int, int]:
    """The version of the loaded library: major, minor and patch."""
    number = raw.version()
    return number >> 16, number >> 8 & 255, number & 255


def channels() -> list[ChannelInfo]:
    """All channels: their format, the size of an element, and whether they can be set."""
    return list(_listed(ChannelInfo, 1, lambda number, info: raw.channel_describe(None, number, info)))


def parameters() -> list[ParameterInfo]:
    """All parameters of cloths, in the order of ClothParameters: their type, range, default and unit."""
    return list(_listed(ParameterInfo, 0, raw.parameter_describe))


def _listed(kind: Callable[[], Info], first: int, describe: Callable[[int, Info], int]) -> Iterator[Info]:
    """What the library describes by number, from the first one on until there is no more."""
    for number in itertools.count(first):
        info = kind()
        try:
            check(describe(number, info))
        except InvalidArgument:
            return
        yield info
