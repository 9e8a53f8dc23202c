//! Owns Shapes, what a collider set holds, and adds to Solver its collider sets.
//! Invariant: every length that the library takes on trust is checked here against the slice.
use crate::call::{self, address, check_exact_length, check_length};
use crate::constants::{ColliderAssetId, ColliderSetId, ColliderSpace};
use crate::error::{Error, Result};
use crate::solver::Solver;
use clothc_sys as sys;

/// An ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Ellipsoid {
    /// x y z in m.
    pub centre: [f32; 3],
    /// Quaternion x y z w.
    pub rotation: [f32; 4],
    /// Along its axes, m.
    pub radii: [f32; 3],
}

/// A box.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct OrientedBox {
    /// x y z in m.
    pub centre: [f32; 3],
    /// Quaternion x y z w.
    pub rotation: [f32; 4],
    /// Half of each side, m.
    pub half_sides: [f32; 3],
}

/// Where an instance of a collider mesh or signed distance field is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Instance {
    /// x y z in m.
    pub translation: [f32; 3],
    /// Quaternion x y z w.
    pub rotation: [f32; 4],
    /// 1e-3 .. 1e3.
    pub scale: f32,
}

/// Shapes of a collider set at the end of the next update and, in the fields that end in `_starts`, at its start. They
/// move from start to target over the iterations of the update. Begin with `Shapes::default()`, which has none. Starts may
/// be empty: then the last target is the start.
#[derive(Clone, Copy, Debug)]
pub struct Shapes<'a> {
    /// x y z and radius in m.
    pub spheres: &'a [[f32; 4]],
    pub sphere_starts: &'a [[f32; 4]],
    /// nx ny nz d. The cloth stays where n.p + d >= 0.
    pub planes: &'a [[f32; 4]],
    pub plane_starts: &'a [[f32; 4]],
    /// The end of each convex in convex_planes: inclusive prefix sums. Empty = every plane is a half-space of its own.
    pub convex_ends: &'a [u32],
    /// The planes of each convex, by index. A point is inside if it is below all of them.
    pub convex_planes: &'a [u32],
    /// Two different spheres each: a capsule is both of them and the cone tangent to both.
    pub capsules: &'a [[u32; 2]],
    pub ellipsoids: &'a [Ellipsoid],
    pub ellipsoid_starts: &'a [Ellipsoid],
    pub boxes: &'a [OrientedBox],
    pub box_starts: &'a [OrientedBox],
    /// Of all shapes of the set; default LOCAL.
    pub space: ColliderSpace,
    /// The vertices of the triangles, m.
    pub vertices: &'a [[f32; 3]],
    pub vertex_starts: &'a [[f32; 3]],
    /// Three vertices each, counter-clockwise seen from the side where the cloth is. Empty = 0 1 2, 3 4 5 ..
    pub triangles: &'a [[u32; 3]],
    /// m, above 0 or infinite; default 0.1. A particle behind its nearest triangle is put back in front of it if it is not
    /// farther away than this.
    pub triangle_reach: f32,
    /// The mesh or signed distance field of each instance.
    pub instance_assets: &'a [ColliderAssetId],
    pub instances: &'a [Instance],
    pub instance_starts: &'a [Instance],
}

impl Default for Shapes<'_> {
    /// No shapes, and the library's defaults.
    fn default() -> Self {
        let raw = sys::clothc_collider_shapes::default();
        Shapes {
            spheres: &[],
            sphere_starts: &[],
            planes: &[],
            plane_starts: &[],
            convex_ends: &[],
            convex_planes: &[],
            capsules: &[],
            ellipsoids: &[],
            ellipsoid_starts: &[],
            boxes: &[],
            box_starts: &[],
            space: ColliderSpace(raw.space),
            vertices: &[],
            vertex_starts: &[],
            triangles: &[],
            triangle_reach: raw.triangle_reach,
            instance_assets: &[],
            instances: &[],
            instance_starts: &[],
        }
    }
}

impl Shapes<'_> {
    fn describe(&self) -> Result<sys::clothc_collider_shapes> {
        self.check_lengths()?;
        Ok(sys::clothc_collider_shapes {
            sphere_count: call::count(self.spheres, "spheres")?,
            spheres: address(self.spheres) as *const f32,
            sphere_starts: address(self.sphere_starts) as *const f32,
            plane_count: call::count(self.planes, "planes")?,
            convex_count: call::count(self.convex_ends, "convex_ends")?,
            planes: address(self.planes) as *const f32,
            plane_starts: address(self.plane_starts) as *const f32,
            convex_ends: address(self.convex_ends),
            convex_planes: address(self.convex_planes),
            capsule_count: call::count(self.capsules, "capsules")?,
            ellipsoid_count: call::count(self.ellipsoids, "ellipsoids")?,
            capsules: address(self.capsules) as *const u32,
            ellipsoids: address(self.ellipsoids) as *const f32,
            ellipsoid_starts: address(self.ellipsoid_starts) as *const f32,
            box_count: call::count(self.boxes, "boxes")?,
            space: self.space.0,
            boxes: address(self.boxes) as *const f32,
            box_starts: address(self.box_starts) as *const f32,
            vertex_count: call::count(self.vertices, "vertices")?,
            triangle_count: triangle_count(self.vertices, self.triangles)?,
            vertices: address(self.vertices) as *const f32,
            vertex_starts: address(self.vertex_starts) as *const f32,
            triangles: address(self.triangles) as *const u32,
            triangle_reach: self.triangle_reach,
            instance_count: call::count(self.instances, "instances")?,
            instance_assets: address(self.instance_assets) as *const u32,
            instances: address(self.instances) as *const f32,
            instance_starts: address(self.instance_starts) as *const f32,
            ..Default::default()
        })
    }

    fn check_lengths(&self) -> Result<()> {
        check_length("sphere_starts", self.sphere_starts.len(), self.spheres.len())?;
        check_length("plane_starts", self.plane_starts.len(), self.planes.len())?;
        check_length("ellipsoid_starts", self.ellipsoid_starts.len(), self.ellipsoids.len())?;
        check_length("box_starts", self.box_starts.len(), self.boxes.len())?;
        check_length("vertex_starts", self.vertex_starts.len(), self.vertices.len())?;
        check_length("instance_starts", self.instance_starts.len(), self.instances.len())?;
        check_exact_length("instance_assets", self.instance_assets.len(), self.instances.len())?;
        // The library reads planes up to each end before it looks at the next one.
        let plane_count = self.convex_ends.last().map_or(0, |&end| end as usize);
        check_exact_length("convex_planes", self.convex_planes.len(), plane_count)?;
        if self.convex_ends.windows(2).any(|ends| ends[0] > ends[1]) {
            return Err(Error::invalid("convex_ends must ascend, as inclusive prefix sums do"));
        }
        Ok(())
    }
}

/// The number of triangles: those that are given, or one for every three vertices.
pub(crate) fn triangle_count(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> Result<u32> {
    if !triangles.is_empty() {
        return call::count(triangles, "triangles");
    }
    if vertices.len() % 3 != 0 {
        return Err(Error::invalid(format!("{} vertices without triangles; want three for each", vertices.len())));
    }
    Ok(call::count(vertices, "vertices")? / 3)
}

impl Solver {
    /// Makes an empty collider set.
    ///
    /// # Errors
    ///
    /// CAPACITY; OUT_OF_MEMORY.
    pub fn create_collider_set(&mut self) -> Result<ColliderSetId> {
        call::output(0, |set| unsafe { sys::clothc_collider_set_create(self.handle(), set) }).map(ColliderSetId)
    }

    /// Destroys a collider set. Cloths that list it no longer do.
    pub fn destroy_collider_set(&mut self, set: ColliderSetId) -> Result<()> {
        call::check(unsafe { sys::clothc_collider_set_destroy(self.handle(), set.0) })
    }

    /// Replaces all shapes of a collider set for the updates that follow.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT naming the shape; OUT_OF_MEMORY.
    pub fn write_collider_set(&mut self, set: ColliderSetId, shapes: &Shapes<'_>) -> Result<()> {
        let shapes = shapes.describe()?;
        call::check(unsafe { sys::clothc_collider_set_write(self.handle(), set.0, &shapes) })
    }
}
