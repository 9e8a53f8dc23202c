// capture.h - what streams that are captured do instead of running work. Called with the state's lock held.
#pragma once

#include "cuda/device/driver/calls.h"

namespace clothc::cuda_device {

// Adds a node to the capture's graph. Throws if the capture was invalidated.
void capture_task(Stream& stream, TaskPointer task);
// Adds the nodes of a graph that is launched in a captured stream.
void capture_plan(Stream& stream, const Plan& plan);
void capture_record(const Stream& stream, Event& event);
// Makes a stream wait for an event one of which, or both, is part of a capture.
void capture_wait(const StreamPointer& stream, const Event& event);

// Throws if this thread may not make a call that could disturb a capture, which it then has invalidated.
void require_no_capture(const Call& call);
// Throws if the stream is captured, or its use would depend on streams that are, and invalidates their captures.
void require_not_capturing(const Stream& stream);
void require_not_captured(const Event& event);
// The streams with which the legacy default stream shares its order and that are captured; none for other streams.
std::vector<StreamPointer> implicit_captures(const Stream& stream);
// Throws if there are any, and invalidates their captures: work in this stream would come after work that is only
// recorded.
void require_no_implicit_dependency(const Stream& stream);
void invalidate(Capture& capture);
// Ends the part that a stream has in a capture when it is destroyed.
void abandon_capture(Stream& stream);
// Returns the capture of a stream if it is valid.
Capture& valid_capture(const Stream& stream);

}  // namespace clothc::cuda_device
