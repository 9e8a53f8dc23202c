"""wrong.py - a program in which each line with a comment has a wrong type."""

from clothc import Buffer, ClothParameters, Device, Fence, Mapping, Solver


def wrong(device: Device, solver: Solver, buffer: Buffer) -> None:
    Device(backend="cpu")  # arg-type
    ClothParameters(gravty=(0, 0, 0))  # call-arg
    ClothParameters(friction="high")  # arg-type
    parameters = ClothParameters()
    parameters.friction = "high"  # assignment
    parameters.gravity = 9.81  # assignment
    parameters.gravty = (0, 0, 0)  # attr-defined
    solver.update("fast")  # arg-type
    solver.update(wait=Fence(device))  # arg-type
    mapping: Mapping = buffer.try_map()  # assignment
    text: str = solver.state_hash()  # assignment
    solver.cloths[0].statuss()  # attr-defined
    print(mapping, text)
