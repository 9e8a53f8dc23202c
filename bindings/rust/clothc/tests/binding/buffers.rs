//! Buffers: elements, mappings, copies, memory of the program.
use crate::world::{device, run, sheet, PARTICLE_COUNT};
use clothc::{Buffer, BufferKind, Channel, ErrorCode, Format, Region, SetFlags, Solver, Update, View};

#[test]
fn elements_have_formats() {
    let device = device();
    let format = |info: clothc::Result<clothc::BufferInfo>| info.map(|info| (info.format, info.stride)).unwrap();
    assert_eq!(format(Buffer::<f32>::new(&device, 4).unwrap().info()), (Format::FLOAT, 4));
    assert_eq!(format(Buffer::<[f32; 3]>::new(&device, 4).unwrap().info()), (Format::FLOAT3, 12));
    assert_eq!(format(Buffer::<[f32; 4]>::new(&device, 4).unwrap().info()), (Format::FLOAT4, 16));
    assert_eq!(format(Buffer::<[f32; 8]>::new(&device, 4).unwrap().info()), (Format::RECORD, 32));
    assert_eq!(format(Buffer::<u32>::new(&device, 4).unwrap().info()), (Format::UINT, 4));
    let parameters = Buffer::<clothc::ClothParameters>::new(&device, 4).unwrap();
    assert_eq!(parameters.info().unwrap().stride as usize, std::mem::size_of::<clothc::ClothParameters>());
    assert_eq!(Buffer::<u32>::new(&device, 0).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    assert_eq!(Buffer::<[f32; 0]>::new(&device, 4).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    assert_eq!(Buffer::<[f32; 1025]>::new(&device, 4).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    assert_eq!(Buffer::<u32>::new(&device, usize::MAX).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
}

#[test]
fn mappings_are_slices_of_the_buffer() {
    let device = device();
    let mut buffer = Buffer::<u32>::new(&device, 100).unwrap();
    assert!(buffer.map_read().unwrap().iter().all(|&element| element == 0));
    for (element, number) in buffer.map_write().unwrap().iter_mut().zip(0..) {
        *element = number;
    }
    assert_eq!(buffer.map_read().unwrap()[99], 99);
    assert_eq!(buffer.try_map_read().unwrap().unwrap().len(), 100);
    buffer.map_discard().unwrap().fill(7);
    assert_eq!(buffer.to_vec().unwrap(), vec![7; 100]);
    assert_eq!(buffer.info().unwrap().mapped, 0);
}

#[test]
fn copies_stay_within_the_buffer() {
    let device = device();
    let mut buffer = Buffer::from_slice(&device, &[1, 2, 3, 4]).unwrap();
    buffer.write(1, &[20, 30]).unwrap();
    let mut part = [0; 2];
    buffer.read(2, &mut part).unwrap();
    assert_eq!(part, [30, 4]);
    assert_eq!(buffer.read(3, &mut part).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    assert_eq!(buffer.write(usize::MAX, &[1]).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    assert_eq!(buffer.to_vec().unwrap(), [1, 20, 30, 4]);
}

#[test]
fn device_memory_is_copied_but_not_mapped() {
    let device = device();
    let mut buffer = Buffer::<f32>::with_kind(&device, BufferKind::DEVICE, 3).unwrap();
    assert_eq!(buffer.map_read().unwrap_err().code(), ErrorCode::INVALID_STATE);
    buffer.write(0, &[1.0, 2.0, 3.0]).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [1.0, 2.0, 3.0]);
    let wrapped = Buffer::<f32>::with_kind(&device, BufferKind::WRAPPED_HOST, 3);
    assert_eq!(wrapped.unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
}

#[test]
fn wrapped_memory_comes_back_with_what_was_copied_to_it() {
    let device = device();
    let (mut solver, _) = sheet(&device);
    let memory = vec![[9.0_f32; 4]; PARTICLE_COUNT];
    let address = memory.as_ptr();
    let mut buffer = Buffer::wrap(&device, memory).unwrap();
    run(&mut solver, 3);
    solver.get(Channel::POSITION, &mut buffer).unwrap();
    assert_eq!(buffer.map_discard().unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    let memory = buffer.into_memory().unwrap();
    assert_eq!(memory.as_ptr(), address, "it is the same memory");
    assert!(memory[PARTICLE_COUNT - 1][1] < 0.0, "the sheet falls");
    assert!(Buffer::<f32>::new(&device, 1).unwrap().into_memory().is_none());
    assert_eq!(Buffer::<f32>::wrap(&device, vec![]).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
}

fn heights(solver: &Solver, device: &clothc::Device) -> Vec<f32> {
    let mut buffer = Buffer::<[f32; 4]>::new(device, PARTICLE_COUNT).unwrap();
    solver.get(Channel::POSITION, &mut buffer).unwrap();
    buffer.to_vec().unwrap().iter().map(|position| position[1]).collect()
}

#[test]
fn views_and_regions_name_parts() {
    let device = device();
    let (mut solver, cloth) = sheet(&device);
    let first = solver.cloth_info(cloth).unwrap().first_particle;
    let view = View { format: Format::FLOAT3, byte_offset: 8, ..View::default() };
    let mut vertices = Buffer::<[f32; 8]>::new(&device, PARTICLE_COUNT).unwrap();
    let all = Region { source_offset: first, target_offset: 0, count: PARTICLE_COUNT as u32 };
    solver.get_regions(Channel::POSITION, &mut vertices, Some(&view), Some(&[all])).unwrap();
    vertices.map_write().unwrap()[PARTICLE_COUNT - 1][3] = 0.5;
    let one = Region { source_offset: 255, target_offset: first + 255, count: 1 };
    solver.set_regions(Channel::POSITION, &vertices, Some(&view), Some(&[one]), SetFlags::AT_REST).unwrap();
    vertices.map_write().unwrap()[PARTICLE_COUNT - 2][3] = 0.7;
    solver.set_regions(Channel::POSITION, &vertices, Some(&view), Some(&[]), SetFlags::NONE).unwrap();
    let mut found = Buffer::<[f32; 4]>::new(&device, PARTICLE_COUNT).unwrap();
    solver.get_regions(Channel::POSITION, &mut found, None, Some(&[all])).unwrap();
    let found = found.map_read().unwrap();
    assert_eq!(found[PARTICLE_COUNT - 1][1], 0.5);
    assert_eq!(found[PARTICLE_COUNT - 2][1], 0.0);
    let beyond = Region { source_offset: 0, target_offset: 0, count: 5000 };
    let error = solver.set_regions(Channel::POSITION, &vertices, Some(&view), Some(&[beyond]), SetFlags::NONE);
    assert_eq!(error.unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
}

#[test]
fn updates_write_bound_buffers_unless_they_are_mapped() {
    let device = device();
    let (mut solver, cloth) = sheet(&device);
    let mut bound = Buffer::<[f32; 4]>::new(&device, PARTICLE_COUNT).unwrap();
    solver.bind(cloth, Channel::POSITION, &mut bound, None).unwrap();
    run(&mut solver, 5);
    {
        let mapped = bound.map_read().unwrap();
        let error = solver.update(&Update::default()).unwrap_err();
        assert_eq!(error.code(), ErrorCode::INVALID_STATE);
        let written: Vec<f32> = mapped.iter().map(|position| position[1]).collect();
        assert_eq!(written, heights(&solver, &device));
        assert!(written[PARTICLE_COUNT - 1] < 0.0);
    }
    solver.unbind(cloth, Channel::POSITION).unwrap();
    let before = bound.to_vec().unwrap();
    run(&mut solver, 5);
    assert_eq!(bound.to_vec().unwrap(), before);
}

#[test]
fn bound_memory_of_the_program_comes_back_after_the_updates_that_write_it() {
    let device = device();
    let (mut solver, cloth) = sheet(&device);
    let mut wrapped = Buffer::wrap(&device, vec![[0.0_f32; 4]; PARTICLE_COUNT]).unwrap();
    solver.bind(cloth, Channel::POSITION, &mut wrapped, None).unwrap();
    let updating = std::thread::spawn(move || {
        run(&mut solver, 50);
        solver
    });
    let memory = wrapped.into_memory().unwrap();
    let held = memory.to_vec();
    let mut solver = updating.join().unwrap();
    run(&mut solver, 5);
    assert_eq!(memory.to_vec(), held);
}

#[test]
fn records_travel_in_buffers() {
    let device = device();
    let (mut solver, cloth) = sheet(&device);
    let mut parameters = Buffer::<clothc::ClothParameters>::new(&device, 1).unwrap();
    solver.get(Channel::CLOTH_PARAMETERS, &mut parameters).unwrap();
    parameters.map_write().unwrap()[0].friction = 0.25;
    solver.set(Channel::CLOTH_PARAMETERS, &parameters).unwrap();
    assert_eq!(solver.parameters(cloth).unwrap().friction, 0.25);
    run(&mut solver, 1);
    let mut status = Buffer::<clothc::ClothStatus>::new(&device, 1).unwrap();
    solver.get(Channel::CLOTH_STATUS, &mut status).unwrap();
    assert_eq!(status.map_read().unwrap()[0], solver.cloth_status(cloth).unwrap());
}
