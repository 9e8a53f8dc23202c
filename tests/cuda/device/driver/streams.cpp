// streams.cpp - the API of streams, and host functions in them.
#include "cuda/device/driver/capture.h"
#include "cuda/device/driver/scheduler.h"

namespace clothc::cuda_device {
namespace {

class HostFunctionTask : public Task {
 public:
  HostFunctionTask(CUhostFn function, void* argument)
      : Task("a host function"), function_(function), argument_(argument) {}
  bool is_device_work() const override { return false; }
  bool waits_outside() const override { return true; }
  // That the function begins to run tells the host that the work before it has ended, as cuLaunchHostFunc promises.
  void run(const Turn& turn) const override {
    {
      const std::lock_guard lock(state().mutex);
      merge(state().host_clock, turn.operation.seen);
    }
    is_in_host_function() = true;
    function_(argument_);
    is_in_host_function() = false;
  }

 private:
  const CUhostFn function_;
  void* const argument_;
};

}  // namespace
}  // namespace clothc::cuda_device

using namespace clothc::cuda_device;

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return perform(Function::StreamCreate, Needs::working_context, [&](Call& call) {
    require(stream != nullptr && flags <= CU_STREAM_NON_BLOCKING, CUDA_ERROR_INVALID_VALUE);
    *stream = state().streams.add(make_stream(call.context, flags != CU_STREAM_NON_BLOCKING));
  });
}

CUresult cuStreamDestroy_v2(CUstream handle) {
  return perform(Function::StreamDestroy, Needs::context, [&](Call& call) {
    const StreamPointer stream = find_here(call, state().streams, handle, "stream");
    if (stream->capture) abandon_capture(*stream);
    close_stream(*stream);
    state().streams.remove(handle);
  });
}

CUresult cuStreamSynchronize(CUstream handle) {
  return perform(Function::StreamSynchronize, Needs::working_context, [&](Call& call) {
    const StreamPointer stream = find_stream(call, handle);
    require_not_capturing(*stream);
    require_no_capture(call);
    if (stream->last) wait_for(call, {stream->last});
  });
}

CUresult cuCtxSynchronize() {
  return perform(Function::CtxSynchronize, Needs::working_context, [&](Call& call) {
    state().streams.for_each([&](const StreamPointer& stream) {
      if (stream->context == call.context) require_not_capturing(*stream);
    });
    require_no_capture(call);
    wait_for(call, all_work(*call.context));
  });
}

CUresult cuStreamQuery(CUstream handle) {
  return perform(Function::StreamQuery, Needs::working_context, [&](Call& call) {
    const StreamPointer stream = find_stream(call, handle);
    require_not_capturing(*stream);
    require_no_capture(call);
    if (!stream->last) return;
    want(stream->last);
    require(stream->last->has_ended, CUDA_ERROR_NOT_READY);
    learn(*stream->last);
  });
}

CUresult cuStreamWaitEvent(CUstream handle, CUevent event_handle, unsigned flags) {
  return perform(Function::StreamWaitEvent, Needs::working_context, [&](Call& call) {
    require(flags == 0, CUDA_ERROR_INVALID_VALUE);
    const StreamPointer stream = find_stream(call, handle);
    const std::shared_ptr<Event> event = find_any(call, state().events, event_handle, "event");
    if (stream->capture || event->capture) return capture_wait(stream, *event);
    if (event->record) submit_marker(call, stream, {event->record});
  });
}

CUresult cuStreamGetCtx(CUstream handle, CUcontext* context) {
  const bool is_default = !handle || handle == stream_legacy();
  return perform(Function::StreamGetCtx, is_default ? Needs::context : Needs::driver, [&](Call& call) {
    require(context != nullptr, CUDA_ERROR_INVALID_VALUE);
    const StreamPointer stream = is_default ? call.context->legacy : find_any(call, state().streams, handle, "stream");
    // Drivers answer so, though they tell the state of the capture when that is asked for.
    if (stream->capture) valid_capture(*stream);
    *context = stream->context->handle;
  });
}

CUresult cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus* status) {
  return perform(Function::StreamIsCapturing, Needs::working_context, [&](Call& call) {
    require(status != nullptr, CUDA_ERROR_INVALID_VALUE);
    const StreamPointer stream = find_stream(call, handle);
    require(implicit_captures(*stream).empty(), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    *status = CU_STREAM_CAPTURE_STATUS_NONE;
    if (!stream->capture) return;
    *status = stream->capture->is_valid ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_INVALIDATED;
  });
}

CUresult cuLaunchHostFunc(CUstream handle, CUhostFn function, void* argument) {
  return perform(Function::LaunchHostFunc, Needs::working_context, [&](Call& call) {
    require(function != nullptr, CUDA_ERROR_INVALID_VALUE);
    submit(call, find_stream(call, handle), std::make_shared<HostFunctionTask>(function, argument));
  });
}
