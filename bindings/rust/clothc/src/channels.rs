//! Adds to Solver the copies between buffers and channels, and the channels bound to buffers.
use crate::buffer::Buffer;
use crate::call;
use crate::constants::{Channel, ClothId, SetFlags};
use crate::element::Element;
use crate::error::Result;
use crate::records::{Region, View};
use crate::solver::Solver;
use clothc_sys as sys;
use std::ptr;

impl Solver {
    /// Copies all elements of a buffer to the first ones of a channel, after everything queued before. The call does not
    /// wait: mapping the buffer does.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT (channel, format, size, or a field of a record); CAPACITY; OUT_OF_MEMORY; DEVICE_LOST.
    pub fn set<T: Element>(&mut self, channel: Channel, buffer: &Buffer<T>) -> Result<()> {
        self.set_regions(channel, buffer, None, None, SetFlags::NONE)
    }

    /// Copies regions of a buffer to regions of a channel, in order. None = all of the buffer. A view says which part of
    /// each element is meant; None = the whole element.
    pub fn set_regions<T: Element>(
        &mut self,
        channel: Channel,
        buffer: &Buffer<T>,
        view: Option<&View>,
        regions: Option<&[Region]>,
        flags: SetFlags,
    ) -> Result<()> {
        let view = call::optional(view)?;
        transfer(regions, |regions, count| unsafe {
            sys::clothc_solver_set(self.handle(), channel.0, buffer.handle(), view, regions, count, flags.0)
        })
    }

    /// Copies the first elements of a channel to all of a buffer, after everything queued before. The call does not wait:
    /// mapping the buffer does.
    ///
    /// # Errors
    ///
    /// As [`Solver::set`].
    pub fn get<T: Element>(&self, channel: Channel, buffer: &mut Buffer<T>) -> Result<()> {
        self.get_regions(channel, buffer, None, None)
    }

    /// Copies regions of a channel to regions of a buffer, as [`Solver::set_regions`] does the other way.
    pub fn get_regions<T: Element>(
        &self,
        channel: Channel,
        buffer: &mut Buffer<T>,
        view: Option<&View>,
        regions: Option<&[Region]>,
    ) -> Result<()> {
        let view = call::optional(view)?;
        transfer(regions, |regions, count| unsafe {
            sys::clothc_solver_get(self.handle(), channel.0, buffer.handle(), view, regions, count, 0)
        })
    }

    /// Binds a channel of a cloth to a buffer: the end of every following update writes one element per vertex of the mesh
    /// that the fabric was cooked from. The channels are POSITION, PREVIOUS_POSITION, START_POSITION, VELOCITY, NORMAL and
    /// TANGENT. The binding ends when it is replaced or when the cloth or the buffer goes. While the buffer is mapped,
    /// updates fail with INVALID_STATE; mapping it waits for the updates that are queued.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT (channel, format, view, a buffer that is too short); OUT_OF_MEMORY.
    pub fn bind<T: Element>(
        &mut self,
        cloth: impl Into<ClothId>,
        channel: Channel,
        buffer: &mut Buffer<T>,
        view: Option<&View>,
    ) -> Result<()> {
        let (cloth, view) = (cloth.into(), call::optional(view)?);
        call::check(unsafe { sys::clothc_cloth_bind(self.handle(), cloth.0, channel.0, buffer.handle(), view) })
    }

    /// Ends the binding of a channel.
    pub fn unbind(&mut self, cloth: impl Into<ClothId>, channel: Channel) -> Result<()> {
        let (cloth, none) = (cloth.into(), ptr::null_mut());
        call::check(unsafe { sys::clothc_cloth_bind(self.handle(), cloth.0, channel.0, none, ptr::null()) })
    }
}

/// Calls with regions, or with none for all elements. An empty list of regions copies nothing.
#[inline]
fn transfer(
    regions: Option<&[Region]>,
    call: impl FnOnce(*const sys::clothc_region, u32) -> sys::clothc_result,
) -> Result<()> {
    let (address, count) = match regions {
        None => (ptr::null(), 0),
        Some([]) => return Ok(()),
        Some(regions) => (regions.as_ptr() as *const sys::clothc_region, call::count(regions, "regions")?),
    };
    call::check(call(address, count))
}
