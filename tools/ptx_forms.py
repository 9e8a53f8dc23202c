# ptx_forms.py - tells which operations of a PTX text the CUDA backend may not have: those that a GPU would round, flush or
# order in another way than the processor, and those that leave the compiler of a driver a choice.
import re

ROUNDED = {"add", "sub", "mul", "div", "sqrt"}
NOT_OF_THE_DIALECT = {"fma", "mad", "rcp", "rsqrt", "sin", "cos", "ex2", "lg2", "tanh"}
OTHER_FLOATS = {"f64", "f16", "f16x2", "bf16", "bf16x2", "tf32"}
INSTRUCTION = re.compile(r"(?:^|(?<=[{};:]))\s*(?:@!?%p\d+\s+)?([a-z]\w*)((?:\.\w+)*)\s*([^;]*);", re.M)
# A comparison with these zeros takes the sign of the other operand, where the processor takes that of the constant.
LOSES_SIGN = {("min", "0f00000000"), ("max", "0f80000000")}


def refused(text):
    """Returns a sentence per kind of operation that is refused."""
    found = set()
    for operation, modifiers, operands in INSTRUCTION.findall(text):
        words = modifiers.split(".")
        name = operation + modifiers
        if operation == "call":
            found.add("a function is called")
        if OTHER_FLOATS.intersection(words):
            found.add(f"{name} does not calculate with float")
        if "ftz" in words or "approx" in words or "full" in words or "sat" in words and "f32" in words:
            found.add(f"{name} flushes or approximates")
        if "f32" not in words:
            continue
        if operation in ("atom", "red"):
            found.add(f"{name} depends on the order of threads")
        if operation in ROUNDED and "rn" not in words:
            found.add(f"{name} may be contracted or approximated")
        if operation in NOT_OF_THE_DIALECT:
            found.add(f"{name} is not of the dialect")
        if any((operation, operand.strip().lower()) in LOSES_SIGN for operand in operands.split(",")[1:]):
            found.add(f"{name} {operands} loses the sign of zero")
    return sorted(found)
