// error: E0597
//! An update that signals a fence that was dropped.
use clothc::{Device, Fence, Result, Solver, Update};

fn main() {}

pub fn run(device: &Device, solver: &mut Solver) -> Result<u64> {
    #[allow(unused_mut)]
    let mut update = Update::default();
    {
        let fence = Fence::new(device, 0)?;
        #[cfg(misuse)]
        {
            update.signal = Some((&fence, 1));
        }
        fence.signal(1)?;
    }
    solver.update(&update)
}
