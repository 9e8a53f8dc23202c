"""named.py - the base of what has an id within a solver. The solver keeps it when nothing refers to the object."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from .arrays import number

if TYPE_CHECKING:
    from .solver import Solver


class Named:
    """Names something of a solver. Two objects with the same kind, solver and id are equal."""

    _kind: ClassVar[str]

    def __init__(self, solver: Solver, id: int) -> None:
        self._solver = solver
        self._id = number(id, "id")

    @property
    def solver(self) -> Solver:
        """The solver that it belongs to."""
        return self._solver

    @property
    def id(self) -> int:
        """Its number within the solver, which never names another one of its kind later."""
        return self._id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Named) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, int, int]:
        return self._kind, self._solver._handle, self._id

    def __repr__(self) -> str:
        return f"<clothc.{type(self).__name__} {self._id}>"
