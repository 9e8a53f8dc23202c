//! Groups: particles, springs, and which of them are active.
use crate::world::{device, run, solver};
use clothc::{Buffer, Channel, ErrorCode, GroupDesc};

#[test]
fn springs_hold_the_particles_of_a_group() {
    let device = device();
    let mut solver = solver(&device);
    let positions = [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0], [5.0, 0.0, 0.0, 1.0]];
    let group = solver.add_group(&GroupDesc { positions: &positions, ..GroupDesc::default() }).unwrap();
    let indices = Buffer::from_slice(&device, &[0_u32, 1]).unwrap();
    let lengths = Buffer::from_slice(&device, &[1.0_f32]).unwrap();
    let stiffness = Buffer::from_slice(&device, &[1.0_f32]).unwrap();
    solver.set_springs(group, &indices, &lengths, Some(&stiffness), 1).unwrap();
    assert_eq!(solver.set_springs(group, &indices, &lengths, None, 2).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    let info = solver.group_info(group).unwrap();
    assert_eq!((info.particle_count, info.active_count, info.spring_count), (3, 3, 1));
    run(&mut solver, 60);
    let mut found = Buffer::<[f32; 4]>::new(&device, info.first_particle as usize + 3).unwrap();
    solver.get(Channel::POSITION, &mut found).unwrap();
    let found = found.map_read().unwrap();
    let found = &found[info.first_particle as usize..];
    assert!(found[1][1] > -1.1, "the spring holds particle 1: {:?}", found[1]);
    assert!(found[2][1] < -4.0, "particle 2 falls for a second: {:?}", found[2]);
    solver.clear_springs(group).unwrap();
    assert_eq!(solver.group_info(group).unwrap().spring_count, 0);
}

#[test]
fn particles_are_active_or_not() {
    let device = device();
    let mut solver = solver(&device);
    let positions = [[0.0, 0.0, 0.0, 1.0]; 5];
    let group = solver.add_group(&GroupDesc { positions: &positions, ..GroupDesc::default() }).unwrap();
    let chosen = Buffer::from_slice(&device, &[4_u32, 1, 2]).unwrap();
    solver.set_active(group, &chosen, 2).unwrap();
    assert_eq!(solver.active(group).unwrap(), [1, 4]);
    solver.set_first_active(group, 3).unwrap();
    assert_eq!(solver.active(group).unwrap(), [0, 1, 2]);
    solver.set_first_active(group, 0).unwrap();
    assert!(solver.active(group).unwrap().is_empty());
    assert_eq!(solver.cloths().unwrap(), [group.into()]);
    solver.remove_group(group).unwrap();
    assert_eq!(solver.remove_group(group).unwrap_err().code(), ErrorCode::INVALID_HANDLE);
    let empty = solver.add_group(&GroupDesc::default());
    assert_eq!(empty.unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
}
