"""frame.py - the frame whose time the same program of each language measures (bench/bindings/): update a cloth of 1,000
particles, get its positions, map them, read one, unmap them. Prints the median of the frames in nanoseconds.

Usage: frame.py [FRAMES [DT]]. With a DT of 0 the cloth does not move, and the frame is almost only calls.
"""

import statistics
import sys
import time

import numpy
from clothc import Backend, Buffer, Channel, Device, Fabric, Solver

COLUMNS, ROWS, WARM_UP = 40, 25, 200


def main() -> None:
    frame_count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    dt = float(sys.argv[2]) if len(sys.argv) > 2 else None
    vertices = numpy.arange(ROWS * COLUMNS)
    positions = numpy.zeros((ROWS * COLUMNS, 3), numpy.float32)
    positions[:, 0] = numpy.float32(0.05) * (vertices % COLUMNS)
    positions[:, 2] = numpy.float32(0.05) * (vertices // COLUMNS)
    first = vertices.reshape(ROWS, COLUMNS)[:-1, :-1].reshape(-1, 1)
    quads = first + numpy.array([0, 1, 1 + COLUMNS, COLUMNS])
    inverse_masses = numpy.where(vertices < COLUMNS, 0, 1)

    with Device(Backend.CPU, worker_count=1) as device:
        solver = Solver(device)
        solver.add_cloth(Fabric.cook(device, positions, quads=quads, inverse_masses=inverse_masses))
        buffer = Buffer(device, len(positions))
        times = []
        height = 0.0
        for _ in range(WARM_UP + frame_count):
            begin = time.perf_counter_ns()
            solver.update(dt)
            solver.get(Channel.POSITION, buffer)
            with buffer.map() as mapped:
                height += mapped[-1, 1]
            times.append(time.perf_counter_ns() - begin)
    print(f"median_ns {statistics.median_high(times[WARM_UP:])}")
    assert numpy.isfinite(height)


main()
