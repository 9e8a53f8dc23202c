//! Tests of the safe crate, as one program.
mod buffers;
mod callbacks;
mod cloths;
mod colliders;
mod compile_fail;
mod coverage;
mod cuda;
mod errors;
mod fabrics;
mod fences;
mod flag;
#[rustfmt::skip]
mod functions;
mod groups;
mod lifetimes;
mod preparation;
mod state;
mod threads;
mod vulkan;
mod world;
