//! Closures that the library calls: messages, the scheduler, the allocator and the lock of a queue.
//! Invariant: no panic crosses the library. It is caught, the call of the library goes on to its end, and then the panic
//! goes on in the code that made the call. On a thread of the library nobody made a call, and the panic ends there.
use crate::constants::ErrorCode;
use clothc_sys as sys;
use std::alloc::{GlobalAlloc, Layout};
use std::any::Any;
use std::cell::Cell;
use std::ffi::CStr;
use std::fmt;
use std::mem::ManuallyDrop;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr;
use std::thread;

/// Receives the message of a failing call, on the thread that made the call and before the call returns; with
/// `ErrorCode(0)` that of a device which was passed over.
pub type MessageCallback = Box<dyn Fn(ErrorCode, &str) + Send + Sync>;

/// Hands a task to the program's scheduler, which runs it soon, on any thread, with [`Task::run`].
pub type SubmitCallback = Box<dyn Fn(Task) + Send + Sync>;

/// Allocates the device's arrays.
pub type Allocator = Box<dyn GlobalAlloc + Send + Sync>;

/// Locks and unlocks the program's VkQueue around each of the library's submissions, on any thread, also on the library's
/// own. A panic on one of those is only printed.
pub struct QueueLock {
    /// Locks the queue for the thread that calls it.
    pub lock: Box<dyn Fn() + Send + Sync>,
    /// Unlocks the queue, on the same thread.
    pub unlock: Box<dyn Fn() + Send + Sync>,
}

impl fmt::Debug for QueueLock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("QueueLock").finish_non_exhaustive()
    }
}

/// The closures of a device. The library has the addresses of the fields.
#[derive(Default)]
pub(crate) struct Callbacks {
    pub message: Option<MessageCallback>,
    pub submit: Option<SubmitCallback>,
    pub allocator: Option<Allocator>,
    pub queue_lock: Option<QueueLock>,
}

impl Callbacks {
    /// Adds the closures to a desc, which must not outlive them or be used after them.
    pub fn describe(&self, desc: &mut sys::clothc_device_desc) {
        if let Some(message) = &self.message {
            desc.message = Some(receive_message);
            desc.message_user = message as *const MessageCallback as *mut c_void;
        }
        if let Some(submit) = &self.submit {
            desc.submit = Some(submit_task);
            desc.submit_user = submit as *const SubmitCallback as *mut c_void;
        }
        if let Some(allocator) = &self.allocator {
            desc.allocate = Some(allocate);
            desc.free = Some(free);
            desc.allocator_user = allocator as *const Allocator as *mut c_void;
        }
    }

    /// Does the same for what describes a program's Vulkan device.
    pub fn describe_queue(&self, vulkan: &mut sys::clothc_vulkan_device_desc) {
        if let Some(queue_lock) = &self.queue_lock {
            vulkan.lock_queue = Some(lock_queue);
            vulkan.unlock_queue = Some(unlock_queue);
            vulkan.queue_user = queue_lock as *const QueueLock as *mut c_void;
        }
    }
}

// ------------------------------------------------------------------------------------------------ panics

thread_local! {
    static CLOSURE_DEPTH: Cell<u32> = const { Cell::new(0) };
    static PANIC: Cell<Option<Box<dyn Any + Send>>> = const { Cell::new(None) };
}

/// Says whether this thread is inside a closure that the library called.
pub(crate) fn is_inside_closure() -> bool {
    CLOSURE_DEPTH.with(Cell::get) > 0
}

/// Runs a closure and keeps its panic. Only the first panic is kept until it goes on.
fn run_closure(closure: impl FnOnce()) {
    CLOSURE_DEPTH.with(|depth| depth.set(depth.get() + 1));
    let caught = catch_unwind(AssertUnwindSafe(closure));
    CLOSURE_DEPTH.with(|depth| depth.set(depth.get() - 1));
    if let Err(panic) = caught {
        let kept = PANIC.with(Cell::take).unwrap_or(panic);
        PANIC.with(|pending| pending.set(Some(kept)));
    }
}

/// Lets the panic of a closure go on, if there was one during this thread's last call of the library.
#[inline]
pub(crate) fn resume_panic() {
    // A call from the destructor of another thread-local value comes when this one may be gone; nothing panicked then.
    if let Ok(Some(panic)) = PANIC.try_with(Cell::take) {
        if !thread::panicking() {
            resume_unwind(panic);
        }
    }
}

// ------------------------------------------------------------------------------------------------ messages

unsafe extern "C" fn receive_message(result: sys::clothc_result, message: *const c_char, user: *mut c_void) {
    let closure = unsafe { &*(user as *const MessageCallback) };
    let message = unsafe { CStr::from_ptr(message) }.to_string_lossy();
    run_closure(|| closure(ErrorCode(result), &message));
}

// ------------------------------------------------------------------------------------------------ tasks

/// A task of the library. It runs to its end, never waits for another task, and uses at most 64 KiB of stack. A task
/// that is dropped before it ran runs all the same.
#[derive(Debug)]
pub struct Task {
    function: unsafe extern "C" fn(*mut c_void),
    argument: *mut c_void,
}

// The library lets tasks run on any thread.
unsafe impl Send for Task {}

impl Task {
    /// Runs the task. Inside the closure that received it, where the library allows no task to run, it runs on a new
    /// thread instead.
    pub fn run(self) {
        let task = ManuallyDrop::new(self);
        task.start();
        resume_panic();
    }

    fn start(&self) {
        if !is_inside_closure() {
            return unsafe { (self.function)(self.argument) };
        }
        loop {
            let task = ManuallyDrop::new(Task { function: self.function, argument: self.argument });
            if thread::Builder::new().spawn(move || ManuallyDrop::into_inner(task).run()).is_ok() {
                return;
            }
            // The device waits for every task, so a thread for this one must be had.
            thread::yield_now();
        }
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.start();
        resume_panic();
    }
}

unsafe extern "C" fn submit_task(task: sys::clothc_task, argument: *mut c_void, user: *mut c_void) {
    let closure = unsafe { &*(user as *const SubmitCallback) };
    if let Some(function) = task {
        let task = Task { function, argument };
        run_closure(|| closure(task));
    }
}

// ------------------------------------------------------------------------------------------------ the queue

unsafe extern "C" fn lock_queue(user: *mut c_void) {
    run_closure(unsafe { &(*(user as *const QueueLock)).lock });
}

unsafe extern "C" fn unlock_queue(user: *mut c_void) {
    run_closure(unsafe { &(*(user as *const QueueLock)).unlock });
}

// ------------------------------------------------------------------------------------------------ the allocator

/// What stands before each block, because GlobalAlloc wants the layout back.
const HEADER: usize = std::mem::size_of::<Layout>();

unsafe extern "C" fn allocate(size: usize, alignment: usize, user: *mut c_void) -> *mut c_void {
    let allocator = unsafe { &*(user as *const Allocator) };
    let alignment = alignment.max(HEADER);
    let layout = match size.checked_add(alignment).map(|whole| Layout::from_size_align(whole, alignment)) {
        Some(Ok(layout)) => layout,
        _ => return ptr::null_mut(),
    };
    unsafe {
        let block = allocator.alloc(layout);
        if block.is_null() {
            return ptr::null_mut();
        }
        let pointer = block.add(alignment);
        (pointer as *mut Layout).sub(1).write(layout);
        pointer as *mut c_void
    }
}

unsafe extern "C" fn free(pointer: *mut c_void, user: *mut c_void) {
    unsafe {
        let allocator = &*(user as *const Allocator);
        let layout = (pointer as *mut Layout).sub(1).read();
        allocator.dealloc((pointer as *mut u8).sub(layout.align()), layout);
    }
}
