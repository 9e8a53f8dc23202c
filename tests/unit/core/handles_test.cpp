// handles_test.cpp - the handle table alone: kinds, generations, devices and their objects, and many threads.
#include "core/objects/handles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <thread>

#include "core/objects/device.h"

namespace clothc::core_handles_test {
namespace {

constexpr ObjectKind all_kinds[] = {ObjectKind::device, ObjectKind::buffer, ObjectKind::fabric, ObjectKind::solver,
                                    ObjectKind::fence};

// An object of any kind that counts its instances.
class Probe final : public Object {
 public:
  explicit Probe(ObjectKind kind, std::shared_ptr<Device> device = nullptr) : Object(kind, std::move(device)) {
    ++living;
  }
  ~Probe() override { --living; }
  static std::atomic<int> living;
};
std::atomic<int> Probe::living{0};

std::shared_ptr<Device> make_device() { return std::make_shared<Device>(nullptr, clothc_device_info{}, MessageSink{}); }

TEST(Handles, a_handle_names_its_object_under_its_kind_only) {
  HandleTable table;
  for (const ObjectKind kind : all_kinds) {
    const auto object = std::make_shared<Probe>(kind);
    const uintptr_t handle = table.insert(object);
    EXPECT_NE(handle, 0u);
    for (const ObjectKind other : all_kinds) {
      EXPECT_EQ(table.find(handle, other), other == kind ? object : nullptr);
      if (other != kind) {
        EXPECT_EQ(table.remove(handle, other), nullptr);
      }
    }
    EXPECT_EQ(table.remove(handle, kind), object);
    EXPECT_EQ(table.find(handle, kind), nullptr);
    EXPECT_EQ(table.remove(handle, kind), nullptr) << "twice";
  }
  EXPECT_EQ(Probe::living, 0);
}

TEST(Handles, a_removed_objects_handle_never_names_the_next_object) {
  HandleTable table;
  std::set<uintptr_t> handles;
  for (int k = 0; k < 2000; ++k) {
    const uintptr_t handle = table.insert(std::make_shared<Probe>(all_kinds[k % 5]));
    ASSERT_TRUE(handles.insert(handle).second) << "handle given twice";
    table.remove(handle, all_kinds[k % 5]);
  }
  const auto object = std::make_shared<Probe>(ObjectKind::fence);
  const uintptr_t living = table.insert(object);
  for (const uintptr_t handle : handles) {
    for (const ObjectKind kind : all_kinds) ASSERT_EQ(table.find(handle, kind), nullptr);
  }
  EXPECT_EQ(table.find(living, ObjectKind::fence), object);
}

TEST(Handles, garbage_names_nothing) {
  HandleTable table;
  for (const ObjectKind kind : all_kinds) EXPECT_EQ(table.find(0, kind), nullptr);
  std::set<uintptr_t> handles;
  for (int k = 0; k < 20; ++k) handles.insert(table.insert(std::make_shared<Probe>(all_kinds[k % 5])));
  std::mt19937_64 random(3);
  for (int k = 0; k < 20000; ++k) {
    // The handle is either a living one with some bits changed or entirely random.
    const auto near = std::next(handles.begin(), static_cast<long>(random() % 20));
    const uintptr_t handle = static_cast<uintptr_t>(k % 2 == 0 ? random() : *near ^ uint64_t{1} << random() % 64);
    for (const ObjectKind kind : all_kinds) ASSERT_TRUE(table.find(handle, kind) == nullptr || handles.count(handle));
  }
}

TEST(Handles, an_object_lives_as_long_as_someone_uses_it) {
  HandleTable table;
  const uintptr_t handle = table.insert(std::make_shared<Probe>(ObjectKind::buffer));
  std::shared_ptr<Object> used = table.find(handle, ObjectKind::buffer);
  table.remove(handle, ObjectKind::buffer);
  EXPECT_EQ(Probe::living, 1);
  EXPECT_EQ(used->kind(), ObjectKind::buffer);
  used = nullptr;
  EXPECT_EQ(Probe::living, 0);
}

TEST(Handles, removing_a_device_removes_its_objects_and_no_others) {
  HandleTable table;
  const std::shared_ptr<Device> devices[] = {make_device(), make_device()};
  const uintptr_t handles[] = {table.insert(devices[0]), table.insert(devices[1])};
  std::vector<uintptr_t> children[2];
  for (int k = 0; k < 40; ++k) {
    children[k % 2].push_back(table.insert(std::make_shared<Probe>(all_kinds[1 + k % 4], devices[k % 2])));
  }
  table.remove(children[0][3], all_kinds[1 + 6 % 4]);
  EXPECT_EQ(Probe::living, 39);
  EXPECT_EQ(table.remove(children[1][0], ObjectKind::device), nullptr) << "not a device";
  EXPECT_EQ(table.remove(handles[0], ObjectKind::device), devices[0]);
  EXPECT_EQ(Probe::living, 39) << "out of reach, but there";
  for (const ObjectKind kind : all_kinds) {
    EXPECT_EQ(table.find(handles[0], kind), nullptr);
    for (const uintptr_t child : children[0]) EXPECT_EQ(table.find(child, kind), nullptr);
  }
  EXPECT_EQ(table.find(handles[1], ObjectKind::device), devices[1]);
  for (size_t k = 0; k < 20; ++k) EXPECT_NE(table.find(children[1][k], all_kinds[1 + (2 * k + 1) % 4]), nullptr);
  table.remove_children(*devices[0]);
  EXPECT_EQ(Probe::living, 20);
  EXPECT_EQ(table.remove(handles[0], ObjectKind::device), nullptr) << "twice";
  table.remove_children(*devices[0]);
  EXPECT_EQ(Probe::living, 20);
  EXPECT_EQ(table.remove(handles[1], ObjectKind::device), devices[1]);
  table.remove_children(*devices[1]);
  EXPECT_EQ(Probe::living, 0);
}

TEST(Handles, many_threads_insert_find_and_remove_at_once) {
  constexpr int thread_count = 8;
  HandleTable table;
  std::atomic<int> mistakes{0};
  std::vector<std::vector<uintptr_t>> given(thread_count);
  const auto job = [&](size_t t) {
    std::mt19937 random(static_cast<uint32_t>(t));
    std::vector<std::pair<uintptr_t, std::shared_ptr<Object>>> own;
    for (int step = 0; step < 2000; ++step) {
      if (own.size() < 20 && random() % 2 == 0) {
        const auto object = std::make_shared<Probe>(all_kinds[t % 5]);
        own.emplace_back(table.insert(object), object);
        given[t].push_back(own.back().first);
      } else if (!own.empty()) {
        std::swap(own[random() % own.size()], own.back());
        const auto& [handle, object] = own.back();
        if (table.find(handle, object->kind()) != object) ++mistakes;
        if (table.remove(handle, object->kind()) != object) ++mistakes;
        if (table.find(handle, object->kind()) != nullptr) ++mistakes;
        own.pop_back();
      }
    }
    for (const auto& [handle, object] : own) table.remove(handle, object->kind());
  };
  std::vector<std::thread> threads;
  for (size_t t = 0; t < thread_count; ++t) threads.emplace_back(job, t);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(mistakes, 0);
  EXPECT_EQ(Probe::living, 0);
  std::set<uintptr_t> all;
  size_t count = 0;
  for (const std::vector<uintptr_t>& handles : given) {
    all.insert(handles.begin(), handles.end());
    count += handles.size();
  }
  EXPECT_EQ(all.size(), count) << "a handle was given twice";
}

TEST(Handles, of_many_threads_that_remove_an_object_one_gets_it) {
  HandleTable table;
  for (int round = 0; round < 200; ++round) {
    const uintptr_t handle = table.insert(std::make_shared<Probe>(ObjectKind::solver));
    std::atomic<int> winners{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] { winners += table.remove(handle, ObjectKind::solver) != nullptr ? 1 : 0; });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(winners, 1);
  }
  EXPECT_EQ(Probe::living, 0);
}

TEST(Handles, every_kind_has_a_name) {
  std::set<std::string> names;
  for (const ObjectKind kind : all_kinds) names.insert(name_of(kind));
  EXPECT_EQ(names, (std::set<std::string>{"device", "buffer", "fabric", "solver", "fence"}));
}

}  // namespace
}  // namespace clothc::core_handles_test
