// slots_test.cpp - ids of Slots: generations, retirement of slots, and capacity.
#include "core/base/slots.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

namespace clothc::slots_test {
namespace {

using IntSlots = Slots<int>;
constexpr uint32_t none = 0xffffffffu;

uint32_t add(IntSlots& slots, int value) {
  const uint32_t slot = slots.reserve();
  if (slot == none) return 0;
  slots.put(slot, std::make_unique<int>(value));
  return slots.id_of(slot);
}

int remove(IntSlots& slots, uint32_t id) { return *slots.take(IntSlots::slot_of(id)); }

TEST(Slots, under_random_adds_and_removes_an_id_names_its_object_or_nothing) {
  std::mt19937 random(1);
  IntSlots slots(40);
  std::map<uint32_t, int> living;
  std::set<uint32_t> dead;
  int next = 0;
  for (int step = 0; step < 20000; ++step) {
    if (random() % 2 == 0) {
      const uint32_t id = add(slots, next);
      ASSERT_EQ(id == 0, living.size() == 40) << "full or not";
      if (id == 0) continue;
      ASSERT_TRUE(living.count(id) == 0 && dead.count(id) == 0) << "id " << id << " is given twice";
      living[id] = next++;
    } else if (!living.empty()) {
      const auto which = std::next(living.begin(), static_cast<long>(random() % living.size()));
      ASSERT_EQ(remove(slots, which->first), which->second);
      dead.insert(which->first);
      living.erase(which);
    }
    ASSERT_EQ(slots.count(), living.size());
    if (step % 100 != 0) continue;
    for (const auto& [id, value] : living) {
      ASSERT_NE(slots.find(id), nullptr);
      ASSERT_EQ(*slots.find(id), value);
    }
    for (const uint32_t id : dead) ASSERT_EQ(slots.find(id), nullptr);
  }
}

TEST(Slots, a_slot_is_retired_when_its_generations_are_used_up) {
  IntSlots slots(2);
  std::set<uint32_t> ids;
  uint32_t added = 0;
  for (uint32_t id = add(slots, 1); id != 0; id = add(slots, 1)) {
    ++added;
    ASSERT_LT(added, 10000u);
    ASSERT_TRUE(ids.insert(id).second);
    remove(slots, id);
    ASSERT_EQ(slots.find(id), nullptr);
  }
  EXPECT_EQ(IntSlots::last_generation, 4095u);
  EXPECT_EQ(added, 2 * 4095u);
  EXPECT_EQ(slots.count(), 0u);
  EXPECT_EQ(slots.slot_count(), 2u);
  EXPECT_EQ(slots.reserve(), none);
  for (const uint32_t id : ids) ASSERT_EQ(slots.find(id), nullptr);
}

TEST(Slots, the_last_generation_of_a_slot_is_as_good_as_any) {
  IntSlots slots(1);
  slots.set_generations({4095});
  const uint32_t id = add(slots, 7);
  EXPECT_EQ(id, 0xfff00000u);
  ASSERT_NE(slots.find(id), nullptr);
  EXPECT_EQ(*slots.find(id), 7);
  EXPECT_EQ(remove(slots, id), 7);
  EXPECT_EQ(slots.generation(0), 4096u);
  EXPECT_EQ(slots.find(id), nullptr);
  EXPECT_EQ(slots.find(0), nullptr) << "4096 shifted out of the word";
  EXPECT_EQ(add(slots, 8), 0u);
}

TEST(Slots, garbage_names_nothing) {
  IntSlots slots(100);
  for (const uint32_t id : {0u, 1u, 0xffffffffu, 0x80000000u, 1u << 20}) EXPECT_EQ(slots.find(id), nullptr);
  std::set<uint32_t> ids;
  for (int k = 0; k < 50; ++k) ids.insert(add(slots, k));
  EXPECT_EQ(ids.count(0), 0u) << "0 is never an id";
  std::mt19937 random(2);
  for (int k = 0; k < 100000; ++k) {
    const uint32_t id = static_cast<uint32_t>(random()) & (k % 2 == 0 ? ~0u : 0x0030007fu);
    ASSERT_EQ(slots.find(id) != nullptr, ids.count(id) == 1) << id;
  }
  for (uint32_t slot = 0; slot < 50; ++slot) EXPECT_EQ(slots.find(slot), nullptr) << "generation 0 is nobody's";
}

TEST(Slots, there_are_as_many_objects_as_the_capacity_allows) {
  IntSlots slots(3);
  EXPECT_EQ(slots.capacity(), 3u);
  const uint32_t first = add(slots, 1);
  add(slots, 2);
  add(slots, 3);
  EXPECT_EQ(slots.reserve(), none);
  remove(slots, first);
  EXPECT_NE(add(slots, 4), 0u);
  EXPECT_EQ(slots.reserve(), none);
  EXPECT_EQ(IntSlots(0).reserve(), none);
}

TEST(Slots, a_slot_that_is_reserved_and_not_used_leaves_no_trace) {
  IntSlots slots(1);
  EXPECT_EQ(slots.reserve(), 0u);
  EXPECT_EQ(slots.reserve(), 0u);
  EXPECT_EQ(slots.count(), 0u);
  EXPECT_EQ(slots.slot_count(), 0u);
  EXPECT_NE(add(slots, 1), 0u);
}

TEST(Slots, a_put_that_is_undone_leaves_no_trace) {
  for (const uint32_t before : {0u, 1u, 3u}) {
    IntSlots slots(4);
    for (uint32_t k = 0; k < before; ++k) add(slots, 1);
    // With three before it, the slot of the second one is used again.
    if (before == 3) slots.take(1);
    const uint32_t slot_count = slots.slot_count(), count = slots.count();
    const uint32_t slot = slots.reserve();
    slots.put(slot, std::make_unique<int>(5));
    const uint32_t id = slots.id_of(slot);
    EXPECT_EQ(*slots.undo_put(slot), 5);
    EXPECT_EQ(slots.count(), count);
    EXPECT_EQ(slots.slot_count(), slot_count);
    EXPECT_EQ(slots.find(id), nullptr);
    EXPECT_EQ(add(slots, 6), id);
  }
}

// What a snapshot has of slots is their generations and objects.
TEST(Slots, that_are_restored_give_the_same_ids_as_the_original) {
  std::mt19937 random(3);
  IntSlots slots(30);
  std::vector<uint32_t> living;
  for (int step = 0; step < 3000; ++step) {
    IntSlots restored(30);
    std::vector<uint32_t> generations;
    for (uint32_t slot = 0; slot < slots.slot_count(); ++slot) generations.push_back(slots.generation(slot));
    restored.set_generations(generations);
    for (const uint32_t id : living) restored.put(IntSlots::slot_of(id), std::make_unique<int>(0));
    for (int k = 0; k < 2; ++k) {
      const uint32_t id = add(slots, 0);
      ASSERT_EQ(add(restored, 0), id) << "step " << step;
      if (id != 0) living.push_back(id);
    }
    for (uint32_t left = static_cast<uint32_t>(random() % 5); left-- > 0 && !living.empty();) {
      const size_t which = random() % living.size();
      remove(slots, living[which]);
      living.erase(living.begin() + static_cast<long>(which));
    }
  }
}

TEST(Slots, set_generations_gives_the_slots_their_generations) {
  IntSlots slots(4);
  slots.set_generations({3, 4096, 1});
  EXPECT_EQ(slots.slot_count(), 3u);
  std::set<uint32_t> ids;
  for (uint32_t id = add(slots, 1); id != 0; id = add(slots, 1)) ids.insert(id);
  EXPECT_EQ(ids, (std::set<uint32_t>{3u << 20, 1u << 20 | 2, 1u << 20 | 3})) << "slot 1 stays retired";
  for (uint32_t slot = 0; slot < 4; ++slot) EXPECT_EQ(slots.at(slot) == nullptr, slot == 1);
}

}  // namespace
}  // namespace clothc::slots_test
