// stale_memory_test.cpp - what a destroyed object has left in memory is in no result of those that come after it. Padding
// reads such memory where nothing writes padding. Builds that check arithmetic find what results do not show: where
// kernels expect lengths and masses, numbers below zero are there.
#include "support/every_shape.h"

using namespace clothc_test;

namespace stale_memory_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(StaleMemory);

// Sheets of many sizes with what has memory of its own: coarse levels, wind, collisions with themselves, with each other
// and with shapes of every kind, contacts, and sleep.
struct Sheets : Scene {
  std::vector<clothc_cloth_id> all;

  static SceneOptions options(clothc_device device) {
    SceneOptions made(CLOTHC_BACKEND_CPU);
    made.given_device = device;
    made.has_cloth = false;
    made.solver.particle_capacity = 16384;
    made.solver.cloth_capacity = 100;
    made.solver.contact_capacity = 1024;
    return made;
  }
  // word: what is in the memory that they get; 0 = it is new.
  Sheets(clothc_device shared, uint32_t step, float word) : Scene(options(shared)) {
    const clothc_collider_set_id set = make_set(*this, every_shape());
    if (word != 0) leave_words(word);
    for (uint32_t k = 0; k < 100; k += step) add_sheet(3 + k / 10, 3 + k % 10, set);
  }
  // Fills more memory than the sheets need by a distance field, and destroys it.
  void leave_words(float word) {
    clothc_sdf_desc field = initialised<clothc_sdf_desc>();
    const std::vector<float> values(128 * 128 * 64, word);
    field.counts[0] = field.counts[1] = 128, field.counts[2] = 64;
    field.values = values.data();
    field.spacing = 0.01f;
    clothc_collider_asset_id asset = 0;
    require(clothc_collider_sdf_create(solver, &field, &asset));
    step();
    require(clothc_collider_asset_destroy(solver, asset));
  }
  void add_sheet(uint32_t columns, uint32_t rows, clothc_collider_set_id set) {
    Sheet flat(columns, rows, 0.1f);
    const clothc_fabric cooked = cook_fabric(device, flat.desc());
    clothc_cloth_parameters p = initialised<clothc_cloth_parameters>();
    p.gravity[0] = static_cast<float>(columns);
    p.drag_coefficient = 0.5f;
    if (rows % 2 == 0) p.self_collision_distance = 0.12f, p.sleep_threshold = 0.01f;
    if (rows % 3 == 0) p.inter_collision_distance = 0.02f, p.inter_collision_iterations = columns % 3;
    if (rows % 4 == 0) p.collision_flags |= CLOTHC_COLLISION_REPORT;
    clothc_cloth_desc desc = cloth_desc();
    desc.fabric = cooked;
    desc.parameters = &p;
    desc.scale = columns % 3 == 0 ? 0.5f : 1;
    desc.collider_sets = &set;
    desc.collider_set_count = rows % 4 == 0 ? 1 : 0;
    all.push_back(add(desc));
    require(clothc_fabric_destroy(cooked));
  }
  // The snapshots and what they do not have, after each of some updates.
  std::vector<uint8_t> results() {
    std::vector<uint8_t> bytes;
    const auto append = [&](const auto& values) {
      const auto* begin = reinterpret_cast<const uint8_t*>(values.data());
      bytes.insert(bytes.end(), begin, begin + values.size() * sizeof(values[0]));
    };
    for (int frame = 0; frame < 3; ++frame) {
      step();
      append(std::vector<uint64_t>{hash()});
      for (const clothc_cloth_id id : all) {
        append(get(CLOTHC_CHANNEL_POSITION, id));
        append(get(CLOTHC_CHANNEL_PREVIOUS_POSITION, id));
        append(get(CLOTHC_CHANNEL_NORMAL, id));
        append(get_words(device, solver, id, CLOTHC_CHANNEL_INTERSECTION_COUNT));
        append(std::vector<clothc_cloth_status>{status(id)});
      }
    }
    return bytes;
  }
};

TEST_P(StaleMemory, is_in_no_result) {
  const bool is_gpu = GetParam() != CLOTHC_BACKEND_CPU;
  if (is_gpu) std::printf("one sheet in seven: software devices are slow\n");
  for (const clothc_isa isa : {CLOTHC_ISA_SCALAR, CLOTHC_ISA_AUTO}) {
    if (is_gpu && isa != CLOTHC_ISA_AUTO) continue;
    SceneOptions options(GetParam());
    options.device.isa = isa;
    options.device.worker_count = 1;
    options.has_cloth = false;
    const Scene lender(is_gpu ? SceneOptions(GetParam()) : options);
    const auto results_in_memory_with = [&](float word) {
      return Sheets(lender.device, is_gpu ? 21 : 3, word).results();
    };
    const std::vector<uint8_t> expected = results_in_memory_with(0);
    EXPECT_GT(expected.size(), 10000u);
    for (const float word : {-2.0f, -1e9f, 42.0f})
      EXPECT_TRUE(results_in_memory_with(word) == expected) << "memory full of " << word;
  }
}

}  // namespace
}  // namespace stale_memory_test
