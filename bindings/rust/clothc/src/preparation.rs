//! What a device compiles before it is needed, whether it gives the bits of all others, and the cache that keeps both for
//! the next run.
use crate::call;
use crate::constants::{ErrorCode, VerifyFlags};
use crate::device::Device;
use crate::error::Result;
use crate::fence::nanoseconds;
use crate::records::{Verification, VerificationRow};
use clothc_sys as sys;
use std::os::raw::c_void;
use std::ptr;
use std::time::Duration;

impl Device {
    /// Begins to compile what updates need, in a thread of the library, and returns at once. A GPU's driver compiles a
    /// kernel when it is needed for the first time, and without this call that is in the middle of a frame.
    ///
    /// stages: constants of [`stage`](crate::stage), such as `&[stage::TETHERS, stage::WIND]`, which follow from the
    /// features in use; none = all that updates with [`Schedule::AUTO`](crate::Schedule::AUTO) may need. Every update
    /// needs BEGIN, INTEGRATION, PHASES and END.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT if there is no such stage; OUT_OF_MEMORY; DEVICE_LOST.
    pub fn prepare(&self, stages: &[usize]) -> Result<()> {
        // The library refuses the last bit, which is no stage's.
        let bit = |stage: usize| u32::try_from(stage).ok().and_then(|shift| 1u32.checked_shl(shift)).unwrap_or(1 << 31);
        let bits = stages.iter().fold(0, |bits, &stage| bits | bit(stage));
        call::check(unsafe { sys::clothc_device_prepare(self.handle(), bits) })
    }

    /// Waits until everything that [`Device::prepare`] began is compiled, and what [`Device::verify`] began has ended, at
    /// most for a time; None is for ever. Returns whether it has.
    ///
    /// # Errors
    ///
    /// The driver's failure if something could not be compiled, until [`Device::prepare`] is called again.
    pub fn wait_prepared(&self, timeout: Option<Duration>) -> Result<bool> {
        let (done, total) = (ptr::null_mut(), ptr::null_mut());
        let result = unsafe { sys::clothc_device_wait(self.handle(), nanoseconds(timeout), done, total) };
        Ok(call::status(result)? == sys::CLOTHC_SUCCESS)
    }

    /// How many kernels and programs are compiled, and how many were asked for, without waiting.
    ///
    /// # Errors
    ///
    /// As [`Device::wait_prepared`].
    pub fn progress(&self) -> Result<(u32, u32)> {
        let (mut done, mut total) = (0, 0);
        call::status(unsafe { sys::clothc_device_wait(self.handle(), 0, &mut done, &mut total) })?;
        Ok((done, total))
    }

    /// What the driver has compiled so far, for [`Device::load_cache`] in the next run of the program.
    pub fn save_cache(&self) -> Result<Vec<u8>> {
        loop {
            let cache =
                call::bytes(0, |data, size| unsafe { sys::clothc_device_save_cache(self.handle(), data, size) });
            match cache {
                // Another thread has had more compiled since the size was asked for.
                Err(error) if error.code() == ErrorCode::INVALID_ARGUMENT => continue,
                _ => return cache,
            }
        }
    }

    /// Gives what [`Device::save_cache`] has returned to the driver.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT if the cache is damaged, UNSUPPORTED if it comes from another device, driver or version of the
    /// library. Everything works without it.
    pub fn load_cache(&self, cache: &[u8]) -> Result<()> {
        let (data, size) = (cache.as_ptr() as *const c_void, cache.len() as u64);
        call::check(unsafe { sys::clothc_device_load_cache(self.handle(), data, size) })
    }

    /// Finds out whether the device gives the bits of all others, which [`Device::verification`] then tells. With
    /// [`VerifyFlags::IN_BACKGROUND`] it returns at once, and [`Device::wait_prepared`] waits for the end.
    ///
    /// # Errors
    ///
    /// UNSUPPORTED if the device only records; OUT_OF_MEMORY; DEVICE_LOST. That bits differ is no error.
    pub fn verify(&self, flags: VerifyFlags) -> Result<()> {
        call::check(unsafe { sys::clothc_device_verify(self.handle(), flags.0) })
    }

    /// What is known of the bits that the device gives.
    pub fn verification(&self) -> Result<Verification> {
        let (rows, count) = (ptr::null_mut(), ptr::null_mut());
        call::filled(|known| unsafe { sys::clothc_device_get_verification(self.handle(), known, rows, count) })
    }

    /// The results by kernel and form; none unless the device was verified here.
    pub fn verification_rows(&self) -> Result<Vec<VerificationRow>> {
        call::list(VerificationRow::default(), |rows, count| unsafe {
            sys::clothc_device_get_verification(self.handle(), ptr::null_mut(), rows.cast(), count)
        })
    }
}
