// step.cpp - the update of a cloth as ordered lists of jobs, from which schedule.cpp makes passes and programs. To add
// a stage, add its kernel to kernels.def and its pass here.
#include "core/collision/kinds.h"
#include "core/collision/particle_layout.h"
#include "core/collision/shape_layout.h"
#include "core/schedule/cloth_collision_passes.h"
#include "core/schedule/lattice_passes.h"
#include "core/schedule/phase_passes.h"

namespace clothc {
namespace {

// About as many finer nodes belong to a node of a coarse level.
constexpr uint32_t members_per_node = 9;

// Odd numbers of sweeps: on the finest of the coarse levels, which cost most, and on the others, unless there is only one,
// which has few nodes. docs/log/2026-11-28-hierarchy.md has the measurements.
constexpr uint32_t few_sweeps = 1, many_sweeps = 5;

void add_tethers(const Cloth& cloth, PassList& passes) {
  const FabricLayout& layout = cloth.layout();
  if (cloth.parameters.tether_stiffness <= 0) return;
  for (size_t k = 0; k < layout.tether_sets.size(); ++k) {
    const ConstraintLayout& set = layout.sets[layout.tether_sets[k]];
    for (uint32_t level = set.colours.begin; level < set.colours.end; ++level)
      passes.add(kernels_of(set.type).plain, layout.colours[level].items, cloth.tether_record(k), set.width);
  }
}

// The passes that find, before the iterations, what pinned particles mean for coarse levels.
void add_pins(const Cloth& cloth, PassList& passes) {
  if (cloth.hierarchy_stiffness() <= 0) return;
  const std::vector<LevelLayout>& levels = cloth.level_layouts();
  for (size_t k = 1; k < levels.size(); ++k) {
    const Kernel kernel = k == 1 ? Kernel::find_pinned_particles : Kernel::find_pinned_nodes;
    passes.add(kernel, {0, level_stride_of(levels[k].node_count)}, cloth.level_record(k), members_per_node);
  }
  for (size_t k = 1; k < levels.size(); ++k) {
    passes.add_to_shared_pass(Kernel::choose_pins, {0, level_stride_of(levels[k].node_count)}, cloth.level_record(k),
                              levels[k].neighbours_per_node);
  }
  passes.end_pass();
}

// The means of all coarse levels, then the motions of their nodes, the coarsest level first. Coarser levels name the
// first padding node of the levels below them, so padding has a mean too.
void add_hierarchy(const Cloth& cloth, PassList& passes) {
  if (cloth.hierarchy_stiffness() <= 0) return;
  const std::vector<LevelLayout>& levels = cloth.level_layouts();
  for (size_t k = 1; k < levels.size(); ++k) {
    const Kernel kernel = k == 1 ? Kernel::average_particles : Kernel::average_nodes;
    passes.add(kernel, {0, level_stride_of(levels[k].node_count)}, cloth.level_record(k), members_per_node);
  }
  for (size_t k = levels.size() - 1; k > 0; --k) {
    const Range nodes = {0, levels[k].node_count};
    passes.add(Kernel::interpolate_nodes, nodes, cloth.level_record(k), 2);
    const auto add_sweep = [&](Kernel kernel) {
      passes.add(kernel, nodes, cloth.level_record(k), levels[k].neighbours_per_node);
    };
    const bool takes_few = k == 1 || levels.size() <= 3;
    for (uint32_t sweep = 1; sweep < (takes_few ? few_sweeps : many_sweeps); sweep += 2) {
      add_sweep(Kernel::sweep_nodes);
      add_sweep(Kernel::sweep_nodes_back);
    }
    add_sweep(Kernel::move_nodes);
  }
  passes.add(Kernel::move_particles, passes.particles(), cloth.level_record(0), 2);
}

void add_wind(const Cloth& cloth, PassList& passes) {
  passes.add(Kernel::wind_impulses, {0, cloth.layout().wind.place_count});
  passes.add(Kernel::apply_wind, passes.particles(), 0, cloth.layout().widest_fan);
}

void add_virtual_particles(const Cloth& cloth, uint32_t loop_count, PassList& passes) {
  if ((cloth.parameters.collision_flags & CLOTHC_COLLISION_VIRTUAL_PARTICLES) == 0) return;
  const FabricLayout& layout = cloth.layout();
  for (size_t k = 0; k < layout.collision_sets.size(); ++k) {
    const ConstraintLayout& set = layout.sets[layout.collision_sets[k]];
    for (uint32_t colour = set.colours.begin; colour < set.colours.end; ++colour)
      passes.add(kernels_of(set.type).plain, layout.colours[colour].items, cloth.collision_record(k), loop_count);
  }
}

void add_collisions(const Cloth& cloth, const ShapeCounts& shapes, PassList& passes) {
  if (cloth.parameters.collision_mass_scale > 0) passes.add(Kernel::restore_masses, passes.particles());
  if (cloth.reports_contacts()) passes.add(Kernel::save_for_report, passes.particles());
  const auto kinds = collision_kinds(shapes, cloth.collides_continuously());
  for (const CollisionKind& kind : kinds) {
    passes.begin_stage();
    if (kind.loop_count > 0) passes.add(kind.kernel, passes.particles(), collision_moves, kind.loop_count);
  }
  // Virtual particles collide with curved shapes, which are the last kind.
  passes.begin_stage();
  if (kinds.back().loop_count > 0) add_virtual_particles(cloth, kinds.back().loop_count, passes);
}

void add_statistics(const Cloth& cloth, PassList& passes) {
  uint64_t items = cloth.padded_count();
  for (const clothc_phase_config& config : cloth.phases)
    items += cloth.set_of(config).rows.stride + ring_size * cloth.set_of(config).rings.count;
  passes.add(Kernel::reduce_statistics, passes.lanes(), 0,
             static_cast<uint32_t>(items / cloth.reduction_lanes()) + static_cast<uint32_t>(cloth.phases.size()) + 2);
}

// Whether an update reduces more than the bounds.
bool reduces_statistics(const Cloth& cloth) { return (cloth.parameters.statistics & ~CLOTHC_STATISTIC_BOUNDS) != 0; }

// Combines the bounds, and the statistics if there are any, until each has 16 results, which end_group combines.
void add_combining(const Cloth& cloth, PassList& passes) {
  const uint32_t words = reduces_statistics(cloth) ? scratch_words : bounds_words;
  for_each_combined_level(cloth.padded_count(), [&](uint32_t level, uint32_t, uint32_t combining) {
    passes.add(Kernel::combine_results, {0, words * combining}, level, reduction_fan);
  });
}

void add_before(const Cloth& cloth, const ShapeCounts& shapes, const InterCollision& inter_collision,
                PassList& passes) {
  passes.add(Kernel::begin_group, passes.cloth_item(), 0,
             2 * time_step_capacity + static_cast<uint32_t>(cloth.phases.size()));
  passes.begin_stage();
  add_pins(cloth, passes);
  passes.begin_stage();
  if (cloth.has_velocity_pass) passes.add(Kernel::apply_velocity, passes.particles());
  passes.begin_stage();
  passes.add(Kernel::refit_shape_blocks, {0, shapes.blocks()}, 0, 2 * shapes_per_block);
  if (cloth.collides_with_itself() && cloth.has(group_rest))
    passes.add(Kernel::gather_rest, {0, CollisionParticleLayout(cloth.collision_particle_count()).stride});
  if (cloth.collides_with_itself() && cloth.has(group_particle_phase))
    passes.add(Kernel::gather_phases, {0, CollisionParticleLayout(cloth.collision_particle_count()).stride});
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
  add_hierarchy(cloth, passes);
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

// Adds the jobs that end an update.
void add_after(const Cloth& cloth, PassList& passes) {
  if (cloth.sleeps_by_update()) passes.add(Kernel::test_sleep_of_update, passes.particles());
  passes.begin_stage();
  passes.add(Kernel::reduce_bounds, passes.lanes(), 0, reduction_items);
  passes.begin_stage();
  if (reduces_statistics(cloth)) add_statistics(cloth, passes);
  passes.begin_stage();
  if (cloth.parameters.statistics != 0) add_combining(cloth, passes);
  passes.begin_stage();
  passes.add(Kernel::end_group, passes.cloth_item(), 0, lane_padding);
}

}  // namespace

void build_jobs(const Cloth& cloth, const ShapeCounts& shapes, const InterCollision& inter_collision, JobList& list) {
  PassList passes(cloth);
  passes.begin_part(list.iteration);
  add_iteration(cloth, shapes, inter_collision, passes);
  const bool stays_in_lattice = stay_in_lattice(cloth, list.iteration);
  passes.begin_part(list.before);
  add_before(cloth, shapes, inter_collision, passes);
  passes.begin_stage();
  if (stays_in_lattice) passes.add(Kernel::move_into_lattice, slots_of(cloth), cloth.lattice_record());
  passes.begin_part(list.after);
  if (stays_in_lattice) passes.add(Kernel::move_out_of_lattice, slots_of(cloth), cloth.lattice_record());
  passes.begin_stage();
  if (!cloth.collides_with_cloths) add_after(cloth, passes);
  passes.begin_part(list.inter_collision);
  if (!cloth.collides_with_cloths) return;
  add_after_iterations(cloth, inter_collision, passes);
  add_after(cloth, passes);
}

}  // namespace clothc
