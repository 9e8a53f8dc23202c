//! Owns Mesh, what a fabric is cooked from.
use crate::call::check_length;
use crate::constants::CookFlags;
use crate::error::{Error, Result};
use crate::strided::Strided;
use clothc_sys as sys;
use std::mem::size_of;

/// The integers that index vertices: `u16` and `u32`.
pub trait Index: Copy + private::Sealed {}

impl Index for u16 {}
impl Index for u32 {}

mod private {
    pub trait Sealed {}
    impl Sealed for u16 {}
    impl Sealed for u32 {}
}

/// A mesh to cook: triangles, quads or both. Begin with `Mesh::default()`. Arrays are slices by `into()`, or parts of
/// interleaved vertices, see [`Strided`]; all of them but the positions and faces may be absent.
#[derive(Clone, Copy, Debug)]
pub struct Mesh<'a, I: Index = u32> {
    /// Default none.
    pub flags: CookFlags,
    /// x y z in m.
    pub positions: Strided<'a, [f32; 3]>,
    /// Of each vertex, in 1/kg; 0 pins the vertex. Absent = 1 for all, or masses from areal_density.
    pub inverse_masses: Strided<'a, f32>,
    /// The three vertices of each triangle.
    pub triangles: Strided<'a, [I; 3]>,
    /// The four vertices of each quad, in order around it.
    pub quads: Strided<'a, [I; 4]>,
    /// Vertices at most this far apart become one particle, m. 0 = only those at the same position; negative = none.
    pub weld_distance: f32,
    /// kg/m2. Above 0, each vertex gets a third of the mass of each triangle around it, and inverse_masses only say which
    /// vertices are pinned (0). Default 0.
    pub areal_density: f32,
    /// Number of tethers from each free particle to the pinned particles that are nearest along the surface, 1 .. 4.
    /// Default 1.
    pub tethers_per_particle: u32,
    /// Of each vertex, 0 .. 1. Each constraint has the mean of its two vertices as its stiffness, in place of that of its
    /// phase.
    pub stiffness: Strided<'a, f32>,
    /// u v of each vertex. Stretch constraints then form the phases WARP and WEFT.
    pub texture_coordinates: Strided<'a, [f32; 2]>,
    /// A direction of any length. If it is given and texture coordinates are not, stretch constraints form the phases
    /// VERTICAL and HORIZONTAL. Default 0 0 0: they form one phase, STRETCH.
    pub gravity_hint: [f32; 3],
    /// Number of virtual particles on each triangle, which collide with shapes as particles do: 0, 1, 4, 9 .. 64.
    pub virtual_particles_per_triangle: u32,
    /// Each value adds a LONG_RANGE phase: two particles that are this many edges apart along a line of quads may not get
    /// farther apart than the line is long at rest. 0 = no phase, or 2 .. 64, the longest first.
    pub long_range_edges: [u32; 4],
}

impl<I: Index> Default for Mesh<'_, I> {
    /// No vertices, and the library's defaults.
    fn default() -> Self {
        let raw = sys::clothc_mesh_desc::default();
        Mesh {
            flags: CookFlags(raw.flags),
            positions: Strided::default(),
            inverse_masses: Strided::default(),
            triangles: Strided::default(),
            quads: Strided::default(),
            weld_distance: raw.weld_distance,
            areal_density: raw.areal_density,
            tethers_per_particle: raw.tethers_per_particle,
            stiffness: Strided::default(),
            texture_coordinates: Strided::default(),
            gravity_hint: raw.gravity_hint,
            virtual_particles_per_triangle: raw.virtual_particles_per_triangle,
            long_range_edges: raw.long_range_edges,
        }
    }
}

impl<I: Index> Mesh<'_, I> {
    /// The mesh for a call during which the arrays live.
    pub(crate) fn describe(&self) -> Result<sys::clothc_mesh_desc> {
        let vertex_count = self.positions.len();
        check_length("inverse_masses", self.inverse_masses.len(), vertex_count)?;
        check_length("stiffness", self.stiffness.len(), vertex_count)?;
        check_length("texture_coordinates", self.texture_coordinates.len(), vertex_count)?;
        if vertex_count == 0 {
            return Err(Error::invalid("the mesh has no positions; want at least one vertex"));
        }
        Ok(sys::clothc_mesh_desc {
            flags: self.flags.0,
            vertex_count: vertex_count as u64,
            positions: self.positions.address(),
            position_stride: self.positions.stride(),
            inverse_masses: self.inverse_masses.address(),
            inverse_mass_stride: self.inverse_masses.stride(),
            triangle_count: self.triangles.len() as u64,
            triangles: self.triangles.address(),
            triangle_stride: self.triangles.stride(),
            quad_count: self.quads.len() as u64,
            quads: self.quads.address(),
            quad_stride: self.quads.stride(),
            index_size: size_of::<I>() as u32,
            weld_distance: self.weld_distance,
            areal_density: self.areal_density,
            tethers_per_particle: self.tethers_per_particle,
            stiffness: self.stiffness.address(),
            stiffness_stride: self.stiffness.stride(),
            texture_coordinates: self.texture_coordinates.address(),
            texture_coordinate_stride: self.texture_coordinates.stride(),
            gravity_hint: self.gravity_hint,
            virtual_particles_per_triangle: self.virtual_particles_per_triangle,
            long_range_edges: self.long_range_edges,
            ..Default::default()
        })
    }
}
