"""clothc - deterministic simulation of cloth.

A Device does the work: the processor, or a GPU through Vulkan or CUDA. A Fabric holds the constraints of a piece of
cloth. It is cooked once from a mesh and shared by any number of cloths. A Solver owns the particles of its cloths and
moves all of them with one call, Solver.update. Data travels in Buffers, which are flat arrays: Solver.set and
Solver.get copy between a buffer and a channel of the solver, such as the positions of all particles. A mapped buffer is
a NumPy array without a copy.

Units are metres, seconds and kilograms. Results do not depend on the number of threads, the instruction set or the
language: a program gives the same bits everywhere.

Errors of the library are exceptions with its message (see ClothcError). Objects are context managers; what is forgotten
is destroyed when nothing refers to it, and destroying a Device destroys everything made from it. Calls on one solver
may come from several threads, and run one after the other. The interpreter runs other threads during every call.
"""

from ._version import __version__ as __version__
from .arrays import dtype_of, records
from .buffer import Buffer
from .cloth import Cloth, Group
from .colliders import ColliderAsset, ColliderSet, SignedDistanceField, cook_sdf
from .device import Device, devices, vulkan_requirements
from .errors import Capacity, ClothcError, DeviceLost, Internal, InvalidArgument, InvalidHandle, InvalidState
from .errors import InvalidStruct, OutOfMemory, Unsupported
from .fabric import Fabric
from .fence import Fence
from .information import channels, parameters, version
from .mapping import Mapping
from .raw import (
    Backend,
    BufferInfo,
    BufferKind,
    CapabilityFlags,
    Channel,
    ChannelInfo,
    ClothFrame,
    ClothInfo,
    ClothParameters,
    ClothStatus,
    ColliderSpace,
    CollisionFlags,
    ConstraintType,
    Contact,
    CookFlags,
    DebugFlags,
    DeviceInfo,
    Diagnostic,
    DiagnosticKind,
    ExternalHandle,
    ExternalType,
    FabricArray,
    FabricFlags,
    FabricInfo,
    Format,
    FrameFlags,
    GroupInfo,
    Isa,
    Move,
    ParameterInfo,
    ParameterType,
    Part,
    ParticlePhase,
    PhaseConfig,
    PhaseType,
    Region,
    Result,
    Schedule,
    ShapeKind,
    SleepPolicy,
    SolverInfo,
    Stage,
    StatisticFlags,
    StatusFlags,
    Timers,
    Update,
    Verdict,
    Verification,
    VerificationRow,
    VerifiedForm,
    View,
    ViewFlags,
    VulkanBufferDesc,
    VulkanDeviceDesc,
    VulkanRequirements,
)
from .solver import Solver

__all__ = [
    "Backend",
    "Buffer",
    "BufferInfo",
    "BufferKind",
    "CapabilityFlags",
    "Capacity",
    "Channel",
    "ChannelInfo",
    "Cloth",
    "ClothFrame",
    "ClothInfo",
    "ClothParameters",
    "ClothStatus",
    "ClothcError",
    "ColliderAsset",
    "ColliderSet",
    "ColliderSpace",
    "CollisionFlags",
    "ConstraintType",
    "Contact",
    "CookFlags",
    "Device",
    "DebugFlags",
    "DeviceInfo",
    "DeviceLost",
    "Diagnostic",
    "DiagnosticKind",
    "ExternalHandle",
    "ExternalType",
    "Fabric",
    "FabricArray",
    "FabricFlags",
    "FabricInfo",
    "Fence",
    "Format",
    "FrameFlags",
    "Group",
    "GroupInfo",
    "Internal",
    "InvalidArgument",
    "InvalidHandle",
    "InvalidState",
    "InvalidStruct",
    "Isa",
    "Mapping",
    "Move",
    "OutOfMemory",
    "ParameterInfo",
    "ParameterType",
    "Part",
    "ParticlePhase",
    "PhaseConfig",
    "PhaseType",
    "Region",
    "Result",
    "Schedule",
    "ShapeKind",
    "SignedDistanceField",
    "SleepPolicy",
    "Solver",
    "SolverInfo",
    "Stage",
    "StatisticFlags",
    "StatusFlags",
    "Timers",
    "Unsupported",
    "Update",
    "Verdict",
    "Verification",
    "VerificationRow",
    "VerifiedForm",
    "View",
    "ViewFlags",
    "VulkanBufferDesc",
    "VulkanDeviceDesc",
    "VulkanRequirements",
    "channels",
    "cook_sdf",
    "devices",
    "dtype_of",
    "parameters",
    "records",
    "version",
    "vulkan_requirements",
]
