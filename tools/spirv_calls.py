# spirv_calls.py - chooses the functions of a SPIR-V module that stay functions, of which it has one copy, when an
# optimiser inlines all others. A driver has to compile at least what a module has, and modules with few calls and
# local variables take it less time.
import collections

from spirv_words import OP_CALL, OP_FUNCTION, OP_IMAGE_FETCH, OP_NAME, code_of, instructions, text_of, words_of

# Positions of the functions' controls, and the control that keeps a function from being inlined.
OP_PARAMETER, CONTROL, DONT_INLINE = 55, 3, 2
# The words of a function with its first label and its return, of a parameter, of a call, and of an argument.
FUNCTION_WORDS, PARAMETER_WORDS, CALL_WORDS, ARGUMENT_WORDS = 10, 3, 4, 1
# A function stays one if the module is smaller by so many words.
LEAST_SAVED = 100


class Function:
    def __init__(self, place):
        self.place, self.words, self.parameters, self.fetches, self.calls = place, 0, 0, False, collections.Counter()


def functions_of(code):
    """Maps the id of each function to what it has, and the name main to that of the entry point's function."""
    found, main, current = {}, None, None
    for place, operation, operands in instructions(words_of(code)):
        if operation == OP_NAME and text_of(operands[1:]) == "main":
            main = operands[0]
        elif operation == OP_FUNCTION:
            current = found[operands[1]] = Function(place)
        if current:
            current.words += len(operands) + 1
            current.parameters += operation == OP_PARAMETER
            current.fetches |= operation == OP_IMAGE_FETCH
            if operation == OP_CALL:
                current.calls[operands[2]] += 1
    return found, main


def inlined_words(found, function, kept):
    """The words that take the place of a call, with copies of all that the function calls but those in kept."""
    of = found[function]
    own = of.words - FUNCTION_WORDS - PARAMETER_WORDS * of.parameters
    return own + sum(times * (inlined_words(found, callee, kept) - call_words(found[callee]))
                     for callee, times in of.calls.items() if callee not in kept)


def call_words(of):
    return CALL_WORDS + ARGUMENT_WORDS * of.parameters


def calls(found, main, kept):
    """How many calls of each function there are if all but those in kept are inlined."""
    counted = collections.Counter()

    def count(function, times):
        for callee, calls_of_it in found[function].calls.items():
            counted[callee] += times * calls_of_it
            if callee not in kept:
                count(callee, times * calls_of_it)

    for root in {main, *kept}:
        count(root, 1)
    return counted


def kept_functions(code):
    """Returns the functions to keep. Those that fetch texels are, because drivers make a call of each fetch."""
    found, main = functions_of(code)
    kept = {function for function, of in found.items() if of.fetches}
    while True:
        times = calls(found, main, kept)

        def saved(function):
            of, body = found[function], inlined_words(found, function, kept)
            alone = FUNCTION_WORDS + PARAMETER_WORDS * of.parameters + body
            return times[function] * (body - call_words(of)) - alone

        best = max((function for function in found if function not in kept | {main}), key=saved, default=None)
        if best is None or saved(best) < LEAST_SAVED:
            return kept
        kept.add(best)


def with_calls(code, kept):
    """Tells the optimiser not to inline these functions."""
    words = list(words_of(code))
    for place, operation, operands in instructions(words_of(code)):
        if operation == OP_FUNCTION and operands[1] in kept:
            words[place + CONTROL] |= DONT_INLINE
    return code_of(words)
