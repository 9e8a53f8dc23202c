// error: E0499
//! Two mappings of one buffer at a time.
use clothc::{Buffer, Result};

fn main() {}

pub fn sum(buffer: &mut Buffer<f32>) -> Result<f32> {
    let first = buffer.map_read()?;
    #[cfg(misuse)]
    let _second = buffer.map_read()?;
    Ok(first.iter().sum())
}
