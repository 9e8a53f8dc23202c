"""Runs the tool, whose path is the script's first argument, and the script's tests: functions named test_..."""
import json
import pathlib
import subprocess
import sys
import tempfile
import traceback

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
ASSETS = PROJECT.parent / "shared" / "assets"
SKIPPED = 77


def clothc(*arguments, exit_code=0):
    """Runs the tool and returns the finished process; fails if the exit code is not the expected one."""
    command = [sys.argv[1], *map(str, arguments)]
    process = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    assert process.returncode == exit_code, (
        f"{' '.join(command)}: exit code {process.returncode}, want {exit_code}\n{process.stdout}{process.stderr}")
    return process


def clothc_json(*arguments, exit_code=0):
    """Runs the tool with --json and returns its document; stdout must contain nothing else."""
    return json.loads(clothc(*arguments, "--json", exit_code=exit_code).stdout)


def run_tests(tests):
    """Runs the functions named test_... of a module, each with an empty folder; exits with 1 if one fails."""
    failures = 0
    for name, test in tests.items():
        if not name.startswith("test_"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(pathlib.Path(folder))
                print("ok    ", name)
            except Exception:
                failures += 1
                print("FAILED", name)
                traceback.print_exc()
    sys.exit(1 if failures else 0)
