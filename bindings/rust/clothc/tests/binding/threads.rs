//! Which threads may have what. compile_fail/ has what they may not.
use crate::world::{device, run, sheet, PARTICLE_COUNT};
use clothc::{
    Buffer, Channel, Device, DeviceDesc, Error, Fabric, Fence, Mesh, ReadMapping, Solver, Strided, Task, Timeline,
    WriteMapping,
};
use std::sync::{Arc, Mutex};
use std::thread;

fn can_move<T: Send>() {}
fn can_be_shared<T: Send + Sync>() {}

#[test]
fn types_promise_what_the_library_allows() {
    can_move::<Solver>();
    can_move::<Task>();
    can_move::<DeviceDesc>();
    can_be_shared::<Device>();
    can_be_shared::<Buffer<[f32; 4]>>();
    can_be_shared::<ReadMapping<'_, f32>>();
    can_be_shared::<WriteMapping<'_, f32>>();
    can_be_shared::<Fabric>();
    can_be_shared::<Fence>();
    can_be_shared::<Timeline>();
    can_be_shared::<Error>();
    can_be_shared::<Mesh<'_>>();
    can_be_shared::<Strided<'_, f32>>();
}

#[test]
fn a_solver_behind_a_mutex_serves_many_threads() {
    let device = device();
    let solver = Arc::new(Mutex::new(sheet(&device).0));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let (solver, device) = (solver.clone(), device.clone());
            thread::spawn(move || {
                let mut buffer = Buffer::<[f32; 4]>::new(&device, PARTICLE_COUNT).unwrap();
                for _ in 0..10 {
                    run(&mut solver.lock().unwrap(), 1);
                    solver.lock().unwrap().get(Channel::POSITION, &mut buffer).unwrap();
                    assert!(buffer.map_read().unwrap()[PARTICLE_COUNT - 1][1] < 0.0);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(solver.lock().unwrap().info().unwrap().update_count, 40);
}

#[test]
fn solvers_of_one_device_run_side_by_side() {
    let device = device();
    let hashes: Vec<u64> = (0..4)
        .map(|_| {
            let (mut solver, _) = sheet(&device);
            thread::spawn(move || {
                run(&mut solver, 20);
                solver.state_hash().unwrap()
            })
        })
        .collect::<Vec<_>>()
        .into_iter()
        .map(|thread| thread.join().unwrap())
        .collect();
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:x?}");
}
