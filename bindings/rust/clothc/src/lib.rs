#![doc = include_str!("../../README.md")]
#![warn(missing_debug_implementations, unsafe_op_in_unsafe_fn)]

mod assets;
mod buffer;
mod call;
mod callbacks;
mod channels;
mod cloths;
mod colliders;
#[rustfmt::skip]
mod constants;
pub mod cuda;
mod describe;
mod device;
mod element;
mod error;
#[cfg(unix)]
mod external;
mod fabric;
mod fabric_arrays;
mod fence;
mod groups;
mod macros;
mod mapping;
mod mesh;
#[rustfmt::skip]
mod records;
mod solver;
mod state;
mod strided;
mod text;

pub use assets::{ColliderMesh, Sdf, SdfMesh};
pub use buffer::Buffer;
pub use callbacks::{Allocator, MessageCallback, SubmitCallback, Task};
pub use cloths::ClothDesc;
pub use colliders::{Ellipsoid, Instance, OrientedBox, Shapes};
pub use constants::*;
pub use describe::{channel_infos, parameter_infos, version};
pub use device::{devices, Device, DeviceDesc};
pub use element::Element;
pub use error::{Error, Result};
#[cfg(unix)]
pub use external::{ExternalFence, ExternalMemory};
pub use fabric::Fabric;
pub use fabric_arrays::{ConstraintSet, FabricArrays};
pub use fence::Fence;
pub use groups::GroupDesc;
pub use mapping::{ReadMapping, WriteMapping};
pub use mesh::{Index, Mesh};
pub use records::*;
pub use solver::{Solver, Timeline, Update};
pub use strided::Strided;
pub use text::Text;
