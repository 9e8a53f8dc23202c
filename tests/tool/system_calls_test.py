"""What an update asks of the system: nothing but to wait and to be woken."""
import re
import shutil
import subprocess
import sys

from running import run_tests

FEW, MANY = 50, 250  # frames of a repetition, of which there are five


def system_calls(folder, threads, schedule, frames):
    """How often a benchmark makes each system call; None where this machine does not let anyone count them."""
    summary = folder / f"calls_{threads}_{frames}.txt"
    process = subprocess.run(
        ["strace", "-f", "-c", "-U", "calls,name", "-o", summary, "-E", "ASAN_OPTIONS=detect_leaks=0", sys.argv[1], "bench", "sheet50",
         "--threads", str(threads), "--schedule", schedule, "--repetitions", "5", "--frames", str(frames)],
        capture_output=True, text=True, check=False)
    if process.returncode != 0:
        print("skipped: strace cannot trace here:", process.stderr.strip().splitlines()[-1:])
        return None
    return {name: int(calls) for calls, name in re.findall(r"^ *(\d+) (\w+)$", summary.read_text(), re.MULTILINE)}


def test_an_update_only_waits_and_wakes(folder):
    if shutil.which("strace") is None:
        print("skipped: strace is not here")
        return
    for threads, schedule, most in ((1, "auto", 4), (2, "pass", 12)):
        few, many = (system_calls(folder, threads, schedule, frames) for frames in (FEW, MANY))
        if few is None or many is None:
            return
        updates = 5 * (MANY - FEW)
        per_update = {name: (count - few.get(name, 0)) / updates for name, count in many.items()}
        print(threads, "threads:", {name: round(count, 3) for name, count in per_update.items() if abs(count) > 0.01})
        # The tool asks for the processor's time itself, once or twice.
        assert 0.5 < per_update["futex"] < most and per_update.get("clock_gettime", 0) < 2.1, per_update
        others = {name: count for name, count in per_update.items() if name not in ("futex", "clock_gettime", "total")}
        assert all(count < 0.05 for count in others.values()), others


run_tests(dict(globals()))
