// out_of_memory_test.cpp - Vulkan functions that run out of memory at their n-th call, for every n: the API call that
// needed them fails with OUT_OF_MEMORY, changes nothing, and works when it is repeated.
#include <map>

#include "support/sanitized.h"
#include "vulkan/fixture.h"

using namespace clothc_test;

namespace out_of_memory_test {
namespace {

class VulkanMemory : public OnVulkan {};

// Makes calls, repeats each one that fails for lack of memory, and collects the names of those that failed. Any other
// failure is a failure of the test.
class Persistent {
 public:
  explicit Persistent(std::string function) : function_(std::move(function)) {}

  template <class Call>
  void operator()(const char* name, Call call) {
    if (broken_) return;
    const uint64_t before = timeline_value();
    clothc_result result = call();
    if (result == CLOTHC_ERROR_OUT_OF_MEMORY) {
      failed.push_back(name);
      const std::string message = clothc_last_error_message();
      EXPECT_NE(message.find(function_), std::string::npos) << name << ": " << message;
      EXPECT_TRUE(message.find("free some memory") != std::string::npos ||
                  message.find("use another device") != std::string::npos)
          << name << ": " << message;
      EXPECT_EQ(timeline_value(), before) << name;
      layer().set("");
      result = call();
    }
    EXPECT_EQ(result, CLOTHC_SUCCESS) << name << ": " << clothc_last_error_message();
    broken_ = result != CLOTHC_SUCCESS;
  }

  clothc_device device = nullptr;
  clothc_solver solver = nullptr;
  std::vector<std::string> failed;

 private:
  uint64_t timeline_value() const {
    if (solver == nullptr) return 0;
    clothc_solver_info info = initialised<clothc_solver_info>();
    EXPECT_OK(clothc_solver_get_info(solver, &info));
    return info.timeline_value;
  }
  std::string function_;
  bool broken_ = false;
};

struct Outcome {
  uint64_t hash = 0;
  std::vector<float> positions;
  std::vector<std::string> failed;
};

// Runs everything from the creation of the device to its destruction. The outcome holds the state hash.
Outcome play(const std::string& function, clothc_schedule schedule) {
  Persistent call(function);
  Outcome outcome;
  const clothc_device_desc device_desc = vulkan_desc();
  call("device_create", [&] { return clothc_device_create(&device_desc, &call.device); });
  clothc_solver_desc solver_desc = initialised<clothc_solver_desc>();
  solver_desc.particle_capacity = 512;
  solver_desc.schedule = schedule;
  clothc_solver solver = nullptr;
  call("solver_create", [&] { return clothc_solver_create(call.device, &solver_desc, &solver); });
  call.solver = solver;
  const Sheet sheet(6, 5);
  const clothc_mesh_desc mesh = sheet.desc();
  clothc_fabric fabric = nullptr;
  call("fabric_cook", [&] { return clothc_fabric_cook(call.device, &mesh, &fabric); });
  clothc_cloth_desc cloth_desc = initialised<clothc_cloth_desc>();
  cloth_desc.fabric = fabric;
  clothc_cloth_id cloth = 0;
  call("cloth_add", [&] { return clothc_cloth_add(solver, &cloth_desc, &cloth); });
  clothc_buffer_desc buffer_desc = initialised<clothc_buffer_desc>();
  buffer_desc.count = 30;
  clothc_buffer host = nullptr, device_only = nullptr;
  call("buffer_create", [&] { return clothc_buffer_create(call.device, &buffer_desc, &host); });
  buffer_desc.kind = CLOTHC_BUFFER_DEVICE;
  call("buffer_create DEVICE", [&] { return clothc_buffer_create(call.device, &buffer_desc, &device_only); });
  const std::vector<float> values(120, 0.25f);
  call("buffer_write", [&] { return clothc_buffer_write(device_only, 0, 480, values.data()); });
  const clothc_channel channels[] = {CLOTHC_CHANNEL_VELOCITY, CLOTHC_CHANNEL_ACCELERATION};
  for (const clothc_channel channel : channels)
    call("solver_set", [&] { return clothc_solver_set(solver, channel, device_only, nullptr, nullptr, 0, 0); });
  clothc_collider_set_id set = 0;
  call("collider_set_create", [&] { return clothc_collider_set_create(solver, &set); });
  const float sphere[] = {0.5f, 0.5f, 0.5f, 0.4f};
  clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
  shapes.sphere_count = 1;
  shapes.spheres = sphere;
  call("collider_set_write", [&] { return clothc_collider_set_write(solver, set, &shapes); });
  call("set_collider_sets", [&] { return clothc_cloth_set_collider_sets(solver, cloth, &set, 1); });
  clothc_fence fence = nullptr;
  call("fence_create", [&] { return clothc_fence_create(call.device, 0, &fence); });
  clothc_update update = initialised<clothc_update>();
  for (uint64_t k = 0; k < 3; ++k) {
    if (k == 1) update.signal_fence = fence;
    update.signal_value = k;
    call("solver_update", [&] { return clothc_solver_update(solver, &update, nullptr); });
  }
  call("fence_wait", [&] { return clothc_fence_wait(fence, 2, 60 * second); });
  call("solver_get", [&] { return clothc_solver_get(solver, CLOTHC_CHANNEL_POSITION, host, nullptr, nullptr, 0, 0); });
  clothc_view view = initialised<clothc_view>();
  view.format = CLOTHC_FORMAT_FLOAT3;
  call("solver_get FLOAT3",
       [&] { return clothc_solver_get(solver, CLOTHC_CHANNEL_VELOCITY, device_only, &view, nullptr, 0, 0); });
  uint64_t size = 0;
  call("snapshot size", [&] { return clothc_solver_snapshot(solver, nullptr, &size); });
  std::vector<uint8_t> bytes(size);
  call("snapshot", [&] { return clothc_solver_snapshot(solver, bytes.data(), &size); });
  update.signal_fence = nullptr;
  call("solver_update", [&] { return clothc_solver_update(solver, &update, nullptr); });
  call("restore", [&] { return clothc_solver_restore(solver, bytes.data(), bytes.size(), &fabric, 1); });
  clothc_cloth_id copy = 0;
  call("cloth_clone", [&] { return clothc_cloth_clone(solver, cloth, &copy); });
  call("solver_update", [&] { return clothc_solver_update(solver, &update, nullptr); });
  outcome.positions.resize(120);
  call("buffer_read", [&] { return clothc_buffer_read(host, 0, 480, outcome.positions.data()); });
  call("buffer_read DEVICE", [&] { return clothc_buffer_read(device_only, 0, 480, bytes.data()); });
  call("state_hash", [&] { return clothc_solver_state_hash(solver, &outcome.hash); });
  call("device_destroy", [&] { return clothc_device_destroy(call.device); });
  outcome.failed = call.failed;
  return outcome;
}

// Each call fails in turn; under a sanitizer, where this takes minutes, every third call.
constexpr uint64_t stride = is_sanitized ? 3 : 1;

void exhaust(const char* function, int result, clothc_schedule schedule) {
  SCOPED_TRACE(std::string(function) + " gives " + std::to_string(result));
  set_faults("");
  const Outcome undisturbed = play(function, schedule);
  std::map<std::string, int> failures;
  uint64_t n = 1;
  for (; n < 500; n += stride) {
    layer().reset_counts();
    set_faults(std::string(function) + ":" + std::to_string(n) + "=" + std::to_string(result));
    const Outcome outcome = play(function, schedule);
    EXPECT_EQ(outcome.hash, undisturbed.hash) << "failing call " << n;
    EXPECT_EQ(outcome.positions, undisturbed.positions) << "failing call " << n;
    const bool came_to_it = calls_of(function) >= n;
    EXPECT_EQ(outcome.failed.size(), came_to_it ? 1u : 0u) << "failing call " << n;
    for (const std::string& name : outcome.failed) ++failures[name];
    if (!came_to_it || testing::Test::HasFailure()) break;
  }
  std::printf("%s: %llu calls failed, in", function, static_cast<unsigned long long>((n - 1) / stride));
  for (const auto& [name, count] : failures) std::printf(" %s (%d)", name.c_str(), count);
  std::printf("\n");
  EXPECT_FALSE(failures.empty());
  EXPECT_LT(n, 500u);
  layer().set("");
}

constexpr int out_of_host = -1, out_of_device = -2, map_failed = -5, out_of_pool = -1000069000, fragmented = -12;

#define MEMORY_TEST(function, result)                                 \
  TEST_F(VulkanMemory, running_out_in_##function##_changes_nothing) { \
    exhaust(#function, result, CLOTHC_SCHEDULE_PASS);                 \
  }
MEMORY_TEST(vkCreateDevice, out_of_host)
MEMORY_TEST(vkCreateDescriptorSetLayout, out_of_device)
MEMORY_TEST(vkCreatePipelineLayout, out_of_device)
MEMORY_TEST(vkCreatePipelineCache, out_of_host)
MEMORY_TEST(vkCreateSemaphore, out_of_device)
MEMORY_TEST(vkCreateCommandPool, out_of_device)
MEMORY_TEST(vkAllocateCommandBuffers, out_of_device)
MEMORY_TEST(vkBeginCommandBuffer, out_of_host)
MEMORY_TEST(vkCreateBuffer, out_of_device)
MEMORY_TEST(vkAllocateMemory, out_of_device)
MEMORY_TEST(vkBindBufferMemory, out_of_device)
MEMORY_TEST(vkMapMemory, map_failed)
MEMORY_TEST(vkCreateBufferView, out_of_host)
MEMORY_TEST(vkCreateShaderModule, out_of_host)
MEMORY_TEST(vkCreateComputePipelines, out_of_device)
MEMORY_TEST(vkCreateDescriptorPool, fragmented)
MEMORY_TEST(vkAllocateDescriptorSets, out_of_pool)

TEST_F(VulkanMemory, running_out_while_programs_are_prepared_changes_nothing) {
  exhaust("vkCreateComputePipelines", out_of_device, CLOTHC_SCHEDULE_CLOTH);
  exhaust("vkAllocateCommandBuffers", out_of_device, CLOTHC_SCHEDULE_CLOTH);
}

// vkEndCommandBuffer is called either inside the API call or at its end, when the API call cannot fail any more.
// vkQueueSubmit is called afterwards.
TEST_F(VulkanMemory, running_out_when_work_is_handed_over_fails_the_call_or_loses_the_device) {
  for (const char* function : {"vkEndCommandBuffer", "vkQueueSubmit"}) {
    int refused = 0, lost = 0;
    for (uint64_t n = 1; n < 40; ++n) {
      set_faults("");
      SceneOptions options(CLOTHC_BACKEND_VULKAN);
      options.has_cloth = false;
      Scene scene(options);
      scene.cloth = scene.add();
      scene.step();
      set_faults(std::string(function) + ":" + std::to_string(n) + "=" + std::to_string(out_of_device));
      layer().reset_counts();
      clothc_update update = initialised<clothc_update>();
      clothc_result result = CLOTHC_SUCCESS;
      for (int k = 0; k < 2 && result == CLOTHC_SUCCESS; ++k)
        result = clothc_solver_update(scene.solver, &update, nullptr);
      uint64_t hash = 0;
      if (result == CLOTHC_SUCCESS) result = clothc_solver_state_hash(scene.solver, &hash);
      if (calls_of(function) < n) {
        EXPECT_EQ(result, CLOTHC_SUCCESS) << clothc_last_error_message();
        break;
      }
      const std::string message = clothc_last_error_message();
      if (result == CLOTHC_ERROR_OUT_OF_MEMORY) {
        ++refused;
        EXPECT_NE(message.find(function), std::string::npos) << message;
        EXPECT_OK(clothc_solver_update(scene.solver, &update, nullptr));
        EXPECT_OK(clothc_solver_state_hash(scene.solver, &hash));
      } else {
        ++lost;
        EXPECT_EQ(result, CLOTHC_ERROR_DEVICE_LOST) << function << " " << n << ": " << message;
        EXPECT_NE(message.find("memory"), std::string::npos) << message;
        EXPECT_EQ(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER), CLOTHC_ERROR_DEVICE_LOST);
      }
      EXPECT_OK(clothc_device_destroy(scene.device));
      scene.device = nullptr;
    }
    std::printf("%s: %d calls refused, %d devices lost\n", function, refused, lost);
    EXPECT_GT(refused + lost, 0);
  }
}

}  // namespace
}  // namespace out_of_memory_test
