//! Devices compile before it is needed, and caches are saved and loaded. The processor compiles nothing, so there is
//! nothing to wait for.
use crate::world::device;
use clothc::{stage, ErrorCode, Result};
use std::time::Duration;

fn refused(part: &str, result: Result<()>) {
    let error = result.unwrap_err();
    assert_eq!(error.code(), ErrorCode::INVALID_ARGUMENT);
    assert!(error.message().contains(part), "{error}");
}

#[test]
fn a_processor_is_prepared_at_once() {
    let device = device();
    device.prepare(&[]).unwrap();
    device.prepare(&[stage::BEGIN, stage::INTEGRATION, stage::PHASES, stage::END]).unwrap();
    assert!(device.wait_prepared(None).unwrap());
    assert!(device.wait_prepared(Some(Duration::ZERO)).unwrap());
    assert_eq!(device.progress().unwrap(), (0, 0));
}

#[test]
fn what_is_no_stage_is_refused() {
    let device = device();
    refused("stages is 0x20001", device.prepare(&[stage::BEGIN, stage::COUNT]));
    refused("stages is 0x80000000", device.prepare(&[32]));
    refused("stages is 0x80000000", device.prepare(&[usize::MAX]));
}

#[test]
fn a_cache_is_saved_and_loaded() {
    let saving = device();
    let mut cache = saving.save_cache().unwrap();
    saving.load_cache(&cache).unwrap();
    device().load_cache(&cache).unwrap();
    *cache.last_mut().unwrap() ^= 1;
    refused("damaged", saving.load_cache(&cache));
    refused("does not begin with", saving.load_cache(&[0; 100]));
    refused("does not begin with", saving.load_cache(&[]));
}
