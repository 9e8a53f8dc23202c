# spirv_repeated.py - removes from a SPIR-V module the calls that compute again what is known: those of a function
# without effects, with the same arguments as another call that has always run before. A call behind a loop is kept if
# the other one is in the loop: Mesa's drivers for processors and SwiftShader, which run invocations as lanes of vectors,
# lose what a lane has read in a loop that it has left and other lanes have not.
from spirv_words import OP_ACCESS_CHAIN, OP_CALL, OP_FUNCTION, OP_IMAGE_FETCH, OP_LOAD, OP_STORE
from spirv_words import OP_TYPE_POINTER, OP_VARIABLE
from spirv_words import HEADER_WORDS, code_of, instructions, words_of, words_of_instructions

OP_PARAMETER, OP_FUNCTION_END, OP_LABEL, OP_BRANCH, OP_CONDITIONAL, OP_SWITCH, OP_COPY = 55, 56, 248, 249, 250, 251, 83
OP_LOOP_MERGE = 246
ATOMICS = range(227, 243)
# Classes of storage that no shader writes: textures, built-in inputs and push constants.
UNWRITTEN = (0, 1, 9)


def bodies(found):
    """Maps the id of each function to its instructions."""
    result, current = {}, None
    for operation, operands in found:
        if operation == OP_FUNCTION:
            current = result[operands[1]] = []
        if current is not None:
            current.append((operation, operands))
        if operation == OP_FUNCTION_END:
            current = None
    return result


def has_no_effect(body, constant, pointers):
    """Whether a function whose callees have none has no effect and no other inputs than its arguments. Those that fetch
    texels may also read buffers, because nothing reads by texels what the same dispatch writes (glsl.h)."""
    own = {operands[1] for operation, operands in body if operation == OP_VARIABLE}
    readable = own | constant
    fetches = any(operation == OP_IMAGE_FETCH for operation, _ in body)
    for operation, operands in body:
        if operation == OP_ACCESS_CHAIN:
            own |= {operands[1]} if operands[2] in own else set()
            readable |= {operands[1]} if operands[2] in readable else set()
        if (operation == OP_PARAMETER and operands[0] in pointers or operation == OP_STORE and operands[0] not in own or
                operation == OP_LOAD and operands[2] not in readable and not fetches or operation in ATOMICS):
            return False
    return True


def functions_without_effect(found, functions):
    pointers = {operands[0] for operation, operands in found if operation == OP_TYPE_POINTER}
    constant = {operands[1] for operation, operands in found if operation == OP_VARIABLE and operands[2] in UNWRITTEN}
    chosen = {function for function, body in functions.items() if has_no_effect(body, constant, pointers)}
    while True:
        callers = {function for function in chosen if any(operation == OP_CALL and operands[2] not in chosen
                                                          for operation, operands in functions[function])}
        if not callers:
            return chosen
        chosen -= callers


def targets(operation, operands):
    if operation == OP_BRANCH:
        return operands
    if operation == OP_CONDITIONAL:
        return operands[1:3]
    return (operands[1], *operands[3::2]) if operation == OP_SWITCH else ()


def dominators(body):
    """Maps each block to those that dominate it. A block stands behind them in the module."""
    before, block = {}, None
    for operation, operands in body:
        if operation == OP_LABEL:
            block = operands[0]
            before.setdefault(block, [])
        for target in targets(operation, operands):
            before.setdefault(target, []).append(block)
    order = [operands[0] for operation, operands in body if operation == OP_LABEL]
    found, changed = {order[0]: {order[0]}} if order else {}, True
    while changed:
        changed = False
        for block in order[1:]:
            known = [found[one] for one in before[block] if one in found]
            now = set.intersection(*known) | {block} if known else {block}
            changed |= found.get(block) != now
            found[block] = now
    return found


def loops_around(body, dominating):
    """Maps each block to the loops that it is in, which are named by their first blocks."""
    behind, block = {}, None
    for operation, operands in body:
        if operation == OP_LABEL:
            block = operands[0]
        elif operation == OP_LOOP_MERGE:
            behind[block] = operands[0]
    return {block: {loop for loop in before & behind.keys() if behind[loop] not in before}
            for block, before in dominating.items()}


def repeated_calls(body, without_effect):
    """Maps the results of the calls to remove to those of the calls that they repeat."""
    dominating, first, same, block = dominators(body), {}, {}, None
    loops = loops_around(body, dominating)
    for operation, operands in body:
        if operation == OP_LABEL:
            block = operands[0]
        elif operation == OP_CALL and operands[2] in without_effect:
            call = (operands[2], *(same.get(argument, argument) for argument in operands[3:]))
            known = next((result for result, of in first.get(call, [])
                          if of in dominating[block] and loops[of] <= loops[block]), None)
            if known is None:
                first.setdefault(call, []).append((operands[1], block))
            else:
                same[operands[1]] = known
    return same


def without_repeated_calls(code):
    """Returns a module that copies what a call has given in place of calling again. An optimiser removes the copies."""
    words = words_of(code)
    found = [(operation, operands) for _, operation, operands in instructions(words)]
    functions = bodies(found)
    without_effect, same = functions_without_effect(found, functions), {}
    for body in functions.values():
        same |= repeated_calls(body, without_effect)
    copied = [(OP_COPY, (*operands[:2], same[operands[1]])) if operation == OP_CALL and operands[1] in same
              else (operation, operands) for operation, operands in found]
    return code_of([*words[:HEADER_WORDS], *words_of_instructions(copied)])
