//! Owns FabricArrays, a fabric given as flat arrays, and its sets of constraints.
//! Invariant: every length that the library takes on trust is checked here against the slice.
use crate::call::{address, check_length, count};
use crate::constants::{ConstraintType, FabricFlags, PhaseType};
use crate::error::{Error, Result};
use clothc_sys as sys;

/// Constraints of one type, of which each has as many particles and parameters as [`ConstraintType`] says.
#[derive(Clone, Copy, Debug)]
pub struct ConstraintSet<'a> {
    /// What the constraints are.
    pub r#type: ConstraintType,
    /// The particles of all constraints, one constraint after the other.
    pub particles: &'a [u32],
    /// The parameters of all constraints, one constraint after the other.
    pub parameters: &'a [f32],
}

/// A fabric given as flat arrays, in the form that cookers and exporters of other engines produce. Begin with
/// `FabricArrays::default()`, which has no particles; any array may be empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct FabricArrays<'a> {
    /// 1 .. 2^24.
    pub particle_count: u32,
    /// The set of each phase: below the number of set_ends a set of pairs; that number + k is constraint_sets\[k\].
    pub phase_sets: &'a [u32],
    /// What each phase is for. Empty = OTHER.
    pub phase_types: &'a [PhaseType],
    /// The end of each set of pairs: inclusive prefix sums.
    pub set_ends: &'a [u32],
    /// The two different particles of each pair.
    pub indices: &'a [[u32; 2]],
    /// Of each pair, m; a pair with 0 is ignored.
    pub rest_lengths: &'a [f32],
    /// Of each pair, 0 .. 1, in place of the stiffness of the phases. Empty = that of the phases.
    pub stiffness_values: &'a [f32],
    /// 0 .. 1024.
    pub tethers_per_particle: u32,
    /// The anchor of each particle's first tether, then of each one's second tether, and so on.
    pub tether_anchors: &'a [u32],
    /// The lengths of the tethers in the same order, m.
    pub tether_lengths: &'a [f32],
    /// The three particles of each triangle.
    pub triangles: &'a [[u32; 3]],
    /// Of each particle: x y z in m and the inverse mass in 1/kg, for cloths that give none. Empty = none.
    pub positions: &'a [[f32; 4]],
    /// Default none.
    pub flags: FabricFlags,
    /// u v of each particle, for tangents. Empty = none.
    pub texture_coordinates: &'a [[f32; 2]],
    /// Points that collide in addition to the particles: three particles and a row of virtual_weights.
    pub virtual_particles: &'a [[u32; 4]],
    /// Weights of the three particles, with a sum of 1.
    pub virtual_weights: &'a [[f32; 3]],
    /// Sets of any type, in addition to the pairs, tethers and virtual particles above.
    pub constraint_sets: &'a [ConstraintSet<'a>],
}

impl ConstraintSet<'_> {
    fn describe(&self) -> Result<sys::clothc_constraint_set> {
        let (arity, width) = match self.r#type {
            ConstraintType::DISTANCE | ConstraintType::LONG_RANGE | ConstraintType::TETHER => (2, 1),
            ConstraintType::STIFF_DISTANCE => (2, 2),
            ConstraintType::VIRTUAL_PARTICLE => (3, 3),
            ConstraintType::DIHEDRAL_ANGLE => (4, 2),
            ConstraintType::TRIANGLE_AREA => (3, 2),
            other => {
                return Err(Error::invalid(format!("the type of a constraint set is {other:?}, which is unknown")))
            }
        };
        let constraint_count = self.particles.len() / arity;
        if self.particles.len() % arity != 0 || self.parameters.len() != constraint_count * width {
            return Err(Error::invalid(format!(
                "a set of {:?} has {} particles and {} parameters; want {arity} and {width} for each constraint",
                self.r#type,
                self.particles.len(),
                self.parameters.len()
            )));
        }
        Ok(sys::clothc_constraint_set {
            r#type: self.r#type.0,
            constraint_count: constraint_count as u64,
            particles: address(self.particles),
            parameters: address(self.parameters),
            ..Default::default()
        })
    }
}

impl FabricArrays<'_> {
    /// Calls with the arrays as the interface has them.
    pub(crate) fn describe<R>(&self, call: impl FnOnce(&sys::clothc_fabric_desc) -> Result<R>) -> Result<R> {
        self.check_lengths()?;
        let constraint_sets = self.constraint_sets.iter().map(ConstraintSet::describe).collect::<Result<Vec<_>>>()?;
        call(&sys::clothc_fabric_desc {
            particle_count: self.particle_count,
            phase_count: count(self.phase_sets, "phase_sets")?,
            set_count: count(self.set_ends, "set_ends")?,
            constraint_count: self.indices.len() as u64,
            phase_sets: address(self.phase_sets),
            phase_types: address(self.phase_types) as *const u32,
            set_ends: address(self.set_ends),
            indices: address(self.indices) as *const u32,
            rest_lengths: address(self.rest_lengths),
            stiffness_values: address(self.stiffness_values),
            tethers_per_particle: self.tethers_per_particle,
            triangle_count: count(self.triangles, "triangles")?,
            tether_anchors: address(self.tether_anchors),
            tether_lengths: address(self.tether_lengths),
            triangles: address(self.triangles) as *const u32,
            positions: address(self.positions) as *const f32,
            flags: self.flags.0,
            texture_coordinates: address(self.texture_coordinates) as *const f32,
            virtual_particle_count: count(self.virtual_particles, "virtual_particles")?,
            virtual_weight_count: count(self.virtual_weights, "virtual_weights")?,
            virtual_particles: address(self.virtual_particles) as *const u32,
            virtual_weights: address(self.virtual_weights) as *const f32,
            constraint_sets: address(&constraint_sets),
            constraint_set_count: count(&constraint_sets, "constraint_sets")?,
            ..Default::default()
        })
    }

    fn check_lengths(&self) -> Result<()> {
        let particle_count = self.particle_count as usize;
        let tether_count = particle_count.saturating_mul(self.tethers_per_particle as usize);
        check_length("phase_types", self.phase_types.len(), self.phase_sets.len())?;
        check_length("rest_lengths", self.rest_lengths.len(), self.indices.len())?;
        check_length("stiffness_values", self.stiffness_values.len(), self.indices.len())?;
        check_length("tether_anchors", self.tether_anchors.len(), tether_count)?;
        check_length("tether_lengths", self.tether_lengths.len(), tether_count)?;
        check_length("positions", self.positions.len(), particle_count)?;
        check_length("texture_coordinates", self.texture_coordinates.len(), particle_count)
    }
}
