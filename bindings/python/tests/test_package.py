"""The wheel has all that the package needs: it is built and installed without a network, and runs on its own."""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest
import zipfile

from support import PACKAGE, environment
from test_program import readme_program


def run(*command, **options):
    """Runs a program that must end well, without the variables that name this build's library."""
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if result.returncode != 0:
        raise AssertionError(f"{command[0]} failed: {result.stdout}{result.stderr}")
    return result.stdout


class Wheel(unittest.TestCase):
    def test_the_wheel_is_built_and_installed_and_runs(self):
        folder = pathlib.Path(environment("CLOTHC_BUILD_DIR")) / "python_package"
        shutil.rmtree(folder, ignore_errors=True)
        ignored = shutil.ignore_patterns("tests", "build", "*.egg-info", "__pycache__")
        shutil.copytree(PACKAGE, folder / "source", ignore=ignored)
        quiet = ["-q", "--no-index", "--no-deps", "--disable-pip-version-check"]
        variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        run(sys.executable, "-m", "pip", "wheel", *quiet, "--no-build-isolation", "-w", folder, folder / "source",
            env=variables)  # fmt: skip

        wheels = list(folder.glob("*.whl"))
        self.assertEqual(1, len(wheels))
        self.assertRegex(wheels[0].name, r"^clothc-\d+\.\d+\.\d+-py3-none-linux_\w+\.whl$")
        names = zipfile.ZipFile(wheels[0]).namelist()
        modules = [str(path.relative_to(PACKAGE)) for path in (PACKAGE / "clothc").rglob("*.py")]
        for name in [*modules, "clothc/py.typed", "clothc/libclothc.so"]:
            self.assertIn(name, names)
        self.assertTrue(any(name.endswith("dist-info/LICENSE") for name in names))

        run(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", folder / "venv")
        python = folder / "venv/bin/python"
        run(sys.executable, "-m", "pip", "--python", python, "install", *quiet, wheels[0], env=variables)
        alone = {"PATH": "/usr/bin:/bin", "VK_ICD_FILENAMES": "none", "LC_ALL": "C.UTF-8"}
        program = folder / "program.py"
        program.write_text(readme_program())
        printed = run(python, program, env=alone, cwd="/")
        self.assertRegex(printed, r"state hash [0-9a-f]{16}\n$")
        code = "import clothc, importlib.metadata as m; print(clothc.raw.library.LIBRARY._name);"
        code += "print(m.distribution('clothc').read_text('METADATA'))"
        installed, metadata = run(python, "-c", code, env=alone, cwd="/").split("\n", 1)
        self.assertTrue(installed.startswith(str(folder / "venv")), installed)
        for line in ("Name: clothc", "License: Apache-2.0", "License-File: LICENSE", "Requires-Dist: numpy"):
            self.assertIn(line, metadata)
