// stream.h - streams and the operations in them. An operation begins when all its predecessors have ended, of which the
// one before it in its stream is one. The state's lock guards all members that change.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <vector>

#include "cuda/device/driver/clocks.h"
#include "cuda/device/driver/task.h"

namespace clothc::cuda_device {

struct Capture;
struct Plan;
struct Stream;

struct Operation {
  // What it does; a record of an event or a wait for one has neither.
  TaskPointer task;
  std::shared_ptr<const Plan> plan;
  Manner manner;

  // Until it has ended.
  Stream* stream = nullptr;
  std::vector<std::shared_ptr<Operation>> predecessors;
  // Streams with operations that this one precedes.
  std::vector<std::weak_ptr<Stream>> followers;

  // Before it runs: what its submission knew. When it has ended: what is then known to have ended.
  Clock known;
  // The stream's lane, and the number in it.
  uint32_t lane = 0;
  uint32_t number = 0;
  // Number of the first task in it since the rules of that version were given, counted from 1.
  uint64_t first_task = 0;
  uint64_t rules_version = 0;

  // Whether one of its tasks may access memory now. One that hangs does not.
  bool is_running = false;
  bool has_ended = false;
  // Whether something waits for it.
  bool is_wanted = false;
  std::chrono::steady_clock::time_point submitted, ended;
};
using OperationPointer = std::shared_ptr<Operation>;

struct Stream : std::enable_shared_from_this<Stream> {
  Stream(std::shared_ptr<Context> context, bool is_blocking, const Clock& known)
      : context(std::move(context)), is_blocking(is_blocking), lane(known) {}

  const std::shared_ptr<Context> context;
  // Whether it synchronises with the legacy default stream.
  const bool is_blocking;
  const Lane lane;
  std::deque<OperationPointer> queue;
  // The last operation, also when it has ended, or null.
  OperationPointer last;
  bool has_thread = false;
  // Whether its handle was destroyed. Its thread ends when the queue is empty.
  bool is_closing = false;
  std::condition_variable changed;

  // If it is capturing: the capture, and the nodes that its next node depends on.
  std::shared_ptr<Capture> capture;
  std::vector<size_t> captured;
};
using StreamPointer = std::shared_ptr<Stream>;

}  // namespace clothc::cuda_device
