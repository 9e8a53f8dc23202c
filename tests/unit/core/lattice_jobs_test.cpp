// lattice_jobs_test.cpp - cloths that are solved in the lattice of their fabric have the bits of those that are not, and
// stay in it through an update where nothing but phases and tethers moves them.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

#include "core/base/structs.h"
#include "core/objects/handles.h"
#include "support/calls.h"
#include "unit/cook/meshes.h"
#include "unit/core/host_backend.h"

namespace clothc::test::lattice_jobs_test {
namespace {

constexpr uint32_t columns = 64, rows = 24, vertex_count = columns * rows;
constexpr float dt = 1.0f / 60;

struct Case {
  const char* name = "";
  std::function<void(clothc_cloth_parameters&)> change_parameters = [](auto&) {};
  std::function<void(std::vector<clothc_phase_config>&)> change_phases = [](auto&) {};
  bool stays = true;
  // Whether a further vertex is in no quad.
  bool has_lone_vertex = false;
  // Vertices that get a position at infinity before each update.
  std::vector<uint32_t> lost = {};
  uint32_t tethers_per_particle = 0;
  bool pins_top_row = false;
  // Values of these channels are set before each update.
  std::vector<clothc_channel> channels = {};
  // A kernel that runs in the lattice, if the cloth stays.
  Kernel kernel = Kernel::integrate_in_lattice;
};

struct Result {
  uint64_t hash = 0;
  std::set<Kernel> kernels;
  uint32_t non_finite_count = 0;
};

// A sheet without levels. It has two pinned corners and is crumpled at first, or has a pinned row and is flat, so that the
// anchors that are nearest to adjacent particles are adjacent.
MeshData crumpled_sheet(bool has_lone_vertex, bool pins_top_row) {
  MeshData mesh = make_quad_sheet(columns, rows);
  for (uint32_t v = 0; v < vertex_count; ++v)
    mesh.positions[size_t{v} * 3 + 2] = pins_top_row ? 0.0f : 0.03f * static_cast<float>(v * 13 % 7);
  mesh.inverse_masses.assign(vertex_count, 1.0f);
  mesh.inverse_masses[0] = mesh.inverse_masses[columns - 1] = 0;
  if (pins_top_row) std::fill_n(mesh.inverse_masses.begin(), columns, 0.0f);
  if (has_lone_vertex) {
    mesh.positions.insert(mesh.positions.end(), {1, 2, 3});
    mesh.inverse_masses.push_back(1);
  }
  return mesh;
}

clothc_cloth_id add_cloth(clothc_solver solver, clothc_fabric fabric, const Case& tested) {
  clothc_cloth_parameters parameters = make_default<clothc_cloth_parameters>();
  parameters.hierarchy_stiffness = 0;
  parameters.tether_stiffness = 0;
  tested.change_parameters(parameters);
  std::vector<clothc_phase_config> phases(clothc_test::fabric_info(fabric).phase_count,
                                          make_default<clothc_phase_config>());
  for (uint32_t k = 0; k < phases.size(); ++k) phases[k].phase = k;
  tested.change_phases(phases);
  clothc_cloth_desc desc = make_default<clothc_cloth_desc>();
  desc.fabric = fabric;
  desc.parameters = &parameters;
  desc.phase_configs = phases.data();
  desc.phase_config_count = static_cast<uint32_t>(phases.size());
  return clothc_test::add_cloth(solver, desc);
}

void lose(clothc_device device, clothc_solver solver, clothc_cloth_id cloth, const std::vector<uint32_t>& vertices) {
  std::vector<float> positions = clothc_test::get_particles<float>(device, solver, cloth, CLOTHC_CHANNEL_POSITION);
  for (const uint32_t vertex : vertices) positions[size_t{vertex} * 4 + 1] = std::numeric_limits<float>::infinity();
  clothc_test::set_particles(device, solver, cloth, CLOTHC_CHANNEL_POSITION, positions);
}

// Values near the particles: centres and radii of spheres that do not hold all particles, and accelerations in m/s2.
void set_channel(clothc_device device, clothc_solver solver, clothc_cloth_id cloth, clothc_channel channel, int frame) {
  std::vector<float> values = clothc_test::get_particles<float>(device, solver, cloth, CLOTHC_CHANNEL_POSITION);
  for (size_t v = 0; v < values.size() / 4; ++v) {
    values[4 * v + 2] += 0.01f * static_cast<float>(frame);
    values[4 * v + 3] = v % 5 == 0 ? -1.0f : 0.02f * static_cast<float>(v % 3);
  }
  clothc_test::set_particles(device, solver, cloth, channel, values);
}

Result run(const Case& tested, uint32_t lattice_batch_cost) {
  Result result;
  std::vector<Recording> recordings;
  const auto device = reinterpret_cast<clothc_device>(
      handle_table().insert(make_host_device(recordings, UINT32_MAX, lattice_batch_cost)));
  clothc_solver_desc solver_desc = make_default<clothc_solver_desc>();
  solver_desc.schedule = CLOTHC_SCHEDULE_PASS;
  const clothc_solver solver = clothc_test::create_solver(device, solver_desc);
  MeshData mesh = crumpled_sheet(tested.has_lone_vertex, tested.pins_top_row);
  mesh.tethers_per_particle = tested.tethers_per_particle;
  const clothc_cloth_id cloth = add_cloth(solver, clothc_test::cook_fabric(device, desc_of(mesh)), tested);
  for (int frame = 0; frame < 4; ++frame) {
    if (!tested.lost.empty()) lose(device, solver, cloth, tested.lost);
    for (const clothc_channel channel : tested.channels) set_channel(device, solver, cloth, channel, frame);
    // The last update has no iterations.
    clothc_test::update_solver(solver, frame < 3 ? dt : 0);
  }
  for (const Recording& recording : recordings) {
    for (const Job& job : recording.dispatch.schedule->jobs) result.kernels.insert(static_cast<Kernel>(job.kernel));
  }
  result.non_finite_count = clothc_test::cloth_status(solver, cloth).non_finite_count;
  result.hash = clothc_test::state_hash(solver);
  recordings.clear();
  clothc_device_destroy(device);
  return result;
}

std::vector<Case> cases() {
  std::vector<Case> all(14);
  all[0].name = "phases only";
  all[1].name = "soft zones";
  all[1].change_phases = [](auto& phases) {
    for (clothc_phase_config& phase : phases) {
      phase.stiffness_multiplier = 0.3f;
      phase.stretch_limit = 1.1f;
      phase.compression_limit = 0.8f;
    }
  };
  all[2].name = "phases in another order, one of them not at all";
  all[2].change_phases = [](auto& phases) {
    std::reverse(phases.begin(), phases.end());
    clothc_phase_config none = phases[1];
    none.stiffness = 0;
    phases.push_back(none);
  };
  all[3].name = "levels";
  all[3].change_parameters = [](auto& p) { p.hierarchy_stiffness = 1; };
  all[3].stays = false;
  all[4].name = "wind";
  all[4].change_parameters = [](auto& p) {
    p.fluid_density = 1.2f;
    p.drag_coefficient = 0.5f;
    p.wind_velocity[2] = 3;
  };
  all[4].stays = false;
  all[5].name = "tests for sleep in every seventh iteration";
  all[5].change_parameters = [](auto& p) {
    p.sleep_threshold = 1000;
    p.sleep_test_interval = 7;
    p.sleep_after_count = 1;
  };
  all[5].stays = false;
  all[6].name = "a turning frame with damping";
  all[6].change_parameters = [](auto& p) {
    p.damping[0] = p.damping[2] = 0.4f;
    p.angular_drag[1] = 0.5f;
  };
  all[7].name = "lost particles";
  all[7].lost = {5, 11 * columns + 39, 700};
  all[8].name = "a particle without a slot, which falls";
  all[8].has_lone_vertex = true;
  all[8].stays = false;
  all[9].name = "tethers";
  all[9].tethers_per_particle = 2;
  all[9].change_parameters = [](auto& p) {
    p.tether_stiffness = 0.7f;
    p.tether_scale = 0.9f;
  };
  all[9].kernel = Kernel::constrain_tethers_in_lattice;
  all[10].name = "tethers in a turning frame, with lost particles";
  all[10].tethers_per_particle = 3;
  all[10].change_parameters = [](auto& p) {
    p.tether_stiffness = 1;
    p.angular_drag[1] = 0.5f;
  };
  all[10].lost = {77, 11 * columns + 3};
  all[10].kernel = Kernel::constrain_tethers_in_lattice;
  all[11].name = "motion constraints";
  all[11].channels = {CLOTHC_CHANNEL_MOTION_CONSTRAINT};
  all[11].stays = false;
  all[12].name = "accelerations of particles";
  all[12].channels = {CLOTHC_CHANNEL_ACCELERATION};
  all[12].stays = false;
  all[13].name = "tethers to the particles of the top row, whose slots are adjacent";
  all[13].tethers_per_particle = 1;
  all[13].pins_top_row = true;
  all[13].change_parameters = [](auto& p) {
    p.tether_stiffness = 1;
    p.tether_scale = 0.9f;
  };
  all[13].kernel = Kernel::constrain_tethers_in_lattice;
  return all;
}

TEST(LatticeJobs, give_the_bits_of_the_same_cloth_without_a_lattice) {
  for (const Case& tested : cases()) {
    SCOPED_TRACE(tested.name);
    const Result without = run(tested, UINT32_MAX), with = run(tested, 65);
    EXPECT_EQ(with.hash, without.hash);
    EXPECT_EQ(with.non_finite_count, without.non_finite_count);
    EXPECT_EQ(with.non_finite_count > 0, !tested.lost.empty());
    const auto has = [](const Result& result, Kernel kernel) { return result.kernels.count(kernel) > 0; };
    EXPECT_TRUE(has(without, Kernel::solve_rings) || has(without, Kernel::solve_rings_with_limits));
    EXPECT_FALSE(has(without, Kernel::solve_lattice) || has(without, Kernel::solve_lattice_with_limits));
    EXPECT_TRUE(has(with, Kernel::solve_lattice) || has(with, Kernel::solve_lattice_with_limits));
    EXPECT_FALSE(has(with, Kernel::solve_rings) || has(with, Kernel::solve_rings_with_limits));
    EXPECT_EQ(has(with, Kernel::integrate_in_lattice), tested.stays);
    EXPECT_EQ(has(with, tested.kernel), tested.stays);
    EXPECT_EQ(has(with, Kernel::enter_lattice), !tested.stays);
  }
}

// With little to solve, the way there and back is not worth it.
TEST(LatticeJobs, solve_a_single_phase_outside) {
  Case tested;
  tested.change_phases = [](auto& phases) { phases.resize(1); };
  tested.change_parameters = [](auto& p) { p.hierarchy_stiffness = 1; };
  const Result with = run(tested, 80);
  EXPECT_EQ(with.kernels.count(Kernel::enter_lattice), 0u);
  EXPECT_GT(with.kernels.count(Kernel::solve_rings), 0u);
}

}  // namespace
}  // namespace clothc::test::lattice_jobs_test
