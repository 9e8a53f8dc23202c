// calls.cpp - see calls.h.
#include "cuda/device/driver/calls.h"

#include <cstdio>
#include <cstdlib>

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace clothc::cuda_device {

State& state() {
  static State* const only = [] {
#if !defined(_WIN32)
    pthread_atfork(nullptr, nullptr, [] { state().is_forked = true; });
#endif
    return new State;
  }();
  return *only;
}

CurrentContexts& current_contexts() {
  thread_local CurrentContexts contexts;
  return contexts;
}

bool& is_in_host_function() {
  thread_local bool is_inside = false;
  return is_inside;
}

Call::Call(Function function, Needs needs) : function_(function) {
  // The lock may be held for ever by a thread that the fork has not copied.
  if (state().is_forked) {
    stopped = CUDA_ERROR_NOT_INITIALIZED;
    return;
  }
  lock = std::unique_lock(state().mutex);
  stopped = begin(needs);
}

std::optional<CUresult> Call::begin(Needs needs) {
  State& all = state();
  ++all.calls[static_cast<size_t>(function_)];
  ++all.counts.calls;
  if (const std::optional<CUresult> ruled = count_call(all.rules, function_)) return ruled;
  if (is_in_host_function()) return misuse(CUDA_ERROR_NOT_PERMITTED, "a host function calls the API").result;
  if (needs == Needs::nothing) return std::nullopt;
  if (!all.is_initialised) return CUDA_ERROR_NOT_INITIALIZED;
  return needs == Needs::driver ? std::nullopt : find_context(needs);
}

std::optional<CUresult> Call::find_context(Needs needs) {
  if (current_contexts().empty() || !current_contexts().back()) return CUDA_ERROR_INVALID_CONTEXT;
  context = state().contexts.find(current_contexts().back());
  if (!context) return misuse(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the current context was destroyed").result;
  if (needs == Needs::working_context && context->error != CUDA_SUCCESS) return context->error.load();
  return std::nullopt;
}

Failure Call::misuse(CUresult result, const std::string& message) const {
  ++state().counts.misuses;
  state().findings.push_back("misuse: " + std::string(name_of(function_)) + ": " + message);
  return Failure(result, message);
}

void Call::end_process(const std::string& message) const {
  std::fprintf(stderr, "cuda device: misuse: %s: %s, which ends the process\n", name_of(function_), message.c_str());
  std::fflush(nullptr);
  std::abort();
}

CUresult Call::result() const { return context ? context->error.load() : CUDA_SUCCESS; }

StreamPointer find_stream(const Call& call, CUstream handle) {
  if (!handle || handle == stream_legacy()) return call.context->legacy;
  return find_here(call, state().streams, handle, "stream");
}

}  // namespace clothc::cuda_device
