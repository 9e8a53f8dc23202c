//! Owns handles of the operating system through which devices, APIs and processes share memory or a timeline.
use clothc_sys as sys;
use std::io;
use std::os::unix::io::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};

/// Memory that was exported: a file descriptor, the size of the allocation, and where the buffer begins in it.
#[derive(Debug)]
pub struct ExternalMemory(pub(crate) External);

/// A timeline semaphore that was exported: a file descriptor.
#[derive(Debug)]
pub struct ExternalFence(pub(crate) External);

#[derive(Debug)]
pub(crate) struct External {
    descriptor: OwnedFd,
    size: u64,
    offset: u64,
}

impl External {
    /// Takes over what a call has exported.
    ///
    /// # Safety
    ///
    /// The descriptor is open and nobody else's.
    pub unsafe fn adopt(external: &sys::clothc_external_handle) -> External {
        let descriptor = unsafe { OwnedFd::from_raw_fd(external.handle as RawFd) };
        External { descriptor, size: external.size, offset: external.offset }
    }

    /// What a call imports. The descriptor stays the caller's until the call has succeeded.
    pub fn describe(&self) -> sys::clothc_external_handle {
        sys::clothc_external_handle {
            handle: self.descriptor.as_raw_fd().into(),
            size: self.size,
            offset: self.offset,
            ..Default::default()
        }
    }

    /// Leaves the descriptor to the library, which has imported it.
    pub fn give_away(self) {
        let _ = self.descriptor.into_raw_fd();
    }

    fn try_clone(&self) -> io::Result<External> {
        Ok(External { descriptor: self.descriptor.try_clone()?, size: self.size, offset: self.offset })
    }
}

impl ExternalMemory {
    /// Takes over memory that another API or process has exported.
    ///
    /// # Safety
    ///
    /// The descriptor is one of memory that Vulkan or CUDA exported as OPAQUE_FD, and the size is that of the whole
    /// allocation: drivers do not check it.
    pub unsafe fn from_parts(descriptor: OwnedFd, size: u64, offset: u64) -> ExternalMemory {
        ExternalMemory(External { descriptor, size, offset })
    }

    /// Gives up the file descriptor, for another API or process.
    pub fn into_descriptor(self) -> OwnedFd {
        self.0.descriptor
    }

    /// Bytes of the whole allocation.
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// The byte of the allocation at which the buffer begins.
    pub fn offset(&self) -> u64 {
        self.0.offset
    }

    /// The same memory with a file descriptor of its own, since every import takes one.
    pub fn try_clone(&self) -> io::Result<ExternalMemory> {
        Ok(ExternalMemory(self.0.try_clone()?))
    }
}

impl ExternalFence {
    /// Takes over a timeline semaphore that another API or process has exported.
    ///
    /// # Safety
    ///
    /// The descriptor is one of a timeline semaphore that Vulkan or CUDA exported as OPAQUE_FD: drivers do not check it.
    pub unsafe fn from_descriptor(descriptor: OwnedFd) -> ExternalFence {
        ExternalFence(External { descriptor, size: 0, offset: 0 })
    }

    /// Gives up the file descriptor, for another API or process.
    pub fn into_descriptor(self) -> OwnedFd {
        self.0.descriptor
    }

    /// The same semaphore with a file descriptor of its own, since every import takes one.
    pub fn try_clone(&self) -> io::Result<ExternalFence> {
        Ok(ExternalFence(self.0.try_clone()?))
    }
}
