// declarations_test.cpp - kernels access exactly what kernels.def declares. An undeclared access would mean a missing
// barrier, and a superfluous declaration an unnecessary one.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "unit/access/log.h"
#include "parity/dialect/sheets.h"

namespace clothc::probes::declarations_test {
namespace {

using Names = std::vector<std::string>;

// Accesses that are declared although the kernel's own code does not perform them. Kernels over constraints, which have
// what they need in their records, read the step for the backend too.
const Names fixed_names = {
    // Backends use GroupStep.running to skip jobs of cloths whose iterations are done.
    "apply_wind reads step",
    // These run after begin_group, which writes other parts of the records, and after apply_velocity, which writes the
    // previous positions. Validation layers see whole arrays and not their parts.
    "gather_rest reads step",
    "gather_rest reads previous",
    "gather_phases reads step",
    "refit_particle_bvh reads step",
    "save_for_sleep reads step",
    "save_for_sleep reads previous",
    "restore_masses reads step",
    "save_for_report reads step",
};

// Kernels over constraints whose own code reads the step.
bool reads_step(const std::string& kernel) {
  static const Names names = {"find_pinned_particles", "find_pinned_nodes",    "choose_pins",
                              "sweep_nodes",           "sweep_nodes_back",     "move_nodes",
                              "move_into_lattice",     "integrate_in_lattice", "move_out_of_lattice"};
  return std::find(names.begin(), names.end(), kernel) != names.end();
}

// Sorted.
Names declared_for_the_backend() {
  Names names = fixed_names;
  for (const KernelInfo& kernel : kernel_infos) {
    if (is_over_constraints(kernel.class_of_items) && is_predicated(kernel) && !reads_step(kernel.name))
      names.push_back(std::string(kernel.name) + " reads step");
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_for_the_backend(const std::string& name) {
  static const Names names = declared_for_the_backend();
  return std::binary_search(names.begin(), names.end(), name);
}

// In these updates everything happens at least once: velocities are applied, values are written with all arguments, and
// values that are not finite occur.
constexpr int frame_count = 4;
constexpr uint32_t iteration_count = 2;

std::vector<Job> jobs_of(const Scene& scene, int frame) {
  std::vector<Job> jobs_of_update = jobs_of_frame(scene, frame, iteration_count);
  // Before the first update, as in an update that is held back, velocities out of bounds are ignored.
  if (frame == 0) {
    jobs_of_update.insert(jobs_of_update.begin(), {number_of(Kernel::apply_velocity), 1, 0, 32, 0});
  }
  // The second sheet's values that are not finite are found at the end of an update.
  if (frame == 2) {
    jobs_of_update.insert(jobs_of_update.begin(), {number_of(Kernel::reduce_bounds), 1, 0, 32, 0});
  }
  if (frame != 3) return jobs_of_update;
  // These run before the read_channel kernels overwrite the values to write.
  std::vector<Job> jobs;
  for (const uint32_t argument : {0u, write_keep_w, write_at_rest, write_keep_w | write_at_rest}) {
    jobs.push_back({number_of(Kernel::write_channel_position), 0, 16, 90, argument});
  }
  for (const OptionalChannel& channel : optional_channels) jobs.push_back({number_of(channel.write), 1, 0, 90, 0});
  jobs.insert(jobs.end(), jobs_of_update.begin(), jobs_of_update.end());
  return jobs;
}

void prepare(const Scene& scene, Arenas& arenas, int frame) {
  prepare_frame(scene, arenas, frame);
  if (frame == 0) {
    float* velocity =
        element(arenas, arenas.records[1].settings.velocity_block, arenas.records[1].settings.first_particle + 8);
    velocity[0] = std::numeric_limits<float>::infinity();
    velocity[3] = 1;
  }
  const auto lose = [&](const GroupRecord& cloth, uint32_t particle) {
    element(arenas, arenas.frame.position, cloth.settings.first_particle + particle)[1] =
        std::numeric_limits<float>::infinity();
  };
  // All particles of the first sheet begin this update in a sphere, so that some collide with it wherever constraints have
  // moved them before.
  if (frame == 1) {
    for (uint32_t k = 0; k < scene.sheets[0].particle_count; ++k) {
      float* position = element(arenas, arenas.frame.position, arenas.records[0].settings.first_particle + k);
      const float column = static_cast<float>(k % scene.sheets[0].columns);
      set(position, 0.2f + 0.01f * column, -0.5f, -0.32f, position[3]);
    }
  }
  // The second sheet begins this update in its lattice. No position is written to the particles
  // that are stored first, which are its last ones.
  if (frame == 3) lose(arenas.records[1], 10);
  if (frame != 2) return;
  for (const GroupRecord& cloth : arenas.records) lose(cloth, 40);
}

struct Outcome {
  Arenas arenas;
  AccessLog log;
};

Outcome run_scene(const Scene& scene, const AccessTable& declared) {
  Outcome outcome{scene.arenas, {}};
  for (int frame = 0; frame < frame_count; ++frame) {
    prepare(scene, outcome.arenas, frame);
    run_checked(outcome.arenas, jobs_of(scene, frame), declared, outcome.log);
  }
  return outcome;
}

TEST(Access, kernels_access_only_what_they_declare) {
  const Outcome outcome = run_scene(make_scene(), declared_accesses());
  EXPECT_EQ(names_of(outcome.log.undeclared), Names{});
  EXPECT_EQ(outcome.log.astray, 0u) << "accesses outside the arenas";
}

// Other memory than the words of written_tables may be read as texels, which need not show what the same dispatch wrote.
TEST(Access, kernels_read_what_they_have_written_as_such) {
  EXPECT_EQ(names_of(run_scene(make_scene(), declared_accesses()).log.stale), Names{});
}

TEST(Access, kernels_do_all_that_they_declare) {
  const AccessTable declared = declared_accesses();
  const Outcome outcome = run_scene(make_scene(), declared);
  AccessTable unused{};
  for (uint32_t k = 0; k < kernel_count; ++k) {
    unused[k] = {declared[k].reads & ~outcome.log.seen[k].reads, declared[k].writes & ~outcome.log.seen[k].writes};
  }
  Names names = names_of(unused);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, declared_for_the_backend());
}

// If nothing is declared, everything that kernels do is undeclared: no access is missed, and none is found that a
// declaration would not allow.
TEST(Access, each_access_that_a_declaration_lacks_is_found) {
  Names expected = names_of(declared_accesses());
  expected.erase(std::remove_if(expected.begin(), expected.end(), is_for_the_backend), expected.end());
  EXPECT_EQ(names_of(run_scene(make_scene(), {}).log.undeclared), expected);
}

TEST(Access, the_checked_kernels_are_the_kernels) {
  const Scene scene = make_scene();
  Arenas arenas = scene.arenas;
  for (int frame = 0; frame < frame_count; ++frame) {
    prepare(scene, arenas, frame);
    run({&cpu::scalar_kernels, nullptr}, arenas, jobs_of(scene, frame));
  }
  EXPECT_EQ(first_difference(run_scene(scene, declared_accesses()).arenas, arenas), "");
}

}  // namespace
}  // namespace clothc::probes::declarations_test
