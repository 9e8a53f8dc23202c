// error: E0594
//! A write to a mapping for reading.
use clothc::{Buffer, Result};

fn main() {}

pub fn reset(buffer: &mut Buffer<f32>) -> Result<f32> {
    #[allow(unused_mut)]
    let mut mapped = buffer.map_read()?;
    #[cfg(misuse)]
    {
        mapped[0] = 1.0;
    }
    Ok(mapped[0])
}
