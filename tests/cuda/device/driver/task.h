// task.h - what an operation does, whether a stream or a node of a graph runs it. Tasks do not change, so that a graph
// can be launched again while an earlier launch of it runs.
#pragma once

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>

#include "cuda/device/driver/clocks.h"
#include "cuda/device/driver/rules.h"

namespace clothc::cuda_device {

struct Context;

// Ends a call or an operation with an error.
class Failure : public std::runtime_error {
 public:
  explicit Failure(CUresult result, const std::string& message = "") : std::runtime_error(message), result(result) {}
  const CUresult result;
};

// The circumstances under which a task runs. The state's lock is not held.
struct Turn {
  Context& context;
  const Manner& manner;
  // Of a permuted order. It depends on the operations since the rules were given alone.
  uint32_t seed;
  // Names the operation for the interpreter's detection of races.
  ptx::Operation operation;
  // What is known to have ended when the task has ended; a task adds what it has learnt itself.
  Clock& known;
};

// Where a copy goes, if it leaves the memory of the host or of a device.
enum class Transfer : uint8_t { none, to_host, from_host };

class Task {
 public:
  explicit Task(std::string name) : name(std::move(name)) {}
  virtual ~Task() = default;
  // Throws Failure or ptx::Fault, which end the context.
  virtual void run(const Turn& turn) const = 0;
  // Whether the device itself does it. If not, it depends on something outside: a host function or a semaphore.
  virtual bool is_device_work() const { return true; }
  virtual bool is_kernel() const { return false; }
  virtual Transfer transfer() const { return Transfer::none; }
  // Whether all that it uses still exists. Called with the state's lock held.
  virtual bool is_usable() const { return true; }
  // Whether something outside may wait for it that the device does not know.
  virtual bool is_awaited_outside() const { return false; }
  // Whether it waits for something outside.
  virtual bool waits_outside() const { return false; }

  // What messages call it.
  const std::string name;
};
using TaskPointer = std::shared_ptr<const Task>;

}  // namespace clothc::cuda_device
