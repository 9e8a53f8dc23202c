// unwritten_memory_test.cpp - what memory holds before it is written, such as what a removed cloth has left there, is not
// in any result. Padding reads it where nothing writes padding. Builds that check arithmetic find what results do not
// show: with negative numbers in place of zeros, kernels must compute nothing that is undefined.
#include <new>

#include "support/everything.h"

using namespace clothc_test;

namespace unwritten_memory_test {
namespace {

// An allocator whose memory is full of one word.
struct FilledMemory {
  uint32_t word = 0;

  static void* CLOTHC_CALL allocate(size_t size, size_t alignment, void* user) {
    EXPECT_EQ(alignment, memory_alignment);
    auto* begin = static_cast<uint8_t*>(::operator new(size, std::align_val_t(alignment)));
    const uint32_t fill = static_cast<FilledMemory*>(user)->word;
    for (size_t k = 0; k + 4 <= size; k += 4) std::memcpy(begin + k, &fill, 4);
    return begin;
  }
  static void CLOTHC_CALL release(void* pointer, void*) {
    ::operator delete(pointer, std::align_val_t(memory_alignment));
  }
  static constexpr size_t memory_alignment = 64;
};

// Sheets of all sizes up to 9 x 9, with everything that has memory of its own: coarse levels, wind, collisions with
// themselves, and sleep.
struct Sheets : Scene {
  std::vector<clothc_cloth_id> all;

  static SceneOptions options(const Scene& lender) {
    SceneOptions made(CLOTHC_BACKEND_CPU);
    made.given_device = lender.device;
    made.has_cloth = false;
    made.solver.particle_capacity = 8192;
    made.solver.cloth_capacity = 64;
    made.solver.schedule = CLOTHC_SCHEDULE_CLOTH;
    return made;
  }
  explicit Sheets(const Scene& lender) : Scene(options(lender)) {
    for (uint32_t columns = 3; columns < 10; ++columns) {
      for (uint32_t rows = 3; rows < 10; rows += columns % 2 + 1) add_sheet(columns, rows);
    }
  }
  void add_sheet(uint32_t columns, uint32_t rows) {
    Sheet flat(columns, rows, 0.1f);
    const clothc_fabric cooked = cook_fabric(device, flat.desc());
    clothc_cloth_parameters p = initialised<clothc_cloth_parameters>();
    p.gravity[0] = static_cast<float>(columns);
    p.drag_coefficient = 0.5f;
    if (rows % 2 == 0) p.self_collision_distance = 0.12f, p.sleep_threshold = 0.01f;
    clothc_cloth_desc desc = cloth_desc();
    desc.fabric = cooked;
    desc.parameters = &p;
    desc.scale = columns % 3 == 0 ? 0.5f : 1;
    all.push_back(add(desc));
    require(clothc_fabric_destroy(cooked));
  }
};

// The snapshots and what they do not have, after each of some updates.
template <class AnyScene>
void append_results(AnyScene& scene, const std::vector<clothc_cloth_id>& cloths, std::vector<uint8_t>& results) {
  const auto append = [&](const auto& values) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
    results.insert(results.end(), bytes, bytes + values.size() * sizeof(values[0]));
  };
  for (int frame = 0; frame < 3; ++frame) {
    scene.step();
    append(scene.snapshot());
    for (const clothc_cloth_id id : cloths) {
      append(scene.get(CLOTHC_CHANNEL_NORMAL, id));
      append(get_words(scene.device, scene.solver, id, CLOTHC_CHANNEL_INTERSECTION_COUNT));
      append(std::vector<clothc_cloth_status>{scene.status(id)});
    }
  }
}

std::vector<uint8_t> results_in_memory_full_of(uint32_t word, clothc_isa isa) {
  FilledMemory memory{word};
  SceneOptions options = with_own_device(CLOTHC_BACKEND_CPU);
  options.device.isa = isa;
  options.device.allocate = FilledMemory::allocate;
  options.device.free = FilledMemory::release;
  options.device.allocator_user = &memory;
  Scene lender(options);
  std::vector<uint8_t> results;
  Sheets sheets(lender);
  append_results(sheets, sheets.all, results);
  Everything everything(CLOTHC_BACKEND_CPU, &lender);
  append_results(everything, {everything.cloth, everything.second}, results);
  return results;
}

TEST(UnwrittenMemory, is_in_no_result) {
  for (const clothc_isa isa : {CLOTHC_ISA_SCALAR, CLOTHC_ISA_AUTO}) {
    const std::vector<uint8_t> expected = results_in_memory_full_of(0, isa);
    EXPECT_GT(expected.size(), 100000u);
    // A NaN, -2, the largest float and 42; as whole numbers they are far from any index.
    for (const uint32_t word : {0xffffffffu, 0xc0000000u, 0x7f7fffffu, 0x42280000u})
      EXPECT_TRUE(results_in_memory_full_of(word, isa) == expected) << "memory full of " << std::hex << word;
  }
}

}  // namespace
}  // namespace unwritten_memory_test
