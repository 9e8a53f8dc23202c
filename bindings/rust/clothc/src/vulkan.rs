//! For programs that use Vulkan themselves: clothc on their device and queue, in their buffers, and in their command
//! buffers. Handles of Vulkan are pointers where they are pointers in C, and u64 where they are not (VkBuffer,
//! VkSemaphore). They stay the program's, which is why most functions here are unsafe.
//!
//! With a queue the device submits its work itself, ordered with all that the program submits to that queue. Without one it
//! only records: sets, gets and updates wait in the library until [`record_update`] puts them into a command buffer.
use crate::buffer::Buffer;
use crate::call;
use crate::callbacks::QueueLock;
use crate::constants::BufferKind;
use crate::device::{Device, DeviceDesc};
use crate::element::Element;
use crate::error::{Error, Result};
use crate::records::{VulkanBufferDesc, VulkanRequirements};
use crate::solver::{Solver, Update};
use clothc_sys as sys;
use std::ffi::CString;
use std::fmt;
use std::os::raw::c_void;
use std::ptr;

/// A queue_family of [`VulkanBufferDesc`] that stands for none.
pub const NO_QUEUE_FAMILY: u32 = sys::CLOTHC_VULKAN_NO_QUEUE_FAMILY;

/// What a device takes over from a program that uses Vulkan. Begin with `VulkanDeviceDesc::default()`.
pub struct VulkanDeviceDesc<'a> {
    /// apiVersion of the VkApplicationInfo with which the instance was created. Default VK_API_VERSION_1_1.
    pub api_version: u32,
    /// PFN_vkGetInstanceProcAddr of the program's loader. None = that of libvulkan.so.1, or vulkan-1.dll.
    pub get_instance_proc_addr: Option<unsafe extern "C" fn()>,
    /// VkInstance.
    pub instance: *mut c_void,
    /// VkPhysicalDevice of the instance.
    pub physical_device: *mut c_void,
    /// VkDevice of the physical device, created with the feature timelineSemaphore and the extensions that
    /// [`requirements`] tells.
    pub device: *mut c_void,
    /// VkQueue to which the library submits. Default null: the device only records.
    pub queue: *mut c_void,
    /// The queue family of that queue or, without a queue, of the command buffers into which the device records. It needs
    /// VK_QUEUE_COMPUTE_BIT.
    pub queue_family: u32,
    /// The device extensions that were enabled, separated by spaces; others than those of [`requirements`] do not matter.
    pub extensions: &'a str,
    /// VkAllocationCallbacks for everything that the library creates on the device. It is copied. Default null.
    pub allocation_callbacks: *mut c_void,
    /// Called around each vkQueueSubmit, where other threads use the queue too. While a thread of the program has locked
    /// the queue, it must make no calls of the library.
    pub queue_lock: Option<QueueLock>,
}

impl Default for VulkanDeviceDesc<'_> {
    /// The library's defaults.
    fn default() -> Self {
        let raw = sys::clothc_vulkan_device_desc::default();
        VulkanDeviceDesc {
            api_version: raw.api_version,
            get_instance_proc_addr: None,
            instance: ptr::null_mut(),
            physical_device: ptr::null_mut(),
            device: ptr::null_mut(),
            queue: ptr::null_mut(),
            queue_family: raw.queue_family,
            extensions: "",
            allocation_callbacks: ptr::null_mut(),
            queue_lock: None,
        }
    }
}

impl fmt::Debug for VulkanDeviceDesc<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("VulkanDeviceDesc")
            .field("api_version", &self.api_version)
            .field("physical_device", &self.physical_device)
            .field("device", &self.device)
            .field("queue", &self.queue)
            .field("queue_family", &self.queue_family)
            .field("extensions", &self.extensions)
            .finish_non_exhaustive()
    }
}

impl VulkanDeviceDesc<'_> {
    /// What a call takes, without the closures. The text must outlive it.
    fn describe(&self, extensions: &CString) -> sys::clothc_vulkan_device_desc {
        sys::clothc_vulkan_device_desc {
            api_version: self.api_version,
            get_instance_proc_addr: self.get_instance_proc_addr,
            instance: self.instance,
            physical_device: self.physical_device,
            device: self.device,
            queue: self.queue,
            queue_family: self.queue_family,
            extensions: extensions.as_ptr(),
            allocation_callbacks: self.allocation_callbacks,
            ..Default::default()
        }
    }

    fn extensions(&self) -> Result<CString> {
        CString::new(self.extensions).map_err(|_| Error::invalid("extensions has a zero in it".to_string()))
    }
}

/// Tells what a device must be created with so that [`create_device`] can adopt it. Of the desc only api_version,
/// get_instance_proc_addr, instance and physical_device count.
///
/// # Errors
///
/// INVALID_ARGUMENT; UNSUPPORTED if the physical device cannot be used, for the reason that the message says.
///
/// # Safety
///
/// get_instance_proc_addr is None or a PFN_vkGetInstanceProcAddr, the instance is null or one of Vulkan that was created
/// with api_version, and the physical device is null or one of the instance.
pub unsafe fn requirements(vulkan: &VulkanDeviceDesc<'_>) -> Result<VulkanRequirements> {
    let extensions = vulkan.extensions()?;
    let raw = vulkan.describe(&extensions);
    call::filled(|requirements| unsafe { sys::clothc_vulkan_get_requirements(&raw, requirements) })
}

/// Makes a device that works on the program's VkDevice. Its backend is AUTO or VULKAN; device_index and uuid do not count.
///
/// # Errors
///
/// INVALID_ARGUMENT; UNSUPPORTED because of the physical device, the queue family, or a required extension that was not
/// enabled; OUT_OF_MEMORY.
///
/// # Safety
///
/// The handles are null or what their descriptions say. Instance, device and queue exist until the last owner of the
/// device is dropped. Without `queue_lock`, no other thread uses the queue while calls are made or the library's thread
/// submits an update that waited for a fence.
pub unsafe fn create_device(desc: DeviceDesc, vulkan: VulkanDeviceDesc<'_>) -> Result<Device> {
    let extensions = vulkan.extensions()?;
    let mut adopted = vulkan.describe(&extensions);
    Device::create(desc, vulkan.queue_lock, |raw, callbacks, handle| {
        callbacks.describe_queue(&mut adopted);
        unsafe { sys::clothc_vulkan_device_create(raw, &adopted, handle) }
    })
}

/// Makes a buffer on a VkBuffer of the program, for instance on its vertices, so that [`Solver::bind`] writes there.
///
/// # Errors
///
/// INVALID_ARGUMENT; OUT_OF_MEMORY; UNSUPPORTED if [`create_device`] has not made the device.
///
/// # Safety
///
/// The VkBuffer is one of the adopted VkDevice, with the usages that [`VulkanBufferDesc::buffer`] says and as many bytes as
/// its size says, and exists until the buffer is dropped.
pub unsafe fn wrap_buffer<T: Element>(device: &Device, vulkan: &VulkanBufferDesc, length: usize) -> Result<Buffer<T>> {
    let vulkan = call::given(vulkan)?;
    Buffer::create_by(device, BufferKind::WRAPPED_DEVICE, length, |desc, handle| unsafe {
        sys::clothc_vulkan_buffer_create(device.handle(), &desc, vulkan, handle)
    })
}

/// The VkBuffer of a buffer, and the offset of element 0 in it in bytes. It ends with the buffer, and that of a HOST buffer
/// when it is mapped with [`Buffer::map_discard`].
///
/// # Errors
///
/// UNSUPPORTED if [`create_device`] has not made the device.
pub fn buffer_handle<T: Element>(buffer: &Buffer<T>) -> Result<(u64, u64)> {
    call::output((0, 0), |place| unsafe {
        sys::clothc_vulkan_buffer_get_handle(
            buffer.handle(),
            ptr::addr_of_mut!((*place).0),
            ptr::addr_of_mut!((*place).1),
        )
    })
}

/// What the program does when recorded commands have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The VkSemaphore of timeline type to raise, always the same one for a solver.
    pub semaphore: u64,
    /// The value to which it is raised, which is also that of the solver's timeline.
    pub value: u64,
}

/// Queues an update and records everything that has been queued on a solver since the last call into a VkCommandBuffer of
/// the program. Without an update it records what is queued. Returns None, and records nothing, if as many updates as
/// updates_in_flight says have not ended.
///
/// The program raises the semaphore in the submission that has the command buffer, or with vkSignalSemaphore once the
/// commands have ended. Until then, waiting for the solver or mapping a buffer that the work uses waits for the program's
/// submission; for work that has not been recorded it fails with INVALID_STATE.
///
/// # Errors
///
/// INVALID_ARGUMENT; INVALID_STATE if a bound buffer is mapped; UNSUPPORTED if [`create_device`] has not made the device
/// or has made it with a queue, and for fences that have not been reached or are to be signalled; DEVICE_LOST.
///
/// # Safety
///
/// The command buffer is a VkCommandBuffer of the primary level and of the device's queue family, which is being recorded
/// and is not inside a render pass. It is submitted once, all of them in the order in which they were recorded, and none
/// after the solver was dropped. Drop a solver when the submissions have ended.
pub unsafe fn record_update(
    solver: &mut Solver,
    command_buffer: *mut c_void,
    update: Option<&Update<'_>>,
) -> Result<Option<Recorded>> {
    let raw = update.map(|update| update.describe(0));
    let raw = raw.as_ref().map_or(ptr::null(), |update| update as *const sys::clothc_update);
    let mut recorded = Recorded { semaphore: 0, value: 0 };
    let (semaphore, value) = (&mut recorded.semaphore, &mut recorded.value);
    let result = unsafe { sys::clothc_vulkan_record_update(solver.handle(), command_buffer, raw, semaphore, value) };
    Ok(if call::status(result)? == sys::CLOTHC_SUCCESS { Some(recorded) } else { None })
}
