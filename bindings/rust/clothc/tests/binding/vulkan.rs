//! What the functions for programs that use Vulkan say where there is no Vulkan device.
use crate::world::{device, device_desc, sheet};
use clothc::{vulkan, Backend, Buffer, DeviceDesc, ErrorCode, QueueLock, Update, VulkanBufferDesc, VulkanDeviceDesc};
use std::os::raw::c_void;
use std::ptr;
use std::sync::Arc;

#[test]
fn descs_begin_with_the_defaults_of_the_library() {
    assert_eq!(VulkanDeviceDesc::default().api_version, 0x401000);
    assert_eq!(VulkanBufferDesc::default().queue_family, vulkan::NO_QUEUE_FAMILY);
}

#[test]
fn a_device_without_an_instance_is_refused_and_drops_its_closures() {
    let error = unsafe { vulkan::requirements(&VulkanDeviceDesc::default()) }.unwrap_err();
    assert_eq!(error.code(), ErrorCode::INVALID_ARGUMENT);
    assert!(error.message().contains("instance is null"), "{error}");

    let owned = Arc::new(());
    let (locking, unlocking) = (owned.clone(), owned.clone());
    let lock = Box::new(move || drop(locking.clone()));
    let unlock = Box::new(move || drop(unlocking.clone()));
    let queue_lock = Some(QueueLock { lock, unlock });
    let desc = VulkanDeviceDesc { extensions: "VK_KHR_timeline_semaphore", queue_lock, ..Default::default() };
    let error = unsafe { vulkan::create_device(DeviceDesc::default(), desc) }.unwrap_err();
    assert_eq!(error.code(), ErrorCode::INVALID_ARGUMENT);
    assert!(error.message().contains("instance is null"), "{error}");
    assert_eq!(Arc::strong_count(&owned), 1);
}

#[test]
fn what_cannot_be_adopted_is_refused_before_vulkan_is_asked() {
    let desc = VulkanDeviceDesc { extensions: "VK_KHR_\0", ..Default::default() };
    let error = unsafe { vulkan::create_device(DeviceDesc::default(), desc) }.unwrap_err();
    assert!(error.message().contains("extensions"), "{error}");
    let desc = DeviceDesc { backend: Backend::CPU, ..device_desc() };
    let error = unsafe { vulkan::create_device(desc, VulkanDeviceDesc::default()) }.unwrap_err();
    assert!(error.message().contains("device_desc.backend"), "{error}");
}

#[test]
fn other_devices_refuse_what_is_for_vulkan() {
    let device = device();
    let (mut solver, _) = sheet(&device);
    let buffer = Buffer::<f32>::new(&device, 4).unwrap();
    assert_eq!(vulkan::buffer_handle(&buffer).unwrap_err().code(), ErrorCode::UNSUPPORTED);
    // A processor uses neither this buffer nor these commands.
    let place = VulkanBufferDesc { buffer: 1, size: 16, ..Default::default() };
    let wrapped = unsafe { vulkan::wrap_buffer::<f32>(&device, &place, 4) };
    assert_eq!(wrapped.unwrap_err().code(), ErrorCode::UNSUPPORTED);
    let mut commands = 0u64;
    let address = ptr::addr_of_mut!(commands) as *mut c_void;
    for update in [None, Some(&Update::default())] {
        let recorded = unsafe { vulkan::record_update(&mut solver, address, update) };
        assert_eq!(recorded.unwrap_err().code(), ErrorCode::UNSUPPORTED);
        let nowhere = unsafe { vulkan::record_update(&mut solver, ptr::null_mut(), update) };
        assert_eq!(nowhere.unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    }
    assert_eq!(solver.info().unwrap().update_count, 0);
}
