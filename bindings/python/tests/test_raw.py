"""The raw layer is what the C compiler makes of the headers, and the objects use all of it."""

import ast
import ctypes
import re
import subprocess
import sys
import unittest

from clothc import raw
from support import DESCRIPTION, PACKAGE, environment

sys.path.insert(0, str(PACKAGE.parent.parent / "tools/bindings"))
import names  # noqa: E402

# Functions that the objects do not call, and why.
NOT_CALLED = {"clothc_struct_init": "Record calls it, for each new struct"}


class Layout(unittest.TestCase):
    def test_sizes_offsets_and_constants_are_those_of_the_c_compiler(self):
        expected = subprocess.run([environment("CLOTHC_LAYOUT")], capture_output=True, text=True, check=True).stdout
        self.assertEqual(expected.splitlines(), list(self.lines()))

    def lines(self):
        for struct in DESCRIPTION["structs"]:
            record = getattr(raw, names.pascal(struct["name"]))
            yield f"struct {struct['name']} {ctypes.sizeof(record)}"
            for slot, *_ in record._fields_:
                field = getattr(record, slot)
                yield f"field {struct['name']}.{slot[1:]} {field.offset} {field.size}"
        for enum in DESCRIPTION["enums"]:
            for member in getattr(raw, names.enum_name(enum)).__members__.items():
                yield f"constant {enum['prefix']}{member[0]} {int(member[1])}"
        for constant in DESCRIPTION["constants"]:
            value = getattr(raw, constant["name"].removeprefix("CLOTHC_"))
            yield f"constant {constant['name']} {ctypes.c_int64(value).value}"


class Coverage(unittest.TestCase):
    def test_every_function_has_a_prototype(self):
        for function in DESCRIPTION["functions"]:
            with self.subTest(function["name"]):
                prototype = getattr(raw.functions, "_" + names.short(function["name"]))
                self.assertEqual(len(function["parameters"]), len(prototype.argtypes))
                self.assertTrue(getattr(raw, names.short(function["name"])).__doc__)

    def test_the_objects_call_every_function(self):
        called = set()
        for path in (PACKAGE / "clothc").glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "raw":
                    called.add("clothc_" + node.attr)
        every = {function["name"] for function in DESCRIPTION["functions"]}
        self.assertEqual(set(), every - called - set(NOT_CALLED))
        self.assertEqual(set(), called & set(NOT_CALLED))

    def test_the_package_has_every_enum_that_its_users_pass_or_read(self):
        import clothc

        inside = {"StructKind", "UpdateFlags", "SetFlags", "MapFlags", "DeviceFlags", "BufferFlags", "ClothFlags",
                  "VerifyFlags"}
        every = {names.enum_name(enum) for enum in DESCRIPTION["enums"]}
        self.assertEqual(inside, every - set(clothc.__all__))

    def test_every_setting_of_a_new_object_can_be_given(self):
        import inspect

        import clothc

        given_by_arrays = {"index_size", "convex_ends", "convex_planes", "virtual_weight_count"}
        other = {
            raw.DeviceDesc: {"allocate", "free", "allocator_user", "message_user", "submit", "submit_user", "flags",
                             "cache_size"},
            raw.BufferDesc: {"memory", "external", "flags"},
            raw.ClothDesc: {"phase_configs", "flags"},
            raw.FabricDesc: {"tethers_per_particle"},
        }
        for record, make in {
            raw.DeviceDesc: clothc.Device,
            raw.BufferDesc: clothc.Buffer,
            raw.MeshDesc: clothc.Fabric.cook,
            raw.FabricDesc: clothc.Fabric.from_arrays,
            raw.SolverDesc: clothc.Solver,
            raw.ClothDesc: clothc.Solver.add_cloth,
            raw.GroupDesc: clothc.Solver.add_group,
            raw.ColliderShapes: clothc.ColliderSet.write,
            raw.SdfCookDesc: clothc.cook_sdf,
            raw.ColliderMeshDesc: clothc.Solver.add_collider_mesh,
        }.items():
            fields = set(record.names()) - given_by_arrays - other.get(record, set())
            fields -= set(inspect.signature(make).parameters)
            fields = {name for name in fields if not name.endswith(("_stride", "_count"))}
            self.assertEqual(set(), fields, record.__name__)

    def test_everything_public_is_documented(self):
        import clothc

        for name in clothc.__all__:
            thing = getattr(clothc, name)
            self.assertTrue(thing.__doc__, name)
            for member in vars(thing) if isinstance(thing, type) else ():
                if not member.startswith("_") and not issubclass(thing, (int, raw.Record)):
                    self.assertTrue(getattr(thing, member).__doc__ or member == "code", f"{name}.{member}")


class Records(unittest.TestCase):
    def test_a_new_struct_has_the_defaults_of_the_library(self):
        parameters = raw.ClothParameters()
        self.assertEqual(300, parameters.solver_frequency)
        self.assertEqual(ctypes.sizeof(parameters), parameters._struct_size)

    def test_unknown_names_raise_an_exception(self):
        parameters = raw.ClothParameters()
        with self.assertRaises(AttributeError):
            parameters.gravty = (0, 0, 0)
        with self.assertRaises(AttributeError):
            raw.ClothParameters(gravty=(0, 0, 0))

    def test_values_that_do_not_fit_raise_an_exception(self):
        parameters = raw.ClothParameters()
        for name, value, kind in [
            ("gravity", (0, 1), ValueError),
            ("gravity", "abc", TypeError),
            ("gravity", 3, TypeError),
            ("friction", "1", TypeError),
            ("friction", None, TypeError),
            ("acceleration_filter_width", 2**32, ValueError),
            ("acceleration_filter_width", -1, ValueError),
            ("acceleration_filter_width", 1.5, TypeError),
        ]:
            with self.subTest(name=name, value=value), self.assertRaisesRegex(kind, f"ClothParameters.{name}: "):
                setattr(parameters, name, value)
        self.assertEqual(raw.ClothParameters(), parameters)

    def test_enums_and_flags_are_read_as_such(self):
        parameters = raw.ClothParameters(sleep_policy=1, statistics=3)
        self.assertIs(raw.SleepPolicy.REPORT, parameters.sleep_policy)
        self.assertEqual(raw.StatisticFlags.STRETCH | raw.StatisticFlags.KINETIC_ENERGY, parameters.statistics)

    def test_structs_can_be_copied_and_compared_and_pickled(self):
        import copy
        import pickle

        first = raw.ClothFrame(translation=(1, 2, 3))
        for second in (first.copy(), copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
            self.assertEqual(first, second)
            second.translation = (0, 0, 0)
            self.assertNotEqual(first, second)
        self.assertTrue(re.search(r"translation=\(1\.0, 2\.0, 3\.0\)", repr(first)))
