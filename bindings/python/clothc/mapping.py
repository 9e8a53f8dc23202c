"""mapping.py - the memory of a mapped buffer as a NumPy array.

Invariant: no array outlives the mapping of its memory. An array refers to a _Memory, which refers to the buffer. The
mapping ends when the _Memory goes; unmap demands that this happens at once, and otherwise raises InvalidState. The
collector of cyclic garbage does not look into arrays, so what they refer to exists until all code that may use them has
run.
"""

from __future__ import annotations

import gc
import weakref
from types import TracebackType
from typing import TYPE_CHECKING, Any, Iterator, Optional, Type

import numpy
import numpy.lib.mixins

from . import dlpack, raw
from .arrays import Array
from .errors import InvalidState

if TYPE_CHECKING:
    from .buffer import Buffer


class _Memory:
    """The memory of one mapping, to which its arrays refer."""

    __slots__ = ("__array_interface__", "buffer", "__weakref__")

    def __init__(self, buffer: Buffer, pointer: int, is_read_only: bool) -> None:
        self.buffer = buffer
        typestr, shape, strides = buffer._layout
        self.__array_interface__ = {
            "version": 3,
            "typestr": typestr,
            "shape": shape,
            "strides": strides,
            "data": (pointer, is_read_only),
        }

    def __del__(self, unmap: Any = raw.buffer_unmap) -> None:
        if not self.buffer.is_destroyed:
            unmap(self.buffer._handle)


class Mapping(numpy.lib.mixins.NDArrayOperatorsMixin):
    """A mapped buffer, which the host can read or write until it is unmapped.

    It is used as the array that it holds: indexed, in arithmetic, and wherever NumPy takes an array. Afterwards each
    use raises InvalidState. Indexing with a slice gives an array of the buffer's memory, as with any array. While such
    an array exists the mapping cannot end; copy what is to be kept.
    """

    def __init__(self, buffer: Buffer, pointer: int, is_read_only: bool) -> None:
        memory = _Memory(buffer, pointer, is_read_only)
        self._memory = weakref.ref(memory)
        self._array: Optional[Array] = self._array_of(memory)

    @staticmethod
    def _array_of(memory: _Memory) -> Array:
        array = numpy.asarray(memory)
        dtype = memory.buffer.dtype
        return array if array.dtype == dtype else array.view(dtype)

    @property
    def array(self) -> Array:
        """The memory as a NumPy array, without a copy. It must be gone when the mapping ends."""
        if self._array is None:
            raise InvalidState("the mapping has ended; map the buffer again, and copy what is to outlive a mapping")
        return self._array

    def unmap(self) -> None:
        """Ends the mapping. Raises InvalidState while arrays of it exist; a second call does nothing."""
        had_array = self._array is not None
        self._array = None
        if self._memory() is None:
            return
        gc.collect()
        memory = self._memory()
        if memory is not None:
            if had_array:
                self._array = self._array_of(memory)
            del memory  # which the exception would keep
            raise InvalidState(
                "arrays of the mapping still exist, such as slices of it; delete them before the mapping ends, or keep "
                "copies instead"
            )

    def __enter__(self) -> Mapping:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        try:
            self.unmap()
        except InvalidState:
            self._array = None  # the mapping ends with its last array
            if error is None:  # else the exception's frames may hold the arrays
                raise

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the array."""
        return self.array.shape

    @property
    def dtype(self) -> numpy.dtype[Any]:
        """The type of the array's elements."""
        return self.array.dtype

    @property
    def ndim(self) -> int:
        """The number of the array's dimensions."""
        return self.array.ndim

    def copy(self) -> Array:
        """An array of its own with the present values."""
        return self.array.copy()

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, index: Any) -> Any:
        return self.array[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self.array[index] = value

    def __iter__(self) -> Iterator[Any]:
        return iter(self.array)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Array:
        return numpy.array(self.array, dtype) if copy else numpy.asarray(self.array, dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        outputs = kwargs.get("out", ())
        if outputs:
            kwargs["out"] = tuple(_plain(output) for output in outputs)
        result = getattr(ufunc, method)(*(_plain(each) for each in inputs), **kwargs)
        return outputs[0] if len(outputs) == 1 else result

    def __dlpack_device__(self) -> tuple[int, int]:
        return dlpack.CPU, 0

    def __dlpack__(self, stream: Any = None) -> Any:
        array = self.array
        if not array.flags.writeable:
            raise BufferError("DLPack has no arrays that are only read; map with write=True, or use numpy.asarray")
        pointer = array.__array_interface__["data"][0]
        return dlpack.capsule_of(pointer, (dlpack.CPU, 0), array.dtype.str, array.shape, array.strides, array)

    def __repr__(self) -> str:
        return "<clothc.Mapping ended>" if self._array is None else f"<clothc.Mapping {self._array!r}>"


def _plain(value: Any) -> Any:
    return value.array if isinstance(value, Mapping) else value
