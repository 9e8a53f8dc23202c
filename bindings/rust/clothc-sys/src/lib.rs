//! The C interface of libclothc, with the names of C. The crate `clothc` is the safe interface to the same library.
//!
//! Handles are checked by the library: one that is null, stale or of another kind gives
//! [`CLOTHC_ERROR_INVALID_HANDLE`]. Structs begin with their size; their [`Default`] asks the library for it and for all
//! other defaults, so begin with that:
//!
//! ```
//! # use clothc_sys::*;
//! let desc = clothc_device_desc { backend: CLOTHC_BACKEND_CPU, ..Default::default() };
//! ```
//!
//! # Safety
//!
//! Calls on one solver must not overlap, unless the section Threads of a function says otherwise. A closure or function
//! that the library calls back must not unwind.
#![allow(non_camel_case_types)]

#[rustfmt::skip]
mod constants;
#[rustfmt::skip]
mod functions;
#[rustfmt::skip]
mod structs;

pub use constants::*;
pub use functions::*;
pub use structs::*;

use std::marker::{PhantomData, PhantomPinned};

/// What stands behind a handle. Nothing in Rust can make, move or share one.
#[repr(C)]
struct Opaque {
    _size: [u8; 0],
    _kind: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Implements Default with the library's defaults.
macro_rules! default_of {
    ($struct:ty, $kind:expr) => {
        impl Default for $struct {
            /// The library's defaults. It panics if the library is older than these declarations.
            fn default() -> Self {
                // Zero is a value of all these structs, so that a struct is whole even before the call fills it.
                let mut filled: Self = unsafe { std::mem::zeroed() };
                let size = std::mem::size_of::<Self>();
                let result = unsafe { clothc_struct_init($kind, &mut filled as *mut Self as *mut c_void, size) };
                assert_eq!(result, CLOTHC_SUCCESS, "libclothc is older than {}, {size} bytes", stringify!($struct));
                filled
            }
        }
    };
}
use default_of;
