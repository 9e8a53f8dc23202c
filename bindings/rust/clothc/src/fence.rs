//! Owns Fence, a value that only grows.
use crate::call;
use crate::callbacks;
use crate::device::Device;
use crate::error::Result;
#[cfg(unix)]
use crate::external::{External, ExternalFence};
use clothc_sys as sys;
use std::ptr;
use std::time::Duration;

/// A 64-bit value that only grows, for waiting and signalling: between solvers, with the host, and with other APIs.
#[derive(Debug)]
pub struct Fence {
    handle: sys::clothc_fence,
    device: Device,
}

// Calls on fences may come from any thread.
unsafe impl Send for Fence {}
unsafe impl Sync for Fence {}

impl Fence {
    /// Makes a fence with a first value.
    pub fn new(device: &Device, value: u64) -> Result<Fence> {
        Fence::create(device, |handle| unsafe { sys::clothc_fence_create(device.handle(), value, handle) })
    }

    /// Makes a fence from a timeline semaphore that another device, API or process has exported. On a CUDA device the
    /// fence cannot read the semaphore: its value is the highest one that this library has signalled, or that an update
    /// which has ended has waited for.
    ///
    /// # Errors
    ///
    /// UNSUPPORTED if the device lacks IMPORTED_SEMAPHORE_FD; INVALID_ARGUMENT; OUT_OF_MEMORY; DEVICE_LOST.
    #[cfg(unix)]
    pub fn import(device: &Device, external: ExternalFence) -> Result<Fence> {
        let raw = external.0.describe();
        let fence = Fence::create(device, |handle| unsafe { sys::clothc_fence_import(device.handle(), &raw, handle) })?;
        external.0.give_away();
        Ok(fence)
    }

    fn create(device: &Device, call: impl FnOnce(*mut sys::clothc_fence) -> sys::clothc_result) -> Result<Fence> {
        Ok(Fence { handle: call::output(ptr::null_mut(), call)?, device: device.clone() })
    }

    pub(crate) fn handle(&self) -> sys::clothc_fence {
        self.handle
    }

    /// The device that the fence was made from.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Raises the fence to a value from the host.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT if the value is not above the present one, or if the fence is a semaphore that queued updates
    /// raise as far; INVALID_STATE if the fence is a semaphore that CUDA imported and a queued update will raise it.
    pub fn signal(&self, value: u64) -> Result<()> {
        call::check(unsafe { sys::clothc_fence_signal(self.handle, value) })
    }

    /// Waits until the fence has reached a value, at most for a time; None is for ever. Returns whether it has.
    ///
    /// # Errors
    ///
    /// DEVICE_LOST if the work that would have raised the fence does not end; UNSUPPORTED, see [`Fence::import`].
    pub fn wait(&self, value: u64, timeout: Option<Duration>) -> Result<bool> {
        let status = call::status(unsafe { sys::clothc_fence_wait(self.handle, value, nanoseconds(timeout)) })?;
        Ok(status == sys::CLOTHC_SUCCESS)
    }

    /// The present value.
    pub fn value(&self) -> Result<u64> {
        call::output(0, |value| unsafe { sys::clothc_fence_get_value(self.handle, value) })
    }

    /// Exports the fence as a timeline semaphore. What this library signals reaches it on the device, without the host.
    ///
    /// # Errors
    ///
    /// UNSUPPORTED if the device lacks EXTERNAL_SEMAPHORE_FD; OUT_OF_MEMORY; DEVICE_LOST.
    #[cfg(unix)]
    pub fn export(&self) -> Result<ExternalFence> {
        let external = call::output(sys::clothc_external_handle::default(), |external| unsafe {
            sys::clothc_fence_export(self.handle, external)
        })?;
        Ok(ExternalFence(unsafe { External::adopt(&external) }))
    }
}

impl Drop for Fence {
    fn drop(&mut self) {
        unsafe { sys::clothc_fence_destroy(self.handle) };
        callbacks::resume_panic();
    }
}

/// A time-out as the interface has it.
pub(crate) fn nanoseconds(timeout: Option<Duration>) -> u64 {
    timeout.map_or(sys::CLOTHC_WAIT_FOREVER, |time| u64::try_from(time.as_nanos()).unwrap_or(sys::CLOTHC_WAIT_FOREVER))
}
