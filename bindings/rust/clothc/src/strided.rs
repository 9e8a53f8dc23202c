//! Owns Strided, an array that may be interleaved with other data.
use crate::element::Element;
use crate::error::{Error, Result};
use std::marker::PhantomData;
use std::mem::{align_of, size_of};
use std::ptr;

/// An array of values with a distance from one to the next, such as the positions of vertices that hold other data too.
/// A slice or a reference to an array or `Vec` becomes one by `into()`; the default is an absent array.
#[derive(Debug)]
pub struct Strided<'a, T> {
    first: *const T,
    length: usize,
    stride: usize,
    _values: PhantomData<&'a [T]>,
}

// It is a shared slice.
unsafe impl<T: Sync> Send for Strided<'_, T> {}
unsafe impl<T: Sync> Sync for Strided<'_, T> {}

impl<T> Clone for Strided<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Strided<'_, T> {}

impl<T> Default for Strided<'_, T> {
    /// An absent array.
    fn default() -> Self {
        Strided { first: ptr::null(), length: 0, stride: 0, _values: PhantomData }
    }
}

impl<'a, T: Copy> Strided<'a, T> {
    /// The values at a byte of each element of a slice.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT if a value would not be whole within the element, or not aligned.
    pub fn interleaved<S: Element>(elements: &'a [S], byte_offset: usize) -> Result<Strided<'a, T>> {
        let fits = byte_offset.checked_add(size_of::<T>()).map_or(false, |end| end <= size_of::<S>());
        let is_aligned =
            [byte_offset, size_of::<S>(), elements.as_ptr() as usize].iter().all(|n| n % align_of::<T>() == 0);
        if !fits || !is_aligned {
            return Err(Error::invalid(format!(
                "byte_offset is {byte_offset}; want a multiple of {} with a value of {} bytes in elements of {}",
                align_of::<T>(),
                size_of::<T>(),
                size_of::<S>()
            )));
        }
        if elements.is_empty() {
            return Ok(Strided::default());
        }
        let first = unsafe { (elements.as_ptr() as *const u8).add(byte_offset) as *const T };
        Ok(Strided { first, length: elements.len(), stride: size_of::<S>(), _values: PhantomData })
    }
}

impl<T> Strided<'_, T> {
    /// The number of values.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Says whether the array is absent.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub(crate) fn address<C>(&self) -> *const C {
        self.first as *const C
    }

    pub(crate) fn stride(&self) -> u64 {
        self.stride as u64
    }
}

impl<'a, T> From<&'a [T]> for Strided<'a, T> {
    fn from(values: &'a [T]) -> Self {
        if values.is_empty() {
            return Strided::default();
        }
        Strided { first: values.as_ptr(), length: values.len(), stride: size_of::<T>(), _values: PhantomData }
    }
}

impl<'a, T, const LENGTH: usize> From<&'a [T; LENGTH]> for Strided<'a, T> {
    fn from(values: &'a [T; LENGTH]) -> Self {
        values[..].into()
    }
}

impl<'a, T> From<&'a Vec<T>> for Strided<'a, T> {
    fn from(values: &'a Vec<T>) -> Self {
        values[..].into()
    }
}
