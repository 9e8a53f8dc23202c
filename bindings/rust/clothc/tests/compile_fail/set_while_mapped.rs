// error: E0502
//! A set from a buffer that is mapped.
use clothc::{Buffer, Channel, Result, Solver};

fn main() {}

pub fn raise(solver: &mut Solver, buffer: &mut Buffer<[f32; 4]>) -> Result<()> {
    let mut mapped = buffer.map_write()?;
    #[cfg(misuse)]
    solver.set(Channel::POSITION, buffer)?;
    mapped[0][1] += 1.0;
    drop(mapped);
    solver.set(Channel::POSITION, buffer)
}
