//! What the library says to wrong calls, which the safe crate does not let a program write.
use clothc_sys::*;
use std::ffi::CStr;
use std::ptr;

struct World {
    device: clothc_device,
    solver: clothc_solver,
    buffer: clothc_buffer,
}

fn check(result: clothc_result) {
    assert_eq!(result, CLOTHC_SUCCESS, "{}", message());
}

fn message() -> String {
    unsafe { CStr::from_ptr(clothc_last_error_message()) }.to_string_lossy().into_owned()
}

fn world() -> World {
    let device_desc = clothc_device_desc { backend: CLOTHC_BACKEND_CPU, worker_count: 1, ..Default::default() };
    let solver_desc = clothc_solver_desc { particle_capacity: 1024, ..Default::default() };
    let buffer_desc = clothc_buffer_desc { count: 1024, ..Default::default() };
    let mut world = World { device: ptr::null_mut(), solver: ptr::null_mut(), buffer: ptr::null_mut() };
    unsafe {
        check(clothc_device_create(&device_desc, &mut world.device));
        check(clothc_solver_create(world.device, &solver_desc, &mut world.solver));
        check(clothc_buffer_create(world.device, &buffer_desc, &mut world.buffer));
    }
    world
}

#[test]
fn a_buffer_is_mapped_once_at_a_time_and_used_by_nothing_meanwhile() {
    let World { device, solver, buffer } = world();
    let mut pointer = ptr::null_mut();
    unsafe {
        assert_eq!(clothc_buffer_unmap(buffer), CLOTHC_ERROR_INVALID_STATE);
        check(clothc_buffer_map(buffer, CLOTHC_MAP_READ, &mut pointer));
        assert_eq!(pointer as usize % 64, 0);
        let mut second = ptr::null_mut();
        assert_eq!(clothc_buffer_map(buffer, CLOTHC_MAP_READ, &mut second), CLOTHC_ERROR_INVALID_STATE);
        assert!(message().contains("mapped already"), "{}", message());
        assert!(second.is_null(), "a call that fails writes no output");
        let position = CLOTHC_CHANNEL_POSITION;
        let set = clothc_solver_set(solver, position, buffer, ptr::null(), ptr::null(), 0, 0);
        assert_eq!(set, CLOTHC_ERROR_INVALID_STATE);
        let get = clothc_solver_get(solver, position, buffer, ptr::null(), ptr::null(), 0, 0);
        assert_eq!(get, CLOTHC_ERROR_INVALID_STATE);
        check(clothc_buffer_unmap(buffer));
        check(clothc_solver_get(solver, position, buffer, ptr::null(), ptr::null(), 0, 0));
        check(clothc_device_destroy(device));
    }
}

#[test]
fn stale_and_foreign_handles_are_noticed() {
    let World { device, solver, buffer } = world();
    unsafe {
        assert_eq!(clothc_buffer_unmap(ptr::null_mut()), CLOTHC_ERROR_INVALID_HANDLE);
        assert_eq!(clothc_solver_destroy(buffer as clothc_solver), CLOTHC_ERROR_INVALID_HANDLE);
        check(clothc_buffer_destroy(buffer));
        assert_eq!(clothc_buffer_destroy(buffer), CLOTHC_ERROR_INVALID_HANDLE);
        assert!(message().contains("destroyed"), "{}", message());
        check(clothc_device_destroy(device));
        assert_eq!(clothc_solver_wait(solver, u64::MAX, 0), CLOTHC_ERROR_INVALID_HANDLE);
        assert_eq!(clothc_solver_destroy(solver), CLOTHC_ERROR_INVALID_HANDLE);
        assert_eq!(clothc_device_destroy(device), CLOTHC_ERROR_INVALID_HANDLE);
    }
}

#[test]
fn a_struct_without_its_size_is_refused() {
    let mut device = ptr::null_mut();
    let desc = clothc_device_desc { struct_size: 0, ..Default::default() };
    unsafe { assert_eq!(clothc_device_create(&desc, &mut device), CLOTHC_ERROR_INVALID_STRUCT) };
    assert!(device.is_null());
}
