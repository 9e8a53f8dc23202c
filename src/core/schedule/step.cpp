// step.cpp - the update of a cloth as ordered lists of jobs, from which schedule.cpp makes passes and programs. To add
// a stage, add its kernel to kernels.def and its pass here.
#include "core/cloth/cloth.h"
#include "core/collision/particle_layout.h"
#include "core/collision/shape_layout.h"

namespace clothc {
namespace {

// Appends a cloth's jobs to the parts of its JobList, and numbers them so that those of different cloths that may run
// in the same pass get the same stage number.
class PassList {
 public:
  explicit PassList(const Cloth& cloth) : cloth_(cloth) {}

  // Clears a part of the JobList. The jobs that follow are appended to it.
  void begin_part(std::vector<StagedJob>& part) {
    part_ = &part;
    part.clear();
    stage_ = 0;
  }
  // Begins a stage of the update, for example the tethers. Its number is a multiple of passes_per_stage, so that
  // stages of different cloths coincide even if the stage before has fewer passes in some of them.
  void begin_stage() { stage_ = (stage_ / passes_per_stage + 1) * passes_per_stage; }

  // Appends a job as a pass of its own. loop_count: the approximate number of loop iterations per item.
  void add(Kernel kernel, Range items, uint32_t argument = 0, uint32_t loop_count = 1) {
    if (items.begin < items.end)
      part_->push_back(
          {stage_, {static_cast<uint32_t>(kernel), record_of(kernel), items.begin, items.end, argument}, loop_count});
    ++stage_;
  }
  // Appends a job to a pass that it shares with the next jobs, until end_pass ends the pass.
  void add_to_shared_pass(Kernel kernel, Range items, uint32_t argument = 0, uint32_t loop_count = 1) {
    add(kernel, items, argument, loop_count);
    --stage_;
  }
  // Ends a pass that has no job, or none but those of add_to_shared_pass.
  void end_pass() { ++stage_; }

  // The items of kernels over all particles, over the reduction lanes, and over the cloth itself.
  Range particles() const { return {0, cloth_.padded_count()}; }
  Range lanes() const { return {0, cloth_.reduction_lanes()}; }
  Range cloth_item() const { return {cloth_.slot, cloth_.slot + 1}; }

 private:
  uint32_t record_of(Kernel kernel) const { return info_of(kernel).scope == Scope::group ? cloth_.slot : 0; }

  static constexpr uint64_t passes_per_stage = 1u << 24;
  const Cloth& cloth_;
  std::vector<StagedJob>* part_ = nullptr;
  uint64_t stage_ = 0;
};

// The kernels that solve constraints of a type. limited: for phases with a soft zone.
struct ConstraintKernels {
  Kernel plain, limited;
};

ConstraintKernels kernels_of(ConstraintType type) {
  constexpr ConstraintKernels kernels[] = {
#define CLOTHC_CONSTRAINT_TYPE(name, number, particles, moved, stage, kernel, limited_kernel) \
  {Kernel::kernel, Kernel::limited_kernel},
#define CLOTHC_CONSTRAINT_PARAMETER(type, name, least, most, storage)
#include "kernels/constraint_types.def"
#undef CLOTHC_CONSTRAINT_TYPE
#undef CLOTHC_CONSTRAINT_PARAMETER
  };
  return kernels[static_cast<uint32_t>(type) - 1];
}

void add_tethers(const Cloth& cloth, PassList& passes) {
  const FabricLayout& layout = cloth.layout();
  if (cloth.parameters.tether_stiffness <= 0) return;
  for (size_t k = 0; k < layout.tether_sets.size(); ++k) {
    const ConstraintLayout& set = layout.sets[layout.tether_sets[k]];
    for (uint32_t level = set.colours.begin; level < set.colours.end; ++level)
      passes.add(kernels_of(set.type).plain, layout.colours[level], cloth.tether_record(k), set.width);
  }
}

// In phases of type LONG_RANGE, edges are long-range constraints.
Kernel kernel_for(const Cloth& cloth, const clothc_phase_config& config) {
  const ConstraintType type = cloth.set_of(config).type;
  const bool is_distance = type == ConstraintType::distance || type == ConstraintType::stiff_distance;
  if (is_distance && cloth.layout().phase_types[config.phase] == CLOTHC_PHASE_LONG_RANGE)
    return kernels_of(ConstraintType::long_range).plain;
  const bool has_soft_zone =
      config.stiffness_multiplier < 1 && (config.compression_limit < 1 || config.stretch_limit > 1);
  return has_soft_zone ? kernels_of(type).limited : kernels_of(type).plain;
}

// The solution of one colour of a phase. argument: the constraint record of the phase.
struct Solve {
  Kernel kernel;
  uint32_t colour;
  uint32_t argument;
};

std::vector<Solve> colours_to_solve(const Cloth& cloth) {
  std::vector<Solve> solves;
  for (uint32_t k = 0; k < cloth.phases.size(); ++k) {
    const clothc_phase_config& config = cloth.phases[k];
    if (config.stiffness <= 0) continue;
    const Range colours = cloth.set_of(config).colours;
    for (uint32_t colour = colours.begin; colour < colours.end; ++colour)
      solves.push_back({kernel_for(cloth, config), colour, cloth.record(k)});
  }
  return solves;
}

// Solves the colours block by block, all colours at the same time. In each pass, a colour solves the block two behind
// that of the colour before it, since closer blocks may share particles.
void add_solves_by_block(const ParticleBlocks& blocks, const std::vector<Solve>& solves, PassList& passes) {
  constexpr uint32_t lag = 2;
  const auto count = static_cast<uint32_t>(solves.size());
  for (uint32_t front = 0; front < blocks.count + lag * (count - 1); ++front) {
    for (uint32_t k = 0; k < count; ++k) {
      if (front < lag * k || front - lag * k >= blocks.count) continue;
      passes.add_to_shared_pass(solves[k].kernel, blocks.part(solves[k].colour, front - lag * k), solves[k].argument);
    }
    passes.end_pass();
  }
}

void add_phases(const Cloth& cloth, PassList& passes) {
  const std::vector<Solve> solves = colours_to_solve(cloth);
  if (solves.size() > 1 && cloth.topology->blocks.count > 0) {
    add_solves_by_block(cloth.topology->blocks, solves, passes);
  } else {
    for (const Solve& solve : solves) passes.add(solve.kernel, cloth.layout().colours[solve.colour], solve.argument);
  }
}

void add_wind(const Cloth& cloth, PassList& passes) {
  // One more triangle than there are: the first padding triangle, whose impulse is zero. It pads the fans of particles
  // with few triangles.
  passes.add(Kernel::wind_impulses, {0, cloth.layout().triangle_count + 1});
  passes.add(Kernel::apply_wind, passes.particles(), 0, cloth.layout().widest_fan);
}

void add_virtual_particles(const Cloth& cloth, uint32_t loop_count, PassList& passes) {
  if ((cloth.parameters.collision_flags & CLOTHC_COLLISION_VIRTUAL_PARTICLES) == 0) return;
  const FabricLayout& layout = cloth.layout();
  for (size_t k = 0; k < layout.collision_sets.size(); ++k) {
    const ConstraintLayout& set = layout.sets[layout.collision_sets[k]];
    for (uint32_t colour = set.colours.begin; colour < set.colours.end; ++colour)
      passes.add(kernels_of(set.type).plain, layout.colours[colour], cloth.collision_record(k), loop_count);
  }
}

void add_collisions(const Cloth& cloth, const ShapeCounts& shapes, PassList& passes) {
  const bool continuous = (cloth.parameters.collision_flags & CLOTHC_COLLISION_CONTINUOUS) != 0;
  if (cloth.parameters.collision_mass_scale > 0) passes.add(Kernel::restore_masses, passes.particles());
  if (cloth.reports_contacts()) passes.add(Kernel::save_for_report, passes.particles());
  passes.begin_stage();
  const uint32_t convexes = shapes.planes + shapes.convexes + shapes.boxes;
  if (convexes > 0) passes.add(Kernel::collide_convexes, passes.particles(), 0, convexes);
  passes.begin_stage();
  // Rough number of BVH nodes and triangles that a batch of neighbouring particles visits.
  constexpr uint32_t loops_in_triangle_bvh = 128;
  if (shapes.meshes > 0)
    passes.add(Kernel::collide_triangles, passes.particles(), 0, shapes.meshes * loops_in_triangle_bvh);
  passes.begin_stage();
  constexpr uint32_t steps_of_sweep = 40;
  if (shapes.sdfs > 0)
    passes.add(Kernel::collide_sdfs, passes.particles(), 0, shapes.sdfs * (continuous ? steps_of_sweep : 1));
  passes.begin_stage();
  const uint32_t curved = shapes.spheres + shapes.capsules + shapes.ellipsoids;
  if (curved == 0) return;
  passes.add(continuous ? Kernel::collide_curved_continuously : Kernel::collide_curved, passes.particles(), 0, curved);
  passes.begin_stage();
  add_virtual_particles(cloth, curved, passes);
}

// Rough number of BVH nodes and collision particles that a batch of neighbouring collision particles visits.
constexpr uint32_t loops_in_wide_bvh = 64;

// Refits the boxes of a BVH from its last level up to the root. Levels from `levels` on are left out. Every BVH takes
// the same number of passes, so that level 0 is refitted in the same pass in all cloths. argument_of(level): the
// argument of the kernel.
template <class ArgumentOf>
void add_bvh_refit(Kernel kernel, const WideBvh& bvh, uint32_t levels, PassList& passes, ArgumentOf argument_of) {
  for (uint32_t level = most_particle_bvh_levels; level-- > 0;) {
    const uint32_t boxes = (bvh.boxes(level) + node_children - 1) / node_children * node_children;
    if (level < levels) {
      passes.add(kernel, {0, boxes}, argument_of(level), node_children);
    } else {
      passes.end_pass();
    }
  }
}

void add_particle_bvh_refit(const WideBvh& bvh, PassList& passes) {
  add_bvh_refit(Kernel::refit_particle_bvh, bvh, bvh.levels, passes, [](uint32_t level) { return level; });
}

void add_self_collision(const Cloth& cloth, PassList& passes) {
  if (!cloth.collides_with_itself()) return;
  const CollisionParticleLayout layout(cloth.collision_particle_count());
  const Range range{0, layout.stride};
  const bool has_friction = cloth.parameters.self_collision_friction > 0 || cloth.parameters.self_collision_damping > 0;
  passes.add(Kernel::gather_collision_particles, range, has_friction ? particles_move : 0u);
  add_particle_bvh_refit(layout.bvh, passes);
  passes.add(Kernel::count_self, range, 0, loops_in_wide_bvh);
  passes.add(Kernel::collide_self, range, 0, loops_in_wide_bvh);
  if (has_friction) passes.add(Kernel::self_friction, range, 0, loops_in_wide_bvh);
}

// Gathers the collision particles of a cloth that collides with others and refits the BVH over them, then refits the
// BVH over all such cloths. The jobs of the latter, which belong to no cloth, are listed with the first of these
// cloths. gather_flags: more flags for gather_collision_particles. collides: whether the cloth gathers its particles at
// all.
void add_collision_particle_refits(const Cloth& cloth, const InterCollision& inter_collision, uint32_t gather_flags,
                                   bool collides, PassList& passes) {
  const CollisionParticleLayout layout(cloth.collision_particle_count());
  passes.begin_stage();
  if (collides) {
    passes.add(Kernel::gather_collision_particles, {0, layout.stride},
               particles_in_world | (inter_collision.has_friction ? particles_move : 0u) | gather_flags);
  }
  passes.begin_stage();
  if (collides) add_particle_bvh_refit(layout.bvh, passes);
  passes.begin_stage();
  if (cloth.inter_index == 0)
    passes.add(Kernel::refit_cloth_leaves, {0, inter_collision.count()}, inter_collision.header, node_children);
  passes.begin_stage();
  const WideBvh bvh(inter_collision.count());
  if (cloth.inter_index == 0) {
    add_bvh_refit(Kernel::refit_cloth_bvh, bvh, bvh.levels - 1, passes,
                  [&](uint32_t level) { return inter_collision.header_of(level); });
  }
  passes.begin_stage();
}

// Adds the jobs of one collision step between cloths. argument: inter_in_iteration, or the number of the pass at the
// update's end. collides: whether the cloth collides now; if not, only the shared BVH is refitted.
void add_inter_collision(const Cloth& cloth, const InterCollision& inter_collision, uint32_t argument, bool collides,
                         PassList& passes) {
  const Range range{0, CollisionParticleLayout(cloth.collision_particle_count()).stride};
  add_collision_particle_refits(cloth, inter_collision, argument == inter_in_iteration ? 0u : particles_of_update,
                                collides, passes);
  if (collides) passes.add(Kernel::count_cloths, range, argument, loops_in_wide_bvh);
  passes.begin_stage();
  if (collides) passes.add(Kernel::collide_cloths, range, argument, loops_in_wide_bvh);
  passes.begin_stage();
  if (collides && inter_collision.has_friction) passes.add(Kernel::inter_friction, range, argument, loops_in_wide_bvh);
  passes.begin_stage();
}

void add_statistics(const Cloth& cloth, PassList& passes) {
  uint64_t items = cloth.padded_count();
  for (const clothc_phase_config& config : cloth.phases) items += cloth.set_of(config).stride;
  passes.add(Kernel::reduce_statistics, passes.lanes(), 0,
             static_cast<uint32_t>(items / cloth.reduction_lanes()) + static_cast<uint32_t>(cloth.phases.size()) + 2);
}

void add_before(const Cloth& cloth, const ShapeCounts& shapes, const InterCollision& inter_collision,
                PassList& passes) {
  passes.add(Kernel::begin_group, passes.cloth_item(), 0,
             2 * time_step_capacity + static_cast<uint32_t>(cloth.phases.size()));
  passes.begin_stage();
  if (cloth.has_velocity_pass) passes.add(Kernel::apply_velocity, passes.particles());
  passes.begin_stage();
  passes.add(Kernel::refit_shape_blocks, {0, shapes.blocks()}, 0, 2 * shapes_per_block);
  if (cloth.collides_with_itself() && cloth.has(group_rest))
    passes.add(Kernel::gather_rest, {0, CollisionParticleLayout(cloth.collision_particle_count()).stride});
  if (cloth.sleeps_by_update()) passes.add(Kernel::save_for_sleep, passes.particles());
  // Cloths that are asleep gather nothing in iterations, but others collide with them, so they gather here.
  if (cloth.only_in_passes)
    add_collision_particle_refits(cloth, inter_collision, 0, cloth.collides_with_cloths_in_iterations(), passes);
}

// The kernels write different shapes, so they need not wait for each other.
void add_shape_transforms(const Cloth& cloth, const ShapeCounts& shapes, PassList& passes) {
  constexpr uint32_t loops_per_shape = 16;
  passes.add_to_shared_pass(Kernel::transform_rounded_shapes, {0, shapes.rounded()}, 0, loops_per_shape);
  passes.add_to_shared_pass(Kernel::transform_flat_shapes, {0, shapes.flat()}, 0, loops_per_shape);
  passes.add_to_shared_pass(Kernel::transform_posed_shapes, {0, shapes.posed()}, 0, loops_per_shape);
  const uint32_t vertex_words = ShapeLayout::transformed_vertex_words(shapes, cloth.particle_stride);
  passes.add_to_shared_pass(Kernel::transform_vertices, {0, vertex_words});
  passes.end_pass();
}

void add_iteration(const Cloth& cloth, const ShapeCounts& shapes, const InterCollision& inter_collision,
                   PassList& passes) {
  passes.add(Kernel::begin_iteration, passes.cloth_item());
  passes.begin_stage();
  add_shape_transforms(cloth, shapes, passes);
  passes.begin_stage();
  passes.add(Kernel::integrate, passes.particles());
  passes.begin_stage();
  if (cloth.feels_wind()) add_wind(cloth, passes);
  passes.begin_stage();
  if (cloth.has(group_motion)) passes.add(Kernel::constrain_motion, passes.particles());
  passes.begin_stage();
  add_tethers(cloth, passes);
  passes.begin_stage();
  add_phases(cloth, passes);
  passes.begin_stage();
  if (cloth.has(group_separation)) passes.add(Kernel::constrain_separation, passes.particles());
  passes.begin_stage();
  add_collisions(cloth, shapes, passes);
  passes.begin_stage();
  add_self_collision(cloth, passes);
  passes.begin_stage();
  if (cloth.only_in_passes)
    add_inter_collision(cloth, inter_collision, inter_in_iteration, cloth.collides_with_cloths_in_iterations(), passes);
  passes.begin_stage();
  if (cloth.parameters.sleep_threshold > 0 && !cloth.sleeps_by_update())
    passes.add(Kernel::test_sleep, passes.particles());
}

// Adds the jobs that cloths which collide with others run once the iterations of all cloths are done.
void add_after_iterations(const Cloth& cloth, const InterCollision& inter_collision, PassList& passes) {
  for (uint32_t pass = 0; pass < inter_collision.passes; ++pass)
    add_inter_collision(cloth, inter_collision, pass, pass < cloth.parameters.inter_collision_iterations, passes);
  passes.begin_stage();
  if (cloth.parameters.sleep_threshold > 0) {
    passes.add(Kernel::wake_cloths, {0, CollisionParticleLayout(cloth.collision_particle_count()).stride},
               inter_restless | (cloth.collides_with_cloths_in_iterations() ? inter_in_iteration : 0u),
               loops_in_wide_bvh);
  }
  passes.begin_stage();
}

// Adds the jobs that end an update.
void add_after(const Cloth& cloth, PassList& passes) {
  if (cloth.sleeps_by_update()) passes.add(Kernel::test_sleep_of_update, passes.particles());
  passes.begin_stage();
  passes.add(Kernel::reduce_bounds, passes.lanes(), 0, cloth.padded_count() / cloth.reduction_lanes() + 1);
  passes.begin_stage();
  if (cloth.parameters.statistics != 0) add_statistics(cloth, passes);
  passes.begin_stage();
  passes.add(Kernel::end_group, passes.cloth_item(), 0, cloth.reduction_lanes());
}

}  // namespace

void build_jobs(const Cloth& cloth, const ShapeCounts& shapes, const InterCollision& inter_collision, JobList& list) {
  PassList passes(cloth);
  passes.begin_part(list.before);
  add_before(cloth, shapes, inter_collision, passes);
  passes.begin_part(list.iteration);
  add_iteration(cloth, shapes, inter_collision, passes);
  passes.begin_part(list.after);
  if (!cloth.collides_with_cloths) add_after(cloth, passes);
  passes.begin_part(list.inter_collision);
  if (!cloth.collides_with_cloths) return;
  add_after_iterations(cloth, inter_collision, passes);
  add_after(cloth, passes);
}

}  // namespace clothc
