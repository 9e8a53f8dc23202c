//! The state hash and snapshots.
use crate::world::{device, fabric, run, sheet, solver};
use clothc::{ClothDesc, ErrorCode};

#[test]
fn a_restored_solver_goes_on_with_the_same_bits() {
    let device = device();
    let (fabric, mut first) = (fabric(&device), solver(&device));
    let cloth = first.add_cloth(&ClothDesc::new(&fabric)).unwrap();
    run(&mut first, 20);
    let snapshot = first.snapshot().unwrap();
    let mut second = solver(&crate::world::device());
    let error = second.restore(&snapshot, &[]).unwrap_err();
    assert_eq!(error.code(), ErrorCode::INVALID_ARGUMENT, "the fabric is missing");
    let there = crate::world::fabric(second.device());
    second.restore(&snapshot, &[&there]).unwrap();
    assert_eq!(second.cloths().unwrap(), [cloth]);
    assert_eq!(second.state_hash().unwrap(), first.state_hash().unwrap());
    run(&mut first, 20);
    assert_ne!(second.state_hash().unwrap(), first.state_hash().unwrap());
    run(&mut second, 20);
    assert_eq!(second.state_hash().unwrap(), first.state_hash().unwrap());
    assert_eq!(second.snapshot().unwrap(), first.snapshot().unwrap());
}

#[test]
fn a_damaged_snapshot_changes_nothing() {
    let device = device();
    let (mut solver, cloth) = sheet(&device);
    run(&mut solver, 2);
    let hash = solver.state_hash().unwrap();
    let mut snapshot = solver.snapshot().unwrap();
    let middle = snapshot.len() / 2;
    snapshot[middle] ^= 1;
    assert_eq!(solver.restore(&snapshot, &[&fabric(&device)]).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    assert_eq!(solver.restore(&[], &[]).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    assert_eq!(solver.state_hash().unwrap(), hash);
    assert_eq!(solver.cloths().unwrap(), [cloth]);
}
