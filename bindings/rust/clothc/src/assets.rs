//! Owns collider meshes and signed distance fields, and adds to Solver their assets.
use crate::call::{self, address, check_exact_length};
use crate::colliders::triangle_count;
use crate::constants::ColliderAssetId;
use crate::error::{Error, Result};
use crate::solver::Solver;
use clothc_sys as sys;
use std::ptr;

/// A mesh to collide with, shared by any number of instances in any number of collider sets.
#[derive(Clone, Copy, Debug, Default)]
pub struct ColliderMesh<'a> {
    /// m at scale 1.
    pub vertices: &'a [[f32; 3]],
    /// Three vertices each, counter-clockwise seen from the side where the cloth is. Empty = 0 1 2, 3 4 5 ..
    pub triangles: &'a [[u32; 3]],
}

/// A signed distance field: distances from a surface at the nodes of a grid, interpolated between the nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sdf {
    /// Number of nodes along x, y and z: each 2 .. 4096.
    pub counts: [u32; 3],
    /// m at scale 1: where node 0 0 0 is.
    pub origin: [f32; 3],
    /// m at scale 1 from one node to the next.
    pub spacing: f32,
    /// m, below 0 inside; x varies fastest, then y.
    pub values: Vec<f32>,
}

/// A mesh to cook into a signed distance field. Begin with `SdfMesh::default()`.
#[derive(Clone, Copy, Debug)]
pub struct SdfMesh<'a> {
    /// m.
    pub vertices: &'a [[f32; 3]],
    /// Three vertices each, winding either way. Empty = 0 1 2, 3 4 5 ..
    pub triangles: &'a [[u32; 3]],
    /// Number of nodes along the longest side of the grid, 2 .. 1024; default 64.
    pub resolution: u32,
    /// m from the mesh to the sides of the grid; default 0 = two cells.
    pub padding: f32,
}

impl Default for SdfMesh<'_> {
    /// No triangles, and the library's defaults.
    fn default() -> Self {
        let raw = sys::clothc_sdf_cook_desc::default();
        SdfMesh { vertices: &[], triangles: &[], resolution: raw.resolution, padding: raw.padding }
    }
}

impl Sdf {
    /// Computes the signed distance field of a mesh on the calling thread. A mesh that is not closed, overlaps itself or is
    /// wound unevenly has an inside too: the points whose generalised winding number is above one half.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT naming the vertex or triangle; OUT_OF_MEMORY.
    pub fn cook(mesh: &SdfMesh<'_>) -> Result<Sdf> {
        let desc = sys::clothc_sdf_cook_desc {
            vertex_count: call::count(mesh.vertices, "vertices")?,
            triangle_count: triangle_count(mesh.vertices, mesh.triangles)?,
            resolution: mesh.resolution,
            vertices: address(mesh.vertices) as *const f32,
            triangles: address(mesh.triangles) as *const u32,
            padding: mesh.padding,
            ..Default::default()
        };
        let mut raw = sys::clothc_sdf_desc::default();
        let mut size = 0;
        call::check(unsafe { sys::clothc_sdf_cook(&desc, &mut raw, ptr::null_mut(), &mut size) })?;
        let mut values = vec![0.0; size as usize / std::mem::size_of::<f32>()];
        call::check(unsafe { sys::clothc_sdf_cook(&desc, &mut raw, values.as_mut_ptr(), &mut size) })?;
        Ok(Sdf { counts: raw.counts, origin: raw.origin, spacing: raw.spacing, values })
    }
}

impl Solver {
    /// Makes a mesh for instances in collider sets. The library copies it.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT naming the vertex or triangle; CAPACITY; OUT_OF_MEMORY.
    pub fn create_collider_mesh(&mut self, mesh: &ColliderMesh<'_>) -> Result<ColliderAssetId> {
        let desc = sys::clothc_collider_mesh_desc {
            vertex_count: call::count(mesh.vertices, "vertices")?,
            triangle_count: triangle_count(mesh.vertices, mesh.triangles)?,
            vertices: address(mesh.vertices) as *const f32,
            triangles: address(mesh.triangles) as *const u32,
            ..Default::default()
        };
        let create = |asset: *mut u32| unsafe { sys::clothc_collider_mesh_create(self.handle(), &desc, asset) };
        call::output(0, create).map(ColliderAssetId)
    }

    /// Makes a signed distance field for instances in collider sets. Its values are copied. The grid must contain the
    /// surface and the contact margin, because outside the grid it has no effect.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT naming the value; CAPACITY; OUT_OF_MEMORY.
    pub fn create_collider_sdf(&mut self, sdf: &Sdf) -> Result<ColliderAssetId> {
        let [x, y, z] = sdf.counts.map(|count| count as usize);
        let node_count = x.checked_mul(y).and_then(|plane| plane.checked_mul(z));
        let node_count =
            node_count.ok_or_else(|| Error::invalid(format!("counts are {x} {y} {z}; want at most 2^27")))?;
        check_exact_length("values", sdf.values.len(), node_count)?;
        let desc = sys::clothc_sdf_desc {
            counts: sdf.counts,
            origin: sdf.origin,
            spacing: sdf.spacing,
            values: address(&sdf.values),
            ..Default::default()
        };
        let create = |asset: *mut u32| unsafe { sys::clothc_collider_sdf_create(self.handle(), &desc, asset) };
        call::output(0, create).map(ColliderAssetId)
    }

    /// Destroys a collider mesh or signed distance field.
    ///
    /// # Errors
    ///
    /// INVALID_STATE if a collider set uses it.
    pub fn destroy_collider_asset(&mut self, asset: ColliderAssetId) -> Result<()> {
        call::check(unsafe { sys::clothc_collider_asset_destroy(self.handle(), asset.0) })
    }
}
