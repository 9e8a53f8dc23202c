// blocks_test.cpp - large cloths that are solved block by block: constraints that share a particle keep their order,
// constraints that run at the same time share none, and nothing else changes.
#include "core/fabric/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

#include "support/calls.h"
#include "unit/cook/meshes.h"
#include "unit/core/host_backend.h"
#include "unit/core/made_cloths.h"

namespace clothc::test::blocks_test {
namespace {

constexpr uint32_t particles_in_cache = 4096;

LaidOutFabric cooked(const MeshData& mesh) { return lay_out(cook_mesh(mesh)); }

ParticleBlocks divided(const LaidOutFabric& fabric, uint32_t in_cache) {
  return divide_into_blocks(fabric.layout, fabric.words.data(), in_cache);
}

MeshData shuffled(MeshData mesh) {
  std::vector<uint32_t> numbers(mesh.positions.size() / 3);
  std::iota(numbers.begin(), numbers.end(), 0u);
  std::shuffle(numbers.begin(), numbers.end(), std::mt19937(5));
  std::vector<float> positions(mesh.positions.size());
  for (size_t k = 0; k < numbers.size(); ++k)
    std::copy_n(&mesh.positions[3 * k], 3, &positions[3 * size_t{numbers[k]}]);
  mesh.positions = positions;
  for (uint32_t& vertex : mesh.quads) vertex = numbers[vertex];
  return mesh;
}

MeshData with_long_range(MeshData mesh) {
  mesh.long_range_edges[0] = 4;
  return mesh;
}

// Fabrics of 20,000 particles, which take a second to cook with a sanitizer.
struct LongFabric {
  const char* name;
  LaidOutFabric fabric;
};
const std::vector<LongFabric>& long_fabrics() {
  static const std::vector<LongFabric> fabrics = {
      {"in order", cooked(make_quad_sheet(8, 2500))},
      {"along random diagonals", cooked(make_triangle_sheet(7, 2700))},
      {"shuffled", cooked(shuffled(make_quad_sheet(8, 2500)))},
      {"with long-range constraints", cooked(with_long_range(make_quad_sheet(8, 2500)))}};
  return fabrics;
}

Cloth cloth_of(const LaidOutFabric& fabric, bool in_blocks) {
  auto topology = std::make_shared<ClothTopology>();
  topology->layout = std::make_shared<FabricLayout>(fabric.layout);
  if (in_blocks) topology->blocks = divided(fabric, particles_in_cache);
  Cloth cloth = make_cloth(0, topology->layout);
  cloth.topology = topology;
  build_jobs(cloth, {}, {}, cloth.jobs);
  return cloth;
}

bool solves_rings(const StagedJob& staged) { return staged.job.kernel == static_cast<uint32_t>(Kernel::solve_rings); }
bool solves(const StagedJob& staged) {
  return solves_rings(staged) || staged.job.kernel == static_cast<uint32_t>(Kernel::solve_edges);
}

// The index of the phase config of a job that solves constraints, which is also its phase in cloths of make_cloth.
uint32_t phase_of(const Cloth& cloth, const StagedJob& staged) {
  return (staged.job.argument - cloth.record(0)) / constraint_words;
}

// Returns the particles of an item of a job that solves constraints or rings.
std::set<uint32_t> particles_of(const Cloth& cloth, const LaidOutFabric& fabric, const StagedJob& staged,
                                uint32_t item) {
  const ConstraintLayout& set = fabric.layout.sets[fabric.layout.phase_sets[phase_of(cloth, staged)]];
  const bool in_ring = solves_rings(staged);
  // Two constraints in place of a ring have a particle twice.
  std::set<uint32_t> particles;
  for (uint32_t k = 0; k < (in_ring ? ring_size : 2); ++k)
    particles.insert(
        fabric.words[in_ring ? set.rings.particle(k, item) : set.rows.particles + k * set.rows.stride + item]);
  return particles;
}

// A constraint or a ring by its phase, its kind and its place in the set.
using PhaseConstraint = std::tuple<uint32_t, bool, uint32_t>;

// Returns the constraints that move each particle, in order.
std::vector<std::vector<PhaseConstraint>> constraints_in_order(const Cloth& cloth, const LaidOutFabric& fabric) {
  std::vector<std::vector<PhaseConstraint>> order(fabric.layout.particle_count + 1);
  for (const StagedJob& staged : cloth.jobs.iteration) {
    if (!solves(staged)) continue;
    const uint32_t phase = phase_of(cloth, staged);
    for (uint32_t k = staged.job.begin; k < staged.job.end; ++k) {
      for (const uint32_t particle : particles_of(cloth, fabric, staged, k))
        order[particle].push_back({phase, solves_rings(staged), k});
    }
  }
  return order;
}

TEST(Blocks, constraints_of_a_particle_keep_their_order) {
  for (const auto& [name, fabric] : long_fabrics()) {
    SCOPED_TRACE(name);
    const Cloth plain = cloth_of(fabric, false);
    const Cloth by_block = cloth_of(fabric, true);
    EXPECT_GT(by_block.jobs.iteration.size(), 4 * plain.jobs.iteration.size());
    EXPECT_EQ(constraints_in_order(by_block, fabric), constraints_in_order(plain, fabric));
  }
}

TEST(Blocks, jobs_of_a_stage_access_no_particle_twice_and_begin_with_a_batch) {
  for (const auto& [name, fabric] : long_fabrics()) {
    SCOPED_TRACE(name);
    const Cloth cloth = cloth_of(fabric, true);
    // Particles that each stage accesses.
    std::map<uint64_t, std::set<uint32_t>> accessed;
    for (const StagedJob& staged : cloth.jobs.iteration) {
      if (!solves(staged)) continue;
      EXPECT_EQ(staged.job.begin % lane_padding, 0u);
      std::set<uint32_t>& particles = accessed[staged.stage];
      for (uint32_t k = staged.job.begin; k < staged.job.end; ++k) {
        for (const uint32_t particle : particles_of(cloth, fabric, staged, k))
          ASSERT_TRUE(particles.insert(particle).second) << "constraint " << k << ", particle " << particle;
      }
    }
  }
}

TEST(Blocks, jobs_of_a_stage_pad_once) {
  for (const auto& [name, fabric] : long_fabrics()) {
    SCOPED_TRACE(name);
    const Cloth cloth = cloth_of(fabric, true);
    std::set<uint64_t> stages;
    for (const StagedJob& staged : cloth.jobs.iteration) {
      const bool pads = solves(staged) && staged.job.end % lane_padding != 0;
      EXPECT_TRUE(!pads || stages.insert(staged.stage).second);
    }
    EXPECT_FALSE(stages.empty());
  }
}

TEST(Blocks, only_what_is_large_and_reaches_little_is_divided) {
  const LaidOutFabric& long_fabric = long_fabrics()[0].fabric;
  EXPECT_GT(divided(long_fabric, particles_in_cache).count, 0u);
  EXPECT_EQ(divided(long_fabric, 20000).count, 0u) << "it fits";
  MeshData wide = make_quad_sheet(2500, 8);
  wide.reorder = false;
  EXPECT_EQ(divided(cooked(wide), particles_in_cache).count, 0u) << "constraints reach from row to row";
  EXPECT_EQ(divided(cooked(make_points(80, 80)), particles_in_cache).count, 0u) << "no constraints";
  EXPECT_EQ(divided({}, 0).count, 0u) << "nothing at all";
}

// Runs three updates on a device with the given number of particles in its cache, and returns the state hash.
uint64_t hash_after_updates(const MeshData& data, uint32_t in_cache, size_t& passes) {
  std::vector<Recording> recordings;
  const auto device = reinterpret_cast<clothc_device>(handle_table().insert(make_host_device(recordings, in_cache)));
  clothc_solver_desc solver_desc = make_default<clothc_solver_desc>();
  solver_desc.schedule = CLOTHC_SCHEDULE_PASS;
  const clothc_solver solver = clothc_test::create_solver(device, solver_desc);
  std::vector<float> inverse_masses(data.positions.size() / 3, 1.0f);
  std::fill_n(inverse_masses.begin(), 8, 0.0f);
  clothc_mesh_desc mesh = desc_of(data);
  mesh.inverse_masses = inverse_masses.data();
  clothc_cloth_desc cloth_desc = make_default<clothc_cloth_desc>();
  cloth_desc.fabric = clothc_test::cook_fabric(device, mesh);
  clothc_test::add_cloth(solver, cloth_desc);
  for (int k = 0; k < 3; ++k) clothc_test::update_solver(solver, 1.0f / 60);
  passes = 0;
  for (const Recording& recording : recordings) passes = std::max(passes, recording.dispatch.schedule->passes.size());
  const uint64_t hash = clothc_test::state_hash(solver);
  recordings.clear();
  clothc_device_destroy(device);
  return hash;
}

TEST(Blocks, results_are_the_same) {
  for (const MeshData& mesh : {make_quad_sheet(8, 2500), shuffled(make_quad_sheet(8, 2500))}) {
    size_t passes = 0, passes_by_block = 0;
    EXPECT_EQ(hash_after_updates(mesh, UINT32_MAX, passes),
              hash_after_updates(mesh, particles_in_cache, passes_by_block));
    EXPECT_GT(passes_by_block, passes + 50) << "it was divided";
  }
}

}  // namespace
}  // namespace clothc::test::blocks_test
