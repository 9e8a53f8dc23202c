// order_test.cpp - the storage order of a fabric's particles has no visible effect: the same mesh, cooked in the mesh's
// order and in the cooker's, gives the same numbers in every channel, hash and snapshot.
#include <algorithm>
#include <numeric>

#include "support/scene.h"

using namespace clothc_test;

namespace order_test {
namespace {

// A sheet with randomly numbered vertices.
struct ShuffledSheet : Sheet {
  explicit ShuffledSheet(uint32_t columns, uint32_t rows) : Sheet(columns, rows) {
    const Sheet plain(columns, rows);
    std::vector<uint32_t> number(inverse_masses.size());
    std::iota(number.begin(), number.end(), 0u);
    uint32_t state = 12345;
    for (size_t k = number.size(); k > 1; --k) {
      state = state * 1664525u + 1013904223u;
      std::swap(number[k - 1], number[(state >> 8) % k]);
    }
    for (size_t v = 0; v < number.size(); ++v) {
      std::copy_n(&plain.positions[v * 3], 3, &positions[number[v] * size_t{3}]);
      inverse_masses[number[v]] = plain.inverse_masses[v];
    }
    for (uint32_t& corner : quads) corner = number[corner];
  }
};

struct Pair {
  Scene own, other;

  explicit Pair(clothc_backend backend) : own(options(backend)), other(options(backend)) {
    const ShuffledSheet sheet(24, 20);
    clothc_mesh_desc mesh = sheet.desc();
    mesh.tethers_per_particle = 2;
    cook(own, mesh);
    mesh.flags = CLOTHC_COOK_KEEP_ORDER;
    cook(other, mesh);
  }
  static SceneOptions options(clothc_backend backend) {
    SceneOptions options(backend);
    options.has_cloth = false;
    options.solver.particle_capacity = 4096;
    return options;
  }
  static void cook(Scene& scene, const clothc_mesh_desc& mesh) {
    scene.replace_fabric(mesh);
    // With another cloth before it, the cloth's ranges do not begin at 0.
    scene.add();
    scene.cloth = scene.add();
  }
  template <class Body>
  void both(Body body) {
    body(own);
    body(other);
  }
};

CLOTHC_ON_EVERY_BACKEND(FabricOrder);

TEST_P(FabricOrder, is_chosen_for_shuffled_meshes_and_left_alone_on_request_and_for_regular_ones) {
  Pair pair(GetParam());
  EXPECT_EQ(fabric_info(pair.own.fabric).reordered, 1u);
  EXPECT_EQ(fabric_info(pair.other.fabric).reordered, 0u);
  Scene regular(GetParam());
  EXPECT_EQ(fabric_info(regular.fabric).reordered, 0u);
}

TEST_P(FabricOrder, changes_no_array_of_the_fabric) {
  Pair pair(GetParam());
  EXPECT_EQ(fabric_info(pair.own.fabric).content_hash, fabric_info(pair.other.fabric).content_hash);
  for (clothc_fabric_array array = CLOTHC_FABRIC_VERTEX_MAP; array <= CLOTHC_FABRIC_TRIANGLES; ++array)
    EXPECT_EQ(read_fabric<uint32_t>(pair.own.fabric, array), read_fabric<uint32_t>(pair.other.fabric, array))
        << "array " << array;
}

TEST_P(FabricOrder, changes_no_bit_of_any_channel) {
  Pair pair(GetParam());
  const clothc_cloth_id cloth = pair.own.cloth;
  std::vector<float> velocities(480 * 4), accelerations(480 * 4), motion = pair.own.get(CLOTHC_CHANNEL_POSITION, cloth);
  for (size_t k = 0; k < velocities.size(); ++k) {
    velocities[k] = 0.01f * static_cast<float>(k % 37);
    accelerations[k] = 0.1f * static_cast<float>(k % 11);
    if (k % 4 == 3) motion[k] = 0.2f + 0.001f * static_cast<float>(k % 97);
  }
  pair.both([&](Scene& scene) {
    scene.set(CLOTHC_CHANNEL_VELOCITY, cloth, velocities);
    scene.set(CLOTHC_CHANNEL_ACCELERATION, cloth, accelerations);
    scene.set(CLOTHC_CHANNEL_MOTION_CONSTRAINT, cloth, motion);
  });
  for (int frame = 0; frame < 10; ++frame) {
    for (clothc_channel channel = CLOTHC_CHANNEL_POSITION; channel <= CLOTHC_CHANNEL_MOTION_CONSTRAINT_START; ++channel)
      ASSERT_EQ(pair.own.get(channel, cloth), pair.other.get(channel, cloth))
          << "channel " << channel << ", frame " << frame;
    ASSERT_EQ(pair.own.hash(), pair.other.hash()) << "frame " << frame;
    // Some particles in the middle of a cloth are pinned and moved by the program.
    const std::vector<float> all = pair.own.get(CLOTHC_CHANNEL_POSITION, cloth);
    std::vector<float> some(all.begin(), all.begin() + 4 * 17);
    for (size_t k = 3; k < some.size(); k += 4) some[k] = frame % 2 == 0 ? 0.0f : 1.0f;
    pair.both([&](Scene& scene) {
      scene.set(CLOTHC_CHANNEL_POSITION, cloth, some, CLOTHC_SET_AT_REST);
      scene.step();
    });
  }
}

TEST_P(FabricOrder, reads_back_what_was_set) {
  Pair pair(GetParam());
  std::vector<float> positions = pair.own.get(CLOTHC_CHANNEL_POSITION, pair.own.cloth);
  for (size_t k = 0; k < positions.size(); ++k) positions[k] = 0.5f + 0.001f * static_cast<float>(k);
  pair.own.set(CLOTHC_CHANNEL_POSITION, pair.own.cloth, positions);
  EXPECT_EQ(pair.own.get(CLOTHC_CHANNEL_POSITION, pair.own.cloth), positions);
}

TEST_P(FabricOrder, does_not_show_in_snapshots) {
  Pair pair(GetParam());
  pair.both([](Scene& scene) { scene.step(5); });
  const std::vector<uint8_t> bytes = pair.own.snapshot();
  EXPECT_EQ(bytes, pair.other.snapshot());
  pair.both([](Scene& scene) { scene.step(3); });
  const uint64_t hash = pair.own.hash();
  ASSERT_OK(clothc_solver_restore(pair.other.solver, bytes.data(), bytes.size(), &pair.other.fabric, 1));
  pair.other.step(3);
  EXPECT_EQ(pair.other.hash(), hash);
}

TEST_P(FabricOrder, survives_clones_and_compaction) {
  Pair pair(GetParam());
  pair.both([](Scene& scene) {
    scene.step(4);
    clothc_cloth_id clone = 0, first = 0;
    ASSERT_OK(clothc_cloth_clone(scene.solver, scene.cloth, &clone));
    uint32_t count = 1;
    EXPECT_EQ(clothc_cloth_list(scene.solver, &first, &count), CLOTHC_INCOMPLETE);
    ASSERT_OK(clothc_cloth_remove(scene.solver, first));
    uint32_t moves = 0;
    EXPECT_EQ(clothc_solver_compact(scene.solver, nullptr, &moves), CLOTHC_INCOMPLETE);
    scene.step(4);
    EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, clone), scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth));
  });
  EXPECT_EQ(pair.own.hash(), pair.other.hash());
}

TEST_P(FabricOrder, is_there_for_raw_fabrics_that_ask) {
  Pair pair(GetParam());
  const clothc_fabric_info info = fabric_info(pair.own.fabric);
  const auto sets = read_fabric<uint32_t>(pair.own.fabric, CLOTHC_FABRIC_PHASE_SETS),
             ends = read_fabric<uint32_t>(pair.own.fabric, CLOTHC_FABRIC_SET_ENDS),
             indices = read_fabric<uint32_t>(pair.own.fabric, CLOTHC_FABRIC_INDICES),
             rest = read_fabric<uint32_t>(pair.own.fabric, CLOTHC_FABRIC_REST_LENGTHS),
             positions = read_fabric<uint32_t>(pair.own.fabric, CLOTHC_FABRIC_POSITIONS);
  clothc_fabric_desc desc = initialised<clothc_fabric_desc>();
  desc.particle_count = info.particle_count;
  desc.phase_count = static_cast<uint32_t>(sets.size());
  desc.set_count = static_cast<uint32_t>(ends.size());
  desc.constraint_count = rest.size();
  desc.phase_sets = sets.data();
  desc.set_ends = ends.data();
  desc.indices = indices.data();
  desc.rest_lengths = reinterpret_cast<const float*>(rest.data());
  desc.positions = reinterpret_cast<const float*>(positions.data());
  uint64_t hashes[2];
  for (uint32_t reorder : {0u, 1u}) {
    Scene scene(Pair::options(GetParam()));
    desc.flags = reorder * uint32_t{CLOTHC_FABRIC_REORDER};
    ASSERT_OK(clothc_fabric_destroy(scene.fabric));
    ASSERT_OK(clothc_fabric_create(scene.device, &desc, &scene.fabric));
    EXPECT_EQ(fabric_info(scene.fabric).reordered, reorder);
    scene.cloth = scene.add();
    scene.step(5);
    hashes[reorder] = scene.hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  desc.flags = 4;
  clothc_fabric fabric = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fabric_create(pair.own.device, &desc, &fabric), "flags", "0x4");
}

}  // namespace
}  // namespace order_test
