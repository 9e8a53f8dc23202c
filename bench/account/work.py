# work.py - what the kernels of counted launches have to do, as numbers of native instructions, of turns of the
# first-level cache and of sectors of memory.
import collections

from account import gpus
from account.native import expansion
from account.programs import part_of

# instructions, other, special: executed by warps. lanes: the threads for which they had an effect, divided by 32 of
# each warp. ptx: instructions of the PTX. loads, sectors: of global memory. shared: accesses to shared memory. read,
# written: sectors of the footprints of all launches.
FIELDS = ("launches", "instructions", "other", "special", "ptx", "lanes", "accesses", "sectors", "shared", "shared_turns", "turns",
          "barriers", "read", "written")
Work = collections.namedtuple("Work", FIELDS, defaults=[0] * len(FIELDS))


def added(*works):
    return Work(*(sum(values) for values in zip(Work(), *works)))


def work_of_line(name, number, line, architecture):
    native = expansion(name, architecture).get(number, {})
    is_global, is_shared = gpus.is_global(line.form), ".shared" in line.form
    return Work(instructions=sum(native.values()) * line.warps, other=(native.get("other", 0)) * line.warps,
                special=native.get("special", 0) * line.warps, ptx=line.warps, lanes=line.lanes,
                accesses=line.warps * is_global, sectors=line.sectors, shared=line.warps * is_shared,
                shared_turns=line.turns,
                turns=gpus.turns_of(line), barriers=line.warps * line.form.startswith("bar"))


def work_of_parts(kernels, architecture):
    """Returns the work of each kernel; that of a program is divided among the kernels in it. What is known of launches alone
    is under the names of what was launched."""
    parts = collections.defaultdict(Work)
    for name, kernel in kernels.items():
        sums = collections.defaultdict(lambda: [0] * len(FIELDS))
        for number, line in kernel.lines.items():
            into = sums[part_of(name, number)]
            for k, value in enumerate(work_of_line(name, number, line, architecture)):
                into[k] += value
        for part, values in sums.items():
            parts[part] = added(parts[part], Work(*values))
        parts[name] = added(parts[name], Work(launches=kernel.launches, read=kernel.read, written=kernel.written))
    return dict(parts)
