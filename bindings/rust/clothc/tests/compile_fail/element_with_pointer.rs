// error: E0277
//! A buffer of elements that hold pointers.
use clothc::Buffer;

fn main() {}

pub fn numbers(_buffer: &Buffer<[f32; 3]>) {}

#[cfg(misuse)]
pub fn pointers(_buffer: &Buffer<&'static f32>) {}
