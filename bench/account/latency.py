# latency.py - how long a block of threads takes that has a multiprocessor to itself, estimated from the dependencies
# of its instructions: each stretch of code without branches takes as long as its longest chain of instructions that
# wait for each other, or as it takes to issue them all. Stretches follow one another, and the slowest warp of a job
# counts.
import collections
import math
import re

from account.native import expansion, text_of
from account.programs import DISPATCH, part_of

# Cycles until a result can be used. Source, about: Luo et al. 2024, "Benchmarking and Dissecting the Nvidia Hopper
# GPU Architecture via Microbenchmarking" (shared memory 29, first-level cache 41, second-level cache 263 on an H100;
# the same within a few cycles on Ada); Jia et al. 2018, "Dissecting the NVIDIA Volta GPU Architecture via
# Microbenchmarking" (dependent arithmetic 4). Division and square root: their chains of 8 instructions. Branches and
# barriers: assumed.
ARITHMETIC, SHARED, NEAR, FAR, DIVISION, ROOT, BRANCH, BARRIER = 4, 29, 41, 263, 46, 42, 10, 40
REGISTER = re.compile(r"%\w+")
INSTRUCTION = re.compile(r"(?:@!?(%p\d+) )?([a-z][\w.]*) ?(.*);")


def latency_of(form, is_native, global_latency):
    if form.startswith(("ld.global", "atom")):
        return global_latency
    if form.startswith("ld.shared"):
        return SHARED
    if form.startswith("div.rn.f32"):
        return DIVISION
    if form.startswith("sqrt"):
        return ROOT
    return ARITHMETIC if is_native else 0


def sorted_operands(form, text):
    """Returns the registers that an instruction writes, and those that it reads."""
    if form.startswith(("st.", "red.", "bra", "bar", "ret")):
        return [], REGISTER.findall(text)
    written, _, read = text.partition("}, " if text.startswith("{") else ", ")
    return REGISTER.findall(written), REGISTER.findall(read)


def stretches(lines):
    """Divides the lines of a PTX text, numbered from 1, into stretches that are entered at their begin and left at their
    end."""
    current = []
    for number, line in enumerate(lines, 1):
        if line.startswith("$") and current:
            yield current
            current = []
        if line and line[0] not in ".{}$()":
            current.append(number)
        if re.match(r"(@\S+ )?bra|bar|ret", line) and current:
            yield current
            current = []


def chain_of(numbers, lines, native, global_latency):
    """Returns the cycles until the last result of a stretch is there."""
    ready, last = collections.defaultdict(int), 0
    for number in numbers:
        guard, form, operands = INSTRUCTION.match(lines[number - 1]).groups()
        written, read = sorted_operands(form, operands)
        begin = max((ready[register] for register in [*read, *filter(None, [guard])]), default=0)
        if form.startswith("bar"):
            end = begin + BARRIER
        elif form.startswith("bra"):
            end = begin + (BRANCH if native.get(number) else 0)
        else:
            end = begin + latency_of(form, bool(native.get(number)), global_latency)
        for register in written:
            ready[register] = end
        last = max(last, end)
    return last


def cycles_of_parts(kernel, counts, architecture, one_per_group, warps, global_latency):
    """Returns the cycles of each part of a program that ran with one block of 4 warps, if it had that many warps.
    one_per_group: the kernels that only one thread runs."""
    lines, native = text_of(kernel).splitlines(), expansion(kernel, architecture)
    entries, cycles = {}, collections.Counter()
    for numbers in stretches(lines):
        executed = counts.lines[numbers[0]].warps if numbers[0] in counts.lines else 0
        if not executed:
            continue
        part = part_of(kernel, numbers[0])
        # Every warp enters a kernel at its first stretch.
        entered = entries.setdefault(part, executed)
        issued = sum(sum(native.get(number, {}).values()) for number in numbers)
        chain = chain_of(numbers, lines, native, global_latency)
        if part in one_per_group:
            turns, sharing = executed, 1
        elif part == DISPATCH or executed == entered:
            turns, sharing = executed / 4, warps / 4
        else:
            jobs = max(entered / 4, 1)
            turns, sharing = executed / jobs / warps, warps / 4
            turns = jobs * (math.ceil(turns) if turns > 0.5 else turns)
        cycles[part] += turns * max(chain, issued * sharing)
    return cycles
