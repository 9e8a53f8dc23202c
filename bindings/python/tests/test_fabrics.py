"""Fabrics: cooked, given as arrays, read, saved and loaded."""

import clothc
import numpy
from clothc import Channel, ConstraintType, CookFlags, DiagnosticKind, Fabric, FabricArray, Solver
from support import OnProcessor, cook, processor, sheet


class Fabrics(OnProcessor):
    def test_the_cooker_reports_what_it_found(self):
        positions, quads, _ = sheet()
        fabric = Fabric.cook(self.device, positions, quads=quads, triangles=[[0, 0, 1]], flags=CookFlags.NO_BEND)
        kinds = [diagnostic.kind for diagnostic in fabric.diagnostics]
        self.assertIn(DiagnosticKind.REPEATED_VERTEX, kinds)
        self.assertTrue(fabric.diagnostics[0].message)
        self.assertEqual(1, fabric.info.dropped_triangle_count)

    def test_all_arrays_can_be_read(self):
        uv = numpy.random.default_rng(1).random((48, 2), numpy.float32)
        settings = {"virtual_particles_per_triangle": 1, "long_range_edges": [4, 0, 0, 0]}
        fabric = cook(self.device, texture_coordinates=uv, **settings)
        info = fabric.info
        shapes = {
            FabricArray.VERTEX_MAP: (48,),
            FabricArray.POSITIONS: (48, 4),
            FabricArray.PHASE_SETS: (info.phase_count,),
            FabricArray.INDICES: (info.constraint_count, 2),
            FabricArray.REST_LENGTHS: (info.constraint_count,),
            FabricArray.TETHER_ANCHORS: (info.tethers_per_particle, 48),
            FabricArray.TRIANGLES: (info.triangle_count, 3),
            FabricArray.TRIANGLE_VERTICES: (info.triangle_count, 3),
            FabricArray.TEXTURE_COORDINATES: (48, 2),
            FabricArray.VIRTUAL_PARTICLES: (info.virtual_particle_count, 4),
            FabricArray.STIFFNESS_VALUES: (0,),
        }
        for array in FabricArray:
            read = fabric.read(array)
            self.assertEqual(shapes.get(array, read.shape), read.shape, array)
        self.assertTrue(numpy.array_equal(uv, fabric.read(FabricArray.TEXTURE_COORDINATES)))

    def test_a_fabric_is_made_from_the_arrays_of_another(self):
        fabric = cook(self.device)
        read = fabric.read
        copy = Fabric.from_arrays(
            self.device,
            fabric.particle_count,
            phase_sets=read(FabricArray.PHASE_SETS),
            phase_types=read(FabricArray.PHASE_TYPES),
            set_ends=read(FabricArray.SET_ENDS),
            indices=read(FabricArray.INDICES),
            rest_lengths=read(FabricArray.REST_LENGTHS),
            tether_anchors=read(FabricArray.TETHER_ANCHORS),
            tether_lengths=read(FabricArray.TETHER_LENGTHS),
            triangles=read(FabricArray.TRIANGLES),
            positions=read(FabricArray.POSITIONS),
            flags=clothc.FabricFlags.EXACT_LENGTHS,
        )
        self.assertEqual(fabric.info.constraint_count, copy.info.constraint_count)
        solver = Solver(self.device)
        cloths = [solver.add_cloth(fabric), solver.add_cloth(copy)]
        solver.update()
        first, second = (cloth.read(Channel.POSITION) for cloth in cloths)
        self.assertTrue(numpy.allclose(first, second, atol=1e-4))

    def test_constraints_of_any_type_are_given(self):
        rows = {ConstraintType.DISTANCE: (2, [1.0]), ConstraintType.STIFF_DISTANCE: (2, [1, 0.5]),
                ConstraintType.LONG_RANGE: (2, [2]), ConstraintType.DIHEDRAL_ANGLE: (4, [0, 1]),
                ConstraintType.TRIANGLE_AREA: (3, [0.5, 1]), ConstraintType.TETHER: (2, [3]),
                ConstraintType.VIRTUAL_PARTICLE: (3, [0.5, 0.25, 0.25])}  # fmt: skip
        sets = [(kind, [list(range(arity))], [values]) for kind, (arity, values) in rows.items()]
        fabric = Fabric.from_arrays(self.device, 4, constraint_sets=sets, phase_sets=[0, 1, 2, 3, 4],
                                    positions=numpy.eye(4))  # fmt: skip
        self.assertEqual(set(rows), set(ConstraintType))
        self.assertEqual([int(kind) for kind in rows], fabric.read(FabricArray.CONSTRAINT_TYPES).tolist())
        self.assertEqual(1.0, fabric.read(FabricArray.CONSTRAINT_PARAMETERS)[0])

    def test_a_saved_fabric_is_loaded(self):
        fabric = cook(self.device)
        with processor() as other:
            self.assertEqual(fabric.info.content_hash, Fabric.load(other, fabric.save()).info.content_hash)
