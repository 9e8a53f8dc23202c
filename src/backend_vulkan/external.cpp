// external.cpp - calls Vulkan's functions for the handles of this system.
#include "backend_vulkan/external.h"

namespace clothc::vulkan {

#if defined(_WIN32)

ImportMemoryInfo import_memory_info(platform::OsHandle handle) {
  ImportMemoryInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_WIN32_HANDLE_INFO_KHR;
  info.handleType = memory_handle_type;
  info.handle = handle.raw();
  return info;
}

platform::OsHandle export_handle_of(Gpu& gpu, VkDeviceMemory memory) {
  VkMemoryGetWin32HandleInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_GET_WIN32_HANDLE_INFO_KHR;
  info.memory = memory;
  info.handleType = memory_handle_type;
  platform::OsHandle exported;
  gpu.check(gpu.GetMemoryWin32HandleKHR(gpu.handle(), &info, exported.address()), "vkGetMemoryWin32HandleKHR");
  return exported;
}

platform::OsHandle export_handle_of(Gpu& gpu, VkSemaphore semaphore) {
  VkSemaphoreGetWin32HandleInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_WIN32_HANDLE_INFO_KHR;
  info.semaphore = semaphore;
  info.handleType = semaphore_handle_type;
  platform::OsHandle exported;
  gpu.check(gpu.GetSemaphoreWin32HandleKHR(gpu.handle(), &info, exported.address()), "vkGetSemaphoreWin32HandleKHR");
  return exported;
}

void import_payload(Gpu& gpu, VkSemaphore semaphore, platform::OsHandle handle) {
  VkImportSemaphoreWin32HandleInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_WIN32_HANDLE_INFO_KHR;
  info.semaphore = semaphore;
  info.handleType = semaphore_handle_type;
  info.handle = handle.raw();
  gpu.check(gpu.ImportSemaphoreWin32HandleKHR(gpu.handle(), &info), "vkImportSemaphoreWin32HandleKHR");
}

#else

ImportMemoryInfo import_memory_info(platform::OsHandle handle) {
  ImportMemoryInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR;
  info.handleType = memory_handle_type;
  info.fd = handle.raw();
  return info;
}

platform::OsHandle export_handle_of(Gpu& gpu, VkDeviceMemory memory) {
  VkMemoryGetFdInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR;
  info.memory = memory;
  info.handleType = memory_handle_type;
  platform::OsHandle exported;
  gpu.check(gpu.GetMemoryFdKHR(gpu.handle(), &info, exported.address()), "vkGetMemoryFdKHR");
  return exported;
}

platform::OsHandle export_handle_of(Gpu& gpu, VkSemaphore semaphore) {
  VkSemaphoreGetFdInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR;
  info.semaphore = semaphore;
  info.handleType = semaphore_handle_type;
  platform::OsHandle exported;
  gpu.check(gpu.GetSemaphoreFdKHR(gpu.handle(), &info, exported.address()), "vkGetSemaphoreFdKHR");
  return exported;
}

void import_payload(Gpu& gpu, VkSemaphore semaphore, platform::OsHandle handle) {
  VkImportSemaphoreFdInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR;
  info.semaphore = semaphore;
  info.handleType = semaphore_handle_type;
  info.fd = handle.raw();
  gpu.check(gpu.ImportSemaphoreFdKHR(gpu.handle(), &info), "vkImportSemaphoreFdKHR");
}

#endif

}  // namespace clothc::vulkan
