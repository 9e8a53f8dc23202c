"""solver.py - the solver: it owns the particles of its cloths and moves all of them with one call.

Invariant: calls on one solver do not overlap. A lock sees to it, because the interpreter runs other threads during a
call. The calls that any thread may make at any time (wait, poll, destroy) do not take it.
"""

from __future__ import annotations

import ctypes
import threading
from typing import Any, Callable, Iterable, Optional, Sequence

import numpy

from . import raw
from .arguments import Regions, Signal, collider_set_ids, region_arguments, region_array, with_fences
from .arrays import Array, ArrayLike, address, dtype_of, floats, number, octets, sized_bytes
from .buffer import Buffer
from .cloth import Cloth, Group, cloth_ids
from .colliders import ColliderAsset, ColliderSet, SignedDistanceField
from .device import Device
from .errors import check
from .fabric import Fabric
from .handles import Handle
from .raw import Channel, ChannelInfo, ClothDesc, ClothFlags, ClothParameters, DebugDesc, DebugLine, GroupDesc, Move
from .raw import PhaseConfig, SetFlags, SolverDesc, SolverInfo, Timers, Update, UpdateFlags, View
from .waiting import wait_for

_EVERYTHING = 2**64 - 1
_AT_REST, _NO_WAIT, _TIMERS = int(SetFlags.AT_REST), int(UpdateFlags.NO_WAIT), int(UpdateFlags.TIMERS)


class Solver(Handle):
    """Particles and cloths that move together. The settings are the fields of SolverDesc; None = its default."""

    def __init__(
        self,
        device: Device,
        *,
        particle_capacity: Optional[int] = None,
        cloth_capacity: Optional[int] = None,
        collider_set_capacity: Optional[int] = None,
        schedule: Optional[int] = None,
        updates_in_flight: Optional[int] = None,
        contact_capacity: Optional[int] = None,
    ) -> None:
        desc = SolverDesc()
        desc.set(particle_capacity=particle_capacity, cloth_capacity=cloth_capacity, schedule=schedule)
        desc.set(collider_set_capacity=collider_set_capacity, contact_capacity=contact_capacity)
        desc.set(updates_in_flight=updates_in_flight)
        handle = ctypes.c_void_p()
        check(raw.solver_create(device._handle, desc, ctypes.byref(handle)))
        super().__init__(handle.value or 0, device._life, raw.solver_destroy)
        self._device = device
        self._lock = threading.RLock()
        self._update = Update()
        self._default_dt = self._update.dt
        self._value = ctypes.c_uint64()
        self._update_reference = ctypes.byref(self._update)
        self._value_reference = ctypes.byref(self._value)

    @property
    def device(self) -> Device:
        """The device that the solver was made from."""
        return self._device

    def _call(self, function: Callable[..., int], *arguments: Any) -> int:
        """Calls a function of this solver and raises the exception for an error."""
        with self._lock:
            return check(function(self._handle, *arguments))

    # ------------------------------------------------------------------------------------------------ updates

    def update(
        self,
        dt: Optional[float] = None,
        *,
        wait: Optional[Signal] = None,
        signal: Optional[Signal] = None,
        timers: bool = False,
    ) -> int:
        """Moves every cloth by dt seconds, by default 1/60. The call returns while the work goes on.

        wait: the update starts when this fence has reached this value. signal: its end raises this fence to this value.
        timers: measure the times that timers() returns. Returns the value that the solver's timeline reaches at the
        update's end. Waits for the oldest update if updates_in_flight of them are queued.
        """
        value = self._queue(_TIMERS if timers else 0, dt, wait, signal)
        assert value is not None
        return value

    def try_update(
        self,
        dt: Optional[float] = None,
        *,
        wait: Optional[Signal] = None,
        signal: Optional[Signal] = None,
        timers: bool = False,
    ) -> Optional[int]:
        """Does the same without waiting: None, and no update, if updates_in_flight of them are queued already."""
        return self._queue(_NO_WAIT | (_TIMERS if timers else 0), dt, wait, signal)

    def _queue(self, flags: int, dt: Optional[float], wait: Any, signal: Any) -> Optional[int]:
        with self._lock:
            update: Any = self._update
            update._flags = flags
            update._dt = self._default_dt if dt is None else dt
            if wait is not None or signal is not None:
                update = with_fences(update, wait, signal)
                result = raw.solver_update(self._handle, update, self._value_reference)
            else:
                result = raw.solver_update(self._handle, self._update_reference, self._value_reference)
            if result == 0:
                return self._value.value
            check(result)
            return None

    def wait(self, value: Optional[int] = None, timeout: Optional[float] = None) -> bool:
        """Waits until the timeline has reached a value that an update returned, or by default everything queued so far;
        at most timeout seconds. Returns whether it has."""
        wanted = _EVERYTHING if value is None else number(value, "value", 64)
        return wait_for(lambda nanoseconds: raw.solver_wait(self._handle, wanted, nanoseconds), timeout)

    def poll(self, value: Optional[int] = None) -> bool:
        """Whether the timeline has reached a value, or everything queued so far, without waiting."""
        wanted = _EVERYTHING if value is None else number(value, "value", 64)
        return check(raw.solver_poll(self._handle, wanted, None)) == 0

    @property
    def completed_value(self) -> int:
        """The value that the timeline has reached so far."""
        completed = ctypes.c_uint64()
        check(raw.solver_poll(self._handle, 0, ctypes.byref(completed)))
        return completed.value

    def capture_update(self, stream: int, dt: float) -> None:
        """Adds an update to the graph that a CUDA stream is capturing (see raw.cuda_capture_update)."""
        self._call(raw.cuda_capture_update, number(stream, "stream", 64), ctypes.c_float(dt))

    def record_update(
        self,
        command_buffer: int,
        dt: Optional[float] = None,
        *,
        wait: Optional[Signal] = None,
        timers: bool = False,
    ) -> Optional[tuple[int, int]]:
        """Queues an update and records everything that is queued into a VkCommandBuffer of this program, which is being
        recorded (see raw.vulkan_record_update). wait: a fence that has reached this value.

        Returns the VkSemaphore that the program raises when the commands have ended, and the value to which it does, in
        the submission that has the command buffer or with vkSignalSemaphore. None if updates_in_flight updates have not
        ended: nothing was recorded then.
        """
        update = Update(dt=self._default_dt if dt is None else dt, flags=_TIMERS if timers else 0)
        return self._record(command_buffer, with_fences(update, wait, None))

    def record_queued(self, command_buffer: int) -> Optional[tuple[int, int]]:
        """Does the same without an update: records the sets, gets and updates that are queued."""
        return self._record(command_buffer, None)

    def _record(self, command_buffer: int, update: Optional[Update]) -> Optional[tuple[int, int]]:
        semaphore, value = ctypes.c_uint64(), ctypes.c_uint64()
        commands = number(command_buffer, "command_buffer", 64)
        outputs = ctypes.byref(semaphore), ctypes.byref(value)
        result = self._call(raw.vulkan_record_update, commands, update, *outputs)
        return (semaphore.value, value.value) if result == 0 else None

    # ------------------------------------------------------------------------------------------------ channels

    def set(
        self,
        channel: int,
        buffer: Buffer,
        regions: Regions = None,
        *,
        view: Optional[View] = None,
        at_rest: bool = False,
    ) -> None:
        """Copies from a buffer to a channel, after everything queued before. The buffer is busy until then.

        regions: None = the buffer's elements to the channel's first ones. view: which part of each element is meant.
        at_rest: with POSITION, the particles have no velocity.
        """
        self._copy(raw.solver_set, channel, buffer, regions, view, _AT_REST if at_rest else 0)

    def get(self, channel: int, buffer: Buffer, regions: Regions = None, *, view: Optional[View] = None) -> None:
        """Copies from a channel to a buffer, after everything queued before. Map the buffer to wait for it.

        regions: None = the channel's first elements to the buffer's. view: as for set.
        """
        self._copy(raw.solver_get, channel, buffer, regions, view, 0)

    def _copy(self, call: Any, channel: int, buffer: Buffer, regions: Regions, view: Any, flags: int) -> None:
        if channel.__class__ is not Channel:
            channel = number(channel, "channel")
        array = region_array(regions)
        part = None if view is None else View.expect(view)
        with self._lock:
            check(call(self._handle, channel, buffer._handle, part, *region_arguments(array), flags))

    def describe_channel(self, channel: int) -> ChannelInfo:
        """What a channel is, and how many elements it has in this solver."""
        info = ChannelInfo()
        self._call(raw.channel_describe, number(channel, "channel"), info)
        return info

    # ------------------------------------------------------------------------------------------------ cloths

    def add_cloth(
        self,
        fabric: Fabric,
        *,
        positions: Optional[ArrayLike] = None,
        parameters: Optional[ClothParameters] = None,
        phases: Optional[Sequence[PhaseConfig]] = None,
        collider_sets: Iterable[ColliderSet] = (),
        scale: float = 1,
        spare_particle_count: int = 0,
    ) -> Cloth:
        """Adds a cloth, at rest.

        positions: (particle_count, 4) x y z in m and inverse mass in 1/kg; None = the fabric's. phases: None = each
        phase of the fabric once; an empty list = none. scale: factor on the fabric's lengths.
        """
        desc = ClothDesc(fabric=fabric._handle, scale=scale, spare_particle_count=spare_particle_count)
        points = None if positions is None else floats(positions, "positions", fabric.particle_count, 4)
        sets = collider_set_ids(collider_sets)
        configs = (PhaseConfig * len(phases or ()))(*(PhaseConfig.expect(phase) for phase in phases or ()))
        desc.positions = address(points)
        desc.parameters = 0 if parameters is None else ctypes.addressof(ClothParameters.expect(parameters))
        desc.collider_sets, desc.collider_set_count = address(sets), len(sets)
        desc.phase_configs, desc.phase_config_count = ctypes.addressof(configs), len(configs)
        if phases is not None and len(phases) == 0:
            desc.flags = ClothFlags.NO_PHASES
        id = ctypes.c_uint32()
        self._call(raw.cloth_add, desc, ctypes.byref(id))
        return Cloth(self, id.value)

    def add_group(
        self,
        positions: ArrayLike,
        *,
        radius: float = 0,
        parameters: Optional[ClothParameters] = None,
        collider_sets: Iterable[ColliderSet] = (),
    ) -> Group:
        """Adds particles without a fabric, at rest, all of them active, and without springs.

        positions: (any, 4) x y z in m and inverse mass in 1/kg. radius: half the distance in m that they keep.
        """
        points = floats(positions, "positions", None, 4)
        sets = collider_set_ids(collider_sets)
        desc = GroupDesc(particle_count=len(points), positions=address(points), radius=radius)
        desc.parameters = 0 if parameters is None else ctypes.addressof(ClothParameters.expect(parameters))
        desc.collider_sets, desc.collider_set_count = address(sets), len(sets)
        id = ctypes.c_uint32()
        self._call(raw.group_add, desc, ctypes.byref(id))
        return Group(self, id.value)

    @property
    def cloths(self) -> list[Cloth]:
        """The cloths and groups in the order in which they were added. Group(solver, id) makes a group of one."""
        with self._lock:
            return [Cloth(self, id) for id in cloth_ids(self._handle)]

    # ------------------------------------------------------------------------------------------------ colliders

    def add_collider_set(self, **shapes: Any) -> ColliderSet:
        """Creates a collider set, with the shapes that ColliderSet.write takes."""
        id = ctypes.c_uint32()
        self._call(raw.collider_set_create, ctypes.byref(id))
        made = ColliderSet(self, id.value)
        try:
            if shapes:
                made.write(**shapes)
        except Exception:
            made.destroy()
            raise
        return made

    def add_collider_mesh(self, vertices: ArrayLike, triangles: Optional[ArrayLike] = None) -> ColliderAsset:
        """Makes a mesh for instances in collider sets. vertices: (any, 3) m. triangles: (any, 3), counter-clockwise
        seen from the side where the cloth is; None = 0 1 2, 3 4 5 .."""
        return ColliderAsset.of_mesh(self, vertices, triangles)

    def add_collider_sdf(self, field: SignedDistanceField) -> ColliderAsset:
        """Makes a signed distance field for instances in collider sets."""
        return ColliderAsset.of_sdf(self, field)

    # ------------------------------------------------------------------------------------------------ state

    @property
    def info(self) -> SolverInfo:
        """What the solver holds and has done."""
        info = SolverInfo()
        self._call(raw.solver_get_info, info)
        return info

    def timers(self) -> Timers:
        """The times of the last update with timers whose times have arrived; all 0 if there is none."""
        timers = Timers()
        self._call(raw.solver_get_timers, timers)
        return timers

    def debug_lines(
        self,
        *,
        flags: Optional[int] = None,
        cloth: Optional[Cloth] = None,
        phase: Optional[int] = None,
        full_strain: Optional[float] = None,
        size: Optional[float] = None,
        velocity_time: Optional[float] = None,
    ) -> Array:
        """Draws cloths as lines, for development: an array with the fields of raw.DebugLine.

        cloth: None = all. The other arguments are the fields of raw.DebugDesc; None = its default. Waits for everything
        queued.
        """
        desc = DebugDesc()
        desc.set(flags=flags, cloth=None if cloth is None else cloth.id, phase=phase, full_strain=full_strain)
        desc.set(size=size, velocity_time=velocity_time)
        count = ctypes.c_uint32()
        with self._lock:
            self._call(raw.solver_get_debug_lines, desc, None, ctypes.byref(count))
            lines = numpy.empty(count.value, dtype_of(DebugLine))
            self._call(raw.solver_get_debug_lines, desc, address(lines), ctypes.byref(count))
        return lines

    def state_hash(self) -> int:
        """The 64-bit hash of all state that affects the next update. Waits for everything queued."""
        hash = ctypes.c_uint64()
        self._call(raw.solver_state_hash, ctypes.byref(hash))
        return hash.value

    def snapshot(self) -> bytes:
        """The solver's state as bytes. Waits for everything queued."""
        with self._lock:
            return sized_bytes(lambda data, size: raw.solver_snapshot(self._handle, data, size))

    def restore(self, data: ArrayLike, fabrics: Iterable[Fabric]) -> None:
        """Replaces the cloths and collider sets, including their ids, by those of a snapshot. fabrics: those that the
        snapshot's cloths use; others are ignored."""
        blob = octets(data, "data")
        handles = [fabric._handle for fabric in fabrics]
        array = (ctypes.c_void_p * len(handles))(*handles)
        self._call(raw.solver_restore, address(blob), len(blob), array, len(array))

    def compact(self) -> list[Move]:
        """Moves cloths, in order, so that all free particles form one range. Returns those that moved."""
        with self._lock:
            moves = (Move * max(1, self.info.cloth_count))()
            count = ctypes.c_uint32(len(moves))
            check(raw.solver_compact(self._handle, moves, ctypes.byref(count)))
            return [move.copy() for move in moves[: count.value]]
