//! Owns the mappings of buffers: slices that end when they are dropped.
//! Invariant: a mapping borrows its buffer mutably, so that nothing else can use the buffer meanwhile.
use crate::buffer::Buffer;
use crate::callbacks;
use crate::element::Element;
use clothc_sys as sys;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::slice;

/// The elements of a mapped buffer, to be read. While it lives, nothing else can use the buffer:
///
/// ```compile_fail,E0499
/// # use clothc::{Buffer, Channel, Result, Solver};
/// fn height(solver: &Solver, buffer: &mut Buffer<[f32; 4]>) -> Result<f32> {
///     let mapped = buffer.map_read()?;
///     solver.get(Channel::POSITION, buffer)?;
///     Ok(mapped[0][1])
/// }
/// ```
///
/// Nor can the buffer go:
///
/// ```compile_fail,E0505
/// # use clothc::{Buffer, Result};
/// fn first(mut buffer: Buffer<f32>) -> Result<f32> {
///     let mapped = buffer.map_read()?;
///     drop(buffer);
///     Ok(mapped[0])
/// }
/// ```
///
/// It cannot be written:
///
/// ```compile_fail,E0594
/// # use clothc::{Buffer, Result};
/// fn reset(buffer: &mut Buffer<f32>) -> Result<()> {
///     buffer.map_read()?[0] = 0.0;
///     Ok(())
/// }
/// ```
#[derive(Debug)]
pub struct ReadMapping<'buffer, T: Element> {
    address: NonNull<T>,
    buffer: &'buffer mut Buffer<T>,
}

/// The elements of a mapped buffer, to be read and written.
#[derive(Debug)]
pub struct WriteMapping<'buffer, T: Element>(ReadMapping<'buffer, T>);

// A mapping is a slice of elements, which any thread may have.
unsafe impl<T: Element> Send for ReadMapping<'_, T> {}
unsafe impl<T: Element> Sync for ReadMapping<'_, T> {}

impl<'buffer, T: Element> ReadMapping<'buffer, T> {
    pub(crate) fn new(buffer: &'buffer mut Buffer<T>, address: NonNull<T>) -> Self {
        ReadMapping { address, buffer }
    }
}

impl<'buffer, T: Element> WriteMapping<'buffer, T> {
    pub(crate) fn new(buffer: &'buffer mut Buffer<T>, address: NonNull<T>) -> Self {
        WriteMapping(ReadMapping::new(buffer, address))
    }
}

impl<T: Element> Deref for ReadMapping<'_, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        unsafe { slice::from_raw_parts(self.address.as_ptr(), self.buffer.len()) }
    }
}

impl<T: Element> Deref for WriteMapping<'_, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Element> DerefMut for WriteMapping<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        unsafe { slice::from_raw_parts_mut(self.0.address.as_ptr(), self.0.buffer.len()) }
    }
}

impl<T: Element> Drop for ReadMapping<'_, T> {
    #[inline]
    fn drop(&mut self) {
        // A buffer that is mapped and not destroyed can always be unmapped, unless its device was lost in a fork.
        unsafe { sys::clothc_buffer_unmap(self.buffer.handle()) };
        callbacks::resume_panic();
    }
}
