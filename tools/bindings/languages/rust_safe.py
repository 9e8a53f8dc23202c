"""rust_safe.py - the generated files of bindings/rust/clothc, the safe crate: the constants as types, the records
without pointers, and the table of its coverage test."""

import re

import names
from languages.rust import BANNER, FOLDER, SCALARS, commented, equality, identifier, lines_of

# Where the crate clothc has the functions of the C interface. Comments link there, and a test compares the table with
# the sources of the crate.
FUNCTIONS = {
    "clothc_last_error_message": "Error::message",
    "clothc_result_name": "ErrorCode::name",
    "clothc_version": "version",
    "clothc_struct_init": "ClothParameters::default",
    "clothc_device_create": "Device::new",
    "clothc_device_destroy": "Device",
    "clothc_buffer_create": "Buffer::new",
    "clothc_buffer_destroy": "Buffer",
    "clothc_buffer_map": "Buffer::map_read",
    "clothc_buffer_unmap": "ReadMapping",
    "clothc_buffer_read": "Buffer::read",
    "clothc_buffer_write": "Buffer::write",
    "clothc_fabric_cook": "Fabric::cook",
    "clothc_fabric_destroy": "Fabric",
    "clothc_solver_create": "Solver::new",
    "clothc_solver_destroy": "Solver",
    "clothc_solver_update": "Solver::update",
    "clothc_solver_wait": "Solver::wait",
    "clothc_solver_poll": "Solver::poll",
    "clothc_cloth_add": "Solver::add_cloth",
    "clothc_cloth_remove": "Solver::remove_cloth",
    "clothc_solver_set": "Solver::set",
    "clothc_solver_get": "Solver::get",
    "clothc_cloth_set_parameters": "Solver::set_parameters",
    "clothc_cloth_get_parameters": "Solver::parameters",
    "clothc_cloth_set_phases": "Solver::set_phases",
    "clothc_cloth_get_phases": "Solver::phases",
    "clothc_cloth_set_frame": "Solver::set_frame",
    "clothc_cloth_get_frame": "Solver::frame",
    "clothc_collider_set_create": "Solver::create_collider_set",
    "clothc_collider_set_destroy": "Solver::destroy_collider_set",
    "clothc_collider_set_write": "Solver::write_collider_set",
    "clothc_cloth_set_collider_sets": "Solver::set_collider_sets",
    "clothc_cloth_set_self_collision_particles": "Solver::set_self_collision_particles",
    "clothc_cloth_get_status": "Solver::cloth_status",
    "clothc_cloth_get_info": "Solver::cloth_info",
    "clothc_cloth_list": "Solver::cloths",
    "clothc_group_add": "Solver::add_group",
    "clothc_group_remove": "Solver::remove_group",
    "clothc_group_set_springs": "Solver::set_springs",
    "clothc_group_set_active": "Solver::set_active",
    "clothc_group_get_active": "Solver::active",
    "clothc_group_get_info": "Solver::group_info",
    "clothc_solver_get_info": "Solver::info",
    "clothc_solver_get_timers": "Solver::timers",
    "clothc_solver_get_debug_lines": "Solver::debug_lines",
    "clothc_channel_describe": "Solver::channel_info",
    "clothc_parameter_describe": "parameter_infos",
    "clothc_buffer_get_info": "Buffer::info",
    "clothc_fabric_get_info": "Fabric::info",
    "clothc_fabric_get_diagnostic": "Fabric::diagnostics",
    "clothc_cloth_reset": "Solver::reset_cloth",
    "clothc_cloth_clone": "Solver::clone_cloth",
    "clothc_cloth_clear": "Solver::clear_cloth",
    "clothc_solver_state_hash": "Solver::state_hash",
    "clothc_solver_snapshot": "Solver::snapshot",
    "clothc_solver_restore": "Solver::restore",
    "clothc_fabric_save": "Fabric::save",
    "clothc_fabric_load": "Fabric::load",
    "clothc_solver_compact": "Solver::compact",
    "clothc_device_enumerate": "devices",
    "clothc_device_get_info": "Device::info",
    "clothc_device_prepare": "Device::prepare",
    "clothc_device_wait": "Device::wait_prepared",
    "clothc_device_save_cache": "Device::save_cache",
    "clothc_device_load_cache": "Device::load_cache",
    "clothc_device_verify": "Device::verify",
    "clothc_device_get_verification": "Device::verification",
    "clothc_fence_create": "Fence::new",
    "clothc_fence_destroy": "Fence",
    "clothc_fence_signal": "Fence::signal",
    "clothc_fence_wait": "Fence::wait",
    "clothc_fence_get_value": "Fence::value",
    "clothc_buffer_export": "Buffer::export",
    "clothc_fence_export": "Fence::export",
    "clothc_fence_import": "Fence::import",
    "clothc_cloth_bind": "Solver::bind",
    "clothc_fabric_create": "Fabric::from_arrays",
    "clothc_fabric_read": "Fabric::read",
    "clothc_collider_mesh_create": "Solver::create_collider_mesh",
    "clothc_collider_sdf_create": "Solver::create_collider_sdf",
    "clothc_collider_asset_destroy": "Solver::destroy_collider_asset",
    "clothc_sdf_cook": "Sdf::cook",
    "clothc_cuda_device_create": "cuda::create_device",
    "clothc_cuda_buffer_get_pointer": "cuda::buffer_pointer",
    "clothc_cuda_capture_update": "cuda::capture_update",
    "clothc_vulkan_get_requirements": "vulkan::requirements",
    "clothc_vulkan_device_create": "vulkan::create_device",
    "clothc_vulkan_buffer_create": "vulkan::wrap_buffer",
    "clothc_vulkan_buffer_get_handle": "vulkan::buffer_handle",
    "clothc_vulkan_record_update": "vulkan::record_update",
}

# Structs that the crate clothc writes by hand, because they hold pointers, handles or file descriptors.
BY_HAND = {
    "clothc_device_desc": "DeviceDesc",
    "clothc_buffer_desc": "Buffer::new",
    "clothc_mesh_desc": "Mesh",
    "clothc_fabric_desc": "FabricArrays",
    "clothc_cloth_desc": "ClothDesc",
    "clothc_group_desc": "GroupDesc",
    "clothc_update": "Update",
    "clothc_collider_shapes": "Shapes",
    "clothc_collider_mesh_desc": "ColliderMesh",
    "clothc_sdf_desc": "Sdf",
    "clothc_sdf_cook_desc": "SdfMesh",
    "clothc_constraint_set": "ConstraintSet",
    "clothc_external_handle": "ExternalMemory",
    "clothc_cuda_device_desc": "cuda::create_device",
    "clothc_vulkan_device_desc": "VulkanDeviceDesc",
}

# Constants of C that the crate clothc writes by hand.
CONSTANTS = {"CLOTHC_VULKAN_NO_QUEUE_FAMILY": "vulkan::NO_QUEUE_FAMILY"}

# Enums that the crate clothc does not show: functions and types of their own stand for these constants.
HIDDEN = {
    "CLOTHC_": "ErrorCode", "CLOTHC_STRUCT_": "ClothParameters::default", "CLOTHC_MAP_": "Buffer::map_read",
    "CLOTHC_UPDATE_": "Update", "CLOTHC_EXTERNAL_": "ExternalMemory", "CLOTHC_CLOTH_": "ClothDesc::no_phases",
}  # fmt: skip
IDS = ("clothc_cloth_id", "clothc_group_id", "clothc_collider_set_id", "clothc_collider_asset_id")


class Safe:
    """Writes what is generated of the crate clothc: constants as types, and records without pointers."""

    def __init__(self, description):
        self.description = description
        self.handles = {h["name"]: names.pascal(h["name"]) for h in description["handles"]}
        self.enums = {e["name"]: e for e in description["enums"] if e["name"]}
        self.paths = {}
        self.types = {e["prefix"]: e for e in description["enums"]}
        self.types = {p: self.type_of_prefix(names.enum_of(description, p)) for p in self.types}
        for enum in description["enums"]:
            for value in enum["values"]:
                self.paths[value["name"]] = self.path_of_value(enum, value)
            if enum["name"]:
                self.paths[enum["name"]] = HIDDEN.get(enum["prefix"], names.enum_name(enum))
        self.paths |= {s["name"]: names.pascal(s["name"]) for s in description["structs"]} | BY_HAND | FUNCTIONS | CONSTANTS
        self.paths |= self.handles | {name: names.pascal(name) for name in IDS}
        missing = {f["name"] for f in description["functions"]} ^ set(FUNCTIONS)
        if missing:
            raise SystemExit(f"rust_safe.py: FUNCTIONS must have exactly the functions of C: {sorted(missing)}")

    @staticmethod
    def type_of_prefix(enum):
        if enum["prefix"] in HIDDEN:
            return HIDDEN[enum["prefix"]]
        return names.enum_name(enum) if enum["name"] or enum["is_flags"] else module_name(enum)

    def path_of_value(self, enum, value):
        if value["name"].startswith("CLOTHC_ERROR_"):
            return "ErrorCode::" + value["name"].removeprefix("CLOTHC_ERROR_")
        owner = self.type_of_prefix(enum)
        return owner if enum["prefix"] in HIDDEN else f"{owner}::{names.value_name(enum, value)}"

    def link(self, name):
        """A link to what stands for a name of C: a declaration, Struct.field, or CLOTHC_PREFIX_... for a type."""
        prefix = re.match(r"(CLOTHC_\w*_)(\.\.\.|x)$", name)
        owner, _, field = name.partition(".") if not prefix else (name, "", "")
        path = self.types.get(prefix.group(1)) if prefix else self.paths.get(owner)
        if not path:
            return f"`{name}`"
        if field and owner in BY_HAND:
            return f"[`{path}`](crate::{path}).{field}"
        path += f"::{field}" if field else ""
        return f"[`{path}`](crate::{path})"

    def type(self, field):
        constants = field.get("constants")
        if field.get("extents") and field["type"] == "char":
            return f"Text<{field['extents'][0]}>"
        if constants and not field.get("extents"):
            return names.enum_name(names.enum_of(self.description, constants))
        kind = field["type"]
        text = names.pascal(kind) if kind in self.enums or kind in IDS else SCALARS[kind]
        for extent in reversed(field.get("extents", [])):
            text = f"[{text}; {extent}]"
        return text

    def constants(self):
        lines = [BANNER + "//! The constants of the interface as types, so that no two kinds of them are mixed up.\n"]
        lines += ["use crate::macros::{enumeration, flags, id};", "use clothc_sys as sys;"]
        for kind in self.description["types"]:
            if kind["name"] in IDS:
                lines += ["", "id! {", *lines_of(kind["doc"], self.link, "    ")]
                lines += [f"    {names.pascal(kind['name'])}", "}"]
        for enum in self.description["enums"]:
            if enum["prefix"] == "CLOTHC_":
                errors = [v for v in enum["values"] if v["value"] < 0]
                doc = "Why a call failed."
                lines += self.block("enumeration", "ErrorCode", "i32", doc, errors, "CLOTHC_ERROR_")
            elif enum["prefix"] in HIDDEN:
                continue
            elif not enum["name"] and not enum["is_flags"]:
                lines += self.module(enum)
            else:
                kind = "flags" if enum["is_flags"] else "enumeration"
                lines += self.block(kind, names.enum_name(enum), "u32", enum["doc"], enum["values"], enum["prefix"])
        return "\n".join(lines) + "\n"

    def block(self, macro, name, kind, doc, values, prefix):
        lines = ["", f"{macro}! {{", *lines_of(doc, self.link, "    "), f"    {name}: {kind} {{"]
        for value in values:
            lines += lines_of(value["doc"], self.link, "        ")
            lines += [f"        {value['name'].removeprefix(prefix)} = sys::{value['name']},"]
        return [*lines, "    }", "}"]

    def module(self, enum):
        """A module of plain numbers: indices into arrays of a record, or parts of a value of a buffer."""
        is_index = enum["values"][-1]["name"].endswith("_COUNT")
        kind = "usize" if is_index else "u32"
        lines = ["", *lines_of(enum["doc"], self.link), f"pub mod {module_name(enum)} {{", "    use clothc_sys as sys;"]
        for value in enum["values"]:
            doc = value["doc"] or ("The number of them." if value["name"].endswith("_COUNT") else "")
            lines += [""] + lines_of(doc, self.link, "    ")
            cast = " as usize" if is_index else ""
            lines += [f"    pub const {names.value_name(enum, value)}: {kind} = sys::{value['name']}{cast};"]
        return [*lines, "}"]

    def records(self):
        lines = [BANNER + "//! The structs that hold no pointers. They have the layout of those in C.\n"]
        lines += ["use crate::constants::*;", "use crate::macros::{plain, record};", "use crate::text::Text;"]
        lines += ["use clothc_sys as sys;"]
        for struct in self.description["structs"]:
            if struct["name"] in BY_HAND:
                continue
            name = names.pascal(struct["name"])
            derived = "Clone, Copy, Debug, " + ("PartialEq" if struct["kind"] else equality(struct) + ", Default")
            lines += ["", *lines_of(struct["doc"], self.link), "#[repr(C)]", f"#[derive({derived})]"]
            lines += [f"pub struct {name} {{"]
            for field in struct["fields"]:
                doc = field["doc"]
                if field["name"] == "struct_size":
                    doc = "The size of this struct, as [`Default`] gives it."
                    lines += commented(doc, "    ")
                else:
                    lines += lines_of(doc, self.link, "    ")
                lines += ["    #[doc(hidden)]"] if field["name"].startswith("reserved") else []
                lines += [f"    pub {identifier(field['name'])}: {self.type(field)},"]
            lines.append("}")
            if struct["kind"]:
                lines.append(f"record!({name}, sys::{struct['name']});")
            else:
                lines.append(f"plain!({name}, sys::{struct['name']});")
        return "\n".join(lines) + "\n"

    def coverage(self):
        lines = [BANNER + "//! Where the crate has each function of the C interface.\n"]
        lines += ["/// The name in C, and the path in this crate.", "pub const FUNCTIONS: &[(&str, &str)] = &["]
        lines += [f'    ("{name}", "{path}"),' for name, path in FUNCTIONS.items()]
        return "\n".join(lines) + "\n];\n"


def module_name(enum):
    return enum["prefix"].removeprefix("CLOTHC_").strip("_").lower()


def files(description):
    safe = Safe(description)
    return {
        f"{FOLDER}/clothc/src/constants.rs": safe.constants(),
        f"{FOLDER}/clothc/src/records.rs": safe.records(),
        f"{FOLDER}/clothc/tests/binding/functions.rs": safe.coverage(),
    }
