# spirv_words.py - reads SPIR-V modules as lists of instructions, and makes words of the records in them: a module that
# accesses members of a record has to declare the types and the offsets of all of its hundreds of members.
import struct

# Opcodes of SPIR-V, decorations, and a class of storage.
OP_NAME, OP_MEMBER_NAME, OP_DECORATE, OP_MEMBER_DECORATE = 5, 6, 71, 72
OP_TYPE_INT, OP_TYPE_FLOAT, OP_TYPE_STRUCT, OP_TYPE_POINTER = 21, 22, 30, 32
OP_CONSTANT, OP_FUNCTION, OP_CALL, OP_VARIABLE, OP_LOAD, OP_STORE, OP_ACCESS_CHAIN = 43, 54, 57, 59, 61, 62, 65
OP_IMAGE_FETCH, OP_BITCAST, OP_ADD, OP_MULTIPLY, OP_ATOMIC_ADD = 95, 124, 128, 132, 234
# Negation, addition, subtraction, multiplication, divisions and remainders.
ON_INTEGERS = (126, 128, 130, 132, 134, 135, 137, 138, 139)
ARRAY_STRIDE, OFFSET, NO_CONTRACTION, STORAGE_BUFFER = 6, 35, 42, 12
HEADER_WORDS, BOUND = 5, 3


def words_of(code):
    return struct.unpack(f"<{len(code) // 4}I", code)


def code_of(words):
    return struct.pack(f"<{len(words)}I", *words)


def instructions(words):
    """Yields the place, the opcode and the operands of each instruction of a module."""
    k = HEADER_WORDS
    while k < len(words):
        yield k, words[k] & 0xffff, words[k + 1:k + (words[k] >> 16)]
        k += words[k] >> 16


def words_of_instructions(found):
    return [word for operation, operands in found for word in (len(operands) + 1 << 16 | operation, *operands)]


def text_of(operands):
    return code_of(operands).split(b"\0")[0].decode()


class Declared:
    """What a module declares: names, layouts, types, constants and buffers."""

    def __init__(self, found):
        self.structs, self.offsets, self.strides, self.types, self.values, self.buffers = {}, {}, {}, {}, {}, {}
        for operation, operands in found:
            if operation == OP_NAME:
                self.structs.setdefault(text_of(operands[1:]), operands[0])
            elif operation == OP_MEMBER_DECORATE and operands[2] == OFFSET:
                self.offsets[operands[:2]] = operands[3] // 4
            elif operation == OP_DECORATE and operands[1] == ARRAY_STRIDE:
                self.strides[operands[0]] = operands[2] // 4
            elif OP_TYPE_INT <= operation <= OP_TYPE_POINTER:
                self.types[operands[0]] = (operation, *operands[1:])
            elif operation == OP_CONSTANT:
                self.values[operands[1]] = operands[2]
            elif operation == OP_VARIABLE and operands[2] == STORAGE_BUFFER:
                self.buffers[self.types[operands[0]][2]] = operands[1]

    def buffer(self, block):
        return self.buffers.get(self.structs.get(block))

    def type_id(self, *wanted):
        return next(one for one, declared in self.types.items() if declared == wanted)


class RecordWords:
    """Rewrites the accesses of the members of one buffer's structures as accesses of the words of another buffer, which
    is the same memory. An optimiser then removes the declarations."""

    def __init__(self, words, block_of_records, block_of_words):
        self.found = [(operation, operands) for _, operation, operands in instructions(words)]
        self.declared, self.header = Declared(self.found), list(words[:HEADER_WORDS])
        self.block, self.records = self.declared.structs.get(block_of_records), self.declared.buffer(block_of_records)
        self.words = self.declared.buffer(block_of_words)
        self.constants, self.written, self.members = {}, [], set()

    def accesses_records(self):
        return any(operation == OP_ACCESS_CHAIN and operands[2] == self.records for operation, operands in self.found)

    def fresh(self):
        self.header[BOUND] += 1
        return self.header[BOUND] - 1

    def constant(self, value):
        if value not in self.constants:
            self.constants[value] = self.fresh()
        return self.constants[value]

    def computed(self, operation, *operands):
        result = self.fresh()
        self.written.append((operation, (self.int, result, *operands)))
        return result

    def place(self, indices):
        """Computes the index of the word to which the indices of an access chain lead."""
        of, offset, moving = self.block, 0, []
        for index in indices:
            operation, *parts = self.declared.types[of]
            if operation == OP_TYPE_STRUCT:
                member = self.declared.values[index]
                offset, of = offset + self.declared.offsets[of, member], parts[member]
            else:
                moving.append((index, self.declared.strides[of]))
                of = parts[0]
        place = self.constant(offset)
        for index, stride in reversed(moving):
            step = index if stride == 1 else self.computed(OP_MULTIPLY, index, self.constant(stride))
            place = self.computed(OP_ADD, step, place)
        return place

    def rewrite(self, operation, operands):
        if operation == OP_ACCESS_CHAIN and operands[2] == self.records:
            self.members.add(operands[1])
            place = self.place(operands[3:])
            self.written.append((operation, (self.pointer, operands[1], self.words, self.constant(0), place)))
        elif operation == OP_LOAD and operands[2] in self.members:
            word = self.computed(OP_LOAD, operands[2])
            self.written.append((OP_BITCAST, (*operands[:2], word)))
        elif operation == OP_STORE and operands[0] in self.members:
            self.written.append((operation, (operands[0], self.computed(OP_BITCAST, operands[1]))))
        elif operation == OP_ATOMIC_ADD and operands[2] in self.members:
            addend = self.computed(OP_BITCAST, operands[5])
            self.written.append((operation, (self.int, *operands[1:5], addend)))
        else:
            self.written.append((operation, operands))

    def rewritten(self):
        """Returns the words of the module. Constants come behind all types, in front of the first function."""
        self.int = self.declared.type_id(OP_TYPE_INT, 32, 1)
        self.pointer = self.declared.type_id(OP_TYPE_POINTER, STORAGE_BUFFER, self.int)
        for instruction in self.found:
            self.rewrite(*instruction)
        first = next(k for k, (operation, _) in enumerate(self.written) if operation == OP_FUNCTION)
        constants = [(OP_CONSTANT, (self.int, result, value)) for value, result in self.constants.items()]
        self.written[first:first] = constants
        return self.header + words_of_instructions(self.written)


def with_record_words(code, block_of_records, block_of_words):
    """Returns a module that accesses the records as words."""
    module = RecordWords(words_of(code), block_of_records, block_of_words)
    return code_of(module.rewritten()) if module.accesses_records() else code


def without_needless_decorations(code):
    """Returns a module without NoContraction where it says nothing, which is at operations on integers."""
    words = words_of(code)
    integers = {operands[1] for _, operation, operands in instructions(words) if operation in ON_INTEGERS}
    kept = [(operation, operands) for _, operation, operands in instructions(words)
            if not (operation == OP_DECORATE and operands[1] == NO_CONTRACTION and operands[0] in integers)]
    return code_of([*words[:HEADER_WORDS], *words_of_instructions(kept)])
