"""csharp_inputs.py - the structs of C# that have spans for arrays, objects for handles and properties for other fields,
and the calls that take them. A call pins the arrays and checks that they are as long as the library will read them."""

import re

import names
from csharp_types import SCALARS, VECTORS, Types, file_of, parameter_name, signature

# What the idiomatic layer makes of callbacks, and what it writes by hand.
CALLBACK_FIELDS = {"message": "Action<Result, string>", "submit": "Action<ClothTask>"}
CALLBACK_FIELDS |= {"lock_queue": "Action", "unlock_queue": "Action"}
HIDDEN_FIELDS = {"struct_size", "message_user", "submit_user", "queue_user", "index_size"}
HAND_STRUCTS = {"clothc_constraint_set"}
HAND_CALLS = {"clothc_device_create", "clothc_cuda_device_create", "clothc_vulkan_device_create"}
HAND_CALLS |= {"clothc_vulkan_get_requirements"}


def accessors(declaration, value, assignment):
    """A property, on several lines where one would be too long."""
    line = f"{declaration} {{ get => {value}; set => {assignment}; }}"
    return [line] if len(line) <= 112 else [declaration, "{", f"    get => {value};", f"    set => {assignment};", "}"]


class Inputs(Types):
    """Writes Inputs.cs."""

    def inputs(self):
        lines = []
        for struct in self.description["structs"]:
            if self.holds_pointers(struct["name"]) and struct["name"] not in HAND_STRUCTS:
                lines += self.input(struct) + [""]
        lines += ["/// <summary>Calls with inputs: pins their arrays and checks that they are long enough.</summary>"]
        lines += ["internal static unsafe class Calls", "{"]
        for function in self.description["functions"]:
            taken = [p for p in function["parameters"] if p.get("role") == "in" and p["type"] in self.by_name]
            taken = [p for p in taken if self.holds_pointers(p["type"])]
            if taken and function["name"] not in HAND_CALLS:
                lines += ["    " + line if line else "" for line in self.call(function, taken[0]) + [""]]
        return file_of("Inputs.cs", "structs with arrays as spans, and the calls that take them.", lines[:-1] + ["}"],
                       ["System", "System.Runtime.InteropServices"])  # fmt: skip

    def shape(self, struct, field):
        """How an input holds an array: the type of its span, how many of these an element is, and the name of the field
        with the number of elements if there is one."""
        dimensions = field["dimensions"]
        width = int(dimensions[-1]) if dimensions[-1].isdigit() else 1
        vector = VECTORS.get((field["type"], width)) if field["type"] == "float" else None
        fields = {f["name"] for f in struct["fields"]}
        outer = [d for d in dimensions if not d.isdigit()]
        count = outer[0] if len(outer) == 1 and outer[0] in fields else None
        return vector or self.scalar(field["type"]), 1 if vector else width, count

    def is_array(self, field):
        return field.get("role") == "array_in"

    def input(self, struct):
        name = names.pascal(struct["name"])
        lines = [*self.doc(struct["doc"]), f"public ref struct {name}", "{", f"    internal Native.{name} Raw;"]
        counts = {self.shape(struct, f)[2] for f in struct["fields"] if self.is_array(f)}
        for field in struct["fields"]:
            if field["name"].startswith("reserved") or field["name"] in HIDDEN_FIELDS:
                continue
            title, kind = names.pascal(field["name"]), self.raw_type(field)
            docs = self.field_doc(field)
            if field["name"] in counts:
                docs = self.doc((field["doc"] or "number of elements") + " With 0 the arrays say how many there are.")
            if self.is_array(field):
                element = self.shape(struct, field)[0]
                span = "Indices" if element == "void" else f"ReadOnlySpan<{element}>"
                members = [f"public {span} {title};"]
            elif field["type"] in self.handles:
                members = [f"public {names.pascal(field['type'])} {title};"]
            elif field["name"] in CALLBACK_FIELDS:
                members = [f"public {CALLBACK_FIELDS[field['name']]} {title};"]
            elif field["type"] == "char" and field.get("pointers"):
                members = [f"public string {title};"]
            elif field.get("role") == "in":
                members = [f"public {self.raw(field['type'])}? {title};"]
            elif field.get("role") == "array_out":
                declaration = f"public unsafe IntPtr {title}"
                members = accessors(declaration, f"(IntPtr)Raw.{title}", f"Raw.{title} = (void*)value")
            else:
                vector = VECTORS.get((field["type"], field.get("extents", [0])[0]))
                vector = "byte[]" if field.get("extents") and not vector else vector
                members = accessors(f"public {vector or kind} {title}", f"Raw.{title}", f"Raw.{title} = value")
            lines += ["    " + line for line in docs + members]
        lines += ["", "    /// <summary>The defaults of the library.</summary>"]
        return lines + [f"    public static {name} Default => new {name} {{ Raw = Native.{name}.Default }};", "}"]

    def call(self, function, parameter):
        struct = self.by_name[parameter["type"]]
        given = parameter_name(parameter["name"])
        arguments, passed = [], []
        for each in function["parameters"]:
            name = parameter_name(each["name"])
            if each is parameter:
                arguments.append(f"in {names.pascal(struct['name'])} {name}")
                passed.append("&raw")
            else:
                arguments.append(f"{self.parameter_type(each)} {name}")
                passed.append(("out " if arguments[-1].startswith("out ") else "") + name)
        lines = signature(f"internal static Result {names.pascal(function['name'])}(", ", ".join(arguments), ")")
        lines += ["{", f"    var raw = {given}.Raw;"]
        lines += ["    " + line for line in self.counts(struct, given) + self.requirements(struct, given)]
        pins, sets, after = [], [], []
        for field in struct["fields"]:
            title, local = names.pascal(field["name"]), names.camel(field["name"]) + "Pointer"
            if self.is_array(field):
                element = self.shape(struct, field)[0]
                target = self.raw_type(field)
                if field["type"] in HAND_STRUCTS:
                    pins.append(f"using (var {local} = new Pinned{element}s({given}.{title}))")
                    sets.append(f"raw.{title} = {local}.Pointer;")
                    continue
                span = f"{given}.{title}" + (".Bytes" if element == "void" else "")
                element = "byte" if element == "void" else element
                pins.append(f"fixed ({element}* {local} = &MemoryMarshal.GetReference({span}))")
                sets.append(f"raw.{title} = {span}.IsEmpty ? null : ({target}){local};")
            elif field["type"] in self.handles:
                sets.append(f"raw.{title} = {names.pascal(field['type'])}.AddressOf({given}.{title});")
                after.append(f"GC.KeepAlive({given}.{title});")
            elif field.get("role") == "in":
                lines.append(f"    var {local} = {given}.{title}.GetValueOrDefault();")
                sets.append(f"raw.{title} = {given}.{title}.HasValue ? &{local} : null;")
        called = f"Native.{names.pascal(function['name'])}({', '.join(passed)});"
        body = sets + (["var result = " + called, *after, "return result;"] if after else ["return " + called])
        if pins:
            body = [*pins, "{", *("    " + line for line in body), "}"]
        return lines + ["    " + line for line in body] + ["}"]

    def counts(self, struct, given):
        """Statements that take numbers of elements from the lengths of arrays where none is given."""
        lengths = {}
        for field in struct["fields"]:
            if not self.is_array(field):
                continue
            _, width, count = self.shape(struct, field)
            if count:
                length = f"{given}.{names.pascal(field['name'])}.Length" + (f" / {width}" if width > 1 else "")
                lengths.setdefault(count, []).append(length)
        lines = []
        for count, found in lengths.items():
            kind = next(SCALARS[f["type"]] for f in struct["fields"] if f["name"] == count)
            value = found[0]
            for other in found[1:]:
                value = f"Math.Max({value}, {other})"
            lines.append(f"if (raw.{names.pascal(count)} == 0) raw.{names.pascal(count)} = ({kind})({value});")
        if any(f["name"] == "index_size" for f in struct["fields"]):
            lines.append(f"raw.IndexSize = Indices.CommonSize({given}.Triangles, {given}.Quads, raw.IndexSize);")
        return lines

    def requirements(self, struct, given):
        """Statements that check that arrays are as long as the library reads them."""
        lines = []
        fields = {f["name"]: f for f in struct["fields"]}
        for field in filter(self.is_array, struct["fields"]):
            element, width, _ = self.shape(struct, field)
            terms = [self.dimension(d, given, fields) for d in field["dimensions"]]
            if None in terms:
                continue  # The classes check these.
            if width == 1 and field["dimensions"][-1].isdigit():
                terms = terms[:-1]
            title = names.pascal(field["name"])
            need = " * ".join(terms)
            stride = self.stride_of(field, fields)
            size = "raw.IndexSize" if element == "void" else f"sizeof({element})"
            if stride:
                each = f"{width} * {size}" if width > 1 else size
                values = f"{given}.{title}.Length, {size}, {terms[0]}, {each}, raw.{names.pascal(stride)}"
                lines.append(f'Arrays.Require("{title}", {values});')
            else:
                lines.append(f'Arrays.Require("{title}", {given}.{title}.Length, {need});')
        return lines

    def stride_of(self, field, fields):
        """The field with the stride of an array: inverse_mass_stride of inverse_masses."""
        name = field["name"]
        singulars = (name, name.removesuffix("s"), name.removesuffix("es"))
        return next((f"{one}_stride" for one in singulars if f"{one}_stride" in fields), None)

    def dimension(self, text, given, fields):
        if text.isdigit():
            return text
        if text in fields:
            return f"(ulong)raw.{names.pascal(text)}"
        last = re.fullmatch(r"(\w+)\[(\w+) - 1\]", text)
        if last:
            return f"Arrays.Last({given}.{names.pascal(last.group(1))}, raw.{names.pascal(last.group(2))})"
        component = re.fullmatch(r"(\w+)\[([0-3])\]", text)
        if component and component.group(1) in fields:
            return f"(ulong)raw.{names.pascal(component.group(1))}.{'XYZW'[int(component.group(2))]}"
        return None
