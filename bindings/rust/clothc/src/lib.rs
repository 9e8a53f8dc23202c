//! Deterministic cloth simulation on the processor and on GPUs: a safe, thin interface to libclothc.
//!
//! A [`Device`] does the work. A [`Fabric`] holds the constraints of a piece of cloth; it is cooked once from a [`Mesh`]
//! and shared by any number of cloths. A [`Solver`] owns the particles of its cloths and moves all of them with one call,
//! [`Solver::update`]. Data travels in [`Buffer`]s: [`Solver::set`] and [`Solver::get`] copy between a buffer and a
//! [`Channel`] of the solver, such as the positions of all particles, and mapping a buffer waits for the copy.
//!
//! ```no_run
//! use clothc::*;
//!
//! fn simulate(mesh: &Mesh, vertex_count: usize) -> Result<Vec<[f32; 4]>> {
//!     let device = Device::new(DeviceDesc::default())?;
//!     let mut solver = Solver::new(&device, &SolverDesc::default())?;
//!     solver.add_cloth(&ClothDesc::new(&Fabric::cook(&device, mesh)?))?;
//!     solver.update(&Update::default())?;
//!     let mut buffer = Buffer::<[f32; 4]>::new(&device, vertex_count)?;
//!     solver.get(Channel::POSITION, &mut buffer)?;
//!     buffer.to_vec()
//! }
//! ```
//!
//! Any consistent set of units works; the defaults suit metres, seconds and kilograms. The same program gives the same
//! bits everywhere. What the types promise about lifetimes, threads and panics is in the README.
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
mod preparation;
#[rustfmt::skip]
mod records;
mod solver;
mod state;
mod strided;
mod text;
pub mod vulkan;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

pub use assets::{ColliderMesh, Sdf, SdfMesh};
pub use buffer::Buffer;
pub use callbacks::{Allocator, MessageCallback, QueueLock, SubmitCallback, Task};
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
pub use vulkan::VulkanDeviceDesc;
