// blocks_test.cpp - large cloths that are solved block by block: constraints that share a particle keep their order,
// constraints that run at the same time share none, and nothing else changes.
#include "core/fabric/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "support/calls.h"
#include "unit/cook/meshes.h"
#include "unit/core/host_backend.h"
#include "unit/core/made_cloths.h"

namespace clothc::test::blocks_test {
namespace {

constexpr uint32_t particles_in_cache = 4096;

std::shared_ptr<FabricData> cooked(const MeshData& mesh) {
  auto fabric = std::make_shared<FabricData>(cook_mesh(mesh));
  lay_out(*fabric);
  return fabric;
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

struct Mesh {
  const char* name;
  MeshData data;
};
std::vector<Mesh> long_meshes() {
  return {{"in order", make_quad_sheet(8, 2500)},
          {"along random diagonals", make_triangle_sheet(7, 2700)},
          {"shuffled", shuffled(make_quad_sheet(8, 2500))},
          {"with long-range constraints", with_long_range(make_quad_sheet(8, 2500))}};
}

Cloth cloth_of(const std::shared_ptr<FabricData>& fabric, bool in_blocks) {
  Cloth cloth = make_cloth(0, fabric);
  auto device_fabric = std::make_shared<DeviceFabric>();
  device_fabric->data = fabric;
  if (in_blocks) device_fabric->blocks = divide_into_blocks(*fabric, particles_in_cache);
  cloth.fabric = device_fabric;
  build_jobs(cloth, {}, {}, cloth.jobs);
  return cloth;
}

bool solves(const StagedJob& staged) { return staged.job.kernel == static_cast<uint32_t>(Kernel::solve_edges); }

// Returns the constraints that move each particle, in order.
std::vector<std::vector<uint32_t>> constraints_in_order(const Cloth& cloth) {
  const FabricData& fabric = cloth.data();
  std::vector<std::vector<uint32_t>> order(fabric.particle_count + 1);
  for (const StagedJob& staged : cloth.jobs.iteration) {
    if (!solves(staged)) continue;
    for (uint32_t k = staged.job.begin; k < staged.job.end; ++k) {
      order[fabric.laid_out_first[k]].push_back(k);
      order[fabric.laid_out_second[k]].push_back(k);
    }
  }
  return order;
}

TEST(Blocks, constraints_of_a_particle_keep_their_order) {
  for (const Mesh& mesh : long_meshes()) {
    SCOPED_TRACE(mesh.name);
    const auto fabric = cooked(mesh.data);
    const Cloth plain = cloth_of(fabric, false);
    const Cloth divided = cloth_of(fabric, true);
    EXPECT_GT(divided.jobs.iteration.size(), 4 * plain.jobs.iteration.size());
    EXPECT_EQ(constraints_in_order(divided), constraints_in_order(plain));
  }
}

TEST(Blocks, jobs_of_a_stage_access_no_particle_twice_and_begin_with_a_batch) {
  for (const Mesh& mesh : long_meshes()) {
    SCOPED_TRACE(mesh.name);
    const Cloth cloth = cloth_of(cooked(mesh.data), true);
    const FabricData& fabric = cloth.data();
    // Particles that each stage accesses.
    std::map<uint64_t, std::set<uint32_t>> accessed;
    for (const StagedJob& staged : cloth.jobs.iteration) {
      if (!solves(staged)) continue;
      EXPECT_EQ(staged.job.begin % lane_padding, 0u);
      std::set<uint32_t>& particles = accessed[staged.stage];
      for (uint32_t k = staged.job.begin; k < staged.job.end; ++k) {
        for (const uint32_t particle : {fabric.laid_out_first[k], fabric.laid_out_second[k]})
          ASSERT_TRUE(particles.insert(particle).second) << "constraint " << k << ", particle " << particle;
      }
    }
  }
}

TEST(Blocks, jobs_of_a_stage_pad_with_the_padding_particle_once) {
  for (const Mesh& mesh : long_meshes()) {
    SCOPED_TRACE(mesh.name);
    const Cloth cloth = cloth_of(cooked(mesh.data), true);
    std::set<uint64_t> stages;
    for (const StagedJob& staged : cloth.jobs.iteration) {
      const bool pads = solves(staged) && staged.job.end % lane_padding != 0;
      EXPECT_TRUE(!pads || stages.insert(staged.stage).second);
    }
    EXPECT_FALSE(stages.empty());
  }
}

TEST(Blocks, only_what_is_large_and_reaches_little_is_divided) {
  EXPECT_GT(divide_into_blocks(*cooked(make_quad_sheet(8, 2500)), particles_in_cache).count, 0u);
  EXPECT_EQ(divide_into_blocks(*cooked(make_quad_sheet(8, 2500)), 20000).count, 0u) << "it fits";
  MeshData wide = make_quad_sheet(2500, 8);
  wide.reorder = false;
  EXPECT_EQ(divide_into_blocks(*cooked(wide), particles_in_cache).count, 0u) << "constraints reach from row to row";
  EXPECT_EQ(divide_into_blocks(*cooked(make_points(80, 80)), particles_in_cache).count, 0u) << "no constraints";
  EXPECT_EQ(divide_into_blocks(FabricData{}, 0).count, 0u) << "nothing at all";
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
  for (const MeshData& mesh : {make_quad_sheet(8, 1200), shuffled(make_quad_sheet(8, 1200))}) {
    size_t passes = 0, passes_by_block = 0;
    EXPECT_EQ(hash_after_updates(mesh, UINT32_MAX, passes), hash_after_updates(mesh, 2048, passes_by_block));
    EXPECT_GT(passes_by_block, 2 * passes) << "it was divided";
  }
}

}  // namespace
}  // namespace clothc::test::blocks_test
