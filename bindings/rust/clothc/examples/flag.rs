//! The flag of examples/flag.c: a sheet on a mast in gusty wind. Prints its stretch and the hash of its state, which is
//! that of the same example in C. Usage: flag [FRAMES]. Without the number it simulates 300 frames, which are 5 seconds.
use clothc::{
    Backend, ClothDesc, ClothParameters, ColliderSetId, Device, DeviceDesc, Fabric, Mesh, Result, Shapes, Solver,
    SolverDesc, StatisticFlags, Update,
};

const COLUMNS: u32 = 81;
const ROWS: u32 = 53;

/// 2 m x 1.3 m. The inverse mass 0 pins the left edge.
fn cook_sheet(device: &Device) -> Result<Fabric> {
    let mut positions = Vec::new();
    let mut inverse_masses = Vec::new();
    let mut quads = Vec::new();
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let x = -1.0 + column as f32 / (COLUMNS - 1) as f32 * 2.0;
            let y = 2.6 - row as f32 / (ROWS - 1) as f32 * 1.3;
            positions.push([x, y, 0.0]);
            inverse_masses.push(if column == 0 { 0.0 } else { 1.0 });
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
        areal_density: 0.35,
        ..Mesh::default()
    };
    Fabric::cook(device, &mesh)
}

/// The ground, and a mast that is 4 cm thick. Each convex is a list of planes.
fn add_colliders(solver: &mut Solver) -> Result<ColliderSetId> {
    let planes = [
        [0.0, 1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0, -1.05],
        [1.0, 0.0, 0.0, 1.01],
        [0.0, -1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, -2.7],
        [0.0, 0.0, -1.0, -0.02],
        [0.0, 0.0, 1.0, -0.02],
    ];
    let set = solver.create_collider_set()?;
    let shapes =
        Shapes { planes: &planes, convex_planes: &[0, 1, 2, 3, 4, 5, 6], convex_ends: &[1, 7], ..Shapes::default() };
    solver.write_collider_set(set, &shapes)?;
    Ok(set)
}

/// A sine of period 1, approximated by parabolas, so that it is the same with every library.
fn wave(phase: f64) -> f32 {
    let x = 2.0 * (phase - (phase + 0.5).floor());
    let parabola = 4.0 * x * (1.0 - x.abs());
    (parabola + 0.225 * parabola * (parabola.abs() - 1.0)) as f32
}

/// 7 m/s from the mast to the free end, with gusts: velocity, frequency and phase of each.
fn wind(time: f64) -> [f32; 3] {
    let gusts: [([f32; 3], f32, f32); 3] =
        [([1.2, 0.0, 1.8], 0.41, 0.0), ([0.6, 0.4, 1.6], 1.37, 0.2), ([0.3, 0.3, 1.0], 3.1, 0.6)];
    let mut velocity = [7.0, 0.5, 0.0];
    for (gust, frequency, phase) in gusts {
        let strength = wave(f64::from(frequency) * time + f64::from(phase));
        for (component, part) in velocity.iter_mut().zip(gust) {
            *component += part * strength;
        }
    }
    velocity
}

fn main() -> Result<()> {
    let frame_count = std::env::args().nth(1).map_or(300, |frames| frames.parse().expect("FRAMES is a number"));
    let device = Device::new(DeviceDesc { backend: Backend::CPU, ..DeviceDesc::default() })?;
    let mut solver = Solver::new(&device, &SolverDesc::default())?;
    let fabric = cook_sheet(&device)?;
    let mut parameters = ClothParameters {
        solver_frequency: 900.0,
        damping: [0.3; 3],
        drag_coefficient: 0.012,
        lift_coefficient: 0.025,
        fluid_density: 1.2,
        statistics: StatisticFlags::STRETCH,
        ..ClothParameters::default()
    };
    let colliders = [add_colliders(&mut solver)?];
    let cloth = solver.add_cloth(&ClothDesc {
        parameters: Some(&parameters),
        collider_sets: &colliders,
        ..ClothDesc::new(&fabric)
    })?;

    let update = Update::default();
    for frame in 1..=frame_count {
        parameters.wind_velocity = wind(f64::from(frame) * f64::from(update.dt));
        solver.set_parameters(cloth, &parameters)?;
        solver.update(&update)?;
    }

    let stretch = solver.cloth_status(cloth)?.largest_stretch;
    println!("stretch {:.3} %", 100.0 * f64::from(stretch));
    println!("state hash {:016x}", solver.state_hash()?);
    Ok(())
}
