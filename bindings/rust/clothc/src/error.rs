//! Owns Error, what a failing call says.
use crate::constants::ErrorCode;
use clothc_sys as sys;
use std::ffi::CStr;
use std::fmt;

/// The result of a call of this library.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a call failed. A call that fails has changed nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    code: ErrorCode,
    message: String,
}

impl Error {
    /// The error of a call that this crate turns down before it reaches the library.
    pub(crate) fn invalid(message: impl Into<String>) -> Error {
        Error { code: ErrorCode::INVALID_ARGUMENT, message: message.into() }
    }

    /// The error of this thread's last call of the library.
    #[cold]
    pub(crate) fn last(result: sys::clothc_result) -> Error {
        let message = unsafe { CStr::from_ptr(sys::clothc_last_error_message()) };
        Error { code: ErrorCode(result), message: message.to_string_lossy().into_owned() }
    }

    /// The kind of the failure.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// What was wrong, the value seen, and the remedy.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.code.name(), self.message)
    }
}

impl std::error::Error for Error {}

impl ErrorCode {
    /// The name of the code in C, such as "CLOTHC_ERROR_CAPACITY".
    pub fn name(self) -> &'static str {
        let name = unsafe { CStr::from_ptr(sys::clothc_result_name(self.0)) };
        name.to_str().unwrap_or("unknown result")
    }
}
