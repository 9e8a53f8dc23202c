// contexts.cpp - contexts: their lives, and which of them is current on a thread.
#include <utility>

#include "cuda/device/driver/blocks.h"
#include "cuda/device/driver/device.h"
#include "cuda/device/driver/scheduler.h"

namespace clothc::cuda_device {
namespace {

ContextPointer make_context(CUdevice device) {
  const ContextPointer context = std::make_shared<Context>(device);
  context->handle = state().contexts.add(context);
  context->legacy = make_stream(context, false);
  for (const auto& [begin, block] : state().blocks) {
    if (is_known_to(*block, context)) add_to_space(*block, *context);
  }
  return context;
}

void record_leak(size_t count, const char* what) {
  if (count == 0) return;
  state().findings.push_back("leak: a context was destroyed with " + std::to_string(count) + " " + what + " in it");
}

size_t remove_blocks(const ContextPointer& context) {
  std::vector<BlockPointer> owned;
  for (const auto& [begin, block] : state().blocks) {
    if (block->context == context) owned.push_back(block);
  }
  for (const BlockPointer& block : owned) remove_block(block);
  return owned.size();
}

void remove_objects(const ContextPointer& context) {
  State& all = state();
  const auto is_here = [&](const auto& object) { return object.context == context; };
  all.streams.for_each([&](const StreamPointer& stream) {
    if (stream->context == context) close_stream(*stream);
  });
  record_leak(all.streams.remove_if(is_here), "streams");
  record_leak(all.events.remove_if(is_here), "events");
  all.functions.remove_if([&](const FunctionObject& function) { return function.module->context == context; });
  record_leak(all.modules.remove_if(is_here), "modules");
  record_leak(all.executables.remove_if(is_here), "executable graphs");
  all.nodes.remove_if([&](const NodeObject& node) {
    const std::shared_ptr<Graph> graph = node.graph.lock();
    return !graph || graph->context == context;
  });
  record_leak(all.graphs.remove_if(is_here), "graphs");
  record_leak(all.external_memories.remove_if(is_here), "external memories");
  record_leak(all.external_semaphores.remove_if(is_here), "external semaphores");
  record_leak(remove_blocks(context), "blocks of memory");
}

void destroy_context(Call& call, const ContextPointer& context) {
  drain(call, *context);
  remove_objects(context);
  close_stream(*context->legacy);
  context->legacy = nullptr;
  state().contexts.remove(context->handle);
}

ContextPointer find_context(const Call& call, CUcontext handle) {
  require(handle != nullptr, CUDA_ERROR_INVALID_CONTEXT);
  const ContextPointer context = state().contexts.find(handle);
  if (context) return context;
  if (state().ended_primaries.count(handle) == 0) call.end_process("there is no such context");
  throw call.misuse(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the primary context has ended");
}

void end_primary(Call& call, Primary& primary) {
  const ContextPointer context = std::exchange(primary.context, nullptr);
  primary.references = 0;
  if (!context) return;
  state().ended_primaries.insert(context->handle);
  destroy_context(call, context);
}

bool is_primary(const ContextPointer& context) {
  const auto found = state().primaries.find(context->device);
  return found != state().primaries.end() && found->second.context == context;
}

}  // namespace
}  // namespace clothc::cuda_device

using namespace clothc::cuda_device;

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return perform(Function::DevicePrimaryCtxRetain, Needs::driver, [&](Call&) {
    require(context != nullptr, CUDA_ERROR_INVALID_VALUE);
    require_device(device);
    Primary& primary = state().primaries[device];
    if (!primary.context) primary.context = make_context(device);
    ++primary.references;
    *context = primary.context->handle;
  });
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return perform(Function::DevicePrimaryCtxRelease, Needs::driver, [&](Call& call) {
    require_device(device);
    Primary& primary = state().primaries[device];
    if (primary.references == 0) throw call.misuse(CUDA_ERROR_INVALID_CONTEXT, "the context is not retained");
    if (--primary.references == 0) end_primary(call, primary);
  });
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return perform(Function::DevicePrimaryCtxReset, Needs::driver, [&](Call& call) {
    require_device(device);
    end_primary(call, state().primaries[device]);
  });
}

CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device) {
  return perform(Function::CtxCreate, Needs::driver, [&](Call&) {
    require(context != nullptr && flags < 32, CUDA_ERROR_INVALID_VALUE);
    require_device(device);
    *context = make_context(device)->handle;
    current_contexts().push_back(*context);
  });
}

CUresult cuCtxDestroy_v2(CUcontext handle) {
  return perform(Function::CtxDestroy, Needs::driver, [&](Call& call) {
    const ContextPointer context = find_context(call, handle);
    if (is_primary(context)) throw call.misuse(CUDA_ERROR_INVALID_CONTEXT, "a primary context is released instead");
    destroy_context(call, context);
    CurrentContexts& current = current_contexts();
    if (!current.empty() && current.back() == handle) current.pop_back();
  });
}

CUresult cuCtxPushCurrent_v2(CUcontext handle) {
  return perform(Function::CtxPushCurrent, Needs::driver, [&](Call& call) {
    find_context(call, handle);
    current_contexts().push_back(handle);
  });
}

CUresult cuCtxPopCurrent_v2(CUcontext* handle) {
  return perform(Function::CtxPopCurrent, Needs::driver, [&](Call&) {
    require(!current_contexts().empty(), CUDA_ERROR_INVALID_CONTEXT);
    if (handle) *handle = current_contexts().back();
    current_contexts().pop_back();
  });
}

CUresult cuCtxGetCurrent(CUcontext* handle) {
  return perform(Function::CtxGetCurrent, Needs::driver, [&](Call&) {
    require(handle != nullptr, CUDA_ERROR_INVALID_VALUE);
    *handle = current_contexts().empty() ? nullptr : current_contexts().back();
  });
}

CUresult cuCtxSetCurrent(CUcontext handle) {
  return perform(Function::CtxSetCurrent, Needs::driver, [&](Call& call) {
    if (handle) find_context(call, handle);
    if (!current_contexts().empty()) current_contexts().pop_back();
    if (handle) current_contexts().push_back(handle);
  });
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return perform(Function::CtxGetDevice, Needs::driver, [&](Call& call) {
    require(device != nullptr, CUDA_ERROR_INVALID_VALUE);
    require(!current_contexts().empty(), CUDA_ERROR_INVALID_CONTEXT);
    const ContextPointer context = state().contexts.find(current_contexts().back());
    if (!context) throw call.misuse(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the current context was destroyed");
    *device = context->device;
  });
}
