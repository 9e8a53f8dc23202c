//! Owns Element, the types that buffers hold.
use crate::constants::Format;
use crate::records::{ClothFrame, ClothParameters, ClothStatus, Contact};

/// A type of which buffers hold arrays: numbers, vectors, the records of record channels, and arrays of numbers such as
/// `[f32; 8]` for vertices that interleave positions with other data, of which a [`View`](crate::View) names a part.
///
/// # Safety
///
/// The type has no padding and every pattern of bits is a value of it, because the library and other programs fill its
/// memory; its size is a multiple of 4, and its alignment is at most 64. A struct of the program needs `#[repr(C)]`.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// How the library sees the type. [`Format::RECORD`] fits all.
    const FORMAT: Format = Format::RECORD;
}

unsafe impl Element for f32 {
    const FORMAT: Format = Format::FLOAT;
}

unsafe impl Element for u32 {
    const FORMAT: Format = Format::UINT;
}

unsafe impl<const WIDTH: usize> Element for [f32; WIDTH] {
    const FORMAT: Format = match WIDTH {
        1 => Format::FLOAT,
        3 => Format::FLOAT3,
        4 => Format::FLOAT4,
        _ => Format::RECORD,
    };
}

unsafe impl<const WIDTH: usize> Element for [u32; WIDTH] {
    const FORMAT: Format = match WIDTH {
        1 => Format::UINT,
        _ => Format::RECORD,
    };
}

unsafe impl Element for ClothParameters {}
unsafe impl Element for ClothStatus {}
unsafe impl Element for ClothFrame {}
unsafe impl Element for Contact {}
