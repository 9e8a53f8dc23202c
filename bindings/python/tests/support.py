"""support.py - what the tests share: pieces of cloth, and programs that run in an interpreter of their own."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

import numpy
from clothc import Backend, Device, Fabric, Solver

FOLDER = pathlib.Path(__file__).resolve().parent
PACKAGE = FOLDER.parent
DESCRIPTION = json.loads((PACKAGE.parent / "clothc.json").read_text())


def environment(name):
    """A variable that CMake sets for tests of bindings."""
    if name not in os.environ:
        raise AssertionError(f"the environment variable {name} is not set; run the tests with ctest")
    return os.environ[name]


def processor():
    """A device with one thread."""
    return Device(Backend.CPU, worker_count=1)


def sheet(columns=8, rows=6):
    """The vertices, quads and inverse masses of a sheet whose first row is pinned."""
    vertices = numpy.arange(rows * columns)
    positions = numpy.zeros((rows * columns, 3), numpy.float32)
    positions[:, 0] = 0.1 * (vertices % columns)
    positions[:, 2] = 0.1 * (vertices // columns)
    first = vertices.reshape(rows, columns)[:-1, :-1].reshape(-1, 1)
    return positions, first + numpy.array([0, 1, 1 + columns, columns]), numpy.where(vertices < columns, 0, 1)


def cook(device, columns=8, rows=6, **settings):
    """The fabric of a sheet."""
    positions, quads, inverse_masses = sheet(columns, rows)
    return Fabric.cook(device, positions, quads=quads, inverse_masses=inverse_masses, **settings)


def hanging_sheet(device, columns=8, rows=6):
    """A solver with a sheet, and the cloth."""
    solver = Solver(device, particle_capacity=1024)
    return solver, solver.add_cloth(cook(device, columns, rows))


def run_python(code, *arguments, **variables):
    """Runs a program in an interpreter of its own and returns what it printed. It must end well and silently."""
    path = os.pathsep.join([str(PACKAGE), str(FOLDER)])
    result = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"PYTHONPATH": path} | variables,
    )
    if result.returncode != 0 or result.stderr:
        raise AssertionError(f"the program ended with {result.returncode} and wrote: {result.stderr}")
    return result.stdout


class OnProcessor(unittest.TestCase):
    """A test with a device that goes afterwards."""

    def setUp(self):
        self.device = processor()
        self.addCleanup(self.device.destroy)
