// external_semaphores.cpp - timeline semaphores of another API, which streams signal and wait for. A wait also orders
// what comes after it behind what came before the signal; of a signal from elsewhere nothing is known, so all
// operations that have signalled any semaphore by then are taken to come before it.
#include <algorithm>

#include "cuda/device/driver/capture.h"
#include "cuda/device/driver/scheduler.h"

namespace clothc::cuda_device {
namespace {

// All histories, by the semaphores' identities. The lock is taken before that of a history.
struct Histories {
  std::mutex mutex;
  std::map<uint64_t, std::shared_ptr<SignalHistory>> of_semaphore;
};
Histories& histories() {
  static Histories* const only = new Histories;
  return *only;
}

std::shared_ptr<SignalHistory> find_history(const SharedSemaphore& semaphore) {
  Histories& all = histories();
  const std::lock_guard lock(all.mutex);
  std::shared_ptr<SignalHistory>& history = all.of_semaphore[semaphore.identity()];
  if (!history) history = std::make_shared<SignalHistory>();
  return history;
}

void merge_to(Clock& known, SignalHistory& history, uint64_t last) {
  const std::lock_guard lock(history.mutex);
  for (const auto& [value, clock] : history.known_at) {
    if (value <= last) merge(known, clock);
  }
  end_order(&history);
}

// The first value, not less than the awaited one, that an operation has signalled, or 0.
uint64_t find_signal(SignalHistory& history, uint64_t awaited) {
  const std::lock_guard lock(history.mutex);
  const auto found = history.known_at.lower_bound(awaited);
  return found == history.known_at.end() ? 0 : found->first;
}

void learn_signals(Clock& known, SignalHistory& history, uint64_t awaited) {
  if (const uint64_t signal = find_signal(history, awaited)) return merge_to(known, history, signal);
  Histories& all = histories();
  const std::lock_guard lock(all.mutex);
  for (const auto& [identity, other] : all.of_semaphore) merge_to(known, *other, UINT64_MAX);
}

struct Point {
  std::shared_ptr<SharedSemaphore> semaphore;
  std::shared_ptr<SignalHistory> history;
  uint64_t value;
};

class SignalTask : public Task {
 public:
  explicit SignalTask(std::vector<Point> points) : Task("a signal of a semaphore"), points_(std::move(points)) {}
  bool is_device_work() const override { return false; }
  bool is_awaited_outside() const override { return true; }
  void run(const Turn& turn) const override {
    const InsideDevice inside;
    for (const Point& point : points_) {
      remember(turn, point);
      if (!point.semaphore->signal(point.value)) {
        throw Failure(CUDA_ERROR_LAUNCH_FAILED, "a semaphore is signalled with a value that it has reached before");
      }
    }
  }

 private:
  static void remember(const Turn& turn, const Point& point) {
    constexpr size_t max_remembered = 256;
    begin_order(point.history.get());
    const std::lock_guard lock(point.history->mutex);
    std::map<uint64_t, Clock>& known_at = point.history->known_at;
    Clock& clock = known_at[point.value];
    merge(clock, turn.operation.seen);
    merge(clock, turn.operation.stream, turn.operation.number);
    if (known_at.size() > max_remembered) known_at.erase(known_at.begin());
  }

  const std::vector<Point> points_;
};

class WaitTask : public Task {
 public:
  explicit WaitTask(std::vector<Point> points) : Task("a wait for a semaphore"), points_(std::move(points)) {}
  bool is_device_work() const override { return false; }
  bool waits_outside() const override { return true; }
  void run(const Turn& turn) const override {
    const InsideDevice inside;
    constexpr std::chrono::milliseconds at_a_time{5};
    for (const Point& point : points_) {
      while (!point.semaphore->wait(point.value, at_a_time)) {
        if (turn.context.error != CUDA_SUCCESS) return;
      }
      end_order(order_of_signals());
      learn_signals(turn.known, *point.history, point.value);
    }
  }

 private:
  const std::vector<Point> points_;
};

template <typename Parameters>
std::vector<Point> find_points(const Call& call, const CUexternalSemaphore* handles, const Parameters* parameters,
                               unsigned count) {
  require(handles != nullptr && parameters != nullptr && count > 0, CUDA_ERROR_INVALID_VALUE);
  std::vector<Point> points;
  for (unsigned k = 0; k < count; ++k) {
    const std::shared_ptr<ExternalSemaphore> semaphore =
        find_here(call, state().external_semaphores, handles[k], "external semaphore");
    const unsigned* reserved = parameters[k].reserved;
    const bool is_zero =
        std::all_of(reserved, reserved + std::size(parameters[k].reserved), [](unsigned value) { return value == 0; });
    require(parameters[k].flags == 0 && is_zero, CUDA_ERROR_INVALID_VALUE);
    points.push_back({semaphore->semaphore, semaphore->history, parameters[k].params.fence.value});
  }
  return points;
}

}  // namespace
}  // namespace clothc::cuda_device

using namespace clothc::cuda_device;

CUresult cuImportExternalSemaphore(CUexternalSemaphore* handle,
                                   const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC* description) {
  return perform(Function::ImportExternalSemaphore, Needs::working_context, [&](Call& call) {
    require(handle != nullptr && description != nullptr && description->flags == 0, CUDA_ERROR_INVALID_VALUE);
    require(description->type == semaphore_handle_type, CUDA_ERROR_NOT_SUPPORTED);
    const unsigned* reserved = description->reserved;
    require(
        std::all_of(reserved, reserved + std::size(description->reserved), [](unsigned value) { return value == 0; }),
        CUDA_ERROR_INVALID_VALUE);
    SharedSemaphore opened = SharedSemaphore::open(handle_in(description->handle));
    require(opened.is_open(), CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<ExternalSemaphore> semaphore = std::make_shared<ExternalSemaphore>();
    semaphore->context = call.context;
    semaphore->semaphore = std::make_shared<SharedSemaphore>(std::move(opened));
    semaphore->history = find_history(*semaphore->semaphore);
    *handle = state().external_semaphores.add(semaphore);
  });
}

CUresult cuSignalExternalSemaphoresAsync(const CUexternalSemaphore* semaphores,
                                         const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* parameters, unsigned count,
                                         CUstream stream) {
  return perform(Function::SignalExternalSemaphoresAsync, Needs::working_context, [&](Call& call) {
    const StreamPointer found = find_stream(call, stream);
    submit(call, found, std::make_shared<SignalTask>(find_points(call, semaphores, parameters, count)));
  });
}

CUresult cuWaitExternalSemaphoresAsync(const CUexternalSemaphore* semaphores,
                                       const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* parameters, unsigned count,
                                       CUstream stream) {
  return perform(Function::WaitExternalSemaphoresAsync, Needs::working_context, [&](Call& call) {
    const StreamPointer found = find_stream(call, stream);
    submit(call, found, std::make_shared<WaitTask>(find_points(call, semaphores, parameters, count)));
  });
}

CUresult cuDestroyExternalSemaphore(CUexternalSemaphore handle) {
  return perform(Function::DestroyExternalSemaphore, Needs::context, [&](Call& call) {
    find_here(call, state().external_semaphores, handle, "external semaphore");
    state().external_semaphores.remove(handle);
  });
}
