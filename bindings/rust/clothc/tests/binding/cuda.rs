//! What the functions for programs that use CUDA say where there is no CUDA device.
use crate::world::{device, sheet};
use clothc::{cuda, Buffer, DeviceDesc, ErrorCode};
use std::ptr;

#[test]
fn other_devices_refuse_what_is_for_cuda() {
    let device = device();
    let (mut solver, _) = sheet(&device);
    let buffer = Buffer::<f32>::new(&device, 4).unwrap();
    assert_eq!(cuda::buffer_pointer(&buffer).unwrap_err().code(), ErrorCode::UNSUPPORTED);
    // A processor reads none of these addresses.
    let (wrapped, captured) = unsafe {
        let wrapped = cuda::wrap_device_memory::<f32>(&device, 4096, 4);
        (wrapped, cuda::capture_update(&mut solver, ptr::null_mut(), 0.01))
    };
    assert_eq!(wrapped.unwrap_err().code(), ErrorCode::UNSUPPORTED);
    assert_eq!(captured.unwrap_err().code(), ErrorCode::UNSUPPORTED);
}

#[test]
fn a_device_of_cuda_is_made_or_refused_with_a_reason() {
    let made = unsafe { cuda::create_device(DeviceDesc::default(), ptr::null_mut(), ptr::null_mut()) };
    match made {
        Ok(device) => assert_eq!(device.info().unwrap().backend, clothc::Backend::CUDA),
        Err(error) => assert_eq!(error.code(), ErrorCode::UNSUPPORTED, "{error}"),
    }
}
