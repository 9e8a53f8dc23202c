//! Cloths: what a program sets and reads, and what it may do with them.
use crate::world::{device, fabric, positions, run, sheet, solver, PARTICLE_COUNT};
use clothc::{
    Buffer, Channel, ClothDesc, ClothFrame, ClothParameters, ErrorCode, FrameFlags, PhaseConfig, StatisticFlags, Update,
};

#[test]
fn parameters_phases_and_frames_are_read_as_they_were_set() {
    let device = device();
    let (mut solver, cloth) = sheet(&device);
    let parameters = ClothParameters { friction: 0.5, gravity: [0.0, 0.0, -1.62], ..ClothParameters::default() };
    solver.set_parameters(cloth, &parameters).unwrap();
    assert_eq!(solver.parameters(cloth).unwrap(), parameters);
    let configs = [
        PhaseConfig { phase: 1, stiffness: 0.5, ..PhaseConfig::default() },
        PhaseConfig { phase: 0, ..PhaseConfig::default() },
    ];
    solver.set_phases(cloth, &configs).unwrap();
    assert_eq!(solver.phases(cloth).unwrap(), configs);
    let frame = ClothFrame { translation: [1.0, 2.0, 3.0], flags: FrameFlags::TELEPORT, ..ClothFrame::default() };
    solver.set_frame(cloth, &frame).unwrap();
    assert_eq!(solver.frame(cloth).unwrap().translation, frame.translation);
    let wrong = [configs[0], PhaseConfig { struct_size: 8, ..configs[1] }];
    assert_eq!(solver.set_phases(cloth, &wrong).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
}

#[test]
fn a_cloth_may_have_no_phases_or_positions_of_its_own() {
    let device = device();
    let (fabric, mut solver) = (fabric(&device), solver(&device));
    let none = solver.add_cloth(&ClothDesc { no_phases: true, ..ClothDesc::new(&fabric) }).unwrap();
    assert!(solver.phases(none).unwrap().is_empty());
    let raised: Vec<[f32; 4]> = positions().iter().map(|p| [p[0], 5.0, p[2], 1.0]).collect();
    let desc = ClothDesc { positions: &raised, scale: 2.0, spare_particle_count: 3, ..ClothDesc::new(&fabric) };
    let cloth = solver.add_cloth(&desc).unwrap();
    let info = solver.cloth_info(cloth).unwrap();
    assert_eq!((info.particle_count, info.spare_particle_count, info.scale), (256, 3, 2.0));
    run(&mut solver, 1);
    assert!(solver.cloth_status(cloth).unwrap().bounds_minimum[1] > 4.9);
    let error = solver.add_cloth(&ClothDesc { positions: &raised[1..], ..desc }).unwrap_err();
    assert!(error.message().contains("255"), "{error}");
}

#[test]
fn cloths_are_listed_cloned_reset_and_removed() {
    let device = device();
    let (mut solver, first) = sheet(&device);
    assert!(solver.cloths().unwrap() == [first]);
    run(&mut solver, 10);
    let second = solver.clone_cloth(first).unwrap();
    assert_eq!(solver.cloths().unwrap(), [first, second]);
    let status = solver.cloth_status(second).unwrap();
    assert!(status.bounds_minimum[1] < 0.0);
    solver.reset_cloth(second, None).unwrap();
    let raised = vec![[0.0, 9.0, 0.0, 1.0]; PARTICLE_COUNT];
    solver.reset_cloth(first, Some(&raised)).unwrap();
    for wrong in [&raised[1..], &[]] {
        assert_eq!(solver.reset_cloth(first, Some(wrong)).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    }
    solver.update(&Update { dt: 1e-3, ..Update::default() }).unwrap();
    assert!(solver.cloth_status(first).unwrap().bounds_minimum[1] > 8.9);
    assert!(solver.cloth_status(second).unwrap().bounds_minimum[1] > -0.1);
    solver.remove_cloth(first).unwrap();
    let moves = solver.compact().unwrap();
    assert_eq!((moves.len(), moves[0].cloth, moves[0].count), (1, second, 256));
    assert!(solver.compact().unwrap().is_empty());
}

#[test]
fn optional_channels_are_set_and_cleared() {
    let device = device();
    let (mut solver, cloth) = sheet(&device);
    let first = solver.cloth_info(cloth).unwrap().first_particle as usize;
    let up = Buffer::from_slice(&device, &vec![[0.0_f32, 20.0, 0.0]; first + PARTICLE_COUNT]).unwrap();
    solver.set(Channel::ACCELERATION, &up).unwrap();
    run(&mut solver, 10);
    assert!(solver.cloth_status(cloth).unwrap().bounds_maximum[1] > 0.01, "it rises");
    solver.clear_cloth(cloth, Channel::ACCELERATION).unwrap();
    assert_eq!(solver.clear_cloth(cloth, Channel::VELOCITY).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    solver.set_self_collision_particles(cloth, &[1, 2, 3]).unwrap();
    solver.set_self_collision_particles(cloth, &[]).unwrap();
    let error = solver.set_self_collision_particles(cloth, &[9999]).unwrap_err();
    assert_eq!(error.code(), ErrorCode::INVALID_ARGUMENT);
}

#[test]
fn statistics_and_timers_arrive() {
    let device = device();
    let (mut solver, cloth) = sheet(&device);
    let parameters = ClothParameters {
        statistics: StatisticFlags::STRETCH | StatisticFlags::KINETIC_ENERGY,
        ..ClothParameters::default()
    };
    solver.set_parameters(cloth, &parameters).unwrap();
    let timed = Update { timers: true, ..Update::default() };
    for _ in 0..3 {
        solver.update(&timed).unwrap();
        solver.wait_all().unwrap();
    }
    let status = solver.cloth_status(cloth).unwrap();
    assert!(status.kinetic_energy > 0.0 && status.largest_stretch > 0.0 && status.iteration_count == 5);
    let timers = solver.timers().unwrap();
    assert!(timers.update >= 1 && timers.total_ns > 0, "{timers:?}");
    assert_eq!(timers.particle_count as usize, PARTICLE_COUNT);
    assert!(timers.part_ns[clothc::part::PROGRAMS] <= timers.total_ns);
}
