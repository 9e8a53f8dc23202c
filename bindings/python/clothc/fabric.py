"""fabric.py - the constraints of a piece of cloth, cooked from a mesh, given as arrays, or loaded."""

from __future__ import annotations

import ctypes
from typing import Any, Optional, Sequence, Tuple

import numpy

from . import raw
from .arrays import Array, ArrayLike, address, floats, number, octets, sized_bytes, whole_numbers
from .device import Device
from .errors import InvalidArgument, check
from .handles import Handle
from .raw import ConstraintSet, ConstraintType, Diagnostic, FabricArray, FabricDesc, FabricInfo, MeshDesc

Constraints = Tuple[int, ArrayLike, ArrayLike]
"""A ConstraintType, its particles and its parameters: a row of each for every constraint."""

_CONSTRAINT_SHAPES = {
    ConstraintType.DISTANCE: (2, 1),
    ConstraintType.STIFF_DISTANCE: (2, 2),
    ConstraintType.LONG_RANGE: (2, 1),
    ConstraintType.TETHER: (2, 1),
    ConstraintType.VIRTUAL_PARTICLE: (3, 3),
    ConstraintType.DIHEDRAL_ANGLE: (4, 2),
    ConstraintType.TRIANGLE_AREA: (3, 2),
}

_FLOAT_ARRAYS = {
    FabricArray.POSITIONS,
    FabricArray.REST_LENGTHS,
    FabricArray.STIFFNESS_VALUES,
    FabricArray.TETHER_LENGTHS,
    FabricArray.TEXTURE_COORDINATES,
    FabricArray.VIRTUAL_WEIGHTS,
    FabricArray.CONSTRAINT_PARAMETERS,
}
_COLUMNS = {
    FabricArray.POSITIONS: 4,
    FabricArray.INDICES: 2,
    FabricArray.TRIANGLES: 3,
    FabricArray.TRIANGLE_VERTICES: 3,
    FabricArray.TEXTURE_COORDINATES: 2,
    FabricArray.VIRTUAL_PARTICLES: 4,
    FabricArray.VIRTUAL_WEIGHTS: 3,
}


class Fabric(Handle):
    """The cooked, immutable constraints of a piece of cloth, which any number of cloths share. They are made by cook,
    from_arrays and load."""

    def __init__(self, device: Device, handle: int) -> None:
        super().__init__(handle, device._life, raw.fabric_destroy)
        self._device = device
        self._particle_count = self.info.particle_count

    @classmethod
    def cook(
        cls,
        device: Device,
        positions: ArrayLike,
        *,
        triangles: Optional[ArrayLike] = None,
        quads: Optional[ArrayLike] = None,
        inverse_masses: Optional[ArrayLike] = None,
        stiffness: Optional[ArrayLike] = None,
        texture_coordinates: Optional[ArrayLike] = None,
        areal_density: Optional[float] = None,
        weld_distance: Optional[float] = None,
        tethers_per_particle: Optional[int] = None,
        virtual_particles_per_triangle: Optional[int] = None,
        long_range_edges: Optional[Sequence[int]] = None,
        gravity_hint: Optional[Sequence[float]] = None,
        flags: Optional[int] = None,
    ) -> Fabric:
        """Cooks a mesh into a fabric.

        positions: (n, 3) floats, m. triangles: (any, 3) and quads: (any, 4) indices of vertices. inverse_masses: (n,)
        in 1/kg; 0 pins the vertex. stiffness: (n,), 0 .. 1. texture_coordinates: (n, 2). The others are the fields of
        MeshDesc; None = its default.
        """
        points = floats(positions, "positions", None, 3)
        count = len(points)
        arrays: dict[str, Array] = {"positions": points}
        if triangles is not None:
            arrays["triangles"] = whole_numbers(triangles, "triangles", None, 3)
        if quads is not None:
            arrays["quads"] = whole_numbers(quads, "quads", None, 4)
        if inverse_masses is not None:
            arrays["inverse_masses"] = floats(inverse_masses, "inverse_masses", count)
        if stiffness is not None:
            arrays["stiffness"] = floats(stiffness, "stiffness", count)
        if texture_coordinates is not None:
            arrays["texture_coordinates"] = floats(texture_coordinates, "texture_coordinates", count, 2)
        mesh = MeshDesc(vertex_count=count)
        mesh.triangle_count = len(arrays.get("triangles", ()))
        mesh.quad_count = len(arrays.get("quads", ()))
        mesh.set(
            areal_density=areal_density,
            weld_distance=weld_distance,
            tethers_per_particle=tethers_per_particle,
            virtual_particles_per_triangle=virtual_particles_per_triangle,
            long_range_edges=long_range_edges,
            gravity_hint=gravity_hint,
            flags=flags,
        )
        for name, array in arrays.items():
            setattr(mesh, name, address(array))
        handle = ctypes.c_void_p()
        check(raw.fabric_cook(device._handle, mesh, ctypes.byref(handle)))
        return cls(device, handle.value or 0)

    @classmethod
    def from_arrays(
        cls,
        device: Device,
        particle_count: int,
        *,
        phase_sets: Optional[ArrayLike] = None,
        phase_types: Optional[ArrayLike] = None,
        set_ends: Optional[ArrayLike] = None,
        indices: Optional[ArrayLike] = None,
        rest_lengths: Optional[ArrayLike] = None,
        stiffness_values: Optional[ArrayLike] = None,
        tether_anchors: Optional[ArrayLike] = None,
        tether_lengths: Optional[ArrayLike] = None,
        triangles: Optional[ArrayLike] = None,
        positions: Optional[ArrayLike] = None,
        texture_coordinates: Optional[ArrayLike] = None,
        virtual_particles: Optional[ArrayLike] = None,
        virtual_weights: Optional[ArrayLike] = None,
        constraint_sets: Sequence[Constraints] = (),
        flags: int = 0,
    ) -> Fabric:
        """Makes a fabric from flat arrays and keeps the order of the constraints.

        The arrays are the fields of FabricDesc; their lengths give its counts. tether_anchors and tether_lengths have a
        row for each tether of a particle. constraint_sets are a type, particles and parameters each.
        """
        desc = FabricDesc(particle_count=particle_count, flags=flags)
        keep: list[Any] = []

        def put(name: str, value: Optional[ArrayLike], kind: Any, *shape: Optional[int]) -> int:
            """Stores the address of an array and returns the number of its rows."""
            if value is None:
                return 0
            array = kind(value, name, *shape)
            keep.append(array)
            setattr(desc, name, address(array))
            return len(array)

        desc.phase_count = put("phase_sets", phase_sets, whole_numbers, None)
        put("phase_types", phase_types, whole_numbers, desc.phase_count)
        desc.set_count = put("set_ends", set_ends, whole_numbers, None)
        desc.constraint_count = put("indices", indices, whole_numbers, None, 2)
        put("rest_lengths", _required(rest_lengths, desc.constraint_count), floats, desc.constraint_count)
        put("stiffness_values", stiffness_values, floats, desc.constraint_count)
        tethers = desc.tethers_per_particle = put("tether_anchors", tether_anchors, whole_numbers, None, particle_count)
        put("tether_lengths", _required(tether_lengths, tethers), floats, tethers, particle_count)
        desc.triangle_count = put("triangles", triangles, whole_numbers, None, 3)
        put("positions", positions, floats, particle_count, 4)
        put("texture_coordinates", texture_coordinates, floats, particle_count, 2)
        desc.virtual_particle_count = put("virtual_particles", virtual_particles, whole_numbers, None, 4)
        desc.virtual_weight_count = put("virtual_weights", virtual_weights, floats, None, 3)
        sets = (ConstraintSet * len(constraint_sets))()
        for target, given in zip(sets, constraint_sets):
            keep.append(_fill_constraint_set(target, *given))
        desc.constraint_sets = ctypes.addressof(sets) if constraint_sets else 0
        desc.constraint_set_count = len(constraint_sets)
        handle = ctypes.c_void_p()
        check(raw.fabric_create(device._handle, desc, ctypes.byref(handle)))
        return cls(device, handle.value or 0)

    @classmethod
    def load(cls, device: Device, data: ArrayLike) -> Fabric:
        """Makes a fabric from the bytes that save gave, such as those of a file that is mapped into memory."""
        blob = octets(data, "data")
        handle = ctypes.c_void_p()
        check(raw.fabric_load(device._handle, address(blob), len(blob), ctypes.byref(handle)))
        return cls(device, handle.value or 0)

    def save(self) -> bytes:
        """The fabric as bytes that load reads on any machine."""
        return sized_bytes(lambda data, size: raw.fabric_save(self._handle, data, size))

    @property
    def info(self) -> FabricInfo:
        """What the fabric holds, and what the cooker found in its mesh."""
        info = FabricInfo()
        check(raw.fabric_get_info(self._handle, info))
        return info

    @property
    def particle_count(self) -> int:
        """The number of particles."""
        return self._particle_count

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What the cooker found in the mesh, such as faces that it left out."""
        found = [Diagnostic() for _ in range(self.info.diagnostic_count)]
        for index, diagnostic in enumerate(found):
            check(raw.fabric_get_diagnostic(self._handle, index, diagnostic))
        return found

    def read(self, array: int) -> Array:
        """Copies one of the arrays that FabricArray names."""
        data = sized_bytes(lambda data, size: raw.fabric_read(self._handle, number(array, "array"), data, size))
        kind = numpy.dtype("<f4" if array in _FLOAT_ARRAYS else "<u4")
        elements = numpy.frombuffer(bytearray(data), kind)
        if array in (FabricArray.TETHER_ANCHORS, FabricArray.TETHER_LENGTHS):
            return elements.reshape(-1, self._particle_count)
        return elements.reshape(-1, _COLUMNS[FabricArray(array)]) if array in _COLUMNS else elements


def _required(value: Optional[ArrayLike], count: int) -> Optional[ArrayLike]:
    """An array that must be there if count is above 0; an empty one has the wrong shape."""
    return () if value is None and count > 0 else value


def _fill_constraint_set(target: ConstraintSet, kind: int, particles: ArrayLike, parameters: ArrayLike) -> Any:
    """Fills in a struct and returns the arrays to which it points."""
    if kind not in _CONSTRAINT_SHAPES:
        raise InvalidArgument(f"{kind} is no type of constraints; want one of ConstraintType")
    arity, width = _CONSTRAINT_SHAPES[ConstraintType(kind)]
    indices = whole_numbers(particles, "particles", None, arity)
    values = floats(parameters, "parameters", None, width)
    if len(values) != len(indices):
        raise InvalidArgument(f"{len(indices)} constraints have {len(values)} rows of parameters")
    target.reset()
    target.type = ConstraintType(kind)
    target.constraint_count = len(indices)
    target.particles, target.parameters = address(indices), address(values)
    return indices, values
