# programs.py - which lines of a program's PTX belong to which kernel. A program chooses the kernel of a job by
# comparing the number of the kernel with constants; what it runs from there to the barrier behind the job belongs to
# the kernel.
import collections
import functools
import re
import sys

from account.native import ROOT, text_of

sys.path.append(str(ROOT / "tools"))
import kernel_list

DISPATCH = "jobs and barriers"
COMPARISONS = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "gt": lambda a, b: a > b, "lt": lambda a, b: a < b,
               "ge": lambda a, b: a >= b, "le": lambda a, b: a <= b}
COMPARE = re.compile(r"setp\.(\w+)\.[us]\d+ (%p\d+), (%\w+), (\d+);")
JUMP = re.compile(r"(?:@(!?)(%p\d+) )?bra(?:\.uni)? (\$\w+);")


class Text:
    def __init__(self, kernel):
        self.lines = [""] + text_of(kernel).splitlines()
        self.labels = {line[:-1]: number for number, line in enumerate(self.lines) if re.fullmatch(r"\$\w+:", line)}
        # The number of the kernel is the 16-bit register that is compared with most constants.
        compared = [match[3] for line in self.lines if (match := COMPARE.match(line)) and match[3].startswith("%rs")]
        self.chooser = collections.Counter(compared).most_common(1)[0][0]
        self.first = next(number for number in range(len(self.lines)) if self.chooses(number))

    def chooses(self, number):
        compare = COMPARE.match(self.lines[number])
        return bool(compare) and compare[3] == self.chooser

    def follow(self, number, kernels, begins):
        """Walks through the comparisons from a line on, with the kernels for which the program comes here."""
        while self.lines[number].endswith(":") or not self.lines[number]:
            number += 1
        jump = JUMP.match(self.lines[number])
        if jump and not jump[2]:
            return self.follow(self.labels[jump[3]], kernels, begins)
        if not self.chooses(number):
            begins.setdefault(number, set()).update(kernels)
            return
        compare, jump = COMPARE.match(self.lines[number]), JUMP.match(self.lines[number + 1])
        taken = {kernel for kernel in kernels if COMPARISONS[compare[1]](kernel, int(compare[4])) != bool(jump[1])}
        self.follow(self.labels[jump[3]], taken, begins)
        self.follow(number + 2, kernels - taken, begins)

    def reached(self, begin):
        """Returns the lines that may be run from a line on, up to a barrier that all threads of the block come to."""
        found, waiting = set(), [begin]
        while waiting:
            number = waiting.pop()
            if number in found or number >= len(self.lines) or self.lines[number].startswith("bar.sync"):
                continue
            found.add(number)
            jump = JUMP.match(self.lines[number])
            if jump:
                waiting.append(self.labels[jump[3]])
            if not (jump and not jump[2]) and self.lines[number] != "ret;":
                waiting.append(number + 1)
        return found


@functools.cache
def kernel_of_lines(program):
    """Returns the kernel of each line that belongs to one alone."""
    text = Text(program)
    names = [name for name, *_ in kernel_list.kernels(ROOT / "src/kernels/kernels.def")]
    begins = {}
    text.follow(text.first, set(range(len(names))), begins)
    owners = {}
    for begin, kernels in begins.items():
        for number in text.reached(begin):
            owners.setdefault(number, set()).update(kernels if len(kernels) == 1 else {None})
    alone = {number: next(iter(kernels)) for number, kernels in owners.items() if len(kernels) == 1}
    return {number: names[kernel] for number, kernel in alone.items() if kernel is not None}


def part_of(kernel, line):
    """Returns the kernel to which a line of a launched kernel belongs."""
    if not kernel.startswith("program_"):
        return kernel
    return kernel_of_lines(kernel).get(line, DISPATCH)
