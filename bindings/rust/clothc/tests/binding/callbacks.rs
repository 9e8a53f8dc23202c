//! Closures that the library calls: messages, the scheduler and the allocator, and what becomes of their panics.
use crate::world::{device, device_desc, fabric, run, sheet, solver};
use clothc::{ClothDesc, ClothId, Device, DeviceDesc, DeviceFlags, ErrorCode, Schedule, Solver, SolverDesc, Task};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;

#[test]
fn messages_of_failing_calls_reach_the_closure() {
    let received = Arc::new(Mutex::new(Vec::new()));
    let kept = received.clone();
    let message = move |code: ErrorCode, text: &str| kept.lock().unwrap().push((code, text.to_string()));
    let device = Device::new(DeviceDesc { message: Some(Box::new(message)), ..device_desc() }).unwrap();
    let (mut solver, cloth) = sheet(&device);
    solver.remove_cloth(cloth).unwrap();
    assert!(received.lock().unwrap().is_empty());
    let error = solver.remove_cloth(cloth).unwrap_err();
    assert_eq!(*received.lock().unwrap(), [(error.code(), error.message().to_string())]);
    drop((solver, device));
    assert_eq!(Arc::strong_count(&received), 1, "the device has dropped its closures");
}

#[test]
fn a_panic_of_the_message_closure_goes_on_from_the_failing_call() {
    let message = |_: ErrorCode, text: &str| panic!("stopped by: {text}");
    let device = Device::new(DeviceDesc { message: Some(Box::new(message)), ..device_desc() }).unwrap();
    let mut solver = solver(&device);
    let caught = catch_unwind(AssertUnwindSafe(|| solver.remove_cloth(ClothId(77)))).unwrap_err();
    let text = caught.downcast_ref::<String>().unwrap();
    assert!(text.starts_with("stopped by: ") && text.contains("0x4d"), "{text}");
    solver.info().expect("the solver works as before");
}

#[test]
fn a_failing_creation_drops_its_closures() {
    let owned = Arc::new(());
    let kept = owned.clone();
    let message = move |_: ErrorCode, _: &str| drop(kept.clone());
    let desc = DeviceDesc { worker_count: 9999, message: Some(Box::new(message)), ..device_desc() };
    assert_eq!(Device::new(desc).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    assert_eq!(Arc::strong_count(&owned), 1);
}

/// Runs tasks until nobody can send more.
fn run_tasks(tasks: Receiver<Task>) {
    tasks.iter().for_each(Task::run);
}

/// The hash of a sheet after some frames.
fn hash_of_sheet(device: &Device) -> u64 {
    let (mut solver, _) = sheet(device);
    run(&mut solver, 30);
    solver.state_hash().unwrap()
}

#[test]
fn tasks_run_in_the_scheduler_of_the_program() {
    let (sender, receiver) = channel();
    let sender = Mutex::new(sender);
    let worker = thread::spawn(move || run_tasks(receiver));
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    let submit = move |task: Task| {
        counted.fetch_add(1, Ordering::Relaxed);
        sender.lock().unwrap().send(task).unwrap();
    };
    let flags = DeviceFlags::TASKS_ONLY;
    let desc = DeviceDesc { submit: Some(Box::new(submit)), flags, ..device_desc() };
    let device_of_tasks = Device::new(desc).unwrap();
    assert_eq!(hash_of_sheet(&device_of_tasks), hash_of_sheet(&device()));
    assert!(count.load(Ordering::Relaxed) > 0);
    drop(device_of_tasks);
    worker.join().expect("the channel ends with the device");
}

#[test]
fn tasks_that_are_dropped_or_run_at_once_run_elsewhere() {
    let expected = hash_of_sheet(&device());
    let dropping = Device::new(DeviceDesc { submit: Some(Box::new(drop)), ..device_desc() }).unwrap();
    assert_eq!(hash_of_sheet(&dropping), expected);
    let nested = Arc::new(AtomicUsize::new(0));
    let counted = nested.clone();
    let submit = move |task: Task| {
        let depth = SUBMIT_DEPTH.with(|depth| depth.replace(depth.get() + 1));
        counted.fetch_add(depth, Ordering::Relaxed);
        task.run();
        SUBMIT_DEPTH.with(|depth| depth.set(depth.get() - 1));
    };
    let running = Device::new(DeviceDesc { submit: Some(Box::new(submit)), ..device_desc() }).unwrap();
    let desc = SolverDesc { schedule: Schedule::PASS, ..SolverDesc::default() };
    let mut solver = Solver::new(&running, &desc).unwrap();
    solver.add_cloth(&ClothDesc::new(&fabric(&running))).unwrap();
    run(&mut solver, 30);
    assert_eq!(solver.state_hash().unwrap(), expected);
    assert_eq!(nested.load(Ordering::Relaxed), 0, "a task that ran inside the closure would submit others there");
}

thread_local! {
    static SUBMIT_DEPTH: Cell<usize> = const { Cell::new(0) };
}

#[test]
fn a_panic_of_the_scheduler_goes_on_and_loses_no_task() {
    let is_full = Arc::new(AtomicBool::new(false));
    let seen = is_full.clone();
    let submit = move |_: Task| assert!(!seen.load(Ordering::Relaxed), "no room for tasks");
    let flags = DeviceFlags::TASKS_ONLY;
    let device = Device::new(DeviceDesc { submit: Some(Box::new(submit)), flags, ..device_desc() }).unwrap();
    let fabric = fabric(&device);
    let mut solver = solver(&device);
    let cloth = solver.add_cloth(&ClothDesc::new(&fabric)).unwrap();
    is_full.store(true, Ordering::Relaxed);
    // An update needs no task of its own while the thread that runs the work before it has not gone yet.
    let (update_count, caught) = (1..=100)
        .find_map(|count| {
            solver.wait_all().unwrap();
            thread::sleep(Duration::from_millis(1));
            let caught = catch_unwind(AssertUnwindSafe(|| run(&mut solver, 1))).err()?;
            Some((count, caught))
        })
        .expect("an update submits a task");
    is_full.store(false, Ordering::Relaxed);
    assert_eq!(caught.downcast_ref::<&str>(), Some(&"no room for tasks"));
    solver.wait_all().expect("the update was queued and has ended");
    assert_eq!(solver.info().unwrap().update_count, update_count);
    assert!(solver.cloth_info(cloth).is_ok());
}

/// Says on which thread it is dropped.
struct OnDrop(Mutex<Sender<ThreadId>>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.lock().unwrap().send(thread::current().id()).unwrap();
    }
}

#[test]
fn a_device_that_goes_inside_a_closure_is_destroyed_on_another_thread() {
    let (sender, receiver) = channel();
    let on_drop = OnDrop(Mutex::new(sender));
    let message = move |_: ErrorCode, _: &str| assert!(on_drop.0.lock().is_ok());
    let inner = Device::new(DeviceDesc { message: Some(Box::new(message)), ..device_desc() }).unwrap();
    let slot = Mutex::new(Some(inner));
    let message = move |_: ErrorCode, _: &str| drop(slot.lock().unwrap().take());
    let outer = Device::new(DeviceDesc { message: Some(Box::new(message)), ..device_desc() }).unwrap();
    assert!(receiver.try_recv().is_err());
    solver(&outer).remove_cloth(ClothId(77)).unwrap_err();
    assert_ne!(receiver.recv().unwrap(), thread::current().id());
}

/// Counts what it gives and takes back.
#[derive(Clone, Default)]
struct Counting {
    bytes: Arc<AtomicUsize>,
    calls: Arc<AtomicUsize>,
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.bytes.fetch_add(layout.size(), Ordering::Relaxed);
        self.calls.fetch_add(1, Ordering::Relaxed);
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        self.bytes.fetch_sub(layout.size(), Ordering::Relaxed);
        System.dealloc(pointer, layout)
    }
}

#[test]
fn every_allocation_is_freed() {
    let counting = Counting::default();
    let (bytes, calls) = (counting.bytes.clone(), counting.calls.clone());
    let device = Device::new(DeviceDesc { allocator: Some(Box::new(counting)), ..device_desc() }).unwrap();
    let fabric = fabric(&device);
    for _ in 0..2000 {
        let (mut solver, mut buffer) = (solver(&device), clothc::Buffer::<[f32; 4]>::new(&device, 512).unwrap());
        solver.add_cloth(&ClothDesc::new(&fabric)).unwrap();
        run(&mut solver, 1);
        solver.get(clothc::Channel::POSITION, &mut buffer).unwrap();
    }
    assert!(calls.load(Ordering::Relaxed) >= 4000, "{calls:?}");
    drop((fabric, device));
    assert_eq!(bytes.load(Ordering::Relaxed), 0);
}

#[test]
fn an_allocator_without_memory_is_an_error() {
    struct Empty;
    unsafe impl GlobalAlloc for Empty {
        unsafe fn alloc(&self, _: Layout) -> *mut u8 {
            std::ptr::null_mut()
        }
        unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
    }
    let device = Device::new(DeviceDesc { allocator: Some(Box::new(Empty)), ..device_desc() });
    let solver = device.and_then(|device| Solver::new(&device, &SolverDesc::default()));
    assert_eq!(solver.unwrap_err().code(), ErrorCode::OUT_OF_MEMORY);
}
