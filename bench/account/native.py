# native.py - what ptxas makes of each line of a kernel's PTX: the native instructions that the line becomes, by the
# unit that executes them. ptxas writes tables of lines for debuggers, in which each native instruction has the line
# that it comes from; the code is the same with and without these tables.
import collections
import functools
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
INSTRUCTION_SIZE = 16
# The low 9 bits of a native instruction tell what it is. These were found by compiling small kernels.
BRANCH, CALL, EXIT, BARRIER = 0x147, 0x144, 0x14d, 0x11d
FLOAT = {0x020, 0x021, 0x023}
MULTIPLY = {0x024, 0x025, 0x027}
SPECIAL = {0x100, 0x102, 0x104, 0x105, 0x106, 0x108, 0x109}
MEMORY = {0x181, 0x186, 0x184, 0x188, 0x183, 0x187, 0x18e, 0x1a8, 0x18c, 0x182}
CONTROL = {BRANCH, CALL, EXIT, BARRIER, 0x150, 0x145, 0x141, 0x142, 0x118, 0x148}
NOTHING = 0x118
MOVES = {0x002, 0x024}
KINDS = ("float", "multiply", "special", "memory", "control", "other")


def ptxas():
    return shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")


def text_of(kernel):
    text = (ROOT / f"src/kernels/ptx/{kernel}.inc").read_text()
    return "".join(re.findall(r'R"\((.*?)\)",', text, re.S))


def kind_of(operation):
    for kind, operations in zip(KINDS, (FLOAT, MULTIPLY, SPECIAL, MEMORY, CONTROL)):
        if operation in operations:
            return kind
    return "other"


def with_locations(text):
    """Returns PTX in which each instruction tells its line."""
    lines, is_body = [], False
    for number, line in enumerate(text.splitlines(), 1):
        is_body = is_body or line == "{"
        if is_body and line and line[0] not in ".{}$":
            lines.append(f".loc 1 {number} 0")
        lines.append(line)
    return "\n".join(lines) + '\n.file 1 "kernel.ptx"\n'


def readelf(option, path):
    return subprocess.run(["readelf", *option.split(), path], capture_output=True, text=True, check=True).stdout


def operations_of(path, kernel):
    """Returns the operation of each native instruction of the kernel, without the functions for rare operands."""
    sections = readelf("-SW", path)
    offset, size = re.search(rf"\.text\.clothc_{kernel} +PROGBITS +\w+ (\w+) (\w+)", sections).groups()
    code = path.read_bytes()[int(offset, 16):][:int(size, 16)]
    internal = re.findall(r"([0-9a-f]+) +\d+ FUNC .* \$__internal", readelf("-sW", path))
    end = min((int(address, 16) for address in internal), default=len(code))
    return [struct.unpack_from("<H", code, at)[0] & 0x1ff for at in range(0, end, INSTRUCTION_SIZE)]


def rare(operations):
    """Returns the positions of the instructions that call a function for rare operands of a division or a square root."""
    found = set()
    for call in (at for at, operation in enumerate(operations) if operation == CALL):
        first, last = call, call
        while operations[first - 1] != BRANCH:
            first -= 1
        while last + 1 < len(operations) and last - call < 2 and operations[last + 1] in MOVES | {BRANCH}:
            last += 1
        found.update(range(first, last + 1))
    return found


def lines_of(path, count):
    """Returns the line of each native instruction."""
    rows = re.findall(r"^kernel\.ptx +(\d+) +(0x[0-9a-f]+|0)\b", readelf("--debug-dump=decodedline", path), re.M)
    result, at, line = [], 0, 0
    for number, address in [*rows, ("0", hex(count * INSTRUCTION_SIZE))]:
        begin = min(int(address, 16) // INSTRUCTION_SIZE, count)
        result += [line] * (begin - at)
        at, line = max(at, begin), int(number)
    return result


@functools.cache
def expansion(kernel, architecture):
    """Returns how many instructions of each kind each line of the PTX becomes. What runs for rare operands is left out."""
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder) / "kernel.ptx", pathlib.Path(folder) / "kernel.cubin"
        source.write_text(with_locations(text_of(kernel)))
        subprocess.run([ptxas(), f"-arch=sm_{architecture}", "-lineinfo", source, "-o", binary], check=True)
        operations = operations_of(binary, kernel)
        lines, left_out = lines_of(binary, len(operations)), rare(operations)
    result = collections.defaultdict(collections.Counter)
    for at, (operation, line) in enumerate(zip(operations, lines)):
        if at not in left_out and operation != NOTHING:
            result[line][kind_of(operation)] += 1
    return result
