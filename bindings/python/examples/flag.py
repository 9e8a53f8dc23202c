"""flag.py - the flag of examples/flag.c: a sheet on a mast in gusty wind. Prints its stretch and the hash of its state,
which are those of the C program.

Usage: flag.py [FRAMES]. Without the number it simulates 300 frames, which are 5 seconds.
"""

import math
import sys

import numpy
from clothc import Backend, ClothParameters, Device, Fabric, Solver, StatisticFlags, Update

COLUMNS, ROWS = 81, 53
FLOAT = numpy.float32

# The velocity, frequency and phase of each gust.
GUSTS = numpy.array(
    [[1.2, 0, 1.8, 0.41, 0], [0.6, 0.4, 1.6, 1.37, 0.2], [0.3, 0.3, 1.0, 3.1, 0.6]],
    FLOAT,
)


def make_sheet():
    """2 m x 1.3 m. The inverse mass 0 pins the left edge."""
    row, column = numpy.indices((ROWS, COLUMNS)).reshape(2, -1)
    positions = numpy.zeros((ROWS * COLUMNS, 3), FLOAT)
    positions[:, 0] = FLOAT(-1) + column.astype(FLOAT) / FLOAT(COLUMNS - 1) * FLOAT(2)
    positions[:, 1] = FLOAT(2.6) - row.astype(FLOAT) / FLOAT(ROWS - 1) * FLOAT(1.3)
    inverse_masses = numpy.where(column == 0, 0, 1)
    first = numpy.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS)[:-1, :-1].reshape(-1, 1)
    quads = first + numpy.array([0, 1, 1 + COLUMNS, COLUMNS])
    return positions, inverse_masses, quads


def add_colliders(solver):
    """The ground, and a mast that is 4 cm thick. Each convex is a list of planes."""
    planes = [[0, 1, 0, 0], [-1, 0, 0, -1.05], [1, 0, 0, 1.01], [0, -1, 0, 0]]
    planes += [[0, 1, 0, -2.7], [0, 0, -1, -0.02], [0, 0, 1, -0.02]]
    return solver.add_collider_set(planes=planes, convexes=[[0], [1, 2, 3, 4, 5, 6]])


def wave(phase):
    """A sine of period 1, approximated by parabolas, so that it is the same in every language."""
    x = 2 * (phase - math.floor(phase + 0.5))
    parabola = 4 * x * (1 - abs(x))
    return FLOAT(parabola + 0.225 * parabola * (abs(parabola) - 1))


def wind(time):
    """7 m/s from the mast to the free end, with gusts."""
    velocity = numpy.array([7, 0.5, 0], FLOAT)
    for gust in GUSTS:
        velocity += gust[:3] * wave(float(gust[3]) * time + float(gust[4]))
    return velocity


def main():
    frame_count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    positions, inverse_masses, quads = make_sheet()
    with Device(Backend.CPU) as device:
        solver = Solver(device)
        fabric = Fabric.cook(device, positions, inverse_masses=inverse_masses, quads=quads, areal_density=0.35)
        parameters = ClothParameters(
            solver_frequency=900,
            damping=(0.3, 0.3, 0.3),
            drag_coefficient=0.012,
            lift_coefficient=0.025,
            fluid_density=1.2,
            statistics=StatisticFlags.STRETCH,
        )
        cloth = solver.add_cloth(fabric, parameters=parameters, collider_sets=[add_colliders(solver)])
        dt = Update().dt
        for frame in range(1, frame_count + 1):
            parameters.wind_velocity = wind(frame * dt)
            cloth.parameters = parameters
            solver.update()
        print(f"stretch {100 * cloth.status().largest_stretch:.3f} %")
        print(f"state hash {solver.state_hash():016x}")


main()
