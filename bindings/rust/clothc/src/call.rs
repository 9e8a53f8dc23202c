//! How this crate calls the library: results become errors or statuses, and outputs become return values.
//! Invariant: every call that can run a closure of the program goes through `status`, where a panic of the closure goes
//! on.
use crate::callbacks;
use crate::error::{Error, Result};
use clothc_sys as sys;
use std::os::raw::c_void;
use std::ptr;

/// A struct that begins with its size.
///
/// # Safety
///
/// The type has the layout of Raw, and Raw begins with a u32 that holds the size of the struct.
pub unsafe trait Record: Copy + Default {
    type Raw;
}

/// Returns the status of a call, which is 0 or above, or its error.
#[inline]
pub(crate) fn status(result: sys::clothc_result) -> Result<sys::clothc_result> {
    callbacks::resume_panic();
    if result < 0 {
        return Err(Error::last(result));
    }
    Ok(result)
}

/// The same for calls that have no status but success.
#[inline]
pub(crate) fn check(result: sys::clothc_result) -> Result<()> {
    status(result).map(|_| ())
}

/// Calls with the address of a value and returns the value.
pub(crate) fn output<T>(mut value: T, call: impl FnOnce(*mut T) -> sys::clothc_result) -> Result<T> {
    check(call(&mut value))?;
    Ok(value)
}

/// Calls with the address of a record with its defaults and returns the record.
pub(crate) fn filled<T: Record>(call: impl FnOnce(*mut T::Raw) -> sys::clothc_result) -> Result<T> {
    output(T::default(), |record| call(record as *mut T::Raw))
}

/// The address of a record for a call. The library would read as many bytes as a record says it has, so that is checked.
pub(crate) fn given<T: Record>(record: &T) -> Result<*const T::Raw> {
    let address = record as *const T;
    let size = unsafe { *(address as *const u32) };
    if size as usize == std::mem::size_of::<T>() {
        return Ok(address as *const T::Raw);
    }
    let name = std::any::type_name::<T>();
    Err(Error::invalid(format!("struct_size of a {name} is {size}; begin with its Default, which sets struct_size")))
}

/// The same for what may be absent.
pub(crate) fn optional<T: Record>(record: Option<&T>) -> Result<*const T::Raw> {
    record.map_or(Ok(ptr::null()), given)
}

/// The address of a slice for a call, or null if it is empty.
pub(crate) fn address<T>(slice: &[T]) -> *const T {
    if slice.is_empty() {
        ptr::null()
    } else {
        slice.as_ptr()
    }
}

/// The length of a slice as the interface has it.
pub(crate) fn count<T>(slice: &[T], what: &str) -> Result<u32> {
    u32::try_from(slice.len())
        .map_err(|_| Error::invalid(format!("{what} has {} elements; want at most 2^32 - 1", slice.len())))
}

/// Fails unless an array has the length that the library takes it to have, or is absent.
pub(crate) fn check_length(what: &str, length: usize, wanted: usize) -> Result<()> {
    if length == 0 {
        return Ok(());
    }
    check_exact_length(what, length, wanted)
}

/// Fails unless an array has the length that the library takes it to have.
pub(crate) fn check_exact_length(what: &str, length: usize, wanted: usize) -> Result<()> {
    if length == wanted {
        return Ok(());
    }
    Err(Error::invalid(format!("{what} has {length} elements; want {wanted}")))
}

/// Calls for a list: first for its length, then for its elements, and again if it has grown meanwhile.
pub(crate) fn list<T: Clone>(blank: T, mut call: impl FnMut(*mut T, *mut u32) -> sys::clothc_result) -> Result<Vec<T>> {
    loop {
        let mut length = 0;
        status(call(ptr::null_mut(), &mut length))?;
        let mut found = vec![blank.clone(); length as usize];
        if found.is_empty() || status(call(found.as_mut_ptr(), &mut length))? != sys::CLOTHC_INCOMPLETE {
            found.truncate(length as usize);
            return Ok(found);
        }
    }
}

/// Calls for an array of bytes: first for its size, then for its contents, as elements of any plain type.
pub(crate) fn bytes<T: Copy>(blank: T, call: impl Fn(*mut c_void, *mut u64) -> sys::clothc_result) -> Result<Vec<T>> {
    let mut size = 0;
    check(call(ptr::null_mut(), &mut size))?;
    let element_size = std::mem::size_of::<T>();
    if element_size == 0 || size % element_size as u64 != 0 {
        return Err(Error::invalid(format!(
            "the array has {size} bytes, which elements of {element_size} do not divide"
        )));
    }
    let mut data = vec![blank; (size / element_size as u64) as usize];
    if size > 0 {
        check(call(data.as_mut_ptr() as *mut c_void, &mut size))?;
    }
    Ok(data)
}
