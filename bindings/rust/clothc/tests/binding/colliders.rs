//! Collider sets and their assets.
use crate::world::{device, fabric, run, solver};
use clothc::{
    Buffer, Channel, ClothDesc, ColliderMesh, ColliderSpace, CollisionFlags, Contact, Ellipsoid, ErrorCode, Instance,
    OrientedBox, Sdf, SdfMesh, Shapes, Solver, SolverDesc,
};

const NO_ROTATION: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
const TETRAHEDRON: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

#[test]
fn all_kinds_of_shapes_are_written() {
    let device = device();
    let mut solver = solver(&device);
    let mesh = solver.create_collider_mesh(&ColliderMesh { vertices: &TETRAHEDRON, triangles: &FACES }).unwrap();
    let set = solver.create_collider_set().unwrap();
    let ellipsoid = Ellipsoid { centre: [0.0; 3], rotation: NO_ROTATION, radii: [1.0, 2.0, 3.0] };
    let cuboid = OrientedBox { centre: [0.0; 3], rotation: NO_ROTATION, half_sides: [1.0; 3] };
    let instance = Instance { translation: [0.0; 3], rotation: NO_ROTATION, scale: 1.0 };
    let shapes = Shapes {
        spheres: &[[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.5]],
        sphere_starts: &[[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.5]],
        capsules: &[[0, 1]],
        planes: &[[0.0, 1.0, 0.0, 0.0]],
        ellipsoids: &[ellipsoid],
        ellipsoid_starts: &[ellipsoid],
        boxes: &[cuboid],
        space: ColliderSpace::WORLD,
        vertices: &TETRAHEDRON,
        triangles: &FACES,
        instance_assets: &[mesh],
        instances: &[instance],
        ..Shapes::default()
    };
    solver.write_collider_set(set, &shapes).unwrap();
    assert_eq!(solver.destroy_collider_asset(mesh).unwrap_err().code(), ErrorCode::INVALID_STATE);
    assert_eq!(solver.info().unwrap().collider_set_count, 1);
    solver.destroy_collider_set(set).unwrap();
    solver.destroy_collider_asset(mesh).unwrap();
    assert_eq!(solver.info().unwrap().collider_asset_count, 0);
}

#[test]
fn lengths_of_shapes_are_checked() {
    let device = device();
    let mut solver = solver(&device);
    let set = solver.create_collider_set().unwrap();
    let (sphere, plane) = ([[0.0, 0.0, 0.0, 1.0]], [[0.0, 1.0, 0.0, 0.0]; 2]);
    let instance = [Instance { translation: [0.0; 3], rotation: NO_ROTATION, scale: 1.0 }];
    let wrong = [
        Shapes { sphere_starts: &sphere, ..Shapes::default() },
        Shapes { spheres: &sphere, capsules: &[[0, 1]], ..Shapes::default() },
        Shapes { planes: &plane, convex_ends: &[2], convex_planes: &[0], ..Shapes::default() },
        Shapes { planes: &plane, convex_planes: &[0, 1], ..Shapes::default() },
        Shapes { vertices: &TETRAHEDRON, ..Shapes::default() },
        Shapes { triangles: &FACES, ..Shapes::default() },
        Shapes { instances: &instance, ..Shapes::default() },
        Shapes { spheres: &[[f32::NAN; 4]], ..Shapes::default() },
    ];
    for (k, shapes) in wrong.iter().enumerate() {
        let error = solver.write_collider_set(set, shapes).map(|()| k).unwrap_err();
        assert_eq!(error.code(), ErrorCode::INVALID_ARGUMENT, "{k}: {error}");
    }
    // The library would read nine planes before it saw that the next end is 2.
    let descending = Shapes { planes: &plane, convex_ends: &[9, 2], convex_planes: &[0, 1], ..Shapes::default() };
    assert!(solver.write_collider_set(set, &descending).unwrap_err().message().contains("ascend"));
}

#[test]
fn signed_distance_fields_are_cooked_and_used() {
    let device = device();
    let mut solver = solver(&device);
    let mesh = SdfMesh { vertices: &TETRAHEDRON, triangles: &FACES, resolution: 16, ..SdfMesh::default() };
    let sdf = Sdf::cook(&mesh).unwrap();
    assert_eq!(sdf.values.len() as u32, sdf.counts.iter().product());
    assert!(sdf.values.iter().any(|&value| value < 0.0) && sdf.values.iter().any(|&value| value > 0.0));
    let asset = solver.create_collider_sdf(&sdf).unwrap();
    solver.destroy_collider_asset(asset).unwrap();
    let short = Sdf { counts: [32, 32, 32], ..sdf };
    assert_eq!(solver.create_collider_sdf(&short).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    assert_eq!(Sdf::cook(&SdfMesh::default()).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
}

#[test]
fn contacts_are_reported() {
    let device = device();
    let desc = SolverDesc { particle_capacity: 1024, contact_capacity: 1000, ..SolverDesc::default() };
    let mut solver = Solver::new(&device, &desc).unwrap();
    let set = solver.create_collider_set().unwrap();
    let ground = [[0.0, 1.0, 0.0, 0.01]];
    solver.write_collider_set(set, &Shapes { planes: &ground, ..Shapes::default() }).unwrap();
    let cloth = solver.add_cloth(&ClothDesc::new(&fabric(&device))).unwrap();
    solver.set_collider_sets(cloth, &[set]).unwrap();
    assert_eq!(solver.set_collider_sets(cloth, &[set, set]).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    let mut parameters = solver.parameters(cloth).unwrap();
    parameters.collision_flags |= CollisionFlags::REPORT;
    solver.set_parameters(cloth, &parameters).unwrap();
    run(&mut solver, 30);
    let mut contacts = Buffer::<Contact>::new(&device, 1000).unwrap();
    let mut count = Buffer::<u32>::new(&device, 1).unwrap();
    solver.get(Channel::CONTACT, &mut contacts).unwrap();
    solver.get(Channel::CONTACT_COUNT, &mut count).unwrap();
    let count = count.map_read().unwrap()[0] as usize;
    assert!(count > 100, "{count} particles lie on the ground");
    let contacts = contacts.map_read().unwrap();
    let is_other =
        |contact: &&Contact| contact.cloth != cloth || contact.collider_set != set || contact.normal[1] < 0.999;
    assert_eq!(contacts[..count].iter().find(is_other), None);
    assert_eq!(contacts[count].cloth.0, 0);
}
