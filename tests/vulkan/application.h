// application.h - a program that uses Vulkan itself: its own instance, device and queue, buffers whose contents it
// copies to and from on the queue, and devices of clothc that adopt them.
#pragma once

#include <clothc_vulkan.h>

#include <mutex>

#include "support/raw_vulkan.h"
#include "vulkan/fixture.h"

namespace clothc_test {

#define ASSERT_VULKAN(call) ASSERT_EQ(call, VK_SUCCESS) << #call
#define EXPECT_VULKAN(call) EXPECT_EQ(call, VK_SUCCESS) << #call

class OwnVulkan : public RawVulkan {
 public:
  // Makes an instance of that version and a device with timeline semaphores and the extensions that the library asks
  // for. Throws std::runtime_error.
  explicit OwnVulkan(uint32_t version = VK_API_VERSION_1_2);
  ~OwnVulkan();

  // What clothc adopts. The queue is left out if the device shall only record.
  clothc_vulkan_device_desc objects(bool with_queue) const;
  // Makes a device of clothc on this one.
  clothc_device adopt(const clothc_vulkan_device_desc& objects) const;

  // Makes a buffer as renderers have it: vertices, which clothc writes. Its memory is mapped, for tests to look at.
  RawBuffer make_vertices(size_t size);

  // Makes a command buffer that has been begun, and ends and submits one. The values that are signalled belong to
  // semaphores of timeline type.
  VkCommandBuffer begin();
  void submit(VkCommandBuffer commands, uint64_t semaphore = 0, uint64_t value = 0);
  void wait_idle();
  // Copies all of one buffer to another in a submission of its own, with no barrier but one for the host.
  void copy(const RawBuffer& from, const RawBuffer& to);

  std::string required_extensions, optional_extensions;
  // Held by whoever uses the queue.
  mutable std::recursive_mutex queue_mutex;
  mutable uint64_t lock_count = 0;

 private:
  uint32_t version_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::vector<RawBuffer> buffers_;
};

inline uint64_t number_of(VkBuffer buffer) {
  uint64_t number = 0;
  std::memcpy(&number, &buffer, sizeof(buffer));
  return number;
}

// Makes a buffer of clothc on one of the program's.
clothc_buffer wrap(clothc_device device, const RawBuffer& buffer, clothc_format format, uint64_t count,
                   uint32_t stride = 0, uint64_t offset = 0);

class AsVulkanApplication : public OnVulkan {
 protected:
  void SetUp() override {
    OnVulkan::SetUp();
    if (!IsSkipped()) own_ = std::make_unique<OwnVulkan>();
  }
  // Options of a scene on a device of clothc that adopts the program's.
  SceneOptions adopted(bool with_queue) {
    SceneOptions options(CLOTHC_BACKEND_VULKAN);
    options.given_device = own_->adopt(own_->objects(with_queue));
    devices_.push_back(options.given_device);
    // A device that only records never waits for an update in flight.
    options.solver.updates_in_flight = 16;
    return options;
  }
  void TearDown() override {
    for (const clothc_device device : devices_) EXPECT_OK(clothc_device_destroy(device));
    own_.reset();
    OnVulkan::TearDown();
  }

  std::unique_ptr<OwnVulkan> own_;
  std::vector<clothc_device> devices_;
};

}  // namespace clothc_test
