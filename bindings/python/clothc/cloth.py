"""cloth.py - cloths and groups: what a solver moves. An object names one; the solver owns it until it is removed."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Optional, Sequence, Union

import numpy

from . import raw
from .arguments import collider_set_ids
from .arrays import Array, ArrayLike, address, floats, host_array, number, whole_numbers
from .buffer import Buffer
from .colliders import ColliderSet
from .errors import InvalidArgument, check
from .named import Named
from .raw import ClothFrame, ClothInfo, ClothParameters, ClothStatus, Format, GroupInfo, PhaseConfig, View

if TYPE_CHECKING:
    from .solver import Solver


class Cloth(Named):
    """A cloth of a solver: an instance of a fabric, or a group of particles seen as one."""

    _kind = "cloth"

    def _call(self, function: Callable[..., int], *arguments: Any) -> int:
        return self._solver._call(function, self._id, *arguments)

    def remove(self) -> None:
        """Removes the cloth from its solver."""
        self._call(raw.cloth_remove)

    @property
    def info(self) -> ClothInfo:
        """What the cloth is, and where its particles are in per-particle channels."""
        info = ClothInfo()
        self._call(raw.cloth_get_info, info)
        return info

    def status(self) -> ClothStatus:
        """What the last update found about the cloth. Waits for everything queued."""
        status = ClothStatus()
        self._call(raw.cloth_get_status, status)
        return status

    # ------------------------------------------------------------------------------------------------ behaviour

    @property
    def parameters(self) -> ClothParameters:
        """A copy of the parameters. Assigning to this property sets them for the updates that follow."""
        parameters = ClothParameters()
        self._call(raw.cloth_get_parameters, parameters)
        return parameters

    @parameters.setter
    def parameters(self, parameters: ClothParameters) -> None:
        self._call(raw.cloth_set_parameters, ClothParameters.expect(parameters))

    def change(self, **values: Any) -> None:
        """Changes some parameters, as in change(gravity=(0, 0, 0), friction=0.5)."""
        parameters = self.parameters
        for name, value in values.items():
            setattr(parameters, name, value)
        self.parameters = parameters

    @property
    def phases(self) -> list[PhaseConfig]:
        """The phases that the cloth solves, in order. Assigning a list to this property sets them."""
        with self._solver._lock:
            configs = (PhaseConfig * max(1, self.info.phase_config_count))()
            for config in configs:
                config.reset()
            count = ctypes.c_uint32(len(configs))
            self._call(raw.cloth_get_phases, configs, ctypes.byref(count))
            return [config.copy() for config in configs[: count.value]]

    @phases.setter
    def phases(self, phases: Sequence[PhaseConfig]) -> None:
        configs = (PhaseConfig * max(1, len(phases)))(*(PhaseConfig.expect(phase) for phase in phases))
        if not phases:
            configs[0].reset()
        self._call(raw.cloth_set_phases, configs, len(phases))

    @property
    def frame(self) -> ClothFrame:
        """The coordinate system in which the cloth lives. Assigning to this property sets where the next update moves
        it."""
        frame = ClothFrame()
        self._call(raw.cloth_get_frame, frame)
        return frame

    @frame.setter
    def frame(self, frame: ClothFrame) -> None:
        self._call(raw.cloth_set_frame, ClothFrame.expect(frame))

    def set_collider_sets(self, sets: Iterable[ColliderSet]) -> None:
        """Sets which collider sets the cloth collides with, in order."""
        ids = collider_set_ids(sets)
        self._call(raw.cloth_set_collider_sets, address(ids), len(ids))

    def set_self_collision_particles(self, particles: Optional[ArrayLike]) -> None:
        """Sets which particles collide with cloth, by index; None = all."""
        chosen = None if particles is None else whole_numbers(particles, "particles", None)
        if chosen is not None and len(chosen) == 0:
            raise InvalidArgument("there are no particles; want at least one, or None for all")
        self._call(raw.cloth_set_self_collision_particles, address(chosen), 0 if chosen is None else len(chosen))

    # ------------------------------------------------------------------------------------------------ data

    def bind(self, channel: int, buffer: Buffer, view: Optional[View] = None) -> None:
        """Binds a channel to a buffer: the end of every update writes one element per vertex of the mesh. The solver
        does not keep the buffer: destroying it, also when nothing refers to it, ends the binding."""
        part = None if view is None else View.expect(view)
        self._call(raw.cloth_bind, number(channel, "channel"), buffer._handle, part)

    def unbind(self, channel: int) -> None:
        """Ends the binding of a channel."""
        self._call(raw.cloth_bind, number(channel, "channel"), None, None)

    def read(self, channel: int, format: Optional[int] = None) -> Array:
        """A copy of the cloth's elements of a per-particle channel, after everything queued. For data of every frame,
        getting it into a buffer that is kept is faster."""
        with self._solver._lock, self._staging(channel, format) as buffer:
            first, count = self._range()
            self._solver.get(channel, buffer, [(first, 0, count)])
            return buffer.read()

    def write(self, channel: int, values: ArrayLike, *, at_rest: bool = False) -> None:
        """Sets the cloth's elements of a per-particle channel. values: (particle_count, 3) or (particle_count, 4), or
        (particle_count,) for channels of whole numbers."""
        array = host_array(values, "values")
        format = Format.FLOAT3 if array.shape[1:] == (3,) else None
        with self._solver._lock, self._staging(channel, format) as buffer:
            if len(array) != buffer.count:
                raise InvalidArgument(f"there are {len(array)} values; the cloth has {buffer.count} particles")
            buffer.write(array)
            first, count = self._range()
            self._solver.set(channel, buffer, [(0, first, count)], at_rest=at_rest)

    def _range(self) -> tuple[int, int]:
        info = self.info
        return info.first_particle, info.particle_count

    def _staging(self, channel: int, format: Optional[int]) -> Buffer:
        """A buffer for the cloth's elements of a channel."""
        found = self._solver.describe_channel(channel)
        if found.format == Format.RECORD or found.count == 1:
            raise InvalidArgument(f"{found.name} is not a channel of particles")
        return Buffer(self._solver.device, self._range()[1], found.format if format is None else format)

    # ------------------------------------------------------------------------------------------------ state

    def reset(self, positions: Optional[ArrayLike] = None) -> None:
        """Puts the cloth to rest as if it had just been added. positions: (particle_count, 4); None = the fabric's."""
        points = None if positions is None else floats(positions, "positions", self.info.particle_count, 4)
        self._call(raw.cloth_reset, address(points))

    def clone(self) -> Cloth:
        """Adds a copy of the cloth in its present state."""
        id = ctypes.c_uint32()
        self._call(raw.cloth_clone, ctypes.byref(id))
        return type(self)(self._solver, id.value)

    def clear(self, channel: int) -> None:
        """Drops optional data of the particles, such as Channel.ACCELERATION."""
        self._call(raw.cloth_clear, number(channel, "channel"))


class Group(Cloth):
    """Particles without a fabric, which springs may connect. In all other respects a group is a cloth."""

    def remove(self) -> None:
        """Removes the group from its solver."""
        self._call(raw.group_remove)

    @property
    def group_info(self) -> GroupInfo:
        """What the group is, beside its info as a cloth."""
        info = GroupInfo()
        self._call(raw.group_get_info, info)
        return info

    def set_springs(
        self,
        indices: ArrayLike,
        rest_lengths: ArrayLike,
        stiffness: Optional[ArrayLike] = None,
        *,
        count: Optional[int] = None,
    ) -> None:
        """Replaces the springs. Each argument is a Buffer, or an array that is copied to one.

        indices: (any, 2) the ends of each spring; a buffer has them one after the other. rest_lengths: m, 0 disables a
        spring. stiffness: 0 .. 1; None = 1. count: None = as many as there are rest lengths.
        """
        if not isinstance(indices, Buffer):
            indices = whole_numbers(indices, "indices", None, 2).reshape(-1)
        if not isinstance(rest_lengths, Buffer):
            rest_lengths = floats(rest_lengths, "rest_lengths", None)
        if not isinstance(stiffness, (Buffer, type(None))):
            stiffness = floats(stiffness, "stiffness", None)
        springs = number(len(rest_lengths) if count is None else count, "count")
        with _Buffers(self._solver) as buffers:
            arguments = [buffers.handle_of(each) for each in (indices, rest_lengths, stiffness)]
            self._call(raw.group_set_springs, *arguments, springs)

    @property
    def active(self) -> Array:
        """The active particles in ascending order."""
        with self._solver._lock:
            particles = numpy.empty(self.info.particle_count, numpy.dtype("<u4"))
            count = ctypes.c_uint32(len(particles))
            self._call(raw.group_get_active, address(particles), ctypes.byref(count))
            return particles[: count.value].copy()

    def set_active(self, particles: Optional[ArrayLike] = None, count: Optional[int] = None) -> None:
        """Chooses which particles are active, from the next update on. particles: a Buffer, an array, or None = the
        first ones. count: None = as many as there are in it."""
        if not isinstance(particles, (Buffer, type(None))):
            particles = whole_numbers(particles, "particles", None)
        if count is None:
            count = self.info.particle_count if particles is None else len(particles)
        with _Buffers(self._solver) as buffers:
            self._call(raw.group_set_active, buffers.handle_of(particles), number(count, "count"))


class _Buffers:
    """Buffers that exist during one call, for arguments that are arrays."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._made: list[Buffer] = []

    def __enter__(self) -> _Buffers:
        return self

    def __exit__(self, *error: object) -> None:
        for buffer in self._made:
            buffer.destroy()

    def handle_of(self, value: Union[Buffer, Array, None]) -> Optional[int]:
        """The handle of a buffer, or of a new one that holds an array; None for None and for an empty array."""
        if isinstance(value, Buffer):
            return value._handle
        if value is None or len(value) == 0:
            return None
        format = Format.FLOAT if value.dtype.kind == "f" else Format.UINT
        buffer = Buffer(self._solver.device, len(value), format)
        self._made.append(buffer)
        buffer.write(value)
        return buffer._handle


def cloth_ids(solver: int) -> Iterator[int]:
    """The ids of the cloths of a solver, whose lock the caller holds."""
    count = ctypes.c_uint32()
    check(raw.cloth_list(solver, None, ctypes.byref(count)))
    ids = (ctypes.c_uint32 * count.value)()
    if count.value > 0:
        check(raw.cloth_list(solver, ids, ctypes.byref(count)))
    return iter(ids)
