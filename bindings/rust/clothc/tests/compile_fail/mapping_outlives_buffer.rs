// error: E0505
//! A mapping that is used after its buffer was dropped.
use clothc::{Buffer, Device, Result};

fn main() {}

pub fn first(device: &Device) -> Result<f32> {
    let mut buffer = Buffer::<f32>::new(device, 10)?;
    let mapped = buffer.map_read()?;
    #[cfg(misuse)]
    drop(buffer);
    Ok(mapped[0])
}
