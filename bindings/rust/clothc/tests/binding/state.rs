//! Debug lines, the state hash and snapshots.
use crate::world::{device, fabric, run, sheet, solver};
use clothc::{ClothDesc, ClothId, DebugDesc, DebugFlags, ErrorCode};

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

#[test]
fn debug_lines_draw_what_the_flags_say() {
    let device = device();
    let (solver, cloth) = sheet(&device);
    let fabric = fabric(&device);
    let all = solver.debug_lines(&DebugDesc::default()).unwrap();
    assert_eq!(all.len() as u64, fabric.info().unwrap().constraint_count);
    let mut desc = DebugDesc { flags: DebugFlags::FRAMES, cloth, size: 0.25, ..DebugDesc::default() };
    let axes = solver.debug_lines(&desc).unwrap();
    assert_eq!(axes.len(), 3);
    assert_eq!((axes[1].first, axes[1].second), ([0.0; 3], [0.0, 1.0, 0.0]));
    assert_eq!(axes[1].first_colour.to_ne_bytes(), [0, 255, 0, 255]);
    desc.cloth = ClothId(12345);
    assert_eq!(solver.debug_lines(&desc).unwrap_err().code(), ErrorCode::INVALID_HANDLE);
    desc.struct_size = 0;
    assert_eq!(solver.debug_lines(&desc).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
}
