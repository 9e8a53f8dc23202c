"""csharp.py - the generated part of the C# binding: enums, structs, the functions of the library, structs with spans
(csharp_inputs.py), and a test that prints the layout.

A struct without pointers is the same type in both layers. One with pointers is Native.Name, as C has it, and Name,
which has spans for its arrays."""

import re

import names
from csharp_inputs import Inputs
from csharp_types import SCALARS, VECTORS, file_of, parameter_name, signature

FOLDER = "bindings/csharp/src/generated/"


def files(description):
    binding = Binding(description)
    return {
        FOLDER + "Enums.cs": binding.enums(),
        FOLDER + "Structs.cs": binding.structs(),
        FOLDER + "Native.cs": binding.native(),
        FOLDER + "Inputs.cs": binding.inputs(),
        "bindings/csharp/tests/generated/Layout.cs": binding.layout(),
    }


class Binding(Inputs):
    """Writes the other files."""

    # ---------------------------------------------------------------------------------------------- enums

    def enums(self):
        lines = [*self.doc("Values that the headers define as macros."), "public static class Constants", "{"]
        for constant in self.description["constants"]:
            name = names.pascal(constant["name"].removeprefix("CLOTHC_"))
            text = constant["doc"] or f"{name} of the headers that this binding was made from."
            lines += ["    " + line for line in self.doc(text)]
            lines.append(f"    public const {SCALARS[constant['type']]} {name} = {constant['value']};")
        lines.append("}")
        for enum in self.description["enums"]:
            lines += ["", *self.doc(enum["doc"] or f"Constants {enum['prefix']}...")]
            lines += ["[Flags]"] if enum["is_flags"] else []
            base = "int" if enum["name"] == "clothc_result" else "uint"
            lines += [f"public enum {names.enum_name(enum)} : {base}", "{"]
            if enum["is_flags"]:
                lines += ["    /// <summary>No flag.</summary>", "    None = 0,"]
            for value in enum["values"]:
                name = names.pascal(names.value_name(enum, value))
                text = value["doc"] or name
                lines += ["    " + line for line in self.doc(text)]
                lines.append(f"    {name} = {value['value']},")
            lines.append("}")
        return file_of("Enums.cs", "the enums and constants of the library.", lines, ["System"])

    # ---------------------------------------------------------------------------------------------- structs

    def structs(self):
        lines = []
        for name, kind in self.ids.items():
            if kind["type"] in self.ids:
                continue
            text = names.pascal(name)
            lines += [*self.doc(kind["doc"]), f"public struct {text} : IEquatable<{text}>", "{"]
            lines += ["    /// <summary>The number that the library uses.</summary>", "    public uint Value;", ""]
            lines += ["    /// <summary>Whether both name the same thing.</summary>"]
            lines += [f"    public bool Equals({text} other) => Value == other.Value;", ""]
            lines += ["    /// <inheritdoc/>"]
            lines += [f"    public override bool Equals(object other) => other is {text} id && Equals(id);", ""]
            lines += ["    /// <inheritdoc/>", "    public override int GetHashCode() => (int)Value;", ""]
            lines += ["    /// <inheritdoc/>", "    public override string ToString() => Value.ToString();", "}", ""]
        for struct in self.description["structs"]:
            if not self.holds_pointers(struct["name"]):
                lines += [*self.doc(struct["doc"]), *self.struct(struct, True), ""]
        return file_of("Structs.cs", "the ids and the structs without pointers.", lines[:-1],
                       ["System", "System.Runtime.InteropServices"])  # fmt: skip

    def struct(self, struct, with_docs):
        """A struct as C has it. Fields that need an accessor, and reserved ones, are internal."""
        name = names.pascal(struct["name"])
        lines = ["[StructLayout(LayoutKind.Sequential)]", f"public unsafe struct {name}", "{"]
        for field in struct["fields"]:
            docs = self.field_doc(field)
            if not with_docs:
                docs = self.doc(f"As {name}.")
            lines += ["    " + line for line in self.field(field, docs)]
        if struct["kind"]:
            lines += ["", "    /// <summary>The struct with the library's defaults and its size.</summary>"]
            lines += [f"    public static {name} Default", "    {", "        get", "        {"]
            call = f"Native.StructInit(StructKind.{name}, &value, (UIntPtr)sizeof({name}))"
            lines += [f"            {name} value;", f"            ClothcException.Check({call});"]
            lines += ["            return value;", "        }", "    }"]
        return lines + ["}"]

    def field(self, field, docs):
        name, camel = names.pascal(field["name"]), parameter_name(field["name"])
        kind = self.raw_type(field)
        if name.startswith("Reserved"):
            return [f"internal {kind} {camel};"]
        if re.match(r"1 (if|while) ", field["doc"]):
            return [f"internal {kind} {camel};", *docs, f"public bool {name} => {camel} != 0;"]
        extents = field.get("extents")
        if not extents:
            return docs + [f"public {kind} {name};"]
        vector = VECTORS.get((field["type"], extents[0]))
        if vector:
            return docs + [f"public {vector} {name};"]
        lines = [f"internal fixed {self.scalar(field['type'])} {camel}[{extents[0]}];", *docs]
        if field["type"] == "char":
            getter = f"get {{ fixed (byte* text = {camel}) return Text.From(text); }}"
            return lines + [f"public string {name} {{ {getter} }}"]
        if field["type"] == "uint8":
            pinned = f"fixed (byte* bytes = {camel})"
            return lines + [f"public byte[] {name}", "{",
                            f"    get {{ {pinned} return Text.Bytes(bytes, {extents[0]}); }}",
                            f"    set {{ {pinned} Text.SetBytes(value, bytes, {extents[0]}); }}", "}"]  # fmt: skip
        index = names.enum_name(names.enum_of(self.description, field["constants"])) if "constants" in field else "uint"
        element = self.scalar(field["type"])
        return lines + ['/// <param name="index">Which one.</param>', f"public {element} {name}({index} index)", "{",
                        f"    if ((uint)index >= {extents[0]}) throw new ArgumentOutOfRangeException(nameof(index));",
                        f"    fixed ({element}* values = {camel}) return values[(uint)index];", "}"]  # fmt: skip

    # ---------------------------------------------------------------------------------------------- functions

    def native(self):
        lines = self.doc(
            "The functions of the library as C has them, for programs that need more than the classes. Every handle is a "
            "SafeHandle, and stays alive during the call."
        )
        lines += ["public static unsafe partial class Native", "{"]
        for function in self.description["functions"]:
            body = [*self.function_doc(function)]
            entry = f'EntryPoint = "{function["name"]}"'
            body.append(f"[DllImport(Library, CallingConvention = CallingConvention.Cdecl, {entry})]")
            # A SafeHandle is closed already when it destroys what it held.
            is_destroying = len(function["parameters"]) == 1 and function["name"].endswith("_destroy")
            taken = [(self.parameter_type(p, is_destroying), parameter_name(p["name"])) for p in function["parameters"]]
            arguments = ", ".join(" ".join(each) for each in taken)
            returned = function["returns"]
            kind = "IntPtr" if returned.get("pointers") else self.raw_type(returned)
            body += signature(f"public static extern {kind} {names.pascal(function['name'])}(", arguments, ");") + [""]
            lines += ["    " + line if line else "" for line in body]
        for callback in self.description["callbacks"]:
            lines += ["    " + line if line else "" for line in self.callback(callback) + [""]]
        for struct in self.description["structs"]:
            if self.holds_pointers(struct["name"]):
                name = names.pascal(struct["name"])
                doc = f'/// <summary>As C has <see cref="Clothc.{name}"/>.</summary>'
                body = [doc, *self.struct(struct, False), ""]
                lines += ["    " + line if line else "" for line in body]
        return file_of("Native.cs", "the functions of the library, and its structs with pointers.", lines[:-1] + ["}"],
                       ["System", "System.Runtime.InteropServices"])  # fmt: skip

    def callback(self, callback):
        arguments = ", ".join(
            f"{'IntPtr' if p['type'] in ('void', *self.callbacks) else self.raw_type(p)} {parameter_name(p['name'])}"
            for p in callback["parameters"]
        )
        kind = "IntPtr" if callback["returns"].get("pointers") else "void"
        lines = self.doc(callback["doc"]) + ["[UnmanagedFunctionPointer(CallingConvention.Cdecl)]"]
        return lines + [f"public delegate {kind} {names.pascal(callback['name'])}({arguments});"]

    def function_doc(self, function):
        lines = self.doc(function["doc"])
        remarks = []
        documented = {p["name"]: p["doc"] for p in function["parameters"]}
        for name, text in documented.items():
            text = text or "The " + name.replace("_", " ")
            lines += self.doc(text, f'param name="{names.camel(name)}"')
        for title, text in names.sections(function):
            if title and title not in documented:
                remarks += names.wrapped(f"<para>{title}: {self.linked(text)}</para>", "/// ", 112)
        return lines + (["/// <remarks>", *remarks, "/// </remarks>"] if remarks else [])

    # ---------------------------------------------------------------------------------------------- layout

    def layout(self):
        lines = ["internal static unsafe class Layout", "{"]
        lines += ["    internal static void Print(LayoutPrinter printer)", "    {"]
        for struct in self.description["structs"]:
            kind = self.raw(struct["name"])
            lines += ["        {", f"            {kind} value; byte* begin = (byte*)&value;"]
            lines += [f'            printer.Struct("{struct["name"]}", sizeof({kind}));']
            for field in struct["fields"]:
                name = names.pascal(field["name"])
                extents = field.get("extents")
                is_fixed = extents and (field["type"], extents[0]) not in VECTORS
                if is_fixed or name.startswith("Reserved") or re.match(r"1 (if|while) ", field["doc"]):
                    name = parameter_name(field["name"])
                size = f"sizeof({self.raw_type(field)})"
                if is_fixed:
                    size = f"{extents[0]} * {size}"
                elif extents:
                    size = f"sizeof({VECTORS[field['type'], extents[0]]})"
                address = f"value.{name}" if is_fixed else f"&value.{name}"
                title = f'"{struct["name"]}.{field["name"]}"'
                lines.append(f"            printer.Field({title}, (byte*){address} - begin, {size});")
            lines.append("        }")
        for enum in self.description["enums"]:
            for value in enum["values"]:
                name = f"{names.enum_name(enum)}.{names.pascal(names.value_name(enum, value))}"
                lines.append(f'        printer.Constant("{value["name"]}", (long){name});')
        for constant in self.description["constants"]:
            name = names.pascal(constant["name"].removeprefix("CLOTHC_"))
            lines.append(f'        printer.Constant("{constant["name"]}", unchecked((long)Constants.{name}));')
        about = "tells what this compiler makes of each struct and constant."
        return file_of("Layout.cs", about, lines + ["    }", "}"], ["System"])
