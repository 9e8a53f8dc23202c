// persistence_test.cpp - snapshots, clones, compaction and the state hash know groups: their springs, their phases, and
// which particles are active.
#include <cmath>
#include <functional>

#include "support/groups.h"
#include "support/sanitized.h"
#include "support/scene.h"
#include "support/snapshot_damage.h"

using namespace clothc_test;

namespace group_persistence_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(GroupPersistence);

// A heap of particles that fall on a sphere and on each other, beside a cloth. Some are joined by springs, and some are
// inactive.
struct Heap : Scene {
  explicit Heap(clothc_backend backend) : Scene(backend) {
    for (uint32_t p = 0; p < 90; ++p) {
      const auto layer = static_cast<float>(p / 9);
      positions.insert(positions.end(), {0.05f * static_cast<float>(p % 3) + 0.003f * layer, 0.5f + 0.06f * layer,
                                         0.05f * static_cast<float>(p / 3 % 3), p == 4 ? 0.0f : 1.0f});
      phases.push_back(p % 4 + (p % 3 == 0 ? uint32_t{CLOTHC_PARTICLE_PHASE_SELF_COLLIDE} : 0u));
      if (p % 7 != 5) active.push_back(p);
    }
    for (uint32_t p = 0; p + 1 < 40; ++p) indices.insert(indices.end(), {p, p + 1});
    group = add_heap();
  }
  clothc_group_id add_heap() {
    clothc_group_desc desc = group_desc(positions, 0.03f);
    clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
    parameters.self_collision_friction = parameters.inter_collision_friction = 0.3f;
    desc.parameters = &parameters;
    const clothc_collider_set_id sphere = sphere_set(0.05f, 0.2f, 0.05f, 0.2f);
    desc.collider_sets = &sphere;
    desc.collider_set_count = 1;
    const clothc_group_id added = add_group(solver, desc);
    set_springs(device, solver, added, indices, std::vector<float>(39, 0.06f), std::vector<float>(39, 0.7f));
    set_phases(device, solver, added, phases);
    set_active(device, solver, added, active);
    return added;
  }
  std::vector<float> positions;
  std::vector<uint32_t> phases, active, indices;
  clothc_group_id group = 0;
};

TEST_P(GroupPersistence, a_restored_group_goes_on_in_the_same_way) {
  Heap heap(GetParam());
  heap.step(8);
  const std::vector<uint8_t> snapshot = heap.snapshot();
  const uint64_t hash = heap.hash();
  const std::vector<float> positions = heap.get(CLOTHC_CHANNEL_POSITION, heap.group);
  heap.step(8);
  const uint64_t later = heap.hash();
  // The springs and the set are others when the snapshot is restored.
  set_springs(heap.device, heap.solver, heap.group, {}, {});
  set_active(heap.device, heap.solver, heap.group, {1});
  require(clothc_solver_restore(heap.solver, snapshot.data(), snapshot.size(), &heap.fabric, 1));
  EXPECT_EQ(heap.hash(), hash);
  EXPECT_EQ(heap.get(CLOTHC_CHANNEL_POSITION, heap.group), positions);
  EXPECT_EQ(get_active(heap.solver, heap.group), heap.active);
  EXPECT_EQ(get_phases(heap.device, heap.solver, heap.group), heap.phases);
  EXPECT_EQ(group_info(heap.solver, heap.group).spring_count, 39u);
  EXPECT_EQ(heap.snapshot(), snapshot);
  heap.step(8);
  EXPECT_EQ(heap.hash(), later);
  // The set can be changed in a restored group too.
  set_active(heap.device, heap.solver, heap.group, {0, 2});
  EXPECT_EQ(get_active(heap.solver, heap.group), (std::vector<uint32_t>{0, 2}));
  heap.step();
}

TEST_P(GroupPersistence, a_clone_begins_with_the_state_of_its_original) {
  Heap heap(GetParam());
  // With the clone, all particles would collide with their copies.
  heap.change_parameters(heap.group, [](clothc_cloth_parameters& p) { p.inter_collision_mask = 0; });
  heap.step(5);
  clothc_group_id clone = 0;
  require(clothc_cloth_clone(heap.solver, heap.group, &clone));
  EXPECT_EQ(get_active(heap.solver, clone), heap.active);
  EXPECT_EQ(get_phases(heap.device, heap.solver, clone), heap.phases);
  heap.step(5);
  EXPECT_EQ(heap.get(CLOTHC_CHANNEL_POSITION, clone), heap.get(CLOTHC_CHANNEL_POSITION, heap.group));
  set_active(heap.device, heap.solver, clone, heap.indices.size() > 1 ? std::vector<uint32_t>{3, 1} : heap.active);
  EXPECT_EQ(get_active(heap.solver, heap.group), heap.active);
  heap.step(5);
  EXPECT_NE(heap.get(CLOTHC_CHANNEL_POSITION, clone), heap.get(CLOTHC_CHANNEL_POSITION, heap.group));
}

TEST_P(GroupPersistence, a_moved_group_goes_on) {
  Heap moved(GetParam()), still(GetParam());
  for (Heap* heap : {&moved, &still}) heap->step(4);
  require(clothc_cloth_remove(moved.solver, moved.cloth));
  require(clothc_cloth_remove(still.solver, still.cloth));
  uint32_t count = 4;
  clothc_move moves[4];
  require(clothc_solver_compact(moved.solver, moves, &count));
  EXPECT_EQ(group_info(moved.solver, moved.group).first_particle, 0u);
  EXPECT_NE(group_info(still.solver, still.group).first_particle, 0u);
  for (Heap* heap : {&moved, &still}) {
    heap->step(4);
    set_active(heap->device, heap->solver, heap->group, {1, 2, 3, 4, 5, 6, 7, 80});
    heap->step(4);
  }
  EXPECT_EQ(moved.hash(), still.hash());
}

// A snapshot in which one word is changed and the checksum repaired is refused, or gives a solver that works.
TEST_P(GroupPersistence, words_of_snapshots_are_checked) {
  SceneOptions options(GetParam());
  options.has_cloth = false;
  Scene scene(options);
  const clothc_group_id group = add_group(scene.solver, group_desc({0, 0, 0, 1, 1, 0, 0, 1, 2, 0, 0, 0}, 0.2f));
  set_springs(scene.device, scene.solver, group, {0, 1, 1, 2}, {1.25f, 0.75f}, {0.5f, 0.25f});
  set_phases(scene.device, scene.solver, group, {1, 5, 0x1000007});
  set_active(scene.device, scene.solver, group, {0, 2});
  scene.step(2);
  const std::vector<uint8_t> good = scene.snapshot();
  const auto restored = [&](size_t at, uint32_t word) {
    std::vector<uint8_t> bytes = good;
    std::memcpy(&bytes[at], &word, 4);
    repair(bytes);
    return clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), nullptr, 0);
  };
  const auto expect_refused = [&](size_t at, uint32_t word, std::initializer_list<const char*> parts) {
    expect_failure(CLOTHC_ERROR_INVALID_ARGUMENT, restored(at, word), parts, "clothc_solver_restore");
  };
  // The springs begin with the number of their indices.
  const uint32_t indices[] = {4, 0, 1, 1, 2};
  const size_t first = offset_of(good, indices);
  expect_refused(first, 3, {"snapshot"});
  expect_refused(first + 4, 3, {"springs.indices[0] is 3"});
  expect_refused(first + 8, 0, {"particle 0 with itself"});
  expect_refused(first + 24, 0xbf800000, {"springs.rest_lengths[0] is -1"});
  expect_refused(first + 24, 0x3f800000, {"springs", "hash"});
  expect_refused(first + 36, 0x7fc00000, {"springs.stiffness_values[0]", "nan"});
  const auto expect_fine = [&](size_t word) {
    scene.step();
    uint32_t count = 1;
    clothc_cloth_id id = 0;
    require(clothc_cloth_list(scene.solver, &id, &count));
    if (count == 0) return;
    const clothc_cloth_status status = scene.status(id);
    EXPECT_TRUE(std::isfinite(status.bounds_minimum[0]) && std::isfinite(status.bounds_maximum[0])) << "word " << word;
  };
  size_t refused = 0, accepted = 0;
  for (size_t at = 16; at < good.size(); at += is_sanitized || GetParam() != CLOTHC_BACKEND_CPU ? 68 : 4) {
    for (const uint32_t word : {0xffffffffu, 0x7fc00000u, 0u, 3u}) {
      if (std::memcmp(&good[at], &word, 4) == 0) continue;
      const clothc_result result = restored(at, word);
      ASSERT_TRUE(result == CLOTHC_SUCCESS || result == CLOTHC_ERROR_INVALID_ARGUMENT ||
                  result == CLOTHC_ERROR_CAPACITY || result == CLOTHC_ERROR_OUT_OF_MEMORY)
          << "word " << at / 4 << " gave " << clothc_result_name(result);
      ++(result == CLOTHC_SUCCESS ? accepted : refused);
      if (result == CLOTHC_SUCCESS) expect_fine(at / 4);
      require(clothc_solver_restore(scene.solver, good.data(), good.size(), nullptr, 0));
    }
  }
  EXPECT_GT(refused, accepted / 4);
}

// Each change of a group changes the hash, and undoing it restores the hash.
TEST_P(GroupPersistence, the_hash_knows_springs_phases_and_the_set) {
  Heap heap(GetParam());
  heap.change_parameters(heap.group, [](clothc_cloth_parameters& p) { p.gravity[1] = 0; });
  heap.step(3);
  const uint64_t hash = heap.hash();
  const auto springs = [&](float length, float stiffness) {
    set_springs(heap.device, heap.solver, heap.group, heap.indices, std::vector<float>(39, length),
                std::vector<float>(39, stiffness));
  };
  std::vector<uint32_t> phases = heap.phases;
  phases[7] ^= uint32_t{CLOTHC_PARTICLE_PHASE_SELF_COLLIDE};
  std::vector<uint32_t> set = heap.active;
  set.pop_back();
  const std::function<void()> changes[] = {
      [&] { springs(0.07f, 0.7f); },
      [&] { springs(0.06f, 0.6f); },
      [&] { set_phases(heap.device, heap.solver, heap.group, phases); },
      [&] { set_active(heap.device, heap.solver, heap.group, set); },
  };
  for (size_t k = 0; k < 4; ++k) {
    changes[k]();
    EXPECT_NE(heap.hash(), hash) << k;
    springs(0.06f, 0.7f);
    set_phases(heap.device, heap.solver, heap.group, heap.phases);
    set_active(heap.device, heap.solver, heap.group, heap.active);
    EXPECT_EQ(heap.hash(), hash) << k;
  }
}

TEST(GroupParity, all_backends_and_schedules_give_the_same_hashes) {
  std::vector<uint64_t> expected;
  for (const clothc_backend backend : available_backends()) {
    for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
      SceneOptions options(backend);
      options.has_cloth = false;
      options.solver.schedule = schedule;
      Scene scene(options);
      std::vector<float> rope;
      std::vector<uint32_t> indices;
      for (uint32_t p = 0; p < 50; ++p) {
        rope.insert(rope.end(), {0.05f * static_cast<float>(p), 1, 0, p == 0 ? 0.0f : 1.0f});
        if (p > 0) indices.insert(indices.end(), {p - 1, p});
      }
      const clothc_group_id group = add_group(scene.solver, group_desc(rope));
      set_springs(scene.device, scene.solver, group, indices, std::vector<float>(49, 0.05f));
      std::vector<uint64_t> hashes;
      for (uint32_t frame = 0; frame < 6; ++frame) {
        if (frame == 2) require(clothc_group_set_active(scene.solver, group, nullptr, 45));
        if (frame == 3) set_springs(scene.device, scene.solver, group, indices, std::vector<float>(49, 0.04f));
        if (frame == 4) require(clothc_group_set_active(scene.solver, group, nullptr, 50));
        scene.step();
        hashes.push_back(scene.hash());
      }
      if (expected.empty()) expected = hashes;
      EXPECT_EQ(hashes, expected) << "backend " << backend << ", schedule " << schedule;
    }
  }
}

}  // namespace
}  // namespace group_persistence_test
