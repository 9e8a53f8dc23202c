// error: E0505
//! A mapping that is used after its buffer gave the memory back.
use clothc::{Buffer, Device, Result};

fn main() {}

pub fn first(device: &Device) -> Result<f32> {
    let mut buffer = Buffer::wrap(device, vec![1.0_f32; 10])?;
    let mapped = buffer.map_read()?;
    #[cfg(misuse)]
    let _memory = buffer.into_memory();
    Ok(mapped[0])
}
