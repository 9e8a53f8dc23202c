// execution.h - the threads of streams, which run operations. Called with the state's lock held.
#pragma once

#include "cuda/device/driver/graph.h"

namespace clothc::cuda_device {

// Whether the stream's last operation is its first too and everything before it has ended.
bool has_ended_before(const Stream& stream);
// Ends the stream's first operation without running it, unless it is to hang or to be lost. Returns whether it did.
bool run_at_once(Stream& stream);
// Starts the stream's thread if there is none, and tells it of new work.
void wake(const StreamPointer& stream);

// The following is called without the lock, on the thread of a stream.

// Runs the nodes of a graph, in an order that the rules choose among those that the dependencies allow.
void run_plan(Context& context, Operation& operation);
// Runs the task of that number, counted from 0, of an operation. Nothing is run in a context that has failed.
void run_task(Context& context, Operation& operation, uint64_t index, const Task& task, const ptx::Operation& identity,
              Clock& known);

}  // namespace clothc::cuda_device
