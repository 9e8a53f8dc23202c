/* clothc_cuda.h - for programs that use CUDA themselves: clothc in their context and stream, in their memory, and in
 * their graphs.
 *
 * Copyright 2026 The clothc authors. SPDX-License-Identifier: Apache-2.0
 *
 * All conventions of clothc.h apply. Handles of CUDA are those of the driver API, given as void*: CUcontext and
 * CUstream; a cudaStream_t of the CUDA run time is a CUstream, and its context is the primary one. This header includes
 * nothing of CUDA.
 *
 * Memory: a buffer of the kind CLOTHC_BUFFER_WRAPPED_DEVICE is memory that the program has allocated with CUDA, and
 * clothc_cuda_buffer_get_pointer tells where the memory of other buffers is. Memory that Vulkan exports is imported
 * with CLOTHC_BUFFER_IMPORTED, and its timeline semaphores with clothc_fence_import.
 */
#ifndef CLOTHC_CUDA_H
#define CLOTHC_CUDA_H

#include "clothc.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a device takes over from a program that uses CUDA. All handles stay the program's. */
typedef struct clothc_cuda_device_desc {
  uint32_t struct_size;
  /** Must be 0. */
  uint32_t reserved;
  /** CUcontext that the device works in. Default NULL: that of the stream or, without one, the primary context of the
   *  device that clothc_device_desc names. */
  void* context;
  /** CUstream that the updates, sets and gets of all solvers go to, in the order of the calls, as if the program had
   *  launched kernels there. The legacy default stream is (void*)1, and needs the context; it counts as captured while
   *  any stream that was made without CU_STREAM_NON_BLOCKING is captured. Default NULL: each solver has streams of its
   *  own. */
  void* stream;
} clothc_cuda_device_desc;

/** Creates a CUDA device that works in the program's context and stream. Every call puts back the context that was
 *  current before, and none disturbs a capture of streams that goes on in any thread.
 *  desc: as for clothc_device_create. backend: AUTO or CUDA; device_index and uuid do not count if cuda has a context or
 *  a stream. cuda: NULL = defaults, which makes the device that clothc_device_create makes.
 *  With a stream: while the program captures it, calls that would add work to it fail with INVALID_STATE; an update
 *  whose wait_fence has not been reached fails with UNSUPPORTED, since work of the program's would overtake it (let the
 *  stream wait with cuStreamWaitEvent). The host still learns when work has ended, so that mapping and waiting work as
 *  ever, but not in host functions of the program: drivers may run all host functions one after the other.
 *  Lifetime: context and stream must exist until the device is destroyed. No handle may be one of a context or a stream
 *  that was destroyed, here and in the functions below, and no context may be destroyed before its device: drivers look
 *  into the object without asking whether it is there, so that nothing can tell it before, and the process ends.
 *  Resetting a primary context, whose handle stays known, loses the device. Destroying a device, a solver or a buffer may
 *  wait for all work of the context, as cuMemFree does.
 *  Errors: INVALID_ARGUMENT (a stream of another context, or the default stream of each thread), INVALID_STATE (a stream
 *  whose capture was invalidated and not ended), INVALID_STRUCT, UNSUPPORTED, OUT_OF_MEMORY. Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cuda_device_create(const clothc_device_desc* desc,
                                                               const clothc_cuda_device_desc* cuda,
                                                               clothc_device* device);

/** Tells the CUdeviceptr of a buffer's element 0. Kernels of the program may use it: after the updates, sets and gets
 *  that use the buffer, and before those that follow, an order that the adopted stream gives, or fences and maps.
 *  Lifetime: until the buffer is destroyed; that of a HOST buffer until it is mapped with DISCARD.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (null), INVALID_STATE (mapped), UNSUPPORTED (not of a CUDA device).
 *  Threads: any. */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cuda_buffer_get_pointer(clothc_buffer buffer, uint64_t* pointer);

/** Adds an update of all cloths of a solver to the graph that a stream of the device's context is capturing. Each launch
 *  of the graph then does, on the device alone, what a call of clothc_solver_update with this dt does, with the same
 *  bits, including the writes of bound channels. Launches take no part in update_count, in updates_in_flight and in the
 *  solver's timeline: neither clothc_solver_wait nor mapping a bound buffer waits for them.
 *  stream: CUstream in which cuStreamBeginCapture was called, in any mode, or that has joined a capture. dt: as in
 *  clothc_update.
 *
 *  What has been set but not sent to the device yet, the call itself sends, in the solver's own stream and not as part
 *  of the graph; so the graph must be launched after that work: in the adopted stream, or after clothc_solver_wait. If
 *  the adopted stream itself is the one that is captured, nothing must be left to send; otherwise capture another stream
 *  of the context and launch the graph in the adopted one.
 *  Inputs that a single update consumes cannot be part of a graph: a frame or shapes that have a target ahead, motion or
 *  separation constraints and velocities that were set since the last update. Call clothc_solver_update first.
 *
 *  A graph sees positions, previous positions and accelerations that sets write before a launch, if the cloth had such
 *  values at the capture. It does not see what else is set after the capture, nor cloths added or removed: capture
 *  again, which waits for nothing but the upload of new schedules.
 *  Lifetime: what the graph uses stays until the graph and its executable graphs are destroyed, and the driver then
 *  calls this library from a thread of its own, at a time that nothing tells. Destroy them before the device, and keep
 *  the library loaded.
 *  Errors: INVALID_HANDLE, INVALID_ARGUMENT (dt; a stream that is null, of another context or not being captured),
 *  INVALID_STATE (something that a single update consumes; something to send while the adopted stream is captured; a
 *  channel bound to a HOST buffer, whose memory changes when it is mapped with DISCARD; a bound buffer is mapped; the
 *  program's capture was invalidated), OUT_OF_MEMORY, DEVICE_LOST; UNSUPPORTED for solvers of other devices. After an
 *  error from the driver the program's capture may be incomplete or invalid: end it and destroy its graph.
 *  Source: CUDA Driver API, "Stream Management", "Graph Management". */
CLOTHC_API clothc_result CLOTHC_CALL clothc_cuda_capture_update(clothc_solver solver, void* stream, float dt);

#ifdef __cplusplus
}
#endif
#endif
