// out_of_memory_test.cpp - Vulkan functions that run out of memory at their n-th call: the API call that needed them
// fails with OUT_OF_MEMORY, changes nothing, and works when it is repeated.
#include <map>

#include "support/long_form.h"
#include "support/persistent_play.h"
#include "support/sanitized.h"
#include "vulkan/fixture.h"

using namespace clothc_test;

namespace out_of_memory_test {
namespace {

class VulkanMemory : public OnVulkan {};

using Outcome = PlayOutcome;

Outcome play(const std::string& function, clothc_schedule schedule) {
  return play_persistently(CLOTHC_BACKEND_VULKAN, schedule, function, [] { layer().set(""); });
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

uint64_t gap_after(uint64_t n) {
  if (long_form()) return 1;
  return 1 + n / (is_sanitized ? 1 : 2);
}

// Makes calls fail in turn. Each takes a fraction of a second, so that the gaps between them grow, with sanitizers faster;
// the long form leaves out none.
void exhaust(const Fault& fault, clothc_schedule schedule) {
  SCOPED_TRACE(std::string(fault.function) + " gives " + std::to_string(fault.result));
  const Undisturbed& expected = undisturbed(schedule);
  const uint64_t calls = expected.calls.at(fault.function);
  std::map<std::string, int> failures;
  uint64_t failed = 0;
  for (uint64_t n = 1; n <= calls && !testing::Test::HasFailure(); n += gap_after(n)) {
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
  // Those of programs are those of passes, and drivers take two seconds for each program.
  if (long_form()) exhaust({"vkAllocateCommandBuffers", out_of_device}, CLOTHC_SCHEDULE_CLOTH);
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
