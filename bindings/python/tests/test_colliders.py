"""Collider sets of every kind of shape, collider meshes, and signed distance fields."""

import clothc
import numpy
from clothc import Buffer, Channel, ClothParameters, CollisionFlags, Contact, Format, InvalidArgument, InvalidHandle
from clothc import InvalidState, ShapeKind, Solver, dtype_of
from support import OnProcessor


class Colliders(OnProcessor):
    def falling(self, **shapes):
        """The heights where two particles 10 cm and 3 m from the axis come to rest on shapes in the world."""
        solver = Solver(self.device, contact_capacity=16)
        colliders = solver.add_collider_set(space=clothc.ColliderSpace.WORLD, **shapes)
        parameters = ClothParameters(collision_flags=CollisionFlags.REPORT, friction=1)
        positions = [[0.1, 1.5, 0.1, 1], [3, 1.5, 3, 1]]
        cloth = solver.add_group(positions, parameters=parameters, collider_sets=[colliders])
        for _ in range(60):
            solver.update()
        contacts, count = Buffer(self.device, 16, dtype=Contact), Buffer(self.device, 1, Format.UINT)
        solver.get(Channel.CONTACT, contacts)
        solver.get(Channel.CONTACT_COUNT, count)
        found = contacts.read(0, int(count.read()[0]))
        return cloth.read(Channel.POSITION)[:, 1], found

    def test_each_kind_of_shape_stops_a_particle(self):
        identity = [0, 0, 0, 1]
        ground = [[-9, 0, -9], [-9, 0, 9], [9, 0, 9]]
        for kind, shapes in {
            ShapeKind.SPHERE: {"spheres": [[0.1, -1, 0.1, 1]], "sphere_starts": [[0.1, -1, 0.1, 1]]},
            ShapeKind.CAPSULE: {"spheres": [[-5, -1, 0.1, 1], [5, -1, 0.1, 1]], "capsules": [[0, 1]]},
            ShapeKind.CONVEX: {"planes": [[0, 1, 0, 0]]},
            ShapeKind.BOX: {"boxes": [[0, -1, 0, *identity, 1, 1, 1]]},
            ShapeKind.ELLIPSOID: {"ellipsoids": [[0.1, -1, 0.1, *identity, 2, 1, 2]]},
            ShapeKind.TRIANGLE: {"vertices": ground, "triangle_reach": 0.5},
        }.items():
            with self.subTest(kind):
                heights, contacts = self.falling(**shapes)
                self.assertAlmostEqual(0, heights[0], delta=0.02)
                self.assertEqual(kind, contacts[0]["kind"])
                self.assertEqual(dtype_of(Contact), contacts.dtype)

    def test_convexes_are_lists_of_planes(self):
        planes = [[0, 1, 0, 0], [1, 0, 0, -1], [-1, 0, 0, -1], [0, 1, 0, 1]]
        heights, _ = self.falling(planes=planes, convexes=[[0, 1, 2], [3]])
        self.assertAlmostEqual(0, heights[0], delta=0.02)
        self.assertAlmostEqual(-1, heights[1], delta=0.02)

    def test_meshes_and_distance_fields_are_shared_by_instances(self):
        corners = numpy.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
        triangles = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6],
                     [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]  # fmt: skip
        field = clothc.cook_sdf(corners, triangles, resolution=24, padding=0.5)
        self.assertEqual((24, 24, 24), field.values.shape)
        self.assertLess(field.values[12, 12, 12], -0.7)
        instance = [[0, -1, 0, 0, 0, 0, 1, 1]]
        for add in (lambda solver: solver.add_collider_mesh(corners, triangles),
                    lambda solver: solver.add_collider_sdf(field)):  # fmt: skip
            solver = Solver(self.device)
            asset = add(solver)
            colliders = solver.add_collider_set(instances=instance, instance_assets=[asset], instance_starts=instance)
            cloth = solver.add_group([[0.1, 0.2, 0.1, 1]])
            cloth.set_collider_sets([colliders])
            for _ in range(30):
                solver.update()
            self.assertAlmostEqual(0, cloth.read(Channel.POSITION)[0, 1], delta=0.05)
            self.assertRaises(InvalidState, asset.destroy)
            colliders.destroy()
            asset.destroy()
            self.assertRaises(InvalidHandle, asset.destroy)
            self.assertEqual(0, solver.info.collider_asset_count)

    def test_a_set_that_cannot_be_written_is_not_left_behind(self):
        solver = Solver(self.device)
        self.assertRaises(InvalidArgument, solver.add_collider_set, spheres=[[0, 0, 0, -1]])
        self.assertEqual(0, solver.info.collider_set_count)
