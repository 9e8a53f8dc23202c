# gpus.py - what GPUs can do at most, from what their maker publishes, and how long counted work takes them at least.
import collections

# cores: multiprocessors. clock: GHz, the highest that is published. memory: GB/s.
# Sources: NVIDIA H100 Tensor Core GPU Architecture, the board with SXM (132 multiprocessors, 3,352 GB/s); NVIDIA H200
# data sheet (4.8 TB/s); NVIDIA Ada GPU Architecture (RTX 4090); Jetson AGX Orin Series Data Sheet (64 GB). The clock of
# the H100 and the H200 is not in these; 1.98 GHz is what nvidia-smi reports of them.
Gpu = collections.namedtuple("Gpu", "name architecture cores clock memory")
GPUS = (Gpu("H200", 90, 132, 1.98, 4800), Gpu("H100", 90, 132, 1.98, 3352), Gpu("RTX 4090", 89, 128, 2.52, 1008),
        Gpu("Orin", 87, 16, 1.3, 204.8))
# In a cycle, a multiprocessor issues at most 4 instructions of warps, of which 2 may be of other arithmetic than that
# of floats (comparisons, minima and integers: 64 lanes of 128) and half a one may be special (16 lanes); and its
# first-level cache, which shared memory is a part of, serves 128 bytes. Source: NVIDIA, CUDA C++ Programming Guide,
# "Arithmetic Instructions", compute capability 8.6 to 9.0.
ISSUED, OTHER, SPECIAL, TURNS = 4, 2, 0.5, 1
SECTOR = 32


def is_global(form):
    return form.startswith(("ld.global", "st.global", "atom.global", "red.global", "atom", "red"))


def turns_of(line):
    """How often the first-level cache is needed for a line: once for each 4 sectors, or as often as the banks of shared memory."""
    return max(line.warps, line.sectors / 4) if is_global(line.form) and line.sectors else line.turns


def bounds(work, gpu):
    """Returns the least milliseconds that each resource of a GPU takes. work: Work of work.py."""
    per_ms = gpu.cores * gpu.clock * 1e6
    return {"issue": work.instructions / (ISSUED * per_ms), "integers": work.other / (OTHER * per_ms),
            "special": work.special / (SPECIAL * per_ms), "cache": work.turns / (TURNS * per_ms),
            "memory": (work.read + work.written) * SECTOR / (gpu.memory * 1e6)}
