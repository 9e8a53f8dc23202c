/* clothc_vulkan.h - for programs that use Vulkan themselves: clothc on their device and queue, in their buffers, and in
 * their command buffers.
 *
 * Copyright 2026 The clothc authors. SPDX-License-Identifier: Apache-2.0
 *
 * All conventions of clothc.h apply. Handles of Vulkan are given as void* where they are pointers (VkInstance,
 * VkPhysicalDevice, VkDevice, VkQueue, VkCommandBuffer), and as uint64_t where they are not (VkBuffer, VkSemaphore).
 * This header includes nothing of Vulkan. All handles stay the program's.
 *
 * A device of the library works in one of two ways.
 *
 * With a queue it submits its work itself, in the order of the calls. Each of its submissions begins with a barrier
 * behind everything that was submitted to the queue before, and ends with one in front of everything that is submitted
 * to it later. So what the program submits to this queue before an update has read the bound buffers when the update
 * writes them, and what it submits after an update sees what the update has written; it needs neither barriers nor
 * semaphores for that. An update whose wait_fence has not been reached is the exception: it is submitted later, by a
 * thread of the library.
 *
 * Without a queue it only records: sets, gets and updates wait in the library until clothc_vulkan_record_update puts
 * them into a command buffer of the program. This is for render graphs, and for engines that let nobody else submit.
 *
 * Double buffering: a buffer that is bound is written by every update, and is read by draws that may still run when the
 * next update could begin. On one queue the two take turns by themselves. To let them overlap, on two queues, bind two
 * buffers in turn (clothc_cloth_bind before each update replaces the last one), order them with fences
 * (clothc_fence_export) or with the semaphore of clothc_vulkan_record_update, and create the buffers with
 * VK_SHARING_MODE_CONCURRENT, or set clothc_vulkan_buffer_desc.queue_family.
 */
#ifndef CLOTHC_VULKAN_H
#define CLOTHC_VULKAN_H

#include "clothc.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A queue_family of clothc_vulkan_buffer_desc that stands for none. */
#define CLOTHC_VULKAN_NO_QUEUE_FAMILY UINT32_MAX

/** A function of Vulkan: PFN_vkVoidFunction. */
typedef void(CLOTHC_CALL* clothc_vulkan_function)(void);
/** Locks or unlocks the program's queue. The library submits at most one piece of work between the two, waits for
 *  nothing meanwhile, and calls both on the same thread.
 *  Threads: called from any thread, also from the library's own. */
typedef void(CLOTHC_CALL* clothc_vulkan_queue_callback)(void* user);

/** What a device takes over from a program that uses Vulkan. */
typedef struct clothc_vulkan_device_desc {
  uint32_t struct_size;
  /** apiVersion of the VkApplicationInfo with which the instance was created. Default VK_API_VERSION_1_1, 0x401000. */
  uint32_t api_version;
  /** PFN_vkGetInstanceProcAddr of the program's loader. Default NULL: that of libvulkan.so.1, or vulkan-1.dll. */
  clothc_vulkan_function get_instance_proc_addr;
  /** VkInstance. */
  void* instance;
  /** VkPhysicalDevice of the instance. */
  void* physical_device;
  /** VkDevice of the physical device, created with the feature timelineSemaphore and the extensions that
   *  clothc_vulkan_get_requirements tells. */
  void* device;
  /** VkQueue to which the library submits. Default NULL: the device only records. */
  void* queue;
  /** The queue family of that queue or, without a queue, of the command buffers into which the device records. It needs
   *  VK_QUEUE_COMPUTE_BIT. */
  uint32_t queue_family;
  /** Must be 0. */
  uint32_t reserved;
  /** The device extensions that were enabled, separated by spaces; others than those of
   *  clothc_vulkan_get_requirements do not matter. Default NULL: none. */
  const char* extensions;
  /** VkAllocationCallbacks for everything that the library creates on the device. It is copied. Several threads may call
   *  them at once, as several pipelines are created at once. Default NULL. */
  void* allocation_callbacks;
  /** Called before each vkQueueSubmit, where other threads use the queue too. Set it and unlock_queue or neither;
   *  default NULL. While a thread of the program has locked the queue, it must make no calls of the library. */
  clothc_vulkan_queue_callback lock_queue;
  /** Called after each vkQueueSubmit. */
  clothc_vulkan_queue_callback unlock_queue;
  /** Passed to lock_queue and unlock_queue as user. */
  void* queue_user;
} clothc_vulkan_device_desc;

/** What a device must have been created with. */
typedef struct clothc_vulkan_requirements {
  uint32_t struct_size;
  /** The lowest apiVersion that the instance may have. */
  uint32_t api_version;
  /** The queue family that the library would choose: one with compute and without graphics, if there is one. Any family
   *  with VK_QUEUE_COMPUTE_BIT will do. */
  uint32_t queue_family;
  /** Must be 0. */
  uint32_t reserved;
  /** Device extensions that must be enabled, separated by spaces. The feature timelineSemaphore must be enabled too. */
  char required_extensions[256];
  /** Device extensions of this physical device that let the library do more, separated by spaces: sharing memory and
   *  semaphores with other devices, WRAPPED_HOST buffers, and the promise of strict parity on Vulkan 1.1. */
  char optional_extensions[512];
} clothc_vulkan_requirements;

/** Tells what a device must be created with so that clothc_vulkan_device_create can adopt it.
 *  vulkan: api_version, get_instance_proc_addr, instance and physical_device count; the device need not exist yet.
 *  Errors: INVALID_ARGUMENT (null), INVALID_STRUCT, UNSUPPORTED (the physical device cannot be used; the message says
 *  why). Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_vulkan_get_requirements(const clothc_vulkan_device_desc* vulkan,
                                                                    clothc_vulkan_requirements* requirements);

/** Creates a device that works on the program's VkDevice.
 *  desc: as for clothc_device_create. backend: AUTO or VULKAN; device_index and uuid do not count. vulkan: the
 *  program's objects.
 *  Lifetime: instance, device and queue must exist until the library's device is destroyed.
 *  Errors: INVALID_ARGUMENT, INVALID_STRUCT, UNSUPPORTED (the physical device, the queue family, or a required
 *  extension that was not enabled), OUT_OF_MEMORY. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_vulkan_device_create(const clothc_device_desc* desc,
                                                                 const clothc_vulkan_device_desc* vulkan,
                                                                 clothc_device* device);

/** A VkBuffer of the program. */
typedef struct clothc_vulkan_buffer_desc {
  uint32_t struct_size;
  /** The queue family that owns the buffer between the library's uses, for buffers with VK_SHARING_MODE_EXCLUSIVE that
   *  another family than the device's uses. Before each set, get or update that uses it the program releases the buffer
   *  from this family to the device's, and after it acquires it again, with the size of the library's part: the count
   *  of elements times the stride, from offset on. The library records the two other halves. clothc_buffer_read and
   *  clothc_buffer_write fail with UNSUPPORTED then. Default CLOTHC_VULKAN_NO_QUEUE_FAMILY: no transfer. */
  uint32_t queue_family;
  /** VkBuffer of the adopted VkDevice, with VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, TRANSFER_SRC and TRANSFER_DST. */
  uint64_t buffer;
  /** Bytes from the begin of the VkBuffer to element 0, a multiple of 4. Default 0. */
  uint64_t offset;
  /** Size of the VkBuffer in bytes. */
  uint64_t size;
} clothc_vulkan_buffer_desc;

/** Creates a buffer on a VkBuffer of the program, for instance on its vertices, so that clothc_cloth_bind writes there.
 *  desc: as for clothc_buffer_create; kind must be WRAPPED_DEVICE, and memory NULL. vulkan: the VkBuffer. Only the
 *  bytes of the elements, or of the parts that views name, are written.
 *  Lifetime: the VkBuffer must exist until the buffer is destroyed.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT, INVALID_STRUCT, OUT_OF_MEMORY; UNSUPPORTED for devices that
 *  clothc_vulkan_device_create has not made, unless the flags have HOST_IF_UNSUPPORTED. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_vulkan_buffer_create(clothc_device device, const clothc_buffer_desc* desc,
                                                                 const clothc_vulkan_buffer_desc* vulkan,
                                                                 clothc_buffer* buffer);

/** Tells the VkBuffer of a buffer, and the offset of element 0 in it, for the program's own commands. It has the usages
 *  STORAGE_BUFFER, TRANSFER_SRC and TRANSFER_DST and, unless it is shared or wrapped, VERTEX_BUFFER, INDEX_BUFFER and
 *  INDIRECT_BUFFER.
 *  Lifetime: until the buffer is destroyed; that of a HOST buffer until it is mapped with DISCARD.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (null), INVALID_STATE (mapped); UNSUPPORTED for devices that
 *  clothc_vulkan_device_create has not made. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_vulkan_buffer_get_handle(clothc_buffer buffer, uint64_t* handle,
                                                                     uint64_t* offset);

/** Queues an update and records everything that has been queued on a solver since the last call into a command buffer
 *  of the program: sets, updates and gets, with the barriers of a submission of the library's own (see the top of this
 *  header).
 *  command_buffer: VkCommandBuffer of the primary level, of the device's queue family, that is being recorded and is
 *  not inside a render pass. What was bound to it before is undefined afterwards. update: as for clothc_solver_update,
 *  without fences that have not been reached or are to be signalled; NULL = none, only what is queued.
 *  semaphore: receives a VkSemaphore of timeline type, always the same one for a solver. value: receives the value to
 *  which the program must raise it when the commands have ended, which is also that of the solver's timeline. It does
 *  so in the submission that has the command buffer or, where the engine's submissions take no semaphores, with
 *  vkSignalSemaphore once the engine tells that they have ended.
 *
 *  The command buffer must be submitted once, and all of them in the order in which they were recorded. Until the
 *  semaphore has been raised, waiting for the solver or mapping a buffer that the work uses waits for the program's
 *  submission; for work that has not been recorded it fails with INVALID_STATE. So do the calls that fetch something at
 *  once: clothc_cloth_get_status, clothc_solver_get_debug_lines, clothc_solver_state_hash, clothc_solver_snapshot, and
 *  the first get of INTERSECTION_COUNT of a fabric. This call itself never waits.
 *  As with all objects of Vulkan, destroy a solver or its device when the program's submissions have ended, and submit
 *  nothing that was recorded afterwards; destroying them waits for that, but no longer than a second.
 *  Errors: as clothc_solver_update, and INVALID_ARGUMENT (null), UNSUPPORTED (a device with a queue or of another kind;
 *  fences); NOT_READY if updates_in_flight updates have not ended: nothing was recorded then. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_vulkan_record_update(clothc_solver solver, void* command_buffer,
                                                                 const clothc_update* update, uint64_t* semaphore,
                                                                 uint64_t* value);

#ifdef __cplusplus
}
#endif
#endif
