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

constexpr int out_of_host = -1, out_of_device = -2, map_failed = -5, out_of_pool = -1000069000, fragmented = -12;

struct Fault {
  const char* function;
  int result;
};
constexpr Fault all_faults[] = {{"vkCreateDevice", out_of_host},
                                {"vkCreateDescriptorSetLayout", out_of_device},
                                {"vkCreatePipelineLayout", out_of_device},
                                {"vkCreatePipelineCache", out_of_host},
                                {"vkCreateSemaphore", out_of_device},
                                {"vkCreateCommandPool", out_of_device},
                                {"vkAllocateCommandBuffers", out_of_device},
                                {"vkBeginCommandBuffer", out_of_host},
                                {"vkCreateBuffer", out_of_device},
                                {"vkAllocateMemory", out_of_device},
                                {"vkBindBufferMemory", out_of_device},
                                {"vkMapMemory", map_failed},
                                {"vkCreateBufferView", out_of_host},
                                {"vkCreateShaderModule", out_of_host},
                                {"vkCreateComputePipelines", out_of_device},
                                {"vkCreateDescriptorPool", fragmented},
                                {"vkAllocateDescriptorSets", out_of_pool}};

// What happens without faults: the outcome and the number of calls of each function.
struct Undisturbed {
  Outcome outcome;
  std::map<std::string, uint64_t> calls;
};

const Undisturbed& undisturbed(clothc_schedule schedule) {
  static std::map<clothc_schedule, Undisturbed> known;
  const auto [entry, is_new] = known.try_emplace(schedule);
  if (is_new) {
    set_faults("");
    layer().reset_counts();
    entry->second.outcome = play("", schedule);
    for (const Fault& fault : all_faults) entry->second.calls[fault.function] = calls_of(fault.function);
  }
  return entry->second;
}

// Makes each call fail in turn. Sanitizers take seconds for each, so that with them the gaps between calls grow.
void exhaust(const Fault& fault, clothc_schedule schedule) {
  SCOPED_TRACE(std::string(fault.function) + " gives " + std::to_string(fault.result));
  const Undisturbed& expected = undisturbed(schedule);
  const uint64_t calls = expected.calls.at(fault.function);
  std::map<std::string, int> failures;
  uint64_t failed = 0;
  for (uint64_t n = 1; n <= calls && !testing::Test::HasFailure(); n += is_sanitized ? 1 + n / 2 : 1) {
    set_faults(std::string(fault.function) + ":" + std::to_string(n) + "=" + std::to_string(fault.result));
    const Outcome outcome = play(fault.function, schedule);
    EXPECT_EQ(outcome.hash, expected.outcome.hash) << "failing call " << n;
    EXPECT_EQ(outcome.positions, expected.outcome.positions) << "failing call " << n;
    EXPECT_EQ(outcome.failed.size(), 1u) << "failing call " << n;
    for (const std::string& name : outcome.failed) ++failures[name];
    ++failed;
  }
  std::printf("%s: %u of %u calls failed, in", fault.function, unsigned(failed), unsigned(calls));
  for (const auto& [name, count] : failures) std::printf(" %s (%d)", name.c_str(), count);
  std::printf("\n");
  EXPECT_FALSE(failures.empty());
  layer().set("");
}

class VulkanFunctions : public VulkanMemory, public testing::WithParamInterface<Fault> {};
INSTANTIATE_TEST_SUITE_P(Every, VulkanFunctions, testing::ValuesIn(all_faults),
                         [](const auto& fault) { return fault.param.function; });

TEST_P(VulkanFunctions, that_run_out_of_memory_change_nothing) { exhaust(GetParam(), CLOTHC_SCHEDULE_PASS); }

TEST_F(VulkanMemory, running_out_while_programs_are_prepared_changes_nothing) {
  exhaust({"vkCreateComputePipelines", out_of_device}, CLOTHC_SCHEDULE_CLOTH);
  exhaust({"vkAllocateCommandBuffers", out_of_device}, CLOTHC_SCHEDULE_CLOTH);
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
