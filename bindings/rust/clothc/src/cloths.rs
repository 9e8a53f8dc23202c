//! Adds to Solver its cloths: adding, changing and asking them. All of it goes for groups too.
use crate::call::{self, address, check_exact_length, check_length};
use crate::constants::{Channel, ClothId, ColliderSetId, GroupId};
use crate::error::Result;
use crate::fabric::Fabric;
use crate::records::{ClothFrame, ClothInfo, ClothParameters, ClothStatus, PhaseConfig};
use crate::solver::Solver;
use clothc_sys as sys;

/// How to make a cloth. Begin with [`ClothDesc::new`].
#[derive(Clone, Copy, Debug)]
pub struct ClothDesc<'a> {
    /// The constraints.
    pub fabric: &'a Fabric,
    /// Of each particle: x y z in m and the inverse mass in 1/kg. Empty = the fabric's.
    pub positions: &'a [[f32; 4]],
    /// None = defaults.
    pub parameters: Option<&'a ClothParameters>,
    /// The phases to solve, in order. Empty = every phase of the fabric once, unless no_phases is set.
    pub phase_configs: &'a [PhaseConfig],
    /// Solve no phase at all.
    pub no_phases: bool,
    /// The collider sets that the cloth collides with.
    pub collider_sets: &'a [ColliderSetId],
    /// Factor on the fabric's rest lengths and tethers, and on its positions if those are used, but not on masses.
    pub scale: f32,
    /// Number of unused particles to reserve behind the cloth's own, for cutting and tearing.
    pub spare_particle_count: u32,
}

impl<'a> ClothDesc<'a> {
    /// A cloth of a fabric with the library's defaults.
    pub fn new(fabric: &'a Fabric) -> ClothDesc<'a> {
        let raw = sys::clothc_cloth_desc::default();
        ClothDesc {
            fabric,
            positions: &[],
            parameters: None,
            phase_configs: &[],
            no_phases: false,
            collider_sets: &[],
            scale: raw.scale,
            spare_particle_count: raw.spare_particle_count,
        }
    }

    fn describe(&self) -> Result<sys::clothc_cloth_desc> {
        if !self.positions.is_empty() {
            check_length("positions", self.positions.len(), self.fabric.info()?.particle_count as usize)?;
        }
        Ok(sys::clothc_cloth_desc {
            fabric: self.fabric.handle(),
            positions: address(self.positions) as *const f32,
            parameters: call::optional(self.parameters)?,
            phase_configs: given_configs(self.phase_configs)?,
            phase_config_count: call::count(self.phase_configs, "phase_configs")?,
            flags: if self.no_phases { sys::CLOTHC_CLOTH_NO_PHASES } else { 0 },
            collider_sets: address(self.collider_sets) as *const u32,
            collider_set_count: call::count(self.collider_sets, "collider_sets")?,
            scale: self.scale,
            spare_particle_count: self.spare_particle_count,
            ..Default::default()
        })
    }
}

/// The address of configs, whose size in the first one is the distance from one to the next.
fn given_configs(configs: &[PhaseConfig]) -> Result<*const sys::clothc_phase_config> {
    configs.iter().try_for_each(|config| call::given(config).map(|_| ()))?;
    Ok(address(configs) as *const sys::clothc_phase_config)
}

impl From<GroupId> for ClothId {
    /// A group is a cloth without a fabric.
    fn from(group: GroupId) -> ClothId {
        ClothId(group.0)
    }
}

impl Solver {
    /// Adds a cloth, at rest, in the first free range of particles that fits.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT naming the first bad particle or field; CAPACITY naming the largest free range; OUT_OF_MEMORY.
    pub fn add_cloth(&mut self, desc: &ClothDesc<'_>) -> Result<ClothId> {
        let desc = desc.describe()?;
        call::output(0, |cloth| unsafe { sys::clothc_cloth_add(self.handle(), &desc, cloth) }).map(ClothId)
    }

    /// Removes a cloth or group.
    pub fn remove_cloth(&mut self, cloth: impl Into<ClothId>) -> Result<()> {
        call::check(unsafe { sys::clothc_cloth_remove(self.handle(), cloth.into().0) })
    }

    /// Sets the parameters for the updates that follow.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT for a field, or for wind on a fabric without triangles; OUT_OF_MEMORY.
    pub fn set_parameters(&mut self, cloth: impl Into<ClothId>, parameters: &ClothParameters) -> Result<()> {
        let parameters = call::given(parameters)?;
        call::check(unsafe { sys::clothc_cloth_set_parameters(self.handle(), cloth.into().0, parameters) })
    }

    /// The parameters as last set.
    pub fn parameters(&self, cloth: impl Into<ClothId>) -> Result<ClothParameters> {
        let cloth = cloth.into();
        call::filled(|parameters| unsafe { sys::clothc_cloth_get_parameters(self.handle(), cloth.0, parameters) })
    }

    /// Sets the phases that a cloth solves, in order. A phase may be listed several times or not at all.
    pub fn set_phases(&mut self, cloth: impl Into<ClothId>, configs: &[PhaseConfig]) -> Result<()> {
        let (cloth, count) = (cloth.into(), call::count(configs, "configs")?);
        let configs = given_configs(configs)?;
        call::check(unsafe { sys::clothc_cloth_set_phases(self.handle(), cloth.0, configs, count) })
    }

    /// The phases that a cloth solves.
    pub fn phases(&self, cloth: impl Into<ClothId>) -> Result<Vec<PhaseConfig>> {
        let cloth = cloth.into();
        call::list(PhaseConfig::default(), |configs, count| unsafe {
            sys::clothc_cloth_get_phases(self.handle(), cloth.0, configs as *mut sys::clothc_phase_config, count)
        })
    }

    /// Sets where the frame of a cloth moves in the next update.
    pub fn set_frame(&mut self, cloth: impl Into<ClothId>, frame: &ClothFrame) -> Result<()> {
        let frame = call::given(frame)?;
        call::check(unsafe { sys::clothc_cloth_set_frame(self.handle(), cloth.into().0, frame) })
    }

    /// The frame of a cloth: the target as last set, the start of the next update, and the flags that wait for it.
    pub fn frame(&self, cloth: impl Into<ClothId>) -> Result<ClothFrame> {
        let cloth = cloth.into();
        call::filled(|frame| unsafe { sys::clothc_cloth_get_frame(self.handle(), cloth.0, frame) })
    }

    /// Sets which collider sets a cloth collides with, in order.
    ///
    /// # Errors
    ///
    /// INVALID_HANDLE; INVALID_ARGUMENT if a set is listed twice; OUT_OF_MEMORY.
    pub fn set_collider_sets(&mut self, cloth: impl Into<ClothId>, sets: &[ColliderSetId]) -> Result<()> {
        let (cloth, count) = (cloth.into(), call::count(sets, "sets")?);
        let sets = address(sets) as *const u32;
        call::check(unsafe { sys::clothc_cloth_set_collider_sets(self.handle(), cloth.0, sets, count) })
    }

    /// Sets which particles collide with cloth, its own or another one: different indices in any order. Empty = all.
    pub fn set_self_collision_particles(&mut self, cloth: impl Into<ClothId>, particles: &[u32]) -> Result<()> {
        let (cloth, count) = (cloth.into(), call::count(particles, "particles")?);
        let particles = address(particles);
        call::check(unsafe { sys::clothc_cloth_set_self_collision_particles(self.handle(), cloth.0, particles, count) })
    }

    /// What the last update found about a cloth. The call waits for everything queued.
    pub fn cloth_status(&self, cloth: impl Into<ClothId>) -> Result<ClothStatus> {
        let cloth = cloth.into();
        call::filled(|status| unsafe { sys::clothc_cloth_get_status(self.handle(), cloth.0, status) })
    }

    /// What a cloth is, and where its particles are in per-particle channels.
    pub fn cloth_info(&self, cloth: impl Into<ClothId>) -> Result<ClothInfo> {
        let cloth = cloth.into();
        call::filled(|info| unsafe { sys::clothc_cloth_get_info(self.handle(), cloth.0, info) })
    }

    /// The cloths and groups in the order in which they were added.
    pub fn cloths(&self) -> Result<Vec<ClothId>> {
        call::list(ClothId(0), |cloths, count| unsafe {
            sys::clothc_cloth_list(self.handle(), cloths as *mut u32, count)
        })
    }

    /// Puts a cloth to rest as if it had just been added. None = at the fabric's positions, scaled; a group needs some.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT naming the particle, or if a fabric without positions gets none; OUT_OF_MEMORY.
    pub fn reset_cloth(&mut self, cloth: impl Into<ClothId>, positions: Option<&[[f32; 4]]>) -> Result<()> {
        let cloth = cloth.into();
        let positions = match positions {
            None => std::ptr::null(),
            Some(positions) => {
                check_exact_length("positions", positions.len(), self.cloth_info(cloth)?.particle_count as usize)?;
                positions.as_ptr() as *const f32
            }
        };
        call::check(unsafe { sys::clothc_cloth_reset(self.handle(), cloth.0, positions) })
    }

    /// Adds a copy of a cloth in its state after everything queued so far.
    pub fn clone_cloth(&mut self, source: impl Into<ClothId>) -> Result<ClothId> {
        let source = source.into();
        call::output(0, |cloth| unsafe { sys::clothc_cloth_clone(self.handle(), source.0, cloth) }).map(ClothId)
    }

    /// Drops optional per-particle data of a cloth: ACCELERATION, MOTION_CONSTRAINT, SEPARATION_CONSTRAINT or
    /// REST_POSITION.
    pub fn clear_cloth(&mut self, cloth: impl Into<ClothId>, channel: Channel) -> Result<()> {
        call::check(unsafe { sys::clothc_cloth_clear(self.handle(), cloth.into().0, channel.0) })
    }
}
