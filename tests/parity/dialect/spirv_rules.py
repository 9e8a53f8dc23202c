# spirv_rules.py - what a SPIR-V module must not contain, because a conforming driver may choose what it means: results
# that depend on the driver's precision, undefined values that decide something, and memory that is not what it seems; and
# what a driver is known to get wrong.
# violations() takes the listing of spirv-dis. PLANTED has for each rule instructions that it rejects, and
# some that it does not.
import re

from spirv_loops import reads_that_leave_loops
from spirv_ranges import conversions_out_of_range, floats, numbers, shifted_too_far

# These operations have exact results if they are not contracted.
EXACT = {"OpFAdd", "OpFSub", "OpFMul", "OpFDiv", "OpFNegate", "OpVectorTimesScalar"}
# These have no defined order or precision, or no defined result for some signs of the operands.
INEXACT = {"OpFRem", "OpFMod", "OpDot", "OpMatrixTimesScalar", "OpVectorTimesMatrix", "OpMatrixTimesVector",
           "OpMatrixTimesMatrix", "OpOuterProduct", "OpSRem", "OpQuantizeToF16", "OpFConvert", "OpConvertFToU"}
CAPABILITIES = {"Shader", "SampledBuffer"}
# glslang decorates no extended instruction with NoContraction; these cannot be contracted with anything.
EXTENDED = {"Sqrt", "FindILsb"}
# A driver may compute with fewer bits, or leave out or reorder accesses, where it finds one of these.
DECORATIONS = {"RelaxedPrecision", "Volatile", "Restrict", "Aliased", "FPFastMathMode", "FPRoundingMode"}
MOST_BUFFERS = 4
# Values that pass an undefined part on without looking at it.
PASSING = {"OpPhi", "OpCompositeInsert", "OpCompositeExtract", "OpCompositeConstruct", "OpVectorShuffle",
           "OpCopyObject"}

INSTRUCTION = re.compile(r"^\s*(?:(%\S+) = )?(Op\w+)[ \t]*(.*)$", re.M)


def instructions(listing):
    """The result, the operation and the operands of each instruction; operands begin with the type of the result."""
    return [(result, operation, operands.split()) for result, operation, operands in INSTRUCTION.findall(listing)]


def contracted(found):
    kept = {operands[0] for _, operation, operands in found
            if operation == "OpDecorate" and operands[1] == "NoContraction"}
    return [f"{operation} {result} may be contracted" for result, operation, _ in found
            if operation in EXACT and result not in kept]


def inexact(found):
    named = [f"{operation} {result} has no defined result" for result, operation, _ in found if operation in INEXACT]
    return named + [f"extended instruction {operands[2]} is not exact" for _, operation, operands in found
                    if operation == "OpExtInst" and operands[2] not in EXTENDED]


def declared(found):
    wrong = [f"capability {operands[0]}" for _, operation, operands in found
             if operation == "OpCapability" and operands[0] not in CAPABILITIES]
    wrong += [f"decoration {operand}" for _, operation, operands in found
              if operation in ("OpDecorate", "OpMemberDecorate") for operand in operands if operand in DECORATIONS]
    bindings = {operands[0]: operands[2] for _, operation, operands in found
                if operation == "OpDecorate" and operands[1] == "Binding"}
    buffers = {bindings[result] for result, operation, operands in found
               if operation == "OpVariable" and operands[1] == "StorageBuffer"}
    return wrong + [f"more than {MOST_BUFFERS} storage buffers"] * (len(buffers) > MOST_BUFFERS)


def zeros_with_signs_of_their_own(found):
    """Drivers make -x of 0 - x, and leave components of a vector as they are to which 0 is added. That differs where
    these are zeros. Kernels add a vector of zeros only where they make all zeros positive."""
    zeros = {result for result, value in floats(found).items() if value == 0}
    parts = {result: set(operands[1:]) for result, operation, operands in found if operation == "OpConstantComposite"}
    partly = {result for result, of in parts.items() if zeros & of and of - zeros}
    with_zeros = zeros | {result for result, of in parts.items() if zeros & of}
    return [f"{operation} {result} has a constant zero; write x * -1, or leave the zero out"
            for result, operation, operands in found
            if operation == "OpFSub" and operands[1] in with_zeros
            or operation == "OpFAdd" and partly & set(operands[1:])]


def texels_of_memory_that_others_write(found):
    """Texels need not show what other invocations of the dispatch have written. The tests in unit/access find reads of
    what the same invocation has written."""
    binding = {operands[0]: int(operands[2]) for _, operation, operands in found
               if operation == "OpDecorate" and operands[1] == "Binding"}
    of_arena = {result for result, operation, operands in found
                if operation == "OpLoad" and 5 <= binding.get(operands[1], 0) <= 8}
    shares = any(operation == "OpControlBarrier" or "Decorate" in operation and "Coherent" in operands
                 for _, operation, operands in found)
    return [f"{operation} {result} reads texels of an arena, but invocations read what others have written"
            for result, operation, operands in found
            if shares and operation == "OpImageFetch" and operands[1] in of_arena]


def divided_by_less_than_one(found):
    """In Vulkan the result of OpSMod is undefined where an operand is negative, and nothing may be divided by zero.
    This sees constants only."""
    value = numbers(found)
    return [f"{operation} {result} divides by {value[operands[2]]}" for result, operation, operands in found
            if operation in ("OpSDiv", "OpUDiv", "OpSMod", "OpUMod") and value.get(operands[2], 1) < 1]


def atomics_whose_result_counts(found):
    results = {result for result, operation, _ in found if operation.startswith("OpAtomic")}
    return [f"{operation} uses the result {operand} of an atomic operation, which depends on the order of invocations"
            for _, operation, operands in found for operand in operands if operand in results]


def part_of(undefined, path):
    """What is undefined in a part of a value: the paths of the undefined parts within it."""
    depth = len(path)
    inside = {one[depth:] for one in undefined if one[:depth] == path}
    around = any(path[:len(one)] == one for one in undefined)
    return frozenset({()} if around else inside)


def without_part(undefined, path, parts_of_type):
    """The undefined parts of a composite without one part. A part that contains it is divided into its members."""
    kept = set()
    for one in undefined:
        if one[:len(path)] == path:
            continue
        if path[:len(one)] != one:
            kept.add(one)
            continue
        for depth in range(len(one), len(path)):
            kept |= {path[:depth] + (k,) for k in range(parts_of_type(path[:depth])) if k != path[depth]}
    return kept


class Types:
    """How many parts a value has, by its type and a path into it."""

    def __init__(self, found):
        self.of = {result: (operation, operands) for result, operation, operands in found
                   if result and operation.startswith("OpType")}
        self.value = numbers(found)

    def count(self, of, path):
        for k in path:
            operation, operands = self.of[of]
            of = operands[k] if operation == "OpTypeStruct" else operands[0]
        operation, operands = self.of[of]
        if operation == "OpTypeStruct":
            return len(operands)
        return self.value[operands[1]] if operation == "OpTypeArray" else int(operands[1])


def unwritten_reads(found):
    """Reads of local variables that are their first use, in the order of the blocks, in which a block stands behind
    those that dominate it. Whoever gets a pointer as an argument is taken to write. The optimiser makes such a read
    where a member of a structure is written first: it inserts the member into the structure as it was."""
    waiting, chains, reads = set(), {}, set()
    for result, operation, operands in found:
        if operation == "OpVariable" and operands[1] == "Function" and len(operands) == 2:
            waiting.add(result)
        elif operation == "OpAccessChain":
            chains[result] = chains.get(operands[1], operands[1])
        elif operation == "OpLoad" and chains.get(operands[1], operands[1]) in waiting:
            reads.add(result)
        elif operation in ("OpStore", "OpFunctionCall", "OpCopyMemory"):
            waiting -= {chains.get(operand, operand) for operand in operands}
    return reads


def undefined_parts(found):
    """Maps the ids of values to the paths of their undefined parts, as far as they pass through PASSING. A value that
    an undefined one may reach through an OpPhi counts as undefined there."""
    types = Types(found)
    sources = {result for result, operation, _ in found if operation == "OpUndef"} | unwritten_reads(found)
    parts = dict.fromkeys(sources, frozenset({()}))
    changed = bool(parts)
    while changed:
        changed = False
        for result, operation, operands in found:
            if operation not in PASSING:
                continue
            now = frozenset(passed_on(operation, operands, parts, types))
            if now != parts.get(result, frozenset()):
                parts[result] = now
                changed = True
    return {result: of for result, of in parts.items() if of}


def passed_on(operation, operands, parts, types):
    def of(k):
        return parts.get(operands[k], frozenset())
    if operation == "OpPhi":
        return set().union(*(of(k) for k in range(1, len(operands), 2)))
    if operation == "OpCompositeExtract":
        return part_of(of(1), tuple(map(int, operands[2:])))
    if operation == "OpCompositeInsert":
        path = tuple(map(int, operands[3:]))
        kept = without_part(of(2), path, lambda inner: types.count(operands[0], inner))
        return kept | {path + one for one in of(1)}
    if operation == "OpCompositeConstruct":
        return {(k - 1,) + one for k in range(1, len(operands)) for one in of(k)}
    if operation == "OpVectorShuffle":
        return {()} if of(1) or of(2) else set()
    return set(of(1))


def undefined_values_that_count(found):
    """Uses of values that are undefined in part: stores, branches, arithmetic, calls."""
    undefined = undefined_parts(found)
    variables = {result for result, operation, operands in found
                 if operation == "OpVariable" and operands[1] == "Function"}
    return [f"{operation} {result} uses {operand}, of which {sorted(undefined[operand])} may be undefined"
            for result, operation, operands in found if operation not in PASSING
            for operand in operands if operand in undefined
            # A structure that is an argument of a call may have members that the function does not read.
            and not (operation == "OpStore" and operands[0] in variables and () not in undefined[operand])]


RULES = [contracted, inexact, declared, shifted_too_far, conversions_out_of_range, zeros_with_signs_of_their_own,
         texels_of_memory_that_others_write, divided_by_less_than_one, atomics_whose_result_counts,
         undefined_values_that_count, reads_that_leave_loops]
# These follow values, which modules have in variables before the optimiser.
OF_VALUES = [shifted_too_far, conversions_out_of_range]


GUARDED = ("%3 = OpBitcast %int %2\n%4 = OpBitwiseAnd %int %3 %9\n%5 = OpBitcast %float %4\n"
           "%7 = OpFOrdLessThan %bool %5 %20\n%6 = OpSelect %float %7 %2 %21\n%1 = OpConvertFToS %int %6\n"
           "%9 = OpConstant %int 2147483647\n%20 = OpConstant %float {limit}\n%21 = OpConstant %float 0")
COUNTING = ("%7 = OpConstant %int 0\n%8 = OpConstant %int 1\n%9 = OpConstant %int {end}\n"
            "%2 = OpPhi %int %7 %10 %3 %11\n%4 = OpSLessThan %bool %2 %9\n%1 = OpShiftLeftLogical %int %5 %2\n"
            "%3 = OpIAdd %int %2 %8")
TEXELS = ("OpDecorate %9 Binding {binding}\nOpMemberDecorate %8 0 Coherent\n%2 = OpLoad %7 %9\n"
          "%1 = OpImageFetch %4 %2 %3")
LOOP = ("%10 = OpLabel\n%2 = OpPhi %int %7 %9 %3 %11\n%4 = OpLoad %int %5\n%3 = OpIAdd %int %2 %4\n"
        "%6 = OpSLessThan %bool %3 %8\nOpLoopMerge %12 %11 None\nOpBranchConditional %6 %11 %12\n%11 = OpLabel\n"
        "OpBranch %10\n%12 = OpLabel\n{behind}")
# Listings that a rule rejects, and some like them that it accepts.
PLANTED = [
    (contracted, "%1 = OpFAdd %float %2 %3", "OpDecorate %1 NoContraction\n%1 = OpFAdd %float %2 %3"),
    (inexact, "%1 = OpDot %float %2 %3", "%1 = OpExtInst %float %2 Sqrt %3"),
    (declared, "OpDecorate %1 RelaxedPrecision", "OpDecorate %1 Coherent"),
    (shifted_too_far, "%9 = OpConstant %int 32\n%1 = OpShiftLeftLogical %int %2 %9",
     "%9 = OpConstant %int 31\n%1 = OpShiftLeftLogical %int %2 %9"),
    (shifted_too_far, "%1 = OpShiftRightLogical %uint %2 %3",
     "%9 = OpConstant %uint 31\n%3 = OpBitwiseAnd %uint %4 %9\n%1 = OpShiftRightLogical %uint %2 %3"),
    (shifted_too_far, COUNTING.format(end=33), COUNTING.format(end=32)),
    (conversions_out_of_range, "%1 = OpConvertFToS %int %2", GUARDED.format(limit="2147483648")),
    (conversions_out_of_range, GUARDED.format(limit="4294967296"), GUARDED.format(limit="1048576")),
    (zeros_with_signs_of_their_own, "%8 = OpConstant %float 0\n%1 = OpFSub %float %8 %2",
     "%8 = OpConstant %float 0\n%1 = OpFSub %float %2 %8"),
    (zeros_with_signs_of_their_own,
     "%8 = OpConstant %float 0\n%9 = OpConstantComposite %v3float %7 %8 %8\n%1 = OpFAdd %v3float %2 %9",
     "%8 = OpConstant %float 1\n%9 = OpConstantComposite %v3float %8 %8 %8\n%1 = OpFAdd %v3float %2 %9"),
    (texels_of_memory_that_others_write, TEXELS.format(binding=5), TEXELS.format(binding=4)),
    (divided_by_less_than_one, "%9 = OpConstant %int -2\n%1 = OpSMod %int %2 %9",
     "%9 = OpConstant %int 2\n%1 = OpSMod %int %2 %9"),
    (atomics_whose_result_counts, "%1 = OpAtomicIAdd %uint %2 %3 %4 %5\nOpStore %6 %1",
     "%1 = OpAtomicIAdd %uint %2 %3 %4 %5"),
    (undefined_values_that_count,
     "%t = OpTypeStruct %float %float\n%1 = OpVariable %p Function\n%2 = OpLoad %t %1\n"
     "%3 = OpCompositeInsert %t %9 %2 0\n%4 = OpCompositeExtract %float %3 1\nOpStore %5 %4",
     "%1 = OpVariable %p Function\nOpStore %1 %3\n%2 = OpLoad %float %1\nOpStore %4 %2\n"
     "%t = OpTypeStruct %float %float\n%5 = OpUndef %t\n%6 = OpCompositeInsert %t %3 %5 0\n"
     "%7 = OpCompositeExtract %float %6 0\nOpStore %8 %7"),
    (reads_that_leave_loops, LOOP.format(behind="OpStore %13 %4"), LOOP.format(behind="OpStore %13 %2")),
    (reads_that_leave_loops, LOOP.format(behind="%14 = OpIMul %int %3 %3"), LOOP.format(behind="%14 = OpPhi %int %3 %10"))]


def rules_that_miss():
    """Names the rules that do not tell two of their listings apart, and those without listings."""
    missed = {rule for rule, refused, accepted in PLANTED
              if not rule(instructions(refused)) or rule(instructions(accepted))}
    return [rule.__name__ for rule in RULES if rule in missed or rule not in {one for one, _, _ in PLANTED}]


def violations(listing, is_optimised=True):
    found = instructions(listing)
    return [violation for rule in RULES if is_optimised or rule not in OF_VALUES for violation in rule(found)]
