"""What is passed to the library is checked: wrong values raise an exception with their name; none ends the process."""

import array
import numpy
from clothc import Buffer, BufferKind, Channel, Cloth, ClothFrame, ClothParameters, ColliderSet, ConstraintType, Device
from clothc import Fabric, Fence, Format, InvalidArgument, InvalidHandle, Region, SignedDistanceField, Solver, View
from clothc import ClothcError, cook_sdf
from support import OnProcessor, cook, hanging_sheet, processor, sheet

# Whatever a program might pass by mistake.
STRANGE = [
    None, -1, 2**31, 2**32, 2**64, 2**200, 1.5, float("nan"), float("inf"), "text", b"bytes", [], [[]], [None], ["a"],
    [[1, 2], [3]], [[-1, 0, 1]], [[2**40, 0, 1]], {}, object(), numpy.zeros((2, 2, 2)), numpy.array(3), complex(1, 2),
    numpy.zeros((3, 3), complex), numpy.full((4, 3), numpy.nan), numpy.array(["x"]), numpy.zeros(5, bool), ClothFrame(),
]  # fmt: skip
EXPECTED = (TypeError, ValueError, ClothcError, AttributeError)


class Inputs(OnProcessor):
    def setUp(self):
        super().setUp()
        self.positions, self.quads, self.inverse_masses = sheet()

    def test_arrays_of_many_kinds_are_taken(self):
        expected = cook(self.device).info.content_hash

        class Interface:
            __array_interface__ = self.positions.__array_interface__

        class OnlyDlPack:
            def __dlpack__(_, stream=None):
                return self.positions.__dlpack__()

            def __dlpack_device__(_):
                return 1, 0

        wide = numpy.zeros((len(self.positions), 7), numpy.float32)
        wide[:, 1:7:2] = self.positions
        for positions in [
            self.positions.tolist(),
            self.positions.astype(float),
            numpy.asfortranarray(self.positions),
            wide[:, 1:7:2],
            memoryview(self.positions),
            Interface(),
            OnlyDlPack(),
        ]:
            for quads in (self.quads.tolist(), self.quads.astype(numpy.uint8), self.quads.astype(numpy.int64)):
                fabric = Fabric.cook(self.device, positions, quads=quads, inverse_masses=self.inverse_masses)
                self.assertEqual(expected, fabric.info.content_hash)

    def test_a_mapped_buffer_is_an_array_too(self):
        buffer = Buffer(self.device, len(self.positions), Format.FLOAT3)
        buffer.write(self.positions)
        with buffer.map() as positions:
            fabric = Fabric.cook(self.device, positions, quads=self.quads, inverse_masses=self.inverse_masses)
        self.assertEqual(cook(self.device).info.content_hash, fabric.info.content_hash)

    def test_memory_of_another_device_is_refused(self):
        class OnGpu:
            def __dlpack_device__(self):
                return 2, 0

        with self.assertRaisesRegex(TypeError, "positions is in the memory of a device"):
            Fabric.cook(self.device, OnGpu())

    def test_messages_name_the_argument_and_what_it_should_be(self):
        positions, quads = self.positions, self.quads
        for message, call in [
            (r"positions has the shape \(48,\); want \(any, 3\)", lambda: Fabric.cook(self.device, positions[:, 0])),
            (r"positions has the shape \(\); want \(any, 3\)", lambda: Fabric.cook(self.device, 3)),
            (r"quads has values from -1 to 5", lambda: Fabric.cook(self.device, positions, quads=[[-1, 0, 1, 5]])),
            (r"inverse_masses has the shape \(1,\); want \(48\)", lambda: self.cook(inverse_masses=[1])),
            (r"areal_density is nan", lambda: self.cook(areal_density=numpy.nan)),
            (r"vertex 3", lambda: Fabric.cook(self.device, [*positions[:3], [0, numpy.nan, 0]], quads=quads)),
        ]:
            with self.subTest(message), self.assertRaisesRegex(InvalidArgument, message):
                call()
        for message, call in [
            (r"positions has elements of type", lambda: Fabric.cook(self.device, positions.astype(complex))),
            (r"quads has elements of type float64", lambda: Fabric.cook(self.device, positions, quads=quads * 1.0)),
            (r"unexpected keyword argument 'densty'", lambda: self.cook(densty=1)),
            (r"MeshDesc.flags: ", lambda: self.cook(flags="no")),
        ]:
            with self.subTest(message), self.assertRaisesRegex(TypeError, message):
                call()

    def cook(self, **settings):
        return Fabric.cook(self.device, self.positions, quads=self.quads, **settings)

    def test_strange_values_never_end_the_process(self):
        solver, cloth = hanging_sheet(self.device)
        group = solver.add_group(numpy.ones((4, 4)))
        shapes = solver.add_collider_set()
        buffer = Buffer(self.device, 48)
        fence = Fence(self.device)
        fabric = cook(self.device)
        calls = [
            lambda value: Device(value),
            lambda value: Device(1, worker_count=value),
            lambda value: Device(1, uuid=[value]),
            lambda value: Buffer(self.device, value),
            lambda value: Buffer(self.device, 4, value),
            lambda value: Buffer(self.device, 4, stride=value),
            lambda value: Buffer(self.device, 4, kind=value),
            lambda value: Buffer(value, 4),
            lambda value: Buffer.wrap(self.device, value),
            lambda value: buffer.read(value),
            lambda value: buffer.read(0, value) if value is not None else buffer.read("all"),
            lambda value: buffer.write(value),
            lambda value: buffer.write(numpy.zeros((1, 4)), value),
            lambda value: Fabric.cook(self.device, value),
            lambda value: Fabric.cook(self.device, self.positions, triangles=[value]),
            lambda value: Fabric.from_arrays(self.device, value),
            lambda value: Fabric.from_arrays(self.device, 4, indices=[value]),
            lambda value: Fabric.from_arrays(self.device, 4, constraint_sets=[(value, [[0, 1]], [[1]])]),
            lambda value: Fabric.load(self.device, value),
            lambda value: fabric.read(value),
            lambda value: Solver(self.device, particle_capacity=value),
            lambda value: solver.update([value]),
            lambda value: solver.update(0, wait=(value, 1)),
            lambda value: solver.update(0, signal=(fence, [value])),
            lambda value: solver.set(value, buffer),
            lambda value: solver.get(Channel.POSITION, value),
            lambda value: solver.get(Channel.POSITION, buffer, [value]),
            lambda value: solver.get(Channel.POSITION, buffer, view=[value]),
            lambda value: solver.add_cloth(value),
            lambda value: solver.add_cloth(fabric, positions=[value]),
            lambda value: solver.add_cloth(fabric, parameters=[value]),
            lambda value: solver.add_cloth(fabric, phases=[value]),
            lambda value: solver.add_cloth(fabric, collider_sets=[value]),
            lambda value: solver.add_group(value),
            lambda value: solver.restore(value, []),
            lambda value: solver.restore(b"", [value]),
            lambda value: solver.wait([value]),
            lambda value: solver.wait(0, timeout=[value]),
            lambda value: solver.poll(-1 if value is None else [value]),
            lambda value: cloth.reset([value]),
            lambda value: cloth.write(Channel.POSITION, value),
            lambda value: cloth.read(value),
            lambda value: cloth.clear([value]),
            lambda value: cloth.bind(Channel.POSITION, value),
            lambda value: setattr(cloth, "parameters", value),
            lambda value: setattr(cloth, "phases", [value]),
            lambda value: setattr(cloth, "frame", [value]),
            lambda value: cloth.set_collider_sets([value]),
            lambda value: cloth.set_self_collision_particles([value]),
            lambda value: shapes.write(spheres=[value]),
            lambda value: shapes.write(convexes=[value], planes=[[0, 1, 0, 0]]),
            lambda value: shapes.write(instances=[[0] * 8], instance_assets=[value]),
            lambda value: shapes.write(vertices=[value]),
            lambda value: group.set_springs(value, [1]),
            lambda value: group.set_active([value]),
            lambda value: solver.add_collider_sdf(SignedDistanceField((0, 0, 0), 1, value)),
            lambda value: cook_sdf(value),
            lambda value: Cloth(solver, value).info,
            lambda value: fence.signal([value]),
            lambda value: fence.wait([value], 0),
        ]
        for index, call in enumerate(calls):
            for value in STRANGE:
                with self.subTest(call=index, value=value):
                    try:
                        call(value)
                    except EXPECTED:
                        pass
        solver.update()
        self.assertTrue(numpy.isfinite(cloth.read(Channel.POSITION)).all())

    def test_numbers_are_not_cut(self):
        solver, cloth = hanging_sheet(self.device)
        buffer = Buffer(self.device, 48)
        wrapped = 2**32 + Channel.POSITION
        for call in [
            lambda: solver.set(wrapped, buffer),
            lambda: solver.get(wrapped, buffer),
            lambda: cloth.clear(2**32 + Channel.ACCELERATION),
            lambda: solver.get(Channel.POSITION, buffer, [(0, 0, 2**32 + 1)]),
            lambda: Cloth(solver, 2**32 + cloth.id),
            lambda: solver.wait(2**64),
            lambda: Fence(self.device, -1),
            lambda: Buffer(self.device, 2**64 + 1),
            lambda: Solver(self.device, particle_capacity=2**32 + 16),
        ]:
            self.assertRaises(ValueError, call)

    def test_arrays_must_agree_with_each_other(self):
        solver, cloth = hanging_sheet(self.device)
        shapes = solver.add_collider_set()
        group = solver.add_group(numpy.ones((4, 4)))
        pairs = ConstraintType.DISTANCE
        for call in [
            lambda: cloth.reset(numpy.zeros((47, 4))),
            lambda: solver.add_cloth(cook(self.device), positions=numpy.zeros((47, 4))),
            lambda: cloth.write(Channel.POSITION, numpy.zeros((47, 4))),
            lambda: shapes.write(spheres=[[0, 0, 0, 1]], sphere_starts=[]),
            lambda: shapes.write(spheres=[[0, 0, 0, 1]], sphere_starts=numpy.zeros((2, 4))),
            lambda: shapes.write(spheres=[[0, 0, 0, 1]], capsules=[[0, 1]]),
            lambda: shapes.write(planes=[[0, 1, 0, 0]], convexes=[[1]]),
            lambda: shapes.write(vertices=numpy.zeros((4, 3))),
            lambda: shapes.write(instances=[[0, 0, 0, 0, 0, 0, 1, 1]]),
            lambda: group.set_springs([[0, 1]], [1], count=2),
            lambda: group.set_springs([[0, 1]], [1], [1, 1], count=2),
            lambda: group.set_active([0, 1], 3),
            lambda: Fabric.from_arrays(self.device, 4, indices=[[0, 1]], set_ends=[1]),
            lambda: Fabric.from_arrays(self.device, 4, tether_anchors=[[0, 0, 0, 0]]),
            lambda: Fabric.from_arrays(self.device, 4, constraint_sets=[(pairs, [[0, 1]], [])]),
            lambda: Fabric.from_arrays(self.device, 4, constraint_sets=[(pairs, [[0, 4]], [[1]])]),
            lambda: Fabric.from_arrays(self.device, 4, triangles=[[0, 1, 4]]),
        ]:
            self.assertRaises(InvalidArgument, call)

    def test_objects_of_another_device_or_kind_are_refused(self):
        solver, cloth = hanging_sheet(self.device)
        with processor() as other:
            for call in [
                lambda: solver.get(Channel.POSITION, Buffer(other, 48)),
                lambda: solver.add_cloth(cook(other)),
                lambda: solver.update(signal=(Fence(other), 1)),
                lambda: solver.get(Channel.POSITION, solver),
                lambda: ColliderSet(solver, cloth.id).destroy(),
            ]:
                self.assertRaises(InvalidHandle, call)

    def test_regions_and_views_are_taken_in_several_forms(self):
        solver, cloth = hanging_sheet(self.device)
        first = cloth.info.first_particle
        buffer = Buffer(self.device, 48, kind=BufferKind.HOST)
        regions = [[(first, 0, 48)], [Region(source_offset=first, count=48)], numpy.array([[first, 0, 48]])]
        for given in regions:
            buffer.write(numpy.zeros((48, 4)))
            solver.get(Channel.POSITION, buffer, given, view=View(byte_offset=0))
            self.assertTrue(numpy.array_equal(self.positions, buffer.read()[:, :3]))
        self.assertRaises(InvalidArgument, solver.get, Channel.POSITION, buffer, [])

    def test_bytes_come_from_anything_with_a_buffer(self):
        saved = cook(self.device).save()
        self.assertIsInstance(saved, bytes)
        for data in (saved, bytearray(saved), memoryview(saved), numpy.frombuffer(saved, numpy.uint8),
                     array.array("B", saved)):  # fmt: skip
            self.assertEqual(cook(self.device).info.content_hash, Fabric.load(self.device, data).info.content_hash)
        for broken in (saved[:-1], b"", saved[:100] + b"x" + saved[101:]):
            self.assertRaises(InvalidArgument, Fabric.load, self.device, broken)

    def test_parameters_that_the_library_refuses_raise_its_message(self):
        _, cloth = hanging_sheet(self.device)
        with self.assertRaisesRegex(InvalidArgument, "solver_frequency is nan") as caught:
            cloth.change(solver_frequency=float("nan"))
        self.assertEqual((-1, "CLOTHC_ERROR_INVALID_ARGUMENT"), (caught.exception.code, caught.exception.name))
        self.assertEqual(str(caught.exception), caught.exception.message)
        self.assertEqual(ClothParameters(), cloth.parameters)
