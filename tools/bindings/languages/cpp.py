"""cpp.py - the part of include/clothc.hpp that lists the structs: their kinds, by type. The rest is written by hand."""

import pathlib

PATH = "include/clothc.hpp"
BEGIN = "/* begin of what tools/make_bindings writes */\n"
END = "/* end of what tools/make_bindings writes */\n"


def files(description):
    root = pathlib.Path(__file__).resolve().parent.parent.parent.parent
    before, rest = (root / PATH).read_text().split(BEGIN)
    after = rest.split(END)[1]
    lines = []
    for struct in description["structs"]:
        if struct["kind"] and struct["header"] == "clothc.h":
            lines.append("template <>")
            lines.append(f"struct StructKind<{struct['name']}> {{")
            lines.append(f"  static constexpr clothc_struct_kind value = {struct['kind']};")
            lines.append("};")
    return {PATH: before + BEGIN + "\n".join(lines) + "\n" + END + after}
