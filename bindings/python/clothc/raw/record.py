"""record.py - the base class of the library's structs, and the attributes through which their fields are read and set.

ctypes cuts integers that are too large, takes arrays that are too short, and lets a misspelled name become a new
attribute. These attributes raise an exception instead. The fields of ctypes have the same names with an underscore.
"""

from __future__ import annotations

import ctypes
import operator
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Generic, Iterator, Sequence, Tuple, Type, TypeVar, Union
from typing import overload

from .library import function

Got = TypeVar("Got")
Given = TypeVar("Given")
Self = TypeVar("Self", bound="Record")
Choices = TypeVar("Choices", bound=IntEnum)
Flags = TypeVar("Flags", bound=IntFlag)

_struct_init = function("clothc_struct_init", ctypes.c_int32, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_size_t)


class Field(Generic[Got, Given]):
    """An attribute that reads and sets one field of a struct."""

    def __init__(self, doc: str = "") -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.slot = "_" + name

    @overload
    def __get__(self, instance: None, owner: type) -> Field[Got, Given]: ...

    @overload
    def __get__(self, instance: Record, owner: type) -> Got: ...

    def __get__(self, instance: Record | None, owner: type) -> Field[Got, Given] | Got:
        return self if instance is None else self.read(getattr(instance, self.slot))

    def __set__(self, instance: Record, value: Given) -> None:
        try:
            setattr(instance, self.slot, self.checked(value))
        except (TypeError, ctypes.ArgumentError) as error:
            raise TypeError(f"{type(instance).__name__}.{self.name}: {error}") from None
        except (ValueError, OverflowError) as error:
            raise ValueError(f"{type(instance).__name__}.{self.name}: {error}") from None

    def read(self, value: Any) -> Got:
        """What the attribute is, from what ctypes stores."""
        return value  # type: ignore[no-any-return]

    def checked(self, value: Any) -> Any:
        """What ctypes is to store. Raises an exception for what the field cannot hold."""
        return value


def whole_number(value: Any, bits: int) -> int:
    """An int from anything that is one, within so many bits; negative bits allow negative numbers."""
    number = operator.index(value)
    least, most = (0, 2**bits - 1) if bits > 0 else (-(2 ** (-bits - 1)), 2 ** (-bits - 1) - 1)
    if not least <= number <= most:
        raise ValueError(f"{number} is outside {least} .. {most}")
    return number


class Count(Field[int, int]):
    """An integer."""

    def __init__(self, bits: int, doc: str = "") -> None:
        super().__init__(doc)
        self.bits = bits

    def checked(self, value: Any) -> int:
        return whole_number(value, self.bits)


class Choice(Field[Choices, int]):
    """One of the constants of an enum. A number that this binding does not know is read as an int."""

    def __init__(self, enum: Type[Choices], doc: str = "") -> None:
        super().__init__(doc)
        self.enum = enum

    def read(self, value: int) -> Choices:
        try:
            return self.enum(value)
        except ValueError:
            return value  # type: ignore[return-value]

    def checked(self, value: Any) -> int:
        return whole_number(value, 32)


class Bits(Field[Flags, int]):
    """Flags."""

    def __init__(self, enum: Type[Flags], doc: str = "") -> None:
        super().__init__(doc)
        self.enum = enum

    def read(self, value: int) -> Flags:
        return self.enum(value)

    def checked(self, value: Any) -> int:
        return whole_number(value, 32)


class Truth(Field[bool, bool]):
    """A number that is 0 or 1."""

    def read(self, value: int) -> bool:
        return value != 0

    def checked(self, value: Any) -> int:
        return 1 if value else 0


class Real(Field[float, float]):
    """A floating-point number."""


class _Several(Field[Tuple[Got, ...], Sequence[Given]]):
    """An array of a fixed length, which is read as a tuple. Setting it takes any sequence of that length."""

    Input = Union[Sequence[float], Any]

    def __init__(self, length: int, doc: str = "") -> None:
        super().__init__(doc)
        self.length = length

    def read(self, value: Any) -> tuple[Got, ...]:
        return tuple(value)

    def checked(self, value: Any) -> tuple[Any, ...]:
        elements = tuple(value)
        if len(elements) != self.length:
            raise ValueError(f"{len(elements)} values were given; want {self.length}")
        return tuple(self.element(element) for element in elements)

    def element(self, value: Any) -> Any:
        """One element as ctypes is to store it."""
        return value


class Reals(_Several[float, float]):
    """Floating-point numbers."""

    def element(self, value: Any) -> float:
        return ctypes.c_double(value).value


class Counts(_Several[int, int]):
    """Integers."""

    Input = Sequence[int]

    def __init__(self, length: int, bits: int, doc: str = "") -> None:
        super().__init__(length, doc)
        self.bits = bits

    def element(self, value: Any) -> int:
        return whole_number(value, self.bits)


class Octets(Field[bytes, bytes]):
    """Bytes, such as those of a UUID."""

    def __init__(self, length: int, doc: str = "") -> None:
        super().__init__(doc)
        self.length = length

    def read(self, value: Any) -> bytes:
        return bytes(value)

    def checked(self, value: Any) -> Any:
        octets = bytes(memoryview(value))
        if len(octets) != self.length:
            raise ValueError(f"{len(octets)} bytes were given; want {self.length}")
        return (ctypes.c_uint8 * self.length).from_buffer_copy(octets)


class Text(Field[str, str]):
    """A text in UTF-8."""

    def read(self, value: bytes) -> str:
        return value.decode(errors="replace")

    def checked(self, value: Any) -> bytes:
        return str(value).encode()


class Phrase(Field[str, Union[str, None]]):
    """A text of any length, which the struct and its copies keep; "" for none."""

    def __set_name__(self, owner: type, name: str) -> None:
        super().__set_name__(owner, name)
        owner._texts_ = (*owner._texts_, self.slot)  # type: ignore[attr-defined]

    def read(self, value: bytes | None) -> str:
        return "" if value is None else value.decode(errors="replace")

    def checked(self, value: Any) -> bytes | None:
        if value is None:
            return None
        if not isinstance(value, str):
            raise TypeError(f"{value!r} is no str")
        if "\0" in value:
            raise ValueError(f"{value!r} has a zero in it")
        return value.encode()


class Address(Field[int, Union[int, None]]):
    """A handle or the address of an array; 0 for none. Whoever sets it keeps the array alive during the call."""

    def read(self, value: int | None) -> int:
        return value or 0

    def checked(self, value: Any) -> int:
        return 0 if value is None else whole_number(value, 64)


class Callback(Field[Any, Any]):
    """A function that the library calls: one of ctypes, or the address of a native one as an int. Whoever sets it keeps
    it alive as long as the library may call it."""

    def __init__(self, kind: Callable[..., Any], doc: str = "") -> None:
        super().__init__(doc)
        self.kind = kind

    def checked(self, value: Any) -> Any:
        if value is None:
            return self.kind()
        return self.kind(whole_number(value, 64)) if isinstance(value, int) else value


if TYPE_CHECKING:

    class _Structure(ctypes._CData):
        """A ctypes.Structure of which not every name is an attribute."""

        _fields_: ClassVar[Any]

else:
    _Structure = ctypes.Structure


class Record(_Structure):
    """A struct of the library. A new one has the library's defaults, and takes values for its fields by name."""

    __slots__ = ()
    _kind_ = 0
    _texts_: ClassVar[Tuple[str, ...]] = ()

    def __init__(self, **values: Any) -> None:
        self.reset()
        for name, value in values.items():
            setattr(self, name, value)

    def set(self, **values: Any) -> None:
        """Sets the fields whose values are not None."""
        for name, value in values.items():
            if value is not None:
                setattr(self, name, value)

    def reset(self) -> None:
        """Gives every field its default."""
        if self._kind_:
            result = _struct_init(self._kind_, ctypes.byref(self), ctypes.sizeof(self))
            if result != 0:
                raise RuntimeError(f"clothc_struct_init does not know {type(self).__name__}: the library is too old")

    @classmethod
    def expect(cls: Type[Self], value: object) -> Self:
        """Returns a struct of this kind as it is. Raises a TypeError for others."""
        if not isinstance(value, cls):
            raise TypeError(f"{value!r} is no {cls.__name__}")
        return value

    def copy(self: Self) -> Self:
        """A struct with the same values."""
        copy = type(self).from_buffer_copy(self)
        for slot in self._texts_:
            setattr(copy, slot, getattr(self, slot))
        return copy

    __copy__ = copy

    def __deepcopy__(self: Self, memo: Any) -> Self:
        return self.copy()

    def __reduce__(self) -> Any:
        return type(self).from_buffer_copy, (bytes(self),)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and bytes(self) == bytes(other)  # type: ignore[call-overload]

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def names(cls) -> Iterator[str]:
        """The names of the fields that programs use, in order."""
        return (slot[1:] for slot, *_ in cls._fields_ if hasattr(cls, slot[1:]))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.names())
        return f"{type(self).__name__}({values})"
