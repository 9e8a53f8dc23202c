// scheduler.cpp - see scheduler.h. Submission and waiting; execution.cpp has the threads.
#include "cuda/device/driver/scheduler.h"

#include "cuda/device/driver/capture.h"
#include "cuda/device/driver/execution.h"

namespace clothc::cuda_device {
namespace {

void precede(const OperationPointer& earlier, Operation& later, const StreamPointer& stream) {
  if (!earlier) return;
  later.predecessors.push_back(earlier);
  if (!earlier->has_ended && earlier->stream != stream.get()) earlier->followers.push_back(stream);
}

// The legacy default stream comes after all blocking streams, and they come after it.
void precede_by_default_stream(Operation& later, const StreamPointer& stream) {
  const Context& context = *stream->context;
  if (stream == context.legacy) {
    for (const ClosedStream& closed : context.closed_streams) {
      if (closed.is_blocking) precede(closed.last, later, stream);
    }
    for (const std::weak_ptr<Stream>& entry : context.streams) {
      const StreamPointer other = entry.lock();
      if (other && other != stream && other->is_blocking) precede(other->last, later, stream);
    }
  } else if (stream->is_blocking) {
    precede(context.legacy->last, later, stream);
  }
}

OperationPointer make_operation(const StreamPointer& stream) {
  require_no_implicit_dependency(*stream);
  const OperationPointer operation = std::make_shared<Operation>();
  operation->manner = state().rules.manner;
  operation->stream = stream.get();
  operation->known = state().host_clock;
  operation->lane = stream->lane.index();
  operation->number = lanes().next_number(operation->lane);
  operation->submitted = std::chrono::steady_clock::now();
  precede(stream->last, *operation, stream);
  precede_by_default_stream(*operation, stream);
  return operation;
}

bool is_device_work(const Operation& operation) {
  if (operation.plan) {
    for (const Node& node : operation.plan->nodes) {
      if (!node.task->is_device_work()) return false;
    }
  }
  return !operation.task || operation.task->is_device_work();
}

bool is_awaited_outside(const Operation& operation) {
  if (operation.plan) {
    for (const Node& node : operation.plan->nodes) {
      if (node.task->is_awaited_outside()) return true;
    }
  }
  return operation.task && operation.task->is_awaited_outside();
}

void count_tasks(Operation& operation) {
  State& all = state();
  const uint64_t count = operation.plan ? operation.plan->nodes.size() : (operation.task ? 1 : 0);
  operation.first_task = all.tasks_under_rules + 1;
  operation.rules_version = all.rules_version;
  all.tasks_under_rules += count;
  all.counts.operations += count;
}

void wait_for_end(Call& call, const OperationPointer& operation) {
  if (operation->has_ended) return;
  want(operation);
  ++state().counts.waits;
  state().progress.wait(call.lock, [&] { return operation->has_ended; });
}

OperationPointer enqueue(Call& call, const StreamPointer& stream, const OperationPointer& operation) {
  const Rules& rules = state().rules;
  count_tasks(*operation);
  begin_order(operation.get());
  stream->queue.push_back(operation);
  stream->last = operation;
  const bool can_begin = has_ended_before(*stream);
  if (!operation->manner.executes && can_begin && is_device_work(*operation) && run_at_once(*stream)) return operation;
  wake(stream);
  if (is_awaited_outside(*operation)) want(operation);
  const bool is_early = rules.start == Start::early && !rules.has_hang();
  if (is_early && can_begin && (operation->task || operation->plan) && is_device_work(*operation)) {
    state().progress.wait(call.lock, [&] { return operation->has_ended; });
  }
  return operation;
}

// Whether the host knows that the operation has ended.
bool is_known(const Operation& operation) {
  const Clock& clock = state().host_clock;
  return operation.lane < clock.size() && clock[operation.lane] >= operation.number;
}

}  // namespace

StreamPointer make_stream(const ContextPointer& context, bool is_blocking) {
  StreamPointer stream = std::make_shared<Stream>(context, is_blocking, state().host_clock);
  std::vector<std::weak_ptr<Stream>>& streams = context->streams;
  for (size_t k = streams.size(); k-- > 0;) {
    if (streams[k].expired()) streams.erase(streams.begin() + static_cast<ptrdiff_t>(k));
  }
  streams.push_back(stream);
  return stream;
}

void close_stream(Stream& stream) {
  stream.is_closing = true;
  std::vector<ClosedStream>& closed = stream.context->closed_streams;
  for (size_t k = closed.size(); k-- > 0;) {
    if (is_known(*closed[k].last)) closed.erase(closed.begin() + static_cast<ptrdiff_t>(k));
  }
  if (stream.last) {
    want(stream.last);
    if (!is_known(*stream.last)) closed.push_back({stream.last, stream.is_blocking});
  }
  stream.changed.notify_all();
}

OperationPointer submit(Call& call, const StreamPointer& stream, TaskPointer task) {
  if (stream->capture) {
    capture_task(*stream, std::move(task));
    return nullptr;
  }
  const OperationPointer operation = make_operation(stream);
  operation->task = std::move(task);
  return enqueue(call, stream, operation);
}

OperationPointer submit_marker(Call& call, const StreamPointer& stream,
                               const std::vector<OperationPointer>& predecessors) {
  const OperationPointer operation = make_operation(stream);
  for (const OperationPointer& earlier : predecessors) precede(earlier, *operation, stream);
  return enqueue(call, stream, operation);
}

OperationPointer submit_plan(Call& call, const StreamPointer& stream, std::shared_ptr<const Plan> plan,
                             const OperationPointer& last_launch) {
  const OperationPointer operation = make_operation(stream);
  operation->plan = std::move(plan);
  precede(last_launch, *operation, stream);
  return enqueue(call, stream, operation);
}

void want(const OperationPointer& operation) {
  std::vector<Operation*> left{operation.get()};
  while (!left.empty()) {
    Operation& next = *left.back();
    left.pop_back();
    if (next.is_wanted || next.has_ended) continue;
    next.is_wanted = true;
    next.stream->changed.notify_all();
    for (const OperationPointer& earlier : next.predecessors) left.push_back(earlier.get());
  }
}

void learn(const Operation& operation) {
  merge(state().host_clock, operation.known);
  end_order(&operation);
}

void wait_for(Call& call, const std::vector<OperationPointer>& operations) {
  for (const OperationPointer& operation : operations) wait_for_end(call, operation);
  require(call.context->error == CUDA_SUCCESS, call.context->error);
  for (const OperationPointer& operation : operations) learn(*operation);
}

std::vector<OperationPointer> all_work(const Context& context) {
  std::vector<OperationPointer> work;
  for (const std::weak_ptr<Stream>& entry : context.streams) {
    const StreamPointer stream = entry.lock();
    if (stream && stream->last) work.push_back(stream->last);
  }
  for (const ClosedStream& closed : context.closed_streams) work.push_back(closed.last);
  return work;
}

void drain(Call& call, const Context& context) {
  for (const OperationPointer& operation : all_work(context)) wait_for_end(call, operation);
}

void wait_for_running(Call& call) {
  std::vector<OperationPointer> running;
  state().contexts.for_each([&](const ContextPointer& context) {
    for (const std::weak_ptr<Stream>& entry : context->streams) {
      const StreamPointer stream = entry.lock();
      if (stream && !stream->queue.empty() && stream->queue.front()->is_running)
        running.push_back(stream->queue.front());
    }
  });
  for (const OperationPointer& operation : running) {
    state().progress.wait(call.lock, [&] { return operation->has_ended; });
  }
}

void fail_context(Context& context, CUresult error) {
  CUresult none = CUDA_SUCCESS;
  context.error.compare_exchange_strong(none, error);
  state().progress.notify_all();
  for (const std::weak_ptr<Stream>& entry : context.streams) {
    if (const StreamPointer stream = entry.lock()) stream->changed.notify_all();
  }
}

}  // namespace clothc::cuda_device
