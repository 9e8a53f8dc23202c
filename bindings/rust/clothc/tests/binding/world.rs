//! What most tests begin with: a device of the processor, and a sheet that hangs from one edge.
use clothc::{Backend, ClothDesc, ClothId, Device, DeviceDesc, Fabric, Mesh, Solver, SolverDesc, Update};

pub const SIDE: u32 = 16;
pub const PARTICLE_COUNT: usize = (SIDE * SIDE) as usize;

pub fn device_desc() -> DeviceDesc {
    DeviceDesc { backend: Backend::CPU, worker_count: 2, ..DeviceDesc::default() }
}

pub fn device() -> Device {
    Device::new(device_desc()).unwrap()
}

pub fn solver(device: &Device) -> Solver {
    Solver::new(device, &SolverDesc { particle_capacity: 4096, ..SolverDesc::default() }).unwrap()
}

/// The vertices of a sheet of 1.5 m x 1.5 m.
pub fn positions() -> Vec<[f32; 3]> {
    (0..SIDE * SIDE).map(|vertex| [0.1 * (vertex % SIDE) as f32, 0.0, 0.1 * (vertex / SIDE) as f32]).collect()
}

/// Pins the first row.
pub fn inverse_masses() -> Vec<f32> {
    (0..SIDE * SIDE).map(|vertex| if vertex < SIDE { 0.0 } else { 1.0 }).collect()
}

pub fn quads() -> Vec<[u32; 4]> {
    let is_corner = |vertex: &u32| vertex % SIDE + 1 < SIDE && vertex / SIDE + 1 < SIDE;
    (0..SIDE * SIDE).filter(is_corner).map(|first| [first, first + 1, first + 1 + SIDE, first + SIDE]).collect()
}

pub fn fabric(device: &Device) -> Fabric {
    let (positions, inverse_masses, quads) = (positions(), inverse_masses(), quads());
    let mesh = Mesh {
        positions: (&positions).into(),
        inverse_masses: (&inverse_masses).into(),
        quads: (&quads).into(),
        ..Mesh::default()
    };
    Fabric::cook(device, &mesh).unwrap()
}

/// A solver with one sheet.
pub fn sheet(device: &Device) -> (Solver, ClothId) {
    let mut solver = solver(device);
    let cloth = solver.add_cloth(&ClothDesc::new(&fabric(device))).unwrap();
    (solver, cloth)
}

pub fn run(solver: &mut Solver, frame_count: u32) {
    for _ in 0..frame_count {
        solver.update(&Update::default()).unwrap();
    }
}
