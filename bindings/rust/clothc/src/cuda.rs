//! For programs that use CUDA themselves: clothc in their context and stream, in their memory, and in their graphs.
//! Handles of CUDA are those of the driver API, CUcontext and CUstream; a cudaStream_t is a CUstream. They stay the
//! program's, which is why most functions here are unsafe.
use crate::buffer::Buffer;
use crate::call;
use crate::constants::BufferKind;
use crate::device::{Device, DeviceDesc};
use crate::element::Element;
use crate::error::Result;
use crate::solver::Solver;
use clothc_sys as sys;
use std::os::raw::c_void;

/// Makes a CUDA device that works in the program's context and stream; each may be null. The updates, sets and gets of all
/// solvers go to the stream, as if the program had launched kernels there. The legacy default stream is the address 1 and
/// needs the context.
///
/// # Errors
///
/// INVALID_ARGUMENT for a stream of another context, or the default stream of each thread; UNSUPPORTED; OUT_OF_MEMORY.
///
/// # Safety
///
/// The context and the stream are null or exist until the last owner of the device is dropped.
pub unsafe fn create_device(desc: DeviceDesc, context: *mut c_void, stream: *mut c_void) -> Result<Device> {
    let cuda = sys::clothc_cuda_device_desc { context, stream, ..Default::default() };
    Device::create(desc, None, |raw, _, handle| unsafe { sys::clothc_cuda_device_create(raw, &cuda, handle) })
}

/// Makes a buffer of memory on the device that the program has allocated with CUDA, by its CUdeviceptr.
///
/// # Errors
///
/// INVALID_ARGUMENT; UNSUPPORTED if the device lacks WRAPPED_DEVICE.
///
/// # Safety
///
/// The memory has `length` elements and exists until the buffer is dropped.
pub unsafe fn wrap_device_memory<T: Element>(device: &Device, pointer: u64, length: usize) -> Result<Buffer<T>> {
    Buffer::create(device, BufferKind::WRAPPED_DEVICE, length, |desc| desc.memory = pointer as usize as *mut c_void)
}

/// The CUdeviceptr of a buffer's element 0. Kernels of the program may use it after the updates, sets and gets that use
/// the buffer, and before those that follow. It ends with the buffer, and that of a HOST buffer when it is mapped with
/// [`Buffer::map_discard`].
///
/// # Errors
///
/// UNSUPPORTED if the device is not one of CUDA.
pub fn buffer_pointer<T: Element>(buffer: &Buffer<T>) -> Result<u64> {
    call::output(0, |pointer| unsafe { sys::clothc_cuda_buffer_get_pointer(buffer.handle(), pointer) })
}

/// Adds an update of all cloths to the graph that a stream of the device's context is capturing. Each launch of the graph
/// then does what [`Solver::update`] with this dt does. What is set after the capture the graph does not see, apart from
/// positions, previous positions and accelerations: capture again.
///
/// # Errors
///
/// INVALID_ARGUMENT (dt, or a stream that is not being captured); INVALID_STATE if something is set that a single update
/// consumes, or if a bound buffer is mapped; OUT_OF_MEMORY; DEVICE_LOST; UNSUPPORTED.
///
/// # Safety
///
/// The stream is one in which cuStreamBeginCapture was called or that has joined a capture. The graph and its executable
/// graphs are destroyed before the last owner of the device is dropped, and the library stays loaded.
pub unsafe fn capture_update(solver: &mut Solver, stream: *mut c_void, dt: f32) -> Result<()> {
    call::check(unsafe { sys::clothc_cuda_capture_update(solver.handle(), stream, dt) })
}
