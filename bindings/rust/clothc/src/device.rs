//! Owns Device, what does the work, and the list of devices.
use crate::call;
use crate::callbacks::{self, Allocator, Callbacks, MessageCallback, QueueLock, SubmitCallback};
use crate::constants::{Backend, DeviceFlags, Isa};
use crate::error::Result;
use crate::records::DeviceInfo;
use clothc_sys as sys;
use std::fmt;
use std::ptr;
use std::sync::Arc;
use std::thread;

/// How to make a device. Begin with `DeviceDesc::default()`.
pub struct DeviceDesc {
    /// Default [`Backend::AUTO`]: the best one that works. [`DeviceInfo::reason`] says why it was chosen.
    pub backend: Backend,
    /// Index among the devices of that backend. Default 0.
    pub device_index: u32,
    /// CPU: number of threads, or of tasks at a time if submit is set. 0 = as many as the machine has.
    pub worker_count: u32,
    /// CPU: the instruction set to use. Default [`Isa::AUTO`].
    pub isa: Isa,
    /// Default none.
    pub flags: DeviceFlags,
    /// CPU: allocates the device's arrays. None = the allocator of the C library.
    pub allocator: Option<Allocator>,
    /// Receives the messages of failing calls. A panic goes on from the call that failed.
    pub message: Option<MessageCallback>,
    /// CPU: runs the device's tasks in the program's scheduler. None = threads of the library. At least one thread of the
    /// scheduler must be free of calls that wait. A panic goes on from the call, or from the [`Task::run`](crate::Task::run),
    /// during which the library called the closure; the task runs all the same.
    pub submit: Option<SubmitCallback>,
    /// Selects the device with this UUID, whatever its index. Default all 0: device_index selects.
    pub uuid: [u8; 16],
    /// GPU: the device counts as lost after so many milliseconds without progress. Default 60000.
    pub hang_timeout_ms: u32,
    /// What [`Device::save_cache`] gave in an earlier run. One that does not fit is ignored. Default empty: none.
    pub cache: Vec<u8>,
}

impl Default for DeviceDesc {
    /// The library's defaults.
    fn default() -> Self {
        let raw = sys::clothc_device_desc::default();
        DeviceDesc {
            backend: Backend(raw.backend),
            device_index: raw.device_index,
            worker_count: raw.worker_count,
            isa: Isa(raw.isa),
            flags: DeviceFlags(raw.flags),
            allocator: None,
            message: None,
            submit: None,
            uuid: raw.uuid,
            hang_timeout_ms: raw.hang_timeout_ms,
            cache: Vec::new(),
        }
    }
}

impl fmt::Debug for DeviceDesc {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("DeviceDesc")
            .field("backend", &self.backend)
            .field("device_index", &self.device_index)
            .field("worker_count", &self.worker_count)
            .field("isa", &self.isa)
            .field("flags", &self.flags)
            .finish_non_exhaustive()
    }
}

/// What does the work of everything made from it: the processor or a GPU. Everything that is made from a device keeps it
/// alive; clones are the same device. The last owner that goes destroys it, which waits for all of its work.
#[derive(Clone, Debug)]
pub struct Device(Arc<Owner>);

#[derive(Debug)]
struct Owner(Parts);

/// The device of the library, and the closures to which it has pointers.
#[derive(Clone, Copy, Debug)]
struct Parts {
    handle: sys::clothc_device,
    callbacks: *mut Callbacks,
}

// Calls on devices may come from any thread, and so may those of the closures.
unsafe impl Send for Parts {}
unsafe impl Sync for Parts {}

impl Device {
    /// Makes a device.
    ///
    /// # Errors
    ///
    /// UNSUPPORTED if this machine has no such backend, device or instruction set, or if the device gives other bits and
    /// flags has [`DeviceFlags::STRICT_PARITY`]; INVALID_ARGUMENT; OUT_OF_MEMORY.
    pub fn new(desc: DeviceDesc) -> Result<Device> {
        Device::create(desc, None, |raw, _, handle| unsafe { sys::clothc_device_create(raw, handle) })
    }

    pub(crate) fn create(
        desc: DeviceDesc,
        queue_lock: Option<QueueLock>,
        call: impl FnOnce(*const sys::clothc_device_desc, &Callbacks, *mut sys::clothc_device) -> sys::clothc_result,
    ) -> Result<Device> {
        let mut raw = sys::clothc_device_desc {
            backend: desc.backend.0,
            device_index: desc.device_index,
            worker_count: desc.worker_count,
            isa: desc.isa.0,
            flags: desc.flags.0,
            uuid: desc.uuid,
            hang_timeout_ms: desc.hang_timeout_ms,
            cache: if desc.cache.is_empty() { ptr::null() } else { desc.cache.as_ptr() },
            cache_size: desc.cache.len() as u64,
            ..Default::default()
        };
        let callbacks = Callbacks { message: desc.message, submit: desc.submit, allocator: desc.allocator, queue_lock };
        let callbacks = Box::into_raw(Box::new(callbacks));
        unsafe { (*callbacks).describe(&mut raw) };
        match call::output(ptr::null_mut(), |handle| call(&raw, unsafe { &*callbacks }, handle)) {
            Ok(handle) => Ok(Device(Arc::new(Owner(Parts { handle, callbacks })))),
            Err(error) => {
                drop(unsafe { Box::from_raw(callbacks) });
                Err(error)
            }
        }
    }

    /// What the device is.
    pub fn info(&self) -> Result<DeviceInfo> {
        call::filled(|info| unsafe { sys::clothc_device_get_info(self.handle(), info) })
    }

    pub(crate) fn handle(&self) -> sys::clothc_device {
        self.0 .0.handle
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let parts = self.0;
        if !callbacks::is_inside_closure() {
            return parts.destroy();
        }
        // The closure belongs to a call or task that the device would wait for, so another thread destroys the device. It
        // stays if there is no thread to be had.
        let _ = thread::Builder::new().spawn(move || parts.destroy());
    }
}

impl Parts {
    fn destroy(self) {
        if unsafe { sys::clothc_device_destroy(self.handle) } == sys::CLOTHC_SUCCESS {
            drop(unsafe { Box::from_raw(self.callbacks) });
        }
        callbacks::resume_panic();
    }
}

/// Lists all backends and devices of this machine, absent ones included with their reason.
pub fn devices() -> Result<Vec<DeviceInfo>> {
    call::list(DeviceInfo::default(), |infos, count| unsafe {
        sys::clothc_device_enumerate(infos as *mut sys::clothc_device_info, count)
    })
}
