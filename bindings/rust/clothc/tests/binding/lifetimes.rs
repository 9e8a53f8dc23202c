//! Objects may be dropped in any order, at any time and from any thread.
use crate::world::{device, device_desc, fabric, inverse_masses, positions, quads, run, sheet, solver, PARTICLE_COUNT};
use clothc::{Buffer, Channel, ClothDesc, Device, Fabric, Fence, Mesh, SetFlags, Update};
use std::thread;

#[test]
fn objects_keep_their_device() {
    let device = device();
    let (mut solver, cloth) = sheet(&device);
    let mut buffer = Buffer::<[f32; 4]>::new(&device, PARTICLE_COUNT).unwrap();
    drop(device);
    run(&mut solver, 3);
    solver.get(Channel::POSITION, &mut buffer).unwrap();
    solver.cloth_status(cloth).unwrap();
    drop(solver);
    assert_eq!(buffer.map_read().unwrap().len(), PARTICLE_COUNT);
    assert_eq!(buffer.device().info().unwrap().worker_count, 2);
}

#[test]
fn buffers_may_go_while_sets_and_gets_use_them() {
    let device = device();
    let (mut solver, cloth) = sheet(&device);
    let gate = Fence::new(&device, 0).unwrap();
    solver.update(&Update { wait: Some((&gate, 1)), ..Update::default() }).unwrap();
    let raised = vec![[0.0, 3.0, 0.0, 0.0]; PARTICLE_COUNT + 32];
    let set = Buffer::from_slice(&device, &raised).unwrap();
    solver.set_regions(Channel::POSITION, &set, None, None, SetFlags::AT_REST).unwrap();
    let mut got = Buffer::<[f32; 4]>::new(&device, PARTICLE_COUNT).unwrap();
    solver.get(Channel::POSITION, &mut got).unwrap();
    assert!(got.try_map_read().unwrap().is_none(), "the get waits for the fence");
    drop((set, got));
    gate.signal(1).unwrap();
    run(&mut solver, 1);
    assert_eq!(solver.cloth_status(cloth).unwrap().bounds_minimum[1], 3.0, "the set has happened");
}

#[test]
fn everything_may_go_in_the_middle_of_updates() {
    for order in 0..6 {
        let device = device();
        let (mut solver, cloth) = sheet(&device);
        let mut bound = Buffer::<[f32; 3]>::new(&device, PARTICLE_COUNT).unwrap();
        let mut wrapped = Buffer::wrap(&device, vec![[0.0_f32; 4]; PARTICLE_COUNT]).unwrap();
        solver.bind(cloth, Channel::NORMAL, &mut bound, None).unwrap();
        for _ in 0..3 {
            solver.update(&Update { dt: 0.1, ..Update::default() }).unwrap();
            solver.get(Channel::POSITION, &mut wrapped).unwrap();
        }
        match order {
            0 => drop((device, solver, bound, wrapped)),
            1 => drop((wrapped, bound, solver, device)),
            2 => drop((bound, device, wrapped, solver)),
            3 => thread::spawn(move || drop((solver, wrapped, device, bound))).join().unwrap(),
            4 => {
                let other = thread::spawn(move || drop((bound, wrapped)));
                run(&mut solver, 3);
                other.join().unwrap();
            }
            _ => {
                let memory = wrapped.into_memory().unwrap();
                assert!(memory[PARTICLE_COUNT - 1][1] < 0.0);
                drop((device, bound, solver));
            }
        }
    }
}

#[test]
fn fabrics_may_go_while_cloths_use_them() {
    let device = device();
    let mut solver = solver(&device);
    let fabric = fabric(&device);
    let cloth = solver.add_cloth(&ClothDesc::new(&fabric)).unwrap();
    drop(fabric);
    run(&mut solver, 5);
    let copy = solver.clone_cloth(cloth).unwrap();
    solver.reset_cloth(copy, None).unwrap();
}

/// Memory of this process in pages.
#[cfg(target_os = "linux")]
fn resident_pages() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn thousands_of_objects_leave_nothing_behind() {
    let make_all = |device: &Device| {
        let (positions, inverse_masses, quads) = (positions(), inverse_masses(), quads());
        let mesh = Mesh {
            positions: (&positions).into(),
            inverse_masses: (&inverse_masses).into(),
            quads: (&quads[..8]).into(),
            ..Mesh::default()
        };
        let fabric = Fabric::cook(device, &mesh).unwrap();
        let mut buffer = Buffer::wrap(device, vec![[0.0_f32; 4]; PARTICLE_COUNT]).unwrap();
        assert_eq!(buffer.map_write().unwrap().len(), PARTICLE_COUNT);
        // Elements that are too large make the call fail, which drops the memory.
        Buffer::wrap(device, vec![[1.0_f32; 1025]; 10]).unwrap_err();
        let fences: Vec<_> = (0..100).map(|value| Fence::new(device, value).unwrap()).collect();
        (fabric, buffer, fences)
    };
    let kept = device();
    let run_rounds = |count: usize| {
        for _ in 0..count {
            make_all(&kept);
            let device = Device::new(clothc::DeviceDesc { worker_count: 1, ..device_desc() }).unwrap();
            let _buffer = Buffer::<f32>::new(&device, 1000).unwrap();
        }
    };
    run_rounds(200);
    let before = resident_pages();
    run_rounds(2000);
    let grown = resident_pages().saturating_sub(before);
    // A round touches 20 pages at least. Other tests of this program run meanwhile.
    assert!(grown < 2000 * 2, "{grown} pages stayed after 2000 rounds");
}
