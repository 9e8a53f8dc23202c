//! Fences, the timeline, and what other APIs share.
use crate::world::{device, sheet};
use clothc::{Buffer, BufferKind, ErrorCode, Fence, Update};
use std::thread;
use std::time::Duration;

#[test]
fn updates_wait_for_fences_and_raise_them() {
    let device = device();
    let (mut solver, _) = sheet(&device);
    let (begin, end) = (Fence::new(&device, 5).unwrap(), Fence::new(&device, 0).unwrap());
    let update = Update { wait: Some((&begin, 6)), signal: Some((&end, 1)), ..Update::default() };
    let value = solver.update(&update).unwrap();
    assert!(!solver.wait(value, Some(Duration::from_millis(1))).unwrap());
    assert!(!solver.poll(value).unwrap().0);
    assert!(!end.wait(1, Some(Duration::ZERO)).unwrap());
    assert_eq!(begin.signal(5).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    begin.signal(6).unwrap();
    assert!(end.wait(1, None).unwrap());
    assert_eq!((begin.value().unwrap(), end.value().unwrap()), (6, 1));
    assert!(solver.wait(value, None).unwrap());
    assert_eq!(solver.poll(value).unwrap(), (true, value));
    assert_eq!(solver.wait(value + 100, None).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
}

#[test]
fn an_update_that_would_wait_says_so() {
    let device = device();
    let (mut solver, _) = sheet(&device);
    let gate = Fence::new(&device, 0).unwrap();
    let update = Update { wait: Some((&gate, 1)), ..Update::default() };
    let queued = (0..10).take_while(|_| solver.try_update(&update).unwrap().is_some()).count();
    assert_eq!(queued, 3, "as many as updates_in_flight");
    gate.signal(1).unwrap();
    solver.wait_all().unwrap();
    assert!(solver.try_update(&update).unwrap().is_some());
    assert_eq!(solver.info().unwrap().update_count, 4);
}

#[test]
fn another_thread_waits_on_the_timeline() {
    let device = device();
    let (mut solver, _) = sheet(&device);
    let gate = Fence::new(&device, 0).unwrap();
    let value = solver.update(&Update { wait: Some((&gate, 1)), ..Update::default() }).unwrap();
    let timeline = solver.timeline();
    let waiting = thread::spawn(move || timeline.wait(value, None).unwrap());
    gate.signal(1).unwrap();
    assert!(waiting.join().unwrap());
    drop(solver);
    assert_eq!(timeline.poll(value).unwrap_err().code(), ErrorCode::INVALID_HANDLE);
}

#[cfg(unix)]
#[test]
fn the_processor_says_that_it_shares_no_memory() {
    use clothc::{ExternalFence, ExternalMemory};
    let device = device();
    let exportable = Buffer::<f32>::with_kind(&device, BufferKind::EXPORTABLE, 4);
    assert_eq!(exportable.unwrap_err().code(), ErrorCode::UNSUPPORTED);
    let host = Buffer::<f32>::with_kind_or_host(&device, BufferKind::EXPORTABLE, 4).unwrap();
    let info = host.info().unwrap();
    assert_eq!((info.kind, info.requested_kind), (BufferKind::HOST, BufferKind::EXPORTABLE));
    assert!(info.reason.contains("CLOTHC_CAPABILITY_EXTERNAL_MEMORY_FD"), "{}", info.reason);
    assert_eq!(host.export().unwrap_err().code(), ErrorCode::INVALID_STATE);
    let same = Buffer::<f32>::with_kind_or_host(&device, BufferKind::DEVICE, 4).unwrap().info().unwrap();
    assert_eq!((same.kind, &*same.reason), (BufferKind::DEVICE, ""));
    assert_eq!(Buffer::<f32>::new(&device, 4).unwrap().export().unwrap_err().code(), ErrorCode::INVALID_STATE);
    assert_eq!(Fence::new(&device, 0).unwrap().export().unwrap_err().code(), ErrorCode::UNSUPPORTED);
    // A failing import leaves the descriptor to the caller, and the handle of this crate closes it.
    let null = || std::fs::File::open("/dev/null").unwrap().into();
    let memory = unsafe { ExternalMemory::from_parts(null(), 4096, 0) };
    let copy = memory.try_clone().unwrap();
    assert_eq!((copy.size(), copy.offset()), (4096, 0));
    assert_eq!(Buffer::<f32>::import(&device, memory, 4).unwrap_err().code(), ErrorCode::UNSUPPORTED);
    let mut host = Buffer::<f32>::import_or_host(&device, copy, 4).unwrap();
    assert_eq!(host.info().unwrap().requested_kind, BufferKind::IMPORTED);
    assert_eq!(*host.map_read().unwrap(), [0.0; 4]);
    let fence = unsafe { ExternalFence::from_descriptor(null()) };
    assert_eq!(Fence::import(&device, fence).unwrap_err().code(), ErrorCode::UNSUPPORTED);
}
