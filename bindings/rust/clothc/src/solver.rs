//! Owns Solver: its life, its updates and what it tells about itself. The files cloths.rs, channels.rs, groups.rs,
//! colliders.rs, assets.rs and state.rs add what it does with its parts.
use crate::call;
use crate::callbacks;
use crate::constants::Channel;
use crate::device::Device;
use crate::error::Result;
use crate::fence::{nanoseconds, Fence};
use crate::records::{ChannelInfo, SolverDesc, SolverInfo, Timers};
use clothc_sys as sys;
use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr;
use std::time::Duration;

/// Particles and cloths that move together. Calls on one solver must not overlap, so it can be sent to another thread but
/// not shared; [`Solver::timeline`] gives other threads something to wait for.
///
/// ```compile_fail,E0277
/// # use clothc::Solver;
/// fn share(solver: &Solver) {
///     std::thread::scope(|scope| {
///         scope.spawn(|| solver.info());
///     });
/// }
/// ```
#[derive(Debug)]
pub struct Solver {
    handle: sys::clothc_solver,
    device: Device,
    _not_sync: PhantomData<Cell<()>>,
}

// No call is bound to a thread.
unsafe impl Send for Solver {}

/// One update. Begin with `Update::default()`.
#[derive(Clone, Copy, Debug)]
pub struct Update<'a> {
    /// Seconds, 0 or 1e-6 .. 10; default 1/60. With 0 nothing moves.
    pub dt: f32,
    /// Measure the times that [`Solver::timers`] returns.
    pub timers: bool,
    /// The update starts when the fence has reached the value.
    pub wait: Option<(&'a Fence, u64)>,
    /// The end of the update raises the fence to the value, which must be above all values that were signalled or queued
    /// for it before.
    pub signal: Option<(&'a Fence, u64)>,
}

impl Default for Update<'_> {
    /// The library's defaults.
    fn default() -> Self {
        Update { dt: sys::clothc_update::default().dt, timers: false, wait: None, signal: None }
    }
}

impl Update<'_> {
    /// What a call takes. The fences must outlive it.
    #[inline]
    pub(crate) fn describe(&self, flags: u32) -> sys::clothc_update {
        let fence_and_value =
            |given: Option<(&Fence, u64)>| given.map_or((ptr::null_mut(), 0), |(f, v)| (f.handle(), v));
        let (wait_fence, wait_value) = fence_and_value(self.wait);
        let (signal_fence, signal_value) = fence_and_value(self.signal);
        sys::clothc_update {
            struct_size: std::mem::size_of::<sys::clothc_update>() as u32,
            flags: flags | if self.timers { sys::CLOTHC_UPDATE_TIMERS } else { 0 },
            dt: self.dt,
            reserved: 0,
            wait_fence,
            wait_value,
            signal_fence,
            signal_value,
        }
    }
}

impl Solver {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT; OUT_OF_MEMORY.
    pub fn new(device: &Device, desc: &SolverDesc) -> Result<Solver> {
        let desc = call::given(desc)?;
        let handle = call::output(ptr::null_mut(), |handle| unsafe {
            sys::clothc_solver_create(device.handle(), desc, handle)
        })?;
        Ok(Solver { handle, device: device.clone(), _not_sync: PhantomData })
    }

    #[inline]
    pub(crate) fn handle(&self) -> sys::clothc_solver {
        self.handle
    }

    /// The device that the solver was made from.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Moves every cloth by dt and returns the timeline value that the end of this update reaches. The call returns while
    /// the work goes on. It waits if as many updates are queued as updates_in_flight says.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT; INVALID_STATE if a bound buffer is mapped; UNSUPPORTED if the device has no timers; DEVICE_LOST.
    pub fn update(&mut self, update: &Update<'_>) -> Result<u64> {
        self.queue_update(update, 0).map(|(value, _)| value)
    }

    /// The same without waiting: None, and nothing is done, if too many updates are queued.
    pub fn try_update(&mut self, update: &Update<'_>) -> Result<Option<u64>> {
        let (value, status) = self.queue_update(update, sys::CLOTHC_UPDATE_NO_WAIT)?;
        Ok(if status == sys::CLOTHC_SUCCESS { Some(value) } else { None })
    }

    #[inline]
    fn queue_update(&mut self, update: &Update<'_>, flags: u32) -> Result<(u64, sys::clothc_result)> {
        let raw = update.describe(flags);
        let mut value = 0;
        let status = call::status(unsafe { sys::clothc_solver_update(self.handle, &raw, &mut value) })?;
        Ok((value, status))
    }

    /// Waits until the timeline has reached a value, at most for a time; None is for ever. Returns whether it has.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT if the value is not queued yet; DEVICE_LOST.
    pub fn wait(&self, value: u64, timeout: Option<Duration>) -> Result<bool> {
        self.timeline().wait(value, timeout)
    }

    /// Waits until everything that is queued so far has ended.
    pub fn wait_all(&self) -> Result<()> {
        self.wait(u64::MAX, None).map(|_| ())
    }

    /// Says whether the timeline has reached a value, without waiting, and which value it has reached.
    pub fn poll(&self, value: u64) -> Result<(bool, u64)> {
        self.timeline().poll(value)
    }

    /// The solver's timeline, for other threads.
    pub fn timeline(&self) -> Timeline {
        Timeline { handle: self.handle }
    }

    /// What the solver holds and has done.
    pub fn info(&self) -> Result<SolverInfo> {
        call::filled(|info| unsafe { sys::clothc_solver_get_info(self.handle, info) })
    }

    /// The times of the last update with timers whose times have arrived, which is when the update has ended and a later
    /// one has been queued.
    pub fn timers(&self) -> Result<Timers> {
        call::filled(|timers| unsafe { sys::clothc_solver_get_timers(self.handle, timers) })
    }

    /// What a channel is, and how many elements it has in this solver.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT if there is no such channel.
    pub fn channel_info(&self, channel: Channel) -> Result<ChannelInfo> {
        call::filled(|info| unsafe { sys::clothc_channel_describe(self.handle, channel.0, info) })
    }
}

impl Drop for Solver {
    /// Waits for the work that is queued.
    fn drop(&mut self) {
        unsafe { sys::clothc_solver_destroy(self.handle) };
        callbacks::resume_panic();
    }
}

/// The timeline of a solver, on which any thread may wait. When the solver is gone, its calls fail with INVALID_HANDLE.
#[derive(Clone, Copy, Debug)]
pub struct Timeline {
    handle: sys::clothc_solver,
}

// The library checks handles, and these calls may come from any thread.
unsafe impl Send for Timeline {}
unsafe impl Sync for Timeline {}

impl Timeline {
    /// As [`Solver::wait`].
    pub fn wait(&self, value: u64, timeout: Option<Duration>) -> Result<bool> {
        let status = call::status(unsafe { sys::clothc_solver_wait(self.handle, value, nanoseconds(timeout)) })?;
        Ok(status == sys::CLOTHC_SUCCESS)
    }

    /// As [`Solver::poll`].
    pub fn poll(&self, value: u64) -> Result<(bool, u64)> {
        let mut completed = 0;
        let status = call::status(unsafe { sys::clothc_solver_poll(self.handle, value, &mut completed) })?;
        Ok((status == sys::CLOTHC_SUCCESS, completed))
    }
}
