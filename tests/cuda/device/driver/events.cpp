// events.cpp - the API of events. An event names the end of the work that was in a stream when it was last recorded.
#include "cuda/device/driver/capture.h"
#include "cuda/device/driver/scheduler.h"

namespace clothc::cuda_device {
namespace {

std::shared_ptr<Event> find_event(const Call& call, CUevent handle) {
  return find_here(call, state().events, handle, "event");
}

// The time at which an event was recorded, as the clock shows it.
std::chrono::nanoseconds shown_time(const Event& event) {
  const auto exact = std::chrono::duration_cast<std::chrono::nanoseconds>(event.record->ended.time_since_epoch());
  return exact - exact % std::chrono::nanoseconds(state().rules.clock_resolution);
}

void require_timed(const Event& event) {
  require_not_captured(event);
  require(event.has_time && event.record, CUDA_ERROR_INVALID_HANDLE);
}

}  // namespace
}  // namespace clothc::cuda_device

using namespace clothc::cuda_device;

CUresult cuEventCreate(CUevent* handle, unsigned flags) {
  return perform(Function::EventCreate, Needs::working_context, [&](Call& call) {
    require(handle != nullptr && flags <= (CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING), CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<Event> event = std::make_shared<Event>();
    event->context = call.context;
    event->has_time = (flags & CU_EVENT_DISABLE_TIMING) == 0;
    *handle = state().events.add(event);
  });
}

CUresult cuEventDestroy_v2(CUevent handle) {
  return perform(Function::EventDestroy, Needs::context, [&](Call& call) {
    find_event(call, handle);
    state().events.remove(handle);
  });
}

CUresult cuEventRecord(CUevent handle, CUstream stream_handle) {
  return perform(Function::EventRecord, Needs::working_context, [&](Call& call) {
    const std::shared_ptr<Event> event = find_event(call, handle);
    const StreamPointer stream = find_stream(call, stream_handle);
    if (stream->capture) return capture_record(*stream, *event);
    event->capture = nullptr;
    event->record = submit_marker(call, stream);
  });
}

CUresult cuEventQuery(CUevent handle) {
  return perform(Function::EventQuery, Needs::working_context, [&](Call& call) {
    const std::shared_ptr<Event> event = find_event(call, handle);
    require_not_captured(*event);
    require_no_capture(call);
    if (!event->record) return;
    want(event->record);
    require(event->record->has_ended, CUDA_ERROR_NOT_READY);
    learn(*event->record);
  });
}

CUresult cuEventSynchronize(CUevent handle) {
  return perform(Function::EventSynchronize, Needs::working_context, [&](Call& call) {
    const std::shared_ptr<Event> event = find_event(call, handle);
    require_not_captured(*event);
    require_no_capture(call);
    if (event->record) wait_for(call, {event->record});
  });
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent begin_handle, CUevent end_handle) {
  return perform(Function::EventElapsedTime, Needs::working_context, [&](Call& call) {
    require(milliseconds != nullptr, CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<Event> begin = find_event(call, begin_handle);
    const std::shared_ptr<Event> end = find_event(call, end_handle);
    require_timed(*begin);
    require_timed(*end);
    require(begin->record->has_ended && end->record->has_ended, CUDA_ERROR_NOT_READY);
    *milliseconds = std::chrono::duration<float, std::milli>(shown_time(*end) - shown_time(*begin)).count();
  });
}
