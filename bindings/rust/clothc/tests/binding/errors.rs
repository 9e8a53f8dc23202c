//! Errors have the code and the message of the library.
use crate::world::{device, sheet, solver};
use clothc::{
    Backend, Buffer, Channel, ClothId, ClothParameters, CollisionFlags, Device, DeviceDesc, ErrorCode, Solver,
    SolverDesc,
};

#[test]
fn errors_say_what_was_wrong() {
    let device = device();
    let (mut solver, cloth) = sheet(&device);
    let parameters = ClothParameters { friction: -1.0, ..ClothParameters::default() };
    let error = solver.set_parameters(cloth, &parameters).unwrap_err();
    assert_eq!(error.code(), ErrorCode::INVALID_ARGUMENT);
    assert!(error.message().contains("friction is -1"), "{error}");
    assert_eq!(error.to_string(), format!("CLOTHC_ERROR_INVALID_ARGUMENT: {}", error.message()));
    let error = solver.remove_cloth(ClothId(12345)).unwrap_err();
    assert_eq!(error.code(), ErrorCode::INVALID_HANDLE);
    solver.remove_cloth(cloth).unwrap();
    assert_eq!(solver.cloth_info(cloth).unwrap_err().code(), ErrorCode::INVALID_HANDLE);
}

#[test]
fn a_record_with_a_wrong_size_never_reaches_the_library() {
    let device = device();
    let (mut solver, cloth) = sheet(&device);
    for struct_size in [0, 4, u32::MAX] {
        let parameters = ClothParameters { struct_size, ..ClothParameters::default() };
        let error = solver.set_parameters(cloth, &parameters).unwrap_err();
        assert_eq!(error.code(), ErrorCode::INVALID_ARGUMENT);
        assert!(error.message().contains(&struct_size.to_string()), "{error}");
    }
    let desc = SolverDesc { struct_size: 1, ..SolverDesc::default() };
    assert_eq!(Solver::new(&device, &desc).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
}

#[test]
fn capacities_and_formats_are_checked_by_the_library() {
    let device = device();
    let mut solver = solver(&device);
    let buffer = Buffer::<u32>::new(&device, 4).unwrap();
    let error = solver.set(Channel::POSITION, &buffer).unwrap_err();
    assert_eq!(error.code(), ErrorCode::INVALID_ARGUMENT, "{error}");
    let desc = SolverDesc { collider_set_capacity: 1, ..SolverDesc::default() };
    let mut solver = Solver::new(&device, &desc).unwrap();
    solver.create_collider_set().unwrap();
    assert_eq!(solver.create_collider_set().unwrap_err().code(), ErrorCode::CAPACITY);
    let desc = DeviceDesc { backend: Backend(77), ..DeviceDesc::default() };
    assert_eq!(Device::new(desc).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
}

#[test]
fn constants_are_shown_by_name() {
    assert_eq!(format!("{:?} {:?}", Backend::CPU, Backend(77)), "CPU Backend(77)");
    let both = CollisionFlags::CONTINUOUS | CollisionFlags::REPORT;
    assert_eq!(format!("{both:?} {:?}", CollisionFlags::NONE), "CONTINUOUS | REPORT 0x0");
    assert!(both.contains(CollisionFlags::REPORT) && !both.contains(CollisionFlags::VIRTUAL_PARTICLES));
    assert_eq!(ErrorCode::CAPACITY.name(), "CLOTHC_ERROR_CAPACITY");
    assert_eq!(ErrorCode(-1234).name(), "unknown result");
}

#[test]
fn the_library_describes_itself() {
    assert_eq!(clothc::version(), (0, 1, 0));
    let devices = clothc::devices().unwrap();
    let cpu = devices.iter().find(|info| info.backend == Backend::CPU).unwrap();
    assert_eq!(cpu.available, 1);
    let absent = devices.iter().find(|info| info.available == 0).expect("no Vulkan driver is set for tests");
    assert!(!absent.reason.is_empty());
    let info = device().info().unwrap();
    assert_eq!((info.backend, info.worker_count), (Backend::CPU, 2));
    let channels = clothc::channel_infos().unwrap();
    assert_eq!(channels[0].channel, Channel::POSITION);
    assert!(channels.len() >= 18 && channels[0].name.to_lowercase().contains("position"), "{:?}", channels[0].name);
    let of_solver = solver(&device()).channel_info(Channel::POSITION).unwrap();
    assert_eq!((channels[0].count, of_solver.count), (0, 4096));
    let parameters = clothc::parameter_infos().unwrap();
    let gravity = parameters.iter().find(|info| &*info.name == "gravity").unwrap();
    assert_eq!(gravity.initial.map(|component| component as f32), ClothParameters::default().gravity);
}
