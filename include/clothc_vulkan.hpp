/* clothc_vulkan.hpp - C++17 over clothc_vulkan.h, as clothc.hpp is over clothc.h.
 *
 * Copyright 2026 The clothc authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef CLOTHC_VULKAN_HPP
#define CLOTHC_VULKAN_HPP

#include "clothc.hpp"
#include "clothc_vulkan.h"

namespace clothc {

template <>
struct StructKind<clothc_vulkan_device_desc> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_VULKAN_DEVICE_DESC;
};
template <>
struct StructKind<clothc_vulkan_requirements> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_VULKAN_REQUIREMENTS;
};
template <>
struct StructKind<clothc_vulkan_buffer_desc> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_VULKAN_BUFFER_DESC;
};

/** Returns what a VkDevice must be created with so that create_vulkan_device can adopt it. */
inline Result<clothc_vulkan_requirements> vulkan_requirements(const clothc_vulkan_device_desc& vulkan) {
  return detail::filled<clothc_vulkan_requirements>(
      [&](auto* requirements) { return clothc_vulkan_get_requirements(&vulkan, requirements); });
}

/** Creates a device that works on the program's VkDevice. */
inline Result<Device> create_vulkan_device(const clothc_vulkan_device_desc& vulkan,
                                           const clothc_device_desc& desc = initialised<clothc_device_desc>()) {
  return detail::created<Device, clothc_device>(
      [&](clothc_device* device) { return clothc_vulkan_device_create(&desc, &vulkan, device); });
}

/** Creates a buffer on a VkBuffer of the program. The kind of desc must be CLOTHC_BUFFER_WRAPPED_DEVICE. */
inline Result<Buffer> create_vulkan_buffer(clothc_device device, const clothc_buffer_desc& desc,
                                           const clothc_vulkan_buffer_desc& vulkan) {
  return detail::created<Buffer, clothc_buffer>(
      [&](clothc_buffer* buffer) { return clothc_vulkan_buffer_create(device, &desc, &vulkan, buffer); });
}

/** Where a buffer is: a VkBuffer, and the offset of element 0 in it in bytes. */
struct VulkanHandle {
  uint64_t buffer = 0;
  uint64_t offset = 0;
};

/** Returns the VkBuffer of a buffer. */
inline Result<VulkanHandle> vulkan_handle(clothc_buffer buffer) {
  VulkanHandle handle;
  const clothc_result code = clothc_vulkan_buffer_get_handle(buffer, &handle.buffer, &handle.offset);
  return {code, handle};
}

/** What the program must do when recorded commands have ended: raise a VkSemaphore of timeline type to a value. */
struct VulkanSignal {
  uint64_t semaphore = 0;
  uint64_t value = 0;
};

/** Queues an update and records everything that is queued on a solver into a VkCommandBuffer. There is no value, and the
 *  status is CLOTHC_NOT_READY, if too many updates have not ended. */
inline Result<VulkanSignal> vulkan_record_update(clothc_solver solver, void* command_buffer,
                                                 const clothc_update& update = initialised<clothc_update>()) {
  VulkanSignal signal;
  const clothc_result code =
      clothc_vulkan_record_update(solver, command_buffer, &update, &signal.semaphore, &signal.value);
  return {code, signal};
}

/** Does the same without an update: only what is queued. */
inline Result<VulkanSignal> vulkan_record_queued(clothc_solver solver, void* command_buffer) {
  VulkanSignal signal;
  const clothc_result code =
      clothc_vulkan_record_update(solver, command_buffer, nullptr, &signal.semaphore, &signal.value);
  return {code, signal};
}

}  // namespace clothc
#endif
