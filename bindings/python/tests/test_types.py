"""The type hints are complete and right: mypy accepts the package and a right program, and finds each wrong line."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from support import FOLDER, PACKAGE, environment


def mypy(*paths):
    """Runs mypy as strictly as it can be and returns its lines."""
    cache = pathlib.Path(environment("CLOTHC_BUILD_DIR")) / "python_mypy"
    options = ["--strict", "--show-error-codes", "--no-error-summary", "--python-executable", sys.executable]
    result = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "--cache-dir", cache, *paths],
        capture_output=True,
        text=True,
        env=os.environ | {"MYPYPATH": str(PACKAGE)},
    )
    assert not result.stderr, result.stderr
    return result.stdout.splitlines()


class Types(unittest.TestCase):
    def test_only_each_wrong_line_is_found(self):
        program = FOLDER / "typing/wrong.py"
        expected = {
            f"{number}: {line.rsplit('# ', 1)[1]}"
            for number, line in enumerate(program.read_text().splitlines(), 1)
            if "  # " in line
        }
        self.assertEqual(11, len(expected))
        lines = [line for line in mypy(PACKAGE / "clothc", FOLDER / "typing/right.py", program) if ": error: " in line]
        found = {re.sub(r".*wrong\.py:(\d+): error: .*\[([a-z-]+)\]$", r"\1: \2", line) for line in lines}
        self.assertEqual(expected, found)
