# spirv_ranges.py - which range the integers and floats of a SPIR-V module are in, as far as the module shows it, for the
# rules of spirv_rules.py about shifts and conversions, whose results are undefined beyond.
import re


def numbers(found):
    """The values of integer constants by their ids."""
    return {result: int(operands[1]) for result, operation, operands in found
            if operation == "OpConstant" and re.fullmatch(r"-?\d+", operands[1])}


def floats(found):
    """The values of finite constants of single precision by their ids."""
    return {result: float(operands[1]) for result, operation, operands in found
            if operation == "OpConstant" and operands[0] == "%float" and "x" not in operands[1]}


def definitions(found):
    return {result: (operation, operands) for result, operation, operands in found if result}


class Bounds:
    """Upper bounds of unsigned values, as far as they follow from constants."""

    def __init__(self, found):
        self.values = definitions(found)
        self.numbers = numbers(found)
        # What values are compared with, as in loops from 0 to a constant.
        self.limits = {operands[1]: operands[2] for _, operation, operands in found
                       if operation in ("OpSLessThan", "OpULessThan")}

    def of(self, value):
        """The greatest value that it may have, or None."""
        if value in self.numbers:
            return self.numbers[value] if self.numbers[value] >= 0 else None
        operation, operands = self.values.get(value, ("", []))
        if operation == "OpBitcast":
            return self.of(operands[1])
        if operation == "OpBitwiseAnd":
            return min((bound for bound in map(self.of, operands[1:]) if bound is not None), default=None)
        if operation in ("OpSelect", "OpIAdd"):
            bounds = list(map(self.of, operands[-2:]))
            return None if None in bounds else max(bounds) if operation == "OpSelect" else sum(bounds)
        if operation == "OpPhi" and self.counts_up(value, operands):
            limit = self.of(self.limits.get(value))
            return None if limit is None else limit - 1
        return None

    def counts_up(self, value, operands):
        """Whether an OpPhi begins with a constant and grows by constants, as the variable of a loop does."""
        for source in operands[1::2]:
            operation, addends = self.values.get(source, ("", []))
            if source in self.numbers:
                continue
            if operation != "OpIAdd" or value not in addends or self.of(addends[3 - addends.index(value)]) is None:
                return False
        return True


def shifted_too_far(found):
    """By more than 31 bits or, for all that the module shows, by any number of bits."""
    bounds = Bounds(found)
    return [f"{operation} {result} shifts by {operands[2]}, of which the module does not show that it is below 32"
            for result, operation, operands in found if operation.startswith("OpShift")
            and not 0 <= (-1 if bounds.of(operands[2]) is None else bounds.of(operands[2])) < 32]


class Conversions:
    """Floats that are converted to integers. Out of range, SPIR-V leaves the behaviour undefined."""

    def __init__(self, found):
        self.values = definitions(found)
        self.numbers = numbers(found)
        self.floats = floats(found)

    def take(self, value, operation):
        """The operands of a value without its type, if this operation makes it."""
        made_by, operands = self.values.get(value, ("", []))
        return operands[1:] if made_by == operation else None

    def is_same(self, a, b):
        return a == b or (self.take(a, "OpLoad") is not None and self.take(a, "OpLoad") == self.take(b, "OpLoad"))

    def magnitude_of(self, value):
        """The value of which this one is the magnitude."""
        bits = self.take((self.take(value, "OpBitcast") or [""])[0], "OpBitwiseAnd") or []
        if not any(self.numbers.get(operand) == 0x7fffffff for operand in bits):
            return None
        return next((self.take(operand, "OpBitcast")[0] for operand in bits if self.take(operand, "OpBitcast")), None)

    def is_guarded(self, value):
        """to_int(): zero where the magnitude is 2^31 or more, or the value is NaN. Listings round 2^31 to 2147483650; the
        next float is 2^31 + 256."""
        condition, kept, other = self.take(value, "OpSelect") or [""] * 3
        less = self.take(condition, "OpFOrdLessThan")
        return (less is not None and self.floats.get(less[1], 2.0 ** 32) <= 2.0 ** 31 + 200
                and self.floats.get(other) == 0 and self.is_same(self.magnitude_of(less[0]), kept))

    def is_significand(self, value):
        """divide() and square_root(): the device's result for operands between 1 and 4, or 1, times 2^23 or 2^24."""
        native, scale = self.take(value, "OpFMul") or [""] * 2
        select = self.take(native, "OpSelect")
        bits = self.take((self.take(scale, "OpBitcast") or [""])[0], "OpIAdd") or []
        return (select is not None and self.floats.get(select[2]) == 1
                and (self.floats.get(scale) == 2 ** 23 or any(self.numbers.get(one) == 0x4b000000 for one in bits)))

    def is_ratio(self, value):
        """rough_ratio(): an integer times a rough reciprocal of one above 2^23, which is below 2^9."""
        integer, inverse = self.take(value, "OpFMul") or [""] * 2
        difference = (self.take(inverse, "OpFMul") or [""] * 2)[1]
        return (self.take(integer, "OpConvertSToF") is not None
                and self.floats.get((self.take(difference, "OpFSub") or [""])[0]) == 2)


def conversions_out_of_range(found):
    of = Conversions(found)
    return [f"OpConvertFToS {result} of {operands[1]}, which may be out of range; use to_int()"
            for result, operation, operands in found if operation == "OpConvertFToS"
            and not (of.is_guarded(operands[1]) or of.is_significand(operands[1]) or of.is_ratio(operands[1]))]
