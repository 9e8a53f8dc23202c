//! Adds to Solver its groups: particles without a fabric.
use crate::buffer::Buffer;
use crate::call::{self, address};
use crate::constants::{ColliderSetId, GroupId};
use crate::error::Result;
use crate::records::{ClothParameters, GroupInfo};
use crate::solver::Solver;
use clothc_sys as sys;
use std::ptr;

/// How to make a group. Begin with `GroupDesc::default()`.
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupDesc<'a> {
    /// Of each particle: x y z in m and the inverse mass in 1/kg, 0 = pinned. Not all of them need to be active.
    pub positions: &'a [[f32; 4]],
    /// Half the distance in m that particles keep from each other; default 0 = they do not collide with particles.
    pub radius: f32,
    /// None = defaults.
    pub parameters: Option<&'a ClothParameters>,
    /// The collider sets that the group collides with.
    pub collider_sets: &'a [ColliderSetId],
}

impl Solver {
    /// Adds a group, at rest, with all particles active and without springs. Whatever is said of cloths goes for it too.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT naming the first bad particle or field; CAPACITY naming the largest free range; OUT_OF_MEMORY.
    pub fn add_group(&mut self, desc: &GroupDesc<'_>) -> Result<GroupId> {
        let desc = sys::clothc_group_desc {
            particle_count: call::count(desc.positions, "positions")?,
            positions: address(desc.positions) as *const f32,
            radius: desc.radius,
            collider_set_count: call::count(desc.collider_sets, "collider_sets")?,
            parameters: call::optional(desc.parameters)?,
            collider_sets: address(desc.collider_sets) as *const u32,
            ..Default::default()
        };
        call::output(0, |group| unsafe { sys::clothc_group_add(self.handle(), &desc, group) }).map(GroupId)
    }

    /// Removes a group.
    pub fn remove_group(&mut self, group: GroupId) -> Result<()> {
        call::check(unsafe { sys::clothc_group_remove(self.handle(), group.0) })
    }

    /// Replaces the springs of a group. The buffers may be longer, and are read during the call, after the sets and gets
    /// that use them: two particles for each spring, its rest length in m, and its stiffness, 0 .. 1; None = 1.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT naming the first bad element; CAPACITY; OUT_OF_MEMORY; DEVICE_LOST.
    pub fn set_springs(
        &mut self,
        group: GroupId,
        indices: &Buffer<u32>,
        rest_lengths: &Buffer<f32>,
        stiffness: Option<&Buffer<f32>>,
        spring_count: u32,
    ) -> Result<()> {
        let stiffness = stiffness.map_or(ptr::null_mut(), Buffer::handle);
        let (indices, rest_lengths) = (indices.handle(), rest_lengths.handle());
        call::check(unsafe {
            sys::clothc_group_set_springs(self.handle(), group.0, indices, rest_lengths, stiffness, spring_count)
        })
    }

    /// Removes the springs of a group.
    pub fn clear_springs(&mut self, group: GroupId) -> Result<()> {
        let none = ptr::null_mut();
        call::check(unsafe { sys::clothc_group_set_springs(self.handle(), group.0, none, none, none, 0) })
    }

    /// Chooses which particles are active, from the next update on: the first `count` that the buffer lists. The buffer is
    /// read during the call, after the sets and gets that use it.
    ///
    /// # Errors
    ///
    /// As [`Solver::set_springs`].
    pub fn set_active(&mut self, group: GroupId, particles: &Buffer<u32>, count: u32) -> Result<()> {
        call::check(unsafe { sys::clothc_group_set_active(self.handle(), group.0, particles.handle(), count) })
    }

    /// Makes the first particles of a group active and no others.
    pub fn set_first_active(&mut self, group: GroupId, count: u32) -> Result<()> {
        call::check(unsafe { sys::clothc_group_set_active(self.handle(), group.0, ptr::null_mut(), count) })
    }

    /// The active particles of a group in ascending order.
    pub fn active(&self, group: GroupId) -> Result<Vec<u32>> {
        call::list(0, |particles, count| unsafe {
            sys::clothc_group_get_active(self.handle(), group.0, particles, count)
        })
    }

    /// What a group is, beside its [`Solver::cloth_info`].
    pub fn group_info(&self, group: GroupId) -> Result<GroupInfo> {
        call::filled(|info| unsafe { sys::clothc_group_get_info(self.handle(), group.0, info) })
    }
}
