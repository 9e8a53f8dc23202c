// execution.cpp - see execution.h. Threads ignore what ThreadSanitizer sees except while they run a task, before which
// they declare the order of all that precedes it.
#include "cuda/device/driver/execution.h"

#include <pthread.h>

#include "cuda/device/driver/calls.h"
#include "cuda/device/driver/report.h"
#include "cuda/device/driver/scheduler.h"

namespace clothc::cuda_device {
namespace {

// In a late start, an operation that nobody waits for begins after this time, as a GPU's would some time.
constexpr std::chrono::milliseconds patience{500};

bool can_begin(const Operation& operation) {
  for (const OperationPointer& earlier : operation.predecessors) {
    if (!earlier->has_ended) return false;
  }
  return true;
}

bool is_due(const Stream& stream) {
  if (stream.queue.empty() || !can_begin(*stream.queue.front())) return false;
  const Operation& first = *stream.queue.front();
  return state().rules.start != Start::late || first.is_wanted || stream.context->error != CUDA_SUCCESS ||
         std::chrono::steady_clock::now() >= first.submitted + patience;
}

// Waits until the stream's first operation may begin. Returns null when there will be none.
OperationPointer wait_for_work(Stream& stream, std::unique_lock<std::mutex>& lock) {
  while (!is_due(stream)) {
    if (stream.queue.empty() && stream.is_closing) return nullptr;
    if (state().rules.start == Start::late && !stream.queue.empty()) {
      stream.changed.wait_for(lock, patience / 10);
    } else {
      stream.changed.wait(lock);
    }
  }
  return stream.queue.front();
}

void begin(Operation& operation) {
  for (const OperationPointer& earlier : operation.predecessors) merge(operation.known, earlier->known);
  end_order(&operation);
  for (const OperationPointer& earlier : operation.predecessors) end_order(earlier.get());
}

void end(Stream& stream, Operation& operation) {
  begin_order(&operation);
  merge(operation.known, operation.lane, operation.number);
  operation.has_ended = true;
  operation.is_running = false;
  operation.ended = std::chrono::steady_clock::now();
  operation.predecessors.clear();
  operation.stream = nullptr;
  stream.queue.pop_front();
  for (const std::weak_ptr<Stream>& follower : operation.followers) {
    if (const StreamPointer waiting = follower.lock()) waiting->changed.notify_all();
  }
  operation.followers.clear();
  state().progress.notify_all();
}

void run(const Stream& stream, Operation& operation) {
  if (operation.plan) return run_plan(*stream.context, operation);
  if (!operation.task) return;
  const ptx::Operation identity{operation.lane, operation.number, operation.known, operation.task->name};
  run_task(*stream.context, operation, 0, *operation.task, identity, operation.known);
}

void run_thread(StreamPointer& argument) {
  const InsideDevice inside;
  const StreamPointer stream = std::move(argument);
  pthread_setname_np(pthread_self(), "CUDA stream");
  std::unique_lock lock(state().mutex);
  while (const OperationPointer operation = wait_for_work(*stream, lock)) {
    begin(*operation);
    lock.unlock();
    run(*stream, *operation);
    const TaskPointer task = std::move(operation->task);
    const std::shared_ptr<const Plan> plan = std::move(operation->plan);
    lock.lock();
    if (operation->manner.finds_races) take_races();
    end(*stream, *operation);
  }
}

// The state's lock must be held.
void count_end(const Task& task) {
  ++state().counts.ended_operations;
  state().counts.ended_kernels += task.is_kernel();
}

bool has_number(const Operation& operation, uint64_t index, uint64_t number) {
  return operation.rules_version == state().rules_version && operation.first_task + index == number;
}

bool hangs(const Operation& operation, uint64_t index, const Task& task) {
  const Rules& rules = state().rules;
  return rules.hangs || (rules.hangs_to_host && task.transfer() == Transfer::to_host) ||
         (rules.hangs_from_host && task.transfer() == Transfer::from_host) ||
         has_number(operation, index, rules.hung_operation);
}

// Lets a task begin, unless the rules make it hang or fail or its context has failed. Throws Failure.
void pass_gate(const Context& context, Operation& operation, uint64_t index, const Task& task) {
  std::unique_lock lock(state().mutex);
  const Rules& rules = state().rules;
  operation.is_running = false;
  bool has_hung = false;
  state().progress.wait(lock, [&] {
    const bool is_hanging = hangs(operation, index, task);
    has_hung = has_hung || is_hanging;
    return context.error != CUDA_SUCCESS || rules.kills || !is_hanging;
  });
  operation.is_running = task.is_device_work();
  require(context.error == CUDA_SUCCESS, context.error);
  if (has_hung && rules.kills) throw Failure(CUDA_ERROR_LAUNCH_TIMEOUT);
  if (has_number(operation, index, rules.lost_operation)) throw Failure(rules.loss);
}

CUresult result_of(const ptx::Fault& fault) {
  switch (fault.kind) {
    case ptx::Fault::Kind::illegal_address:
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    case ptx::Fault::Kind::misaligned_address:
      return CUDA_ERROR_MISALIGNED_ADDRESS;
    case ptx::Fault::Kind::illegal_instruction:
      return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    case ptx::Fault::Kind::race:
      break;
  }
  return CUDA_ERROR_LAUNCH_FAILED;
}

void record_fault(Context& context, CUresult error, const std::string& message) {
  const std::lock_guard lock(state().mutex);
  fail_context(context, error);
  if (message.empty()) return;
  ++state().counts.wrong_accesses;
  state().findings.push_back("wrong access: " + message);
}

}  // namespace

bool has_ended_before(const Stream& stream) { return stream.queue.size() == 1 && can_begin(*stream.queue.front()); }

bool run_at_once(Stream& stream) {
  const OperationPointer operation = stream.queue.front();
  const Rules& rules = state().rules;
  if (stream.context->error != CUDA_SUCCESS || rules.has_hang() || rules.lost_operation != 0) return false;
  begin(*operation);
  if (operation->task) count_end(*operation->task);
  if (operation->plan) {
    for (const Node& node : operation->plan->nodes) count_end(*node.task);
  }
  operation->task = nullptr;
  operation->plan = nullptr;
  end(stream, *operation);
  return true;
}

void wake(const StreamPointer& stream) {
  stream->changed.notify_all();
  if (stream->has_thread) return;
  stream->has_thread = true;
  const OutsideDevice outside;
  std::thread([argument = stream]() mutable { run_thread(argument); }).detach();
}

void run_task(Context& context, Operation& operation, uint64_t index, const Task& task, const ptx::Operation& identity,
              Clock& known) {
  if (context.error != CUDA_SUCCESS) return;
  try {
    pass_gate(context, operation, index, task);
    if (!task.is_device_work() || operation.manner.executes) {
      const OutsideDevice outside;
      const uint32_t seed = operation.manner.seed + static_cast<uint32_t>(operation.first_task + index);
      task.run({context, operation.manner, seed, identity, known});
    }
    const std::lock_guard lock(state().mutex);
    count_end(task);
  } catch (const ptx::Fault& fault) {
    record_fault(context, result_of(fault), task.name + ": " + fault.what());
  } catch (const Failure& failure) {
    record_fault(context, failure.result, failure.what());
  } catch (const std::exception& exception) {
    record_fault(context, CUDA_ERROR_LAUNCH_FAILED, task.name + ": " + exception.what());
  }
}

}  // namespace clothc::cuda_device
