// scheduler.h - puts operations into streams, where threads run them, and waits for them. Called with the state's lock
// held.
#pragma once

#include "cuda/device/driver/calls.h"

namespace clothc::cuda_device {

StreamPointer make_stream(const ContextPointer& context, bool is_blocking);
// The stream's work still runs to its end.
void close_stream(Stream& stream);

// Submits a task behind all work of the stream. Returns null if the stream is capturing, which makes it a node instead.
OperationPointer submit(Call& call, const StreamPointer& stream, TaskPointer task);
// Submits a record of an event or a wait for operations, which the stream then comes after.
OperationPointer submit_marker(Call& call, const StreamPointer& stream,
                               const std::vector<OperationPointer>& predecessors = {});
// Submits a graph's nodes, which come after the last launch of the same graph too.
OperationPointer submit_plan(Call& call, const StreamPointer& stream, std::shared_ptr<const Plan> plan,
                             const OperationPointer& last_launch);

// In a late start, an operation and all that precedes it begin only when they are wanted.
void want(const OperationPointer& operation);
// Waits for operations to end, which the host then knows. Throws the error of their context.
void wait_for(Call& call, const std::vector<OperationPointer>& operations);
// Makes an operation known to the host that the host has seen to have ended.
void learn(const Operation& operation);
// The last operations of all streams of a context.
std::vector<OperationPointer> all_work(const Context& context);
// Waits until all work of a context has ended, whether or not it fails. The host learns nothing of it.
void drain(Call& call, const Context& context);
// Waits for the operations that run now, so that memory which one of them may access can go.
void wait_for_running(Call& call);

// Ends a context with the first error of an operation.
void fail_context(Context& context, CUresult error);

}  // namespace clothc::cuda_device
