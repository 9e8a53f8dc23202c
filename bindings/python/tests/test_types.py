"""The type hints are complete and right: mypy accepts the package and a right program, and each wrong line is found."""

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
    options = ["--strict", "--no-error-summary", "--cache-dir", cache, "--python-executable", sys.executable]
    result = subprocess.run(
        ["/usr/bin/mypy", *options, *paths],
        capture_output=True,
        text=True,
        env=os.environ | {"MYPYPATH": str(PACKAGE)},
    )
    assert not result.stderr, result.stderr
    return result.stdout.splitlines()


class Types(unittest.TestCase):
    def test_the_package_and_a_right_program_are_accepted(self):
        self.assertEqual([], mypy(PACKAGE / "clothc", FOLDER / "typing/right.py"))

    def test_each_wrong_line_is_found(self):
        program = FOLDER / "typing/wrong.py"
        expected = {
            (number, line.rsplit("# ", 1)[1])
            for number, line in enumerate(program.read_text().splitlines(), 1)
            if "  # " in line
        }
        found = {
            (int(match[1]), match[2])
            for line in mypy("--show-error-codes", program)
            if (match := re.match(r".*wrong\.py:(\d+): error: .*\[([a-z-]+)\]$", line))
        }
        self.assertEqual(expected, found)
        self.assertEqual(11, len(expected))
