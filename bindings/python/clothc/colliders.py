"""colliders.py - what cloth collides with: sets of shapes, and the meshes and distance fields that they share."""

from __future__ import annotations

import ctypes
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional, Sequence, Tuple

import numpy

from . import raw
from .arrays import Array, ArrayLike, address, floats, whole_numbers
from .errors import InvalidArgument, check
from .named import Named
from .raw import ColliderMeshDesc, ColliderShapes, ColliderSpace, SdfCookDesc, SdfDesc

if TYPE_CHECKING:
    from .solver import Solver


@dataclass
class SignedDistanceField:
    """Distances from a surface at the nodes of a grid: values[z, y, x] in m, below 0 inside. origin is where node 0 0 0
    is, and spacing the distance from one node to the next, both in m at scale 1."""

    origin: Tuple[float, float, float]
    spacing: float
    values: Array


def cook_sdf(
    vertices: ArrayLike,
    triangles: Optional[ArrayLike] = None,
    *,
    resolution: int = 64,
    padding: float = 0,
) -> SignedDistanceField:
    """Computes the signed distance field of a mesh. vertices: (any, 3) m. triangles: (any, 3) vertices; None = 0 1 2,
    3 4 5 .. resolution: nodes along the longest side. padding: m around the mesh; 0 = two cells."""
    points, corners, count = mesh_arrays(vertices, triangles)
    desc = SdfCookDesc(vertex_count=len(points), triangle_count=count, resolution=resolution, padding=padding)
    desc.vertices, desc.triangles = address(points), address(corners)
    sdf, size = SdfDesc(), ctypes.c_uint64()
    check(raw.sdf_cook(desc, sdf, None, ctypes.byref(size)))
    values = numpy.empty(sdf.counts[::-1], numpy.dtype("<f4"))
    check(raw.sdf_cook(desc, sdf, address(values), ctypes.byref(size)))
    x, y, z = sdf.origin
    return SignedDistanceField((x, y, z), sdf.spacing, values)


def mesh_arrays(vertices: ArrayLike, triangles: Optional[ArrayLike]) -> tuple[Array, Optional[Array], int]:
    """The arrays of a mesh and the number of its triangles."""
    points = floats(vertices, "vertices", None, 3)
    if triangles is not None:
        corners = whole_numbers(triangles, "triangles", None, 3)
        return points, corners, len(corners)
    if len(points) % 3 != 0:
        raise InvalidArgument(f"{len(points)} vertices without triangles are no multiple of 3")
    return points, None, len(points) // 3


class ColliderAsset(Named):
    """A collider mesh or signed distance field, which instances in collider sets share."""

    _kind = "asset"

    @classmethod
    def of_mesh(cls, solver: Solver, vertices: ArrayLike, triangles: Optional[ArrayLike]) -> ColliderAsset:
        """Makes a mesh for instances."""
        points, corners, count = mesh_arrays(vertices, triangles)
        desc = ColliderMeshDesc(vertex_count=len(points), triangle_count=count)
        desc.vertices, desc.triangles = address(points), address(corners)
        asset = ctypes.c_uint32()
        solver._call(raw.collider_mesh_create, desc, ctypes.byref(asset))
        return cls(solver, asset.value)

    @classmethod
    def of_sdf(cls, solver: Solver, field: SignedDistanceField) -> ColliderAsset:
        """Makes a signed distance field for instances."""
        values = floats(field.values, "values", None, None, None)
        desc = SdfDesc(counts=values.shape[::-1], origin=field.origin, spacing=field.spacing, values=address(values))
        asset = ctypes.c_uint32()
        solver._call(raw.collider_sdf_create, desc, ctypes.byref(asset))
        return cls(solver, asset.value)

    def destroy(self) -> None:
        """Destroys the mesh or field. Raises InvalidState while a collider set uses it."""
        self._solver._call(raw.collider_asset_destroy, self._id)


class ColliderSet(Named):
    """Shapes that any number of cloths collide with."""

    _kind = "collider set"

    def destroy(self) -> None:
        """Destroys the set. Cloths that list it no longer do."""
        self._solver._call(raw.collider_set_destroy, self._id)

    def write(
        self,
        *,
        space: int = ColliderSpace.LOCAL,
        spheres: ArrayLike = (),
        capsules: ArrayLike = (),
        planes: ArrayLike = (),
        convexes: Optional[Sequence[Sequence[int]]] = None,
        ellipsoids: ArrayLike = (),
        boxes: ArrayLike = (),
        vertices: ArrayLike = (),
        triangles: Optional[ArrayLike] = None,
        triangle_reach: Optional[float] = None,
        instances: ArrayLike = (),
        instance_assets: Sequence[ColliderAsset] = (),
        sphere_starts: Optional[ArrayLike] = None,
        plane_starts: Optional[ArrayLike] = None,
        ellipsoid_starts: Optional[ArrayLike] = None,
        box_starts: Optional[ArrayLike] = None,
        vertex_starts: Optional[ArrayLike] = None,
        instance_starts: Optional[ArrayLike] = None,
    ) -> None:
        """Replaces all shapes of the set for the updates that follow.

        spheres: (any, 4) centre and radius. capsules: (any, 2) spheres. planes: (any, 4) normal and d. convexes: the
        planes of each convex, by index; None = each plane is a half-space of its own. ellipsoids: (any, 10) centre,
        rotation x y z w, radii. boxes: (any, 10) centre, rotation, half of each side. vertices: (any, 3) and triangles:
        (any, 3) of the triangles; None = 0 1 2, 3 4 5 .. instances: (any, 8) translation, rotation and scale, of the
        mesh or field in instance_assets. The starts are where the shapes are at the next update's start.
        """
        shapes = ColliderShapes(space=space)
        keep: list[Array] = []

        def put(name: str, value: Optional[Array]) -> int:
            """Stores the address of an array and returns the number of its rows."""
            if value is None:
                return 0
            keep.append(value)
            setattr(shapes, name, address(value))
            return len(value)

        def put_shapes(name: str, value: ArrayLike, start_name: str, starts: Optional[ArrayLike], columns: int) -> int:
            """Stores shapes and where they start."""
            count = put(name, floats(value, name, None, columns))
            if starts is not None:
                put(start_name, floats(starts, start_name, count, columns))
            return count

        shapes.sphere_count = put_shapes("spheres", spheres, "sphere_starts", sphere_starts, 4)
        shapes.capsule_count = put("capsules", whole_numbers(capsules, "capsules", None, 2))
        shapes.plane_count = put_shapes("planes", planes, "plane_starts", plane_starts, 4)
        if convexes is not None:
            members = [whole_numbers(convex, "convexes", None) for convex in convexes]
            ends = list(itertools.accumulate(len(convex) for convex in members))
            shapes.convex_count = put("convex_ends", whole_numbers(ends, "convexes", None))
            put("convex_planes", numpy.concatenate(members) if members else None)
        shapes.ellipsoid_count = put_shapes("ellipsoids", ellipsoids, "ellipsoid_starts", ellipsoid_starts, 10)
        shapes.box_count = put_shapes("boxes", boxes, "box_starts", box_starts, 10)
        shapes.vertex_count = put_shapes("vertices", vertices, "vertex_starts", vertex_starts, 3)
        _, corners, shapes.triangle_count = mesh_arrays(vertices, triangles)
        put("triangles", corners)
        if triangle_reach is not None:
            shapes.triangle_reach = triangle_reach
        shapes.instance_count = put_shapes("instances", instances, "instance_starts", instance_starts, 8)
        assets = whole_numbers([asset.id for asset in instance_assets], "instance_assets", shapes.instance_count)
        put("instance_assets", assets)
        self._solver._call(raw.collider_set_write, self._id, shapes)
