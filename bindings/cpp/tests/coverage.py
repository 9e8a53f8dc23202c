#!/usr/bin/python3
# coverage.py: fails unless clothc.hpp or clothc_cuda.hpp calls every function of the headers.
import json
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[3]
functions = [f["name"] for f in json.loads((root / "bindings/clothc.json").read_text())["functions"]]
text = "".join(path.read_text() for path in (root / "include").glob("*.hpp"))
missing = [name for name in functions if not re.search(rf"\b{name}\b", text)]
if missing or not functions:
    sys.exit("clothc.hpp uses none of these functions: " + ", ".join(missing))
print(f"clothc.hpp uses all {len(functions)} functions")
