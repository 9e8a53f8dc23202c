//! What the loaded library says about itself: its version, channels and parameters.
use crate::call;
use crate::constants::ErrorCode;
use crate::error::Result;
use crate::records::{ChannelInfo, ParameterInfo};
use clothc_sys as sys;
use std::ptr;

/// The version of the loaded library: major, minor and patch.
pub fn version() -> (u32, u32, u32) {
    let version = unsafe { sys::clothc_version() };
    (version >> 16, version >> 8 & 0xff, version & 0xff)
}

/// Lists the channels, with what does not depend on a solver.
pub fn channel_infos() -> Result<Vec<ChannelInfo>> {
    numbered(1, |channel| call::filled(|info| unsafe { sys::clothc_channel_describe(ptr::null_mut(), channel, info) }))
}

/// Lists the parameters of cloths, which are the fields of [`ClothParameters`](crate::ClothParameters), for editors and
/// file formats.
pub fn parameter_infos() -> Result<Vec<ParameterInfo>> {
    numbered(0, |index| call::filled(|info| unsafe { sys::clothc_parameter_describe(index, info) }))
}

/// Asks for one number after the other until there is no such number.
fn numbered<T>(first: u32, describe: impl Fn(u32) -> Result<T>) -> Result<Vec<T>> {
    let mut found = Vec::new();
    for number in first.. {
        match describe(number) {
            Ok(info) => found.push(info),
            Err(error) if error.code() == ErrorCode::INVALID_ARGUMENT => break,
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}
