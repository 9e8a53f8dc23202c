// fault_validation_test.cpp - the fault layer on top of the Khronos validation layer: a correct program stays correct,
// and synchronization validation finds the barrier that a rule removes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "vulkan/fault_fixture.h"

namespace clothc::faults::fault_validation_test {
namespace {

constexpr const char* validation_layer_name = "VK_LAYER_KHRONOS_validation";

class FaultValidation : public FaultLayer {
 protected:
  void SetUp() override {
    FaultLayer::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    if (!clothc_test::layer_is_there(validation_layer_name)) {
      GTEST_SKIP() << "there is no Khronos validation layer in VK_LAYER_PATH";
    }
    setenv("VK_LAYER_ENABLES", "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT", 1);
  }
  void TearDown() override {
    unsetenv("VK_LAYER_ENABLES");
    FaultLayer::TearDown();
  }

  // Returns the validation messages of one copy.
  std::vector<std::string> messages_of_copy() {
    std::vector<std::string> messages;
    CopyingVulkan vulkan;
    EXPECT_EQ(vulkan.create_instance({fault_layer_name, validation_layer_name}, &messages), VK_SUCCESS);
    EXPECT_EQ(vulkan.find_physical_device(), VK_SUCCESS);
    EXPECT_EQ(vulkan.create_device(), VK_SUCCESS);
    const CopyOutcome outcome = copy_once(vulkan);
    EXPECT_EQ(outcome.submitted, VK_SUCCESS);
    EXPECT_EQ(outcome.waited, VK_SUCCESS);
    return messages;
  }
};

TEST_F(FaultValidation, a_right_program_stays_right) {
  EXPECT_EQ(messages_of_copy(), std::vector<std::string>());
  EXPECT_EQ(layer().count("vkCmdPipelineBarrier"), 2u);
}

TEST_F(FaultValidation, a_barrier_that_is_missing_is_found) {
  ASSERT_EQ(layer().set("vkCmdPipelineBarrier:1=skip"), 0);
  const std::vector<std::string> messages = messages_of_copy();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("SYNC-HAZARD-READ-AFTER-WRITE"), std::string::npos) << messages[0];
  EXPECT_NE(messages[0].find("vkCmdCopyBuffer"), std::string::npos) << messages[0];
}

}  // namespace
}  // namespace clothc::faults::fault_validation_test
