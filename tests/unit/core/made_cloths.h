// made_cloths.h - cloths without a solver, their lists of jobs, and the names of the jobs' kernels.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "core/schedule/schedule.h"
#include "core/base/structs.h"

namespace clothc::test {

// Appends a set with the given numbers of constraints per colour. Its rows are not in any words.
inline void add_set(FabricLayout& fabric, ConstraintType type, const std::vector<uint32_t>& colour_sizes) {
  ConstraintLayout set;
  set.type = type;
  set.arity = info_of(type).arity;
  set.width = info_of(type).width;
  set.colours.begin = static_cast<uint32_t>(fabric.colours.size());
  for (const uint32_t count : colour_sizes) {
    fabric.colours.push_back({{set.rows.stride, set.rows.stride + count}});
    set.rows.stride += (count + 15) / 16 * 16;
  }
  set.colours.end = static_cast<uint32_t>(fabric.colours.size());
  const auto index = static_cast<uint32_t>(fabric.sets.size());
  const ConstraintStage stage = info_of(type).stage;
  if (stage == ConstraintStage::tether) fabric.tether_sets.push_back(index);
  if (stage == ConstraintStage::collision) fabric.collision_sets.push_back(index);
  fabric.sets.push_back(set);
}

// Makes a fabric with the given numbers of constraints per colour in each set, and one phase per set.
inline std::shared_ptr<FabricLayout> make_fabric(uint32_t particles, const std::vector<std::vector<uint32_t>>& sets) {
  auto fabric = std::make_shared<FabricLayout>();
  fabric->particle_count = particles;
  for (const std::vector<uint32_t>& colour_sizes : sets) {
    fabric->phase_sets.push_back(static_cast<uint32_t>(fabric->phase_sets.size()));
    fabric->phase_types.push_back(CLOTHC_PHASE_OTHER);
    add_set(*fabric, ConstraintType::distance, colour_sizes);
  }
  return fabric;
}

// Returns the numbers of shapes that the particles' collision kernels need.
inline ShapeCounts shapes_for(bool has_convexes, bool has_spheres) {
  ShapeCounts shapes;
  if (has_convexes) shapes.planes = shapes.convexes = 3;
  if (has_spheres) shapes.spheres = 2;
  return shapes;
}

inline ShapeCounts shapes_of_every_kind() {
  ShapeCounts shapes = shapes_for(true, true);
  shapes.spheres = 17;
  shapes.capsules = 5;
  shapes.ellipsoids = shapes.boxes = shapes.meshes = shapes.sdfs = 1;
  shapes.vertex_words = 48;
  return shapes;
}

inline Cloth make_cloth(uint32_t slot, const std::shared_ptr<const FabricLayout>& fabric,
                        const ShapeCounts& shapes = {}) {
  Cloth cloth;
  cloth.slot = slot;
  auto topology = std::make_shared<ClothTopology>();
  topology->layout = fabric;
  cloth.topology = topology;
  cloth.particle_stride = cloth.padded_count();
  cloth.parameters = make_default<clothc_cloth_parameters>();
  cloth.constraint_records = 1000 * (slot + 1);
  for (uint32_t k = 0; k < fabric->phase_sets.size(); ++k) {
    cloth.phases.push_back(make_default<clothc_phase_config>());
    cloth.phases.back().phase = k;
  }
  build_jobs(cloth, shapes, {}, cloth.jobs);
  return cloth;
}

using Names = std::vector<std::string>;

// Returns the kernel name of a job, with what its walk is for if it walks through collision particles.
inline std::string name_of(const Job& job) {
  const auto kernel = static_cast<Kernel>(job.kernel);
  const char* const walks[] = {" counts", " pushes", " friction"};
  const bool walks_through = kernel == Kernel::collide_self || kernel == Kernel::collide_cloths;
  const bool wakes = walks_through && (job.argument & inter_restless) != 0;
  return std::string(info_of(kernel).name) + (wakes           ? " wakes"
                                              : walks_through ? walks[job.argument >> walk_shift]
                                                              : "");
}

// Returns these names of the jobs.
inline Names names(const std::vector<StagedJob>& jobs) {
  Names all;
  for (const StagedJob& staged : jobs) all.push_back(name_of(staged.job));
  return all;
}

// Whether one of the jobs has this name.
inline bool has_named(const std::vector<StagedJob>& jobs, const std::string& name) {
  const Names all = names(jobs);
  return std::find(all.begin(), all.end(), name) != all.end();
}

// Whether a kernel runs over collision particles or over boxes around them.
inline bool is_about_collision_particles(Kernel kernel) {
  constexpr Kernel kernels[] = {Kernel::gather_collision_particles, Kernel::gather_rest, Kernel::refit_particle_bvh,
                                Kernel::collide_self, Kernel::collide_cloths};
  return std::find(std::begin(kernels), std::end(kernels), kernel) != std::end(kernels);
}

}  // namespace clothc::test
