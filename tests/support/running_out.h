// running_out.h - makes memory run out at the n-th allocation of a call, for every n, on the host and in the device.
#pragma once

#include <cstring>

#include "support/allocations.h"

namespace clothc_test {

// The state that a failed call must leave unchanged.
struct Observed {
  uint64_t hash;
  clothc_solver_info info;
  std::vector<clothc_cloth_info> cloths;
  explicit Observed(Scene& scene) : hash(scene.hash()), info(scene.info()) {
    uint32_t count = 0;
    EXPECT_OK(clothc_cloth_list(scene.solver, nullptr, &count));
    std::vector<clothc_cloth_id> ids(count);
    EXPECT_OK(clothc_cloth_list(scene.solver, ids.data(), &count));
    for (const clothc_cloth_id id : ids) cloths.push_back(scene.info(id));
    // Asking for the hash advances the timeline and may upload changed data.
    info.timeline_value = info.completed_value = info.uploaded_byte_count = 0;
    // Memory that a failed call obtained may be kept for the next call.
    info.device_allocation_count = 0;
  }
  bool operator==(const Observed& other) const {
    return hash == other.hash && std::memcmp(&info, &other.info, sizeof(info)) == 0 &&
           cloths.size() == other.cloths.size() &&
           (cloths.empty() || std::memcmp(cloths.data(), other.cloths.data(), cloths.size() * sizeof(cloths[0])) == 0);
  }
};

// Makes the call fail at each of its allocations in turn until it succeeds. Returns how often it failed.
template <class Call>
int exhaust(Scene& scene, DeviceAllocator& allocator, const char* name, Call call) {
  int failures = 0;
  for (const bool in_device : {false, true}) {
    for (int64_t allowed = 0; allowed < 2000; ++allowed) {
      const Observed before(scene);
      EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
      const clothc_solver_info info_before = scene.info();
      allocator.allowed = in_device ? allowed : -1;
      allowed_allocations = in_device ? -1 : allowed;
      const clothc_result result = call(!in_device);
      allowed_allocations = -1;
      allocator.allowed = -1;
      if (result == CLOTHC_SUCCESS) break;
      ++failures;
      EXPECT_EQ(result, CLOTHC_ERROR_OUT_OF_MEMORY) << name << ": " << clothc_last_error_message();
      EXPECT_NE(std::string(clothc_last_error_message()).find("out of memory"), std::string::npos);
      const clothc_solver_info info_after = scene.info();
      EXPECT_EQ(info_after.timeline_value, info_before.timeline_value) << name << " at " << allowed;
      EXPECT_EQ(info_after.uploaded_byte_count, info_before.uploaded_byte_count) << name << " at " << allowed;
      EXPECT_TRUE(Observed(scene) == before) << name << " at allocation " << allowed << " changed something";
    }
    if (in_device) return failures;
  }
  return failures;
}

// A scene whose memory can run out. On a GPU, which this allocator does not serve, these scenes share a device.
struct Memory : DeviceAllocator, Scene {
  static SceneOptions options(clothc_backend backend, DeviceAllocator& allocator) {
    SceneOptions o(backend);
    if (backend == CLOTHC_BACKEND_CPU) allocator.use_in(o.device);
    return o;
  }
  explicit Memory(clothc_backend backend) : Scene(options(backend, *this)) {}
};

// Runs the call in a solver whose memory runs out and in one with enough memory, and expects both to continue
// identically.
template <class Prepare, class Call>
void expect_strong(clothc_backend backend, const char* name, Prepare prepare, Call call) {
  Memory scene(backend);
  Scene twin(backend);
  prepare(static_cast<Scene&>(scene));
  prepare(twin);
  const int failures = exhaust(scene, scene, name, [&](bool first) { return call(static_cast<Scene&>(scene), first); });
  EXPECT_GE(failures, fewest_failures) << name << " allocates nothing; is the test of any use?";
  ASSERT_OK(call(twin, true));
  ASSERT_OK(call(twin, false));
  for (int frame = 0; frame < 5; ++frame) {
    EXPECT_EQ(scene.hash(), twin.hash()) << name << ", frame " << frame;
    scene.step();
    twin.step();
  }
}

}  // namespace clothc_test
