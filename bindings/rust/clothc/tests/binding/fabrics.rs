//! Fabrics: cooked, from arrays, saved and loaded.
use crate::world::{device, fabric, inverse_masses, positions, quads, PARTICLE_COUNT, SIDE};
use clothc::{
    ConstraintSet, ConstraintType, DiagnosticKind, ErrorCode, Fabric, FabricArray, FabricArrays, FabricFlags, Mesh,
    PhaseType, Strided,
};

#[test]
fn a_mesh_is_cooked_from_slices_and_from_interleaved_vertices() {
    let device = device();
    let whole = fabric(&device);
    let info = whole.info().unwrap();
    assert_eq!((info.particle_count, info.pinned_particle_count), (SIDE * SIDE, SIDE));
    let vertices: Vec<[f32; 6]> = positions()
        .iter()
        .zip(inverse_masses())
        .map(|(p, inverse_mass)| [9.0, p[0], p[1], p[2], inverse_mass, 9.0])
        .collect();
    let short_quads: Vec<[u16; 4]> = quads().iter().map(|quad| quad.map(|vertex| vertex as u16)).collect();
    let mesh = Mesh {
        positions: Strided::interleaved(&vertices, 4).unwrap(),
        inverse_masses: Strided::interleaved(&vertices, 16).unwrap(),
        quads: (&short_quads).into(),
        ..Mesh::default()
    };
    let same = Fabric::cook(&device, &mesh).unwrap();
    assert_eq!(same.info().unwrap().content_hash, info.content_hash);
    assert_eq!(same.device().info().unwrap(), device.info().unwrap());
}

#[test]
fn a_value_of_interleaved_vertices_must_be_within_them() {
    let vertices = [[0.0_f32; 6]; 2];
    for byte_offset in [2, 16, usize::MAX] {
        let strided = Strided::<[f32; 3]>::interleaved(&vertices, byte_offset);
        assert_eq!(strided.unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    }
    assert_eq!(Strided::<[f32; 3]>::interleaved(&vertices, 12).unwrap().len(), 2);
    assert!(Strided::<[f32; 3]>::interleaved(&vertices[..0], 12).unwrap().is_empty());
}

#[test]
fn arrays_of_a_mesh_must_have_one_element_per_vertex() {
    let device = device();
    let (positions, quads) = (positions(), quads());
    let mesh = Mesh { positions: (&positions).into(), quads: (&quads).into(), ..Mesh::default() };
    let short = vec![1.0; PARTICLE_COUNT - 1];
    let wrong = Mesh { inverse_masses: (&short).into(), ..mesh };
    let error = Fabric::cook(&device, &wrong).unwrap_err();
    assert!(error.message().contains("inverse_masses has 255"), "{error}");
    let wrong = Mesh { stiffness: (&short).into(), ..mesh };
    assert_eq!(Fabric::cook(&device, &wrong).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    let wrong = [[0, 1, 2, PARTICLE_COUNT as u32]];
    let error = Fabric::cook(&device, &Mesh { quads: (&wrong).into(), ..mesh }).unwrap_err();
    assert!(error.message().contains("256"), "{error}");
    assert_eq!(Fabric::cook(&device, &Mesh::<u32>::default()).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
}

#[test]
fn diagnostics_name_what_the_cooker_found() {
    let device = device();
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [5.0, 5.0, 5.0]];
    let triangles = [[0_u32, 1, 2], [1, 1, 2]];
    let mesh = Mesh { positions: (&positions).into(), triangles: (&triangles).into(), ..Mesh::default() };
    let diagnostics = Fabric::cook(&device, &mesh).unwrap().diagnostics().unwrap();
    let repeated = diagnostics.iter().find(|found| found.kind == DiagnosticKind::REPEATED_VERTEX).unwrap();
    assert_eq!(repeated.first, 1);
    assert!(repeated.message.contains("face 1"), "{}", repeated.message);
    assert!(diagnostics.iter().any(|found| found.kind == DiagnosticKind::ISOLATED_VERTEX && found.first == 3));
}

#[test]
fn saved_fabrics_are_loaded() {
    let device = device();
    let fabric = fabric(&device);
    let blob = fabric.save().unwrap();
    let loaded = Fabric::load(&device, &blob).unwrap();
    assert_eq!(loaded.info().unwrap().content_hash, fabric.info().unwrap().content_hash);
    let error = Fabric::load(&device, &blob[..blob.len() - 1]).unwrap_err();
    assert_eq!(error.code(), ErrorCode::INVALID_ARGUMENT);
    assert_eq!(Fabric::load(&device, &[]).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    assert_eq!(loaded.read::<[u32; 3]>(FabricArray::TRIANGLES).unwrap().len(), 2 * quads().len());
    assert_eq!(loaded.read::<[f32; 4]>(FabricArray::POSITIONS).unwrap().len(), PARTICLE_COUNT);
    assert!(loaded.read::<f32>(FabricArray::STIFFNESS_VALUES).unwrap().is_empty());
    assert_eq!(loaded.read::<u32>(FabricArray(999)).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
    assert_eq!(loaded.read::<[u32; 7]>(FabricArray::INDICES).unwrap_err().code(), ErrorCode::INVALID_ARGUMENT);
}

/// A chain of three particles with an angle constraint of a fourth.
fn chain() -> FabricArrays<'static> {
    FabricArrays {
        particle_count: 4,
        phase_sets: &[0, 1],
        phase_types: &[PhaseType::STRETCH, PhaseType::BEND],
        set_ends: &[2],
        indices: &[[0, 1], [1, 2]],
        rest_lengths: &[1.0, 1.0],
        tethers_per_particle: 1,
        tether_anchors: &[0, 0, 0, 0],
        tether_lengths: &[0.0, 1.0, 2.0, 3.0],
        triangles: &[[0, 1, 2], [1, 0, 3]],
        positions: &[[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0], [0.0, -1.0, 0.0, 1.0]],
        flags: FabricFlags::EXACT_LENGTHS,
        constraint_sets: &[ConstraintSet {
            r#type: ConstraintType::DIHEDRAL_ANGLE,
            particles: &[0, 1, 2, 3],
            parameters: &[0.0, 1.0],
        }],
        ..FabricArrays::default()
    }
}

#[test]
fn a_fabric_is_made_of_arrays() {
    let fabric = Fabric::from_arrays(&device(), &chain()).unwrap();
    let info = fabric.info().unwrap();
    assert_eq!((info.particle_count, info.phase_count, info.constraint_set_count), (4, 2, 1));
    assert_eq!(fabric.read::<[u32; 2]>(FabricArray::INDICES).unwrap(), [[0, 1], [1, 2]]);
    assert_eq!(fabric.read::<f32>(FabricArray::TETHER_LENGTHS).unwrap(), [0.0, 1.0, 2.0, 3.0]);
}

#[test]
fn lengths_of_arrays_are_checked() {
    let device = device();
    let angle = chain().constraint_sets[0];
    let short = [ConstraintSet { parameters: &[0.0], ..angle }];
    let foreign = [ConstraintSet { r#type: ConstraintType(99), ..angle }];
    let wrong = [
        FabricArrays { rest_lengths: &[1.0], ..chain() },
        FabricArrays { rest_lengths: &[], ..chain() },
        FabricArrays { stiffness_values: &[1.0], ..chain() },
        FabricArrays { phase_types: &[PhaseType::STRETCH], ..chain() },
        FabricArrays { tether_anchors: &[0], ..chain() },
        FabricArrays { tether_lengths: &[], ..chain() },
        FabricArrays { tethers_per_particle: 1024, ..chain() },
        FabricArrays { positions: &[[0.0; 4]], ..chain() },
        FabricArrays { texture_coordinates: &[[0.0; 2]], ..chain() },
        FabricArrays { set_ends: &[3], ..chain() },
        FabricArrays { phase_sets: &[0, 2], ..chain() },
        FabricArrays { constraint_sets: &short, ..chain() },
        FabricArrays { constraint_sets: &foreign, ..chain() },
        FabricArrays { particle_count: u32::MAX, ..chain() },
        FabricArrays::default(),
    ];
    for (k, arrays) in wrong.iter().enumerate() {
        let error = Fabric::from_arrays(&device, arrays).map(|_| k).unwrap_err();
        assert_eq!(error.code(), ErrorCode::INVALID_ARGUMENT, "{k}: {error}");
    }
}
