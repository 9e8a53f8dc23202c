//! The frame of bench/bindings/frame.c: update a cloth of 1,000 particles, get its positions, map them, read one, unmap
//! them. Prints the median of the frames in nanoseconds. Usage: frame [FRAMES [DT]]. With a DT of 0 the cloth does not
//! move, and the frame is almost only calls.
use clothc::{
    Backend, Buffer, Channel, ClothDesc, Device, DeviceDesc, Fabric, Mesh, Result, Solver, SolverDesc, Update,
};
use std::time::Instant;

const COLUMNS: u32 = 40;
const ROWS: u32 = 25;
const WARM_UP: usize = 200;

fn cook(device: &Device) -> Result<Fabric> {
    let mut positions = Vec::new();
    let mut inverse_masses = Vec::new();
    let mut quads = Vec::new();
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            positions.push([0.05 * column as f32, 0.0, 0.05 * row as f32]);
            inverse_masses.push(if row == 0 { 0.0 } else { 1.0 });
            if row + 1 < ROWS && column + 1 < COLUMNS {
                let first = row * COLUMNS + column;
                quads.push([first, first + 1, first + 1 + COLUMNS, first + COLUMNS]);
            }
        }
    }
    let mesh = Mesh {
        positions: (&positions).into(),
        inverse_masses: (&inverse_masses).into(),
        quads: (&quads).into(),
        ..Mesh::default()
    };
    Fabric::cook(device, &mesh)
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let frame_count = arguments.next().map_or(2000, |frames| frames.parse().expect("FRAMES is a number"));
    let device = Device::new(DeviceDesc { backend: Backend::CPU, worker_count: 1, ..DeviceDesc::default() })?;
    let mut solver = Solver::new(&device, &SolverDesc::default())?;
    let fabric = cook(&device)?;
    solver.add_cloth(&ClothDesc::new(&fabric))?;
    let mut buffer = Buffer::<[f32; 4]>::new(&device, (COLUMNS * ROWS) as usize)?;
    let mut update = Update::default();
    if let Some(dt) = arguments.next() {
        update.dt = dt.parse().expect("DT is a number of seconds");
    }

    let mut times = Vec::with_capacity(WARM_UP + frame_count);
    let mut height = 0.0;
    for _ in 0..WARM_UP + frame_count {
        let begin = Instant::now();
        solver.update(&update)?;
        solver.get(Channel::POSITION, &mut buffer)?;
        let positions = buffer.map_read()?;
        height += positions[positions.len() - 1][1];
        drop(positions);
        times.push(begin.elapsed().as_nanos());
    }
    let measured = &mut times[WARM_UP..];
    measured.sort_unstable();
    println!("median_ns {}", measured[frame_count / 2]);
    // The sum of the heights keeps the read.
    assert!(height.is_finite());
    Ok(())
}
