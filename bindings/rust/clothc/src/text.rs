//! Owns Text, a text of fixed capacity inside a record.
use std::fmt;
use std::ops::Deref;

/// A text in a record, such as the name of a device. It is used as a `&str`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Text<const CAPACITY: usize>([u8; CAPACITY]);

impl<const CAPACITY: usize> Deref for Text<CAPACITY> {
    type Target = str;

    /// What stands before the first zero, up to the first byte that is not UTF-8.
    fn deref(&self) -> &str {
        let end = self.0.iter().position(|&byte| byte == 0).unwrap_or(CAPACITY);
        match std::str::from_utf8(&self.0[..end]) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&self.0[..error.valid_up_to()]).unwrap_or_default(),
        }
    }
}

impl<const CAPACITY: usize> fmt::Debug for Text<CAPACITY> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}

impl<const CAPACITY: usize> fmt::Display for Text<CAPACITY> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, formatter)
    }
}

impl<const CAPACITY: usize> PartialEq for Text<CAPACITY> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
