# spirv_loops.py - a rule of spirv_rules.py about values that leave loops.

# Values from memory, or from functions that read it.
READS = {"OpLoad", "OpFunctionCall", "OpImageFetch"}


def loops_of(found):
    """Where the blocks of each loop begin and end. They stand one behind the other, and in front of what follows."""
    labels = {result: k for k, (result, operation, _) in enumerate(found) if operation == "OpLabel"}
    label, loops = 0, []
    for k, (_, operation, operands) in enumerate(found):
        if operation == "OpLabel":
            label = k
        elif operation == "OpLoopMerge":
            loops.append((label, labels[operands[0]]))
    return loops


def reads_that_leave_loops(found):
    """Values that are read in a loop, or computed from these, and used behind it. Drivers for processors run invocations
    as lanes of vectors. Where lanes have left a loop that others go on with, those of Mesa and SwiftShader lose for the
    former what is read in it, and keep only what an OpPhi carries."""
    problems = []
    for begin, end in loops_of(found):
        inside = {result for result, _, _ in found[begin:end] if result}
        read = set()
        for result, operation, operands in found[begin:end]:
            if operation in READS or operation != "OpPhi" and read & set(operands):
                read.add(result)
        for result, operation, operands in found[end:]:
            used = operands
            if operation == "OpPhi":
                used = [value for value, block in zip(operands[1::2], operands[2::2]) if block not in inside]
            problems += [f"{operation} {result} uses {one}, which a loop has read" for one in used if one in read]
    return problems
