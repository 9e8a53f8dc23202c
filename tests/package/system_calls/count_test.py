"""The system calls of updates that are waited for at once: only calls to wait and to wake, and hardly any where one
thread does the work, because that is the thread that waits.
The script's argument is the program `updates`."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
# Number of updates.
FEW, MANY = 100, 600
AUTO, PASS = "0", "2"
WAITING = ("futex", "restart_syscall")


def system_calls(folder, side, workers, schedule, updates):
    """Returns how often the program makes each system call."""
    summary = folder / f"calls_{side}_{workers}_{updates}.txt"
    process = subprocess.run(
        ["strace", "-f", "-c", "-U", "calls,name", "-o", summary, sys.argv[1], side, workers, schedule,
         str(updates)], capture_output=True, text=True, check=False)
    if process.returncode != 0:
        print("skipped: strace cannot trace here:", process.stderr.strip().splitlines()[-1:])
        sys.exit(SKIPPED)
    return {name: int(calls) for calls, name in re.findall(r"^ *(\d+) (\w+)$", summary.read_text(), re.MULTILINE)}


if shutil.which("strace") is None:
    print("skipped: strace is not here")
    sys.exit(SKIPPED)
with tempfile.TemporaryDirectory() as temporary:
    for side, worker_count, how in (("10", "2", AUTO), ("50", "1", AUTO), ("50", "2", PASS)):
        few, many = (system_calls(pathlib.Path(temporary), side, worker_count, how, count) for count in (FEW, MANY))
        more = {name: calls - few.get(name, 0) for name, calls in many.items() if name != "total"}
        waits = sum(more.get(name, 0) for name in WAITING) / (MANY - FEW)
        print(f"{side} x {side} particles, {worker_count} workers: {waits:.2f} calls an update to wait and to wake")
        # When the system runs something else between an update and the wait for it, the next two updates wake a worker,
        # which takes some four calls each. How often several workers wake each other depends on the machine.
        if how == AUTO:
            assert waits < (0.01 if side == "10" else 1), waits
        others = {name: calls for name, calls in more.items() if calls > 5 and name not in WAITING}
        assert not others, others
