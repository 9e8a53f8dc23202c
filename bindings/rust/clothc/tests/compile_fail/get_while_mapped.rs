// error: E0499
//! A get into a buffer that is mapped.
use clothc::{Buffer, Channel, Result, Solver};

fn main() {}

pub fn heights(solver: &Solver, buffer: &mut Buffer<[f32; 4]>) -> Result<f32> {
    let mapped = buffer.map_read()?;
    #[cfg(misuse)]
    solver.get(Channel::POSITION, buffer)?;
    let height = mapped[0][1];
    drop(mapped);
    solver.get(Channel::POSITION, buffer)?;
    Ok(height)
}
