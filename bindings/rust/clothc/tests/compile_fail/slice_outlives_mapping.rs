// error: E0505
//! A slice of a mapping that has ended.
use clothc::{Buffer, Result};

fn main() {}

pub fn first(buffer: &mut Buffer<f32>) -> Result<f32> {
    let mapped = buffer.map_read()?;
    let slice: &[f32] = &mapped;
    #[cfg(misuse)]
    drop(mapped);
    Ok(slice[0])
}
