# counts.py - what the software CUDA device has counted: kernels, with numbers for each line of their PTX. The format
# is described in tests/cuda/device/driver/control.h.
import collections
import os
import pathlib
import subprocess
import tempfile

# Sums of a line: how often warps execute it, and lanes, sectors and turns of the banks of shared memory.
Line = collections.namedtuple("Line", "form warps lanes sectors turns")
# lines: from the number of the line in the PTX to its Line. read, written: sectors of the footprints of all launches.
Kernel = collections.namedtuple("Kernel", "launches blocks threads read written lines")

# They compute the hash of the state, which `clothc compare` asks for in every frame and programs do not.
NOT_OF_AN_UPDATE = {"reduce_hash", "combine_hash", "end_hash"}


# CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
MULTIPROCESSOR_COUNT = 16


def parse(text):
    kernels, lines = {}, None
    for row in text.splitlines():
        words = row.split()
        if words[0] == "kernel":
            lines = {}
            kernels[words[1].removeprefix("clothc_")] = Kernel(*map(int, words[2:]), lines)
        else:
            number = int(words[0])
            assert number not in lines, f"line {number} has several instructions"
            lines[number] = Line(words[1], *map(int, words[2:]))
    return {name: kernel for name, kernel in kernels.items() if name not in NOT_OF_AN_UPDATE}


def counted(build, case, schedule, frames, multiprocessors):
    """Runs frames of a benchmark case on a software device with so many multiprocessors and returns its counts."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "counts"
        environment = {"CLOTHC_CUDA_LIBRARY": str(build / "tests/cuda/device/driver/libclothc_cuda_device.so"),
                       "CLOTHC_CUDA_DEVICE_RULES":
                           f"races=off,counts=on,attribute:{MULTIPROCESSOR_COUNT}={multiprocessors}",
                       "CLOTHC_CUDA_DEVICE_COUNTS": str(path), "VK_ICD_FILENAMES": "none"}
        command = [build / "clothc", "compare", case, "--backends", "cuda", "--schedules", schedule, "--frames", str(frames)]
        subprocess.run(command, env=os.environ | environment, stdout=subprocess.DEVNULL, check=True)
        return parse(path.read_text())


def combined(a, b, function):
    """Applies a function of two numbers to all numbers of two counts. What one of them lacks is 0 there."""
    none = Kernel(0, 0, 0, 0, 0, {})
    result = {}
    for name in a.keys() | b.keys():
        first, second = a.get(name, none), b.get(name, none)
        lines = {}
        for number in first.lines.keys() | second.lines.keys():
            form = (first.lines.get(number) or second.lines.get(number)).form
            no_line = Line(form, 0, 0, 0, 0)
            pair = zip(first.lines.get(number, no_line)[1:], second.lines.get(number, no_line)[1:])
            lines[number] = Line(form, *(function(x, y) for x, y in pair))
        result[name] = Kernel(*(function(x, y) for x, y in zip(first[:-1], second[:-1])), lines)
    return result


def of_frame(build, case, schedule, frame, multiprocessors):
    """Returns the counts of one frame, numbered from 1: those of a run that ends with it less those of one that ends before."""
    runs = (counted(build, case, schedule, frames, multiprocessors) for frames in (frame, frame - 1))
    return combined(*runs, lambda x, y: x - y)


def extrapolated(few, few_count, more, more_count, count):
    """Returns the counts for that many cloths from those for fewer, which grow by as much with every cloth."""
    part = (count - few_count) / (more_count - few_count)
    return combined(few, more, lambda x, y: x + (y - x) * part)


def warp_instructions(kernels):
    return sum(line.warps for kernel in kernels.values() for line in kernel.lines.values())
