"""setup.py - builds a wheel that carries the shared library, for one platform and any version of Python 3.

The library is the file that CLOTHC_LIBRARY names, else that of the release build of this repository, else the installed
one that pkg-config names.
"""

import os
import pathlib
import shutil
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution
from wheel.bdist_wheel import bdist_wheel

# As in clothc/raw/library.py.
NAME = {"win32": "clothc.dll", "darwin": "libclothc.dylib"}.get(sys.platform, "libclothc.so")


def library():
    """The shared library to put into the wheel."""
    if os.environ.get("CLOTHC_LIBRARY"):
        return pathlib.Path(os.environ["CLOTHC_LIBRARY"])
    built = pathlib.Path(__file__).resolve().parent.parent.parent / "build/release" / NAME
    if built.exists():
        return built
    asked = subprocess.run(["pkg-config", "--variable=libdir", "clothc"], capture_output=True, text=True)
    if asked.returncode == 0:
        return pathlib.Path(asked.stdout.strip()) / NAME
    raise SystemExit(f"there is no {NAME}: run ./dev build, install clothc, or set CLOTHC_LIBRARY to the file")


class BuildWithLibrary(build_py):
    """Copies the library beside the modules."""

    def run(self):
        super().run()
        shutil.copyfile(library().resolve(), pathlib.Path(self.build_lib) / "clothc" / NAME)


class PlatformWheel(bdist_wheel):
    """Names the platform, but no version of Python, because no module is compiled for one."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class BinaryDistribution(Distribution):
    """Has files for one platform."""

    def has_ext_modules(self):
        return True


setup(cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel}, distclass=BinaryDistribution)
