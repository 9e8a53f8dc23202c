"""Whole programs: the flag gives the bits of the C program, and the page's program and the bench run as they stand."""

import pydoc
import re
import subprocess
import unittest

import clothc
from support import PACKAGE, environment, run_python


def readme_program():
    """The program in README.md."""
    return re.search(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL).group(1)


class Programs(unittest.TestCase):
    def test_the_flag_is_that_of_the_c_program(self):
        expected = subprocess.run([environment("CLOTHC_FLAG"), "60"], capture_output=True, text=True, check=True).stdout
        self.assertRegex(expected, r"\Astretch \d+\.\d{3} %\nstate hash [0-9a-f]{16}\n\Z")
        program = (PACKAGE / "examples/flag.py").read_text()
        self.assertEqual(expected, run_python(program, "60"))

    def test_the_program_of_the_page_runs(self):
        program = readme_program()
        self.assertLessEqual(len(program.splitlines()), 24)
        lines = run_python(program).splitlines()
        self.assertEqual(61, len(lines))
        self.assertRegex(lines[59], r"^59: the lowest particle is at 0\.\d{3} m$")
        self.assertRegex(lines[60], r"^state hash [0-9a-f]{16}$")

    def test_the_bench_measures_a_frame(self):
        self.assertRegex(run_python((PACKAGE / "bench/frame.py").read_text(), "20", "0"), r"^median_ns [1-9]\d*\n$")

    def test_every_module_has_a_page_of_documentation(self):
        for path in sorted((PACKAGE / "clothc").rglob("*.py")):
            name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
            with self.subTest(name):
                text = pydoc.render_doc(name, renderer=pydoc.plaintext)
                self.assertIn(f"{path.name} - " if path.name != "__init__.py" else "clothc", text)
        text = pydoc.render_doc(clothc.ClothParameters, renderer=pydoc.plaintext)
        self.assertIn("m/s2, |component| <= 1e6; default 0 -9.81 0.", text)


class House(unittest.TestCase):
    def test_lines_are_not_too_long(self):
        for folder in ("clothc", "tests", "examples", "bench"):
            for path in (PACKAGE / folder).rglob("*.py"):
                long = [line for line in path.read_text().splitlines() if len(line) > 120]
                self.assertEqual([], long, path)


