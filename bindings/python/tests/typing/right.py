"""right.py - a program whose types are right."""

from typing import Optional

import numpy
import numpy.typing
from clothc import Backend, Buffer, Channel, Cloth, ClothParameters, Device, Fabric, Fence, Group, InvalidState
from clothc import Mapping, Solver, Stage, StatisticFlags, VulkanBufferDesc, VulkanDeviceDesc, raw, vulkan_requirements


def lowest(array: numpy.typing.NDArray[numpy.float32]) -> float:
    return float(array[:, 1].min())


def simulate(device: Device, fabric: Fabric) -> int:
    solver = Solver(device, particle_capacity=4096)
    parameters = ClothParameters(gravity=(0, -1, 0), statistics=StatisticFlags.STRETCH, friction=0.5)
    parameters.wind_velocity = numpy.zeros(3).tolist()
    cloth: Cloth = solver.add_cloth(fabric, parameters=parameters)
    cloth.parameters = parameters
    x, y, z = cloth.parameters.gravity
    buffer = Buffer(device, fabric.particle_count)
    value: int = solver.update(1 / 60, wait=(Fence(device), 0))
    maybe: Optional[int] = solver.try_update()
    recorded: Optional[tuple[int, int]] = solver.record_update(0x1000, 1 / 60, wait=(Fence(device), 0))
    place = VulkanBufferDesc(buffer=1, size=64)
    vertices: Buffer = Buffer.wrap_vulkan(device, place, 4)
    where: tuple[int, int] = vertices.vulkan_handle
    vulkan = VulkanDeviceDesc(instance=0x1000, extensions="", lock_queue=raw.VulkanQueueCallback(print))
    needed: str = vulkan_requirements(vulkan).required_extensions + vulkan.extensions
    solver.get(Channel.POSITION, buffer, [(0, 0, 4)])
    with buffer.map(write=True) as mapped:
        mapping: Mapping = mapped
        mapping[0] = 1
        bottom = lowest(mapping.array)
    stretch: float = cloth.status().largest_stretch
    group: Group = solver.add_group([[0.0, 0.0, 0.0, 1.0]])
    active: numpy.typing.NDArray[numpy.uint32] = group.active
    snapshot: bytes = solver.snapshot()
    finished: bool = solver.wait(value, timeout=0.5)
    count: int = raw.ClothInfo().particle_count
    device.prepare([Stage.TETHERS, Stage.WIND])
    progress: tuple[int, int] = device.preparation_progress
    compiled: bool = device.wait_prepared(timeout=10)
    cache: bytes = device.save_cache()
    device.load_cache(cache)
    print(progress, compiled, recorded, where, needed, Device(vulkan=vulkan))
    print(x + y + z, maybe, bottom, stretch, active, snapshot, finished, count, device.info.name.upper())
    return solver.state_hash()


def main() -> None:
    with Device(Backend.CPU) as device:
        try:
            simulate(device, Fabric.cook(device, [[0, 0, 0]], triangles=[[0, 0, 0]]))
        except InvalidState as error:
            print(error.code, error.name, error.message)
