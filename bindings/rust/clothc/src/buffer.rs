//! Owns Buffer, flat typed memory.
//! Invariant: whoever writes the memory has the buffer by `&mut`: a mapping, a get or a write. Those who have it by `&`
//! only read the memory.
use crate::call;
use crate::callbacks;
use crate::constants::{BufferFlags, BufferKind};
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, Result};
#[cfg(unix)]
use crate::external::ExternalMemory;
use crate::mapping::{ReadMapping, WriteMapping};
use crate::records::BufferInfo;
use clothc_sys as sys;
use std::marker::PhantomData;
use std::mem::{size_of, size_of_val, ManuallyDrop};
use std::os::raw::c_void;
use std::ptr::{self, NonNull};

/// Flat memory of elements of one type. Sets and gets copy between it and the channels of solvers, and mapping it waits
/// for those that use it. It may be dropped while they are queued.
#[derive(Debug)]
pub struct Buffer<T: Element> {
    handle: sys::clothc_buffer,
    length: usize,
    /// The program's memory, which the buffer owns until it is destroyed.
    wrapped: Option<NonNull<[T]>>,
    device: Device,
    _elements: PhantomData<T>,
}

// Calls on buffers may come from any thread.
unsafe impl<T: Element> Send for Buffer<T> {}
unsafe impl<T: Element> Sync for Buffer<T> {}

impl<T: Element> Buffer<T> {
    /// Makes a buffer of the kind [`BufferKind::HOST`], which can be mapped. Its elements are zero.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT if the length is 0 or above 2^31; OUT_OF_MEMORY.
    pub fn new(device: &Device, length: usize) -> Result<Buffer<T>> {
        Buffer::with_kind(device, BufferKind::HOST, length)
    }

    /// Makes a buffer of the kind HOST, DEVICE or EXPORTABLE. Only a HOST buffer can be mapped.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT; OUT_OF_MEMORY; UNSUPPORTED if the device lacks the kind.
    pub fn with_kind(device: &Device, kind: BufferKind, length: usize) -> Result<Buffer<T>> {
        Buffer::create(device, kind, length, |_| ())
    }

    /// The same, but makes a HOST buffer where the device lacks the kind. [`Buffer::info`] tells both kinds and the
    /// reason; [`BufferFlags::HOST_IF_UNSUPPORTED`] says what it costs.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT; OUT_OF_MEMORY.
    pub fn with_kind_or_host(device: &Device, kind: BufferKind, length: usize) -> Result<Buffer<T>> {
        Buffer::create(device, kind, length, |desc| desc.flags = BufferFlags::HOST_IF_UNSUPPORTED.0)
    }

    /// Makes a HOST buffer with these elements.
    pub fn from_slice(device: &Device, elements: &[T]) -> Result<Buffer<T>> {
        let mut buffer = Buffer::new(device, elements.len())?;
        buffer.write(0, elements)?;
        Ok(buffer)
    }

    /// Makes a buffer of memory of the program, which the buffer owns. [`Buffer::into_memory`] gives it back.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT; UNSUPPORTED if the device lacks WRAPPED_HOST.
    pub fn wrap(device: &Device, memory: impl Into<Box<[T]>>) -> Result<Buffer<T>> {
        let memory = NonNull::from(Box::leak(memory.into()));
        let created = Buffer::create(device, BufferKind::WRAPPED_HOST, memory.len(), |desc| {
            desc.memory = memory.as_ptr() as *mut c_void;
        });
        match created {
            Ok(mut buffer) => {
                buffer.wrapped = Some(memory);
                Ok(buffer)
            }
            Err(error) => {
                drop(unsafe { Box::from_raw(memory.as_ptr()) });
                Err(error)
            }
        }
    }

    /// Makes a buffer of memory that another device, API or process has exported.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT; OUT_OF_MEMORY; UNSUPPORTED if the device lacks EXTERNAL_MEMORY_FD.
    #[cfg(unix)]
    pub fn import(device: &Device, memory: ExternalMemory, length: usize) -> Result<Buffer<T>> {
        let external = memory.0.describe();
        let buffer = Buffer::create(device, BufferKind::IMPORTED, length, |desc| desc.external = &external)?;
        memory.0.give_away();
        Ok(buffer)
    }

    /// The same, but makes a HOST buffer where the device imports no memory, and closes the descriptor.
    /// [`Buffer::info`] tells the kind and the reason.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT; OUT_OF_MEMORY.
    #[cfg(unix)]
    pub fn import_or_host(device: &Device, memory: ExternalMemory, length: usize) -> Result<Buffer<T>> {
        let external = memory.0.describe();
        let buffer = Buffer::create(device, BufferKind::IMPORTED, length, |desc| {
            desc.external = &external;
            desc.flags = BufferFlags::HOST_IF_UNSUPPORTED.0;
        })?;
        if !matches!(buffer.info(), Ok(info) if info.kind == BufferKind::HOST) {
            memory.0.give_away();
        }
        Ok(buffer)
    }

    pub(crate) fn create(
        device: &Device,
        kind: BufferKind,
        length: usize,
        fill: impl FnOnce(&mut sys::clothc_buffer_desc),
    ) -> Result<Buffer<T>> {
        Buffer::create_by(device, kind, length, |mut desc, handle| {
            fill(&mut desc);
            unsafe { sys::clothc_buffer_create(device.handle(), &desc, handle) }
        })
    }

    pub(crate) fn create_by(
        device: &Device,
        kind: BufferKind,
        length: usize,
        call: impl FnOnce(sys::clothc_buffer_desc, *mut sys::clothc_buffer) -> sys::clothc_result,
    ) -> Result<Buffer<T>> {
        let size = size_of::<T>();
        if size > 4096 || size.checked_mul(length).map_or(true, |whole| whole > isize::MAX as usize) {
            let message = format!("the buffer has {length} elements of {size} bytes; want at most 2^31 of 4096 bytes");
            return Err(Error::invalid(message));
        }
        let desc = sys::clothc_buffer_desc {
            kind: kind.0,
            format: T::FORMAT.0,
            stride: size as u32,
            count: length as u64,
            ..Default::default()
        };
        let handle = call::output(ptr::null_mut(), |handle| call(desc, handle))?;
        Ok(Buffer { handle, length, wrapped: None, device: device.clone(), _elements: PhantomData })
    }

    pub(crate) fn handle(&self) -> sys::clothc_buffer {
        self.handle
    }

    /// The number of elements.
    #[allow(clippy::len_without_is_empty)] // No buffer is empty.
    pub fn len(&self) -> usize {
        self.length
    }

    /// The device that the buffer was made from.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// What the buffer is.
    pub fn info(&self) -> Result<BufferInfo> {
        call::filled(|info| unsafe { sys::clothc_buffer_get_info(self.handle, info) })
    }

    /// Maps the buffer for reading, after the sets, gets and updates that use it. Until the mapping is dropped, nothing
    /// else can use the buffer.
    ///
    /// # Errors
    ///
    /// INVALID_STATE if buffers of this kind cannot be mapped; DEVICE_LOST.
    pub fn map_read(&mut self) -> Result<ReadMapping<'_, T>> {
        match self.map(sys::CLOTHC_MAP_READ)? {
            Some(address) => Ok(ReadMapping::new(self, address)),
            None => unreachable!("only a call with NO_WAIT is not ready"),
        }
    }

    /// The same without waiting: None if the buffer is in use.
    pub fn try_map_read(&mut self) -> Result<Option<ReadMapping<'_, T>>> {
        let address = self.map(sys::CLOTHC_MAP_READ | sys::CLOTHC_MAP_NO_WAIT)?;
        Ok(address.map(|address| ReadMapping::new(self, address)))
    }

    /// Maps the buffer for reading and writing, as [`Buffer::map_read`] does.
    pub fn map_write(&mut self) -> Result<WriteMapping<'_, T>> {
        match self.map(sys::CLOTHC_MAP_READ | sys::CLOTHC_MAP_WRITE)? {
            Some(address) => Ok(WriteMapping::new(self, address)),
            None => unreachable!("only a call with NO_WAIT is not ready"),
        }
    }

    /// The same without waiting: None if the buffer is in use.
    pub fn try_map_write(&mut self) -> Result<Option<WriteMapping<'_, T>>> {
        let address = self.map(sys::CLOTHC_MAP_READ | sys::CLOTHC_MAP_WRITE | sys::CLOTHC_MAP_NO_WAIT)?;
        Ok(address.map(|address| WriteMapping::new(self, address)))
    }

    /// Maps the buffer for writing all of it anew, which never waits: the mapping holds zeros or old elements.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT if the buffer wraps memory; INVALID_STATE; OUT_OF_MEMORY.
    pub fn map_discard(&mut self) -> Result<WriteMapping<'_, T>> {
        match self.map(sys::CLOTHC_MAP_WRITE | sys::CLOTHC_MAP_DISCARD)? {
            Some(address) => Ok(WriteMapping::new(self, address)),
            None => unreachable!("only a call with NO_WAIT is not ready"),
        }
    }

    #[inline]
    fn map(&mut self, flags: u32) -> Result<Option<NonNull<T>>> {
        let mut address = ptr::null_mut();
        let status = call::status(unsafe { sys::clothc_buffer_map(self.handle, flags, &mut address) })?;
        Ok(if status == sys::CLOTHC_SUCCESS { NonNull::new(address as *mut T) } else { None })
    }

    /// Copies elements out of the buffer, from the one at `first` on, after the sets and gets that use it.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT if the buffer ends before; DEVICE_LOST.
    pub fn read(&self, first: usize, elements: &mut [T]) -> Result<()> {
        let size = size_of_val(elements) as u64;
        let data = elements.as_mut_ptr() as *mut c_void;
        call::check(unsafe { sys::clothc_buffer_read(self.handle, Self::offset(first), size, data) })
    }

    /// Copies all elements out of the buffer, as [`Buffer::read`] does.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut elements = Vec::with_capacity(self.length);
        let data = elements.as_mut_ptr() as *mut c_void;
        let size = (self.length * size_of::<T>()) as u64;
        call::check(unsafe { sys::clothc_buffer_read(self.handle, 0, size, data) })?;
        unsafe { elements.set_len(self.length) };
        Ok(elements)
    }

    /// Copies elements into the buffer, from the one at `first` on, after the sets and gets that use it.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT if the buffer ends before; DEVICE_LOST.
    pub fn write(&mut self, first: usize, elements: &[T]) -> Result<()> {
        let size = size_of_val(elements) as u64;
        let data = elements.as_ptr() as *const c_void;
        call::check(unsafe { sys::clothc_buffer_write(self.handle, Self::offset(first), size, data) })
    }

    /// An offset too large for 64 bits is beyond the end of every buffer.
    fn offset(first: usize) -> u64 {
        (first as u64).saturating_mul(size_of::<T>() as u64)
    }

    /// Exports the memory of an EXPORTABLE buffer, which exists as long as the buffer or an import of it.
    ///
    /// # Errors
    ///
    /// INVALID_STATE if the buffer is of another kind; OUT_OF_MEMORY.
    #[cfg(unix)]
    pub fn export(&self) -> Result<ExternalMemory> {
        let external = call::output(sys::clothc_external_handle::default(), |external| unsafe {
            sys::clothc_buffer_export(self.handle, external)
        })?;
        Ok(ExternalMemory(unsafe { crate::external::External::adopt(&external) }))
    }

    /// Destroys the buffer after the sets and gets that use it, and gives back the memory that it wrapped. None if the
    /// memory was the library's.
    pub fn into_memory(self) -> Option<Box<[T]>> {
        let mut buffer = ManuallyDrop::new(self);
        let memory = buffer.destroy();
        unsafe { ptr::drop_in_place(&mut buffer.device) };
        memory
    }

    /// Destroys the buffer. Memory that it wrapped stays where it is if the library did not let go of it.
    fn destroy(&mut self) -> Option<Box<[T]>> {
        let result = unsafe { sys::clothc_buffer_destroy(self.handle) };
        callbacks::resume_panic();
        let memory = self.wrapped.take().filter(|_| result == sys::CLOTHC_SUCCESS)?;
        Some(unsafe { Box::from_raw(memory.as_ptr()) })
    }
}

impl<T: Element> Drop for Buffer<T> {
    fn drop(&mut self) {
        drop(self.destroy());
    }
}
