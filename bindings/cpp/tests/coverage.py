#!/usr/bin/python3
# coverage.py: fails unless clothc.hpp, clothc_cuda.hpp or clothc_vulkan.hpp calls every function of the headers, and
# waits_test.cpp tests what the headers say about each one's waiting.
import json
import pathlib
import re
import sys

# They end the waits of what they destroy.
ENDING = {"clothc_device_destroy", "clothc_solver_destroy"}
# The processor, on which that test runs, compiles nothing, and is verified by work of its own, so nothing is waited for.
COMPILING = {"clothc_device_wait", "clothc_device_verify"}

root = pathlib.Path(__file__).resolve().parents[3]
functions = json.loads((root / "bindings/clothc.json").read_text())["functions"]
text = "".join(path.read_text() for path in (root / "include").glob("*.hpp"))
source = (root / "bindings/cpp/tests/waits_test.cpp").read_text()
at_once, waiting = source[source.index("struct Arguments") :].split("TEST(CppWaits, calls_that_wait_return")
failures = []
for function in functions:
    name = function["name"]
    if not re.search(rf"\b{name}\b", text):
        failures.append(f"clothc.hpp does not use {name}")
    # The device of that test has nothing of CUDA and Vulkan.
    if function["header"] != "clothc.h" or name in ENDING:
        continue
    waits_there = function["may_block"] and name not in COMPILING
    if not re.search(rf"\b{name}\b", waiting if waits_there else at_once):
        what = "may wait" if waits_there else "does not wait"
        failures.append(f"waits_test.cpp lacks {name}, which {what}")
print("\n".join(failures) if failures else f"clothc.hpp uses all {len(functions)} functions")
sys.exit(bool(failures) or not functions)
