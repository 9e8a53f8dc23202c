// stream.h - the interface to a queue of a device, which runs lists of commands one after the other.
#pragma once

#include "core/backend/commands.h"
#include "core/backend/pending_waits.h"

namespace clothc {

// Message of devices that lack the capability.
constexpr char no_graphs[] = "the solver's device is not one of CUDA, so its updates cannot be part of a CUDA graph";

constexpr char no_command_buffers[] =
    "the solver's device does not record into command buffers of the program; only one that "
    "clothc_vulkan_device_create "
    "makes without a queue does";

// A semaphore of the backend's own API, and the value to which the application must raise it.
struct NativeSignal {
  uint64_t semaphore = 0;
  uint64_t value = 0;
};

// Counts since a stream was created.
struct StreamCounters {
  // Number of submissions to a GPU's queue.
  uint64_t submissions = 0;

  // Number of kernels started on a GPU.
  uint64_t dispatches = 0;

  // Number of bytes that the stream uploaded in addition to those of Write commands, namely schedules.
  uint64_t uploaded_bytes = 0;
};

// Runs lists of commands asynchronously, in the order in which they are submitted. Only one thread at a time may
// submit, but the other functions may be called by any thread at any time. Once the device is lost, submit, wait and
// check throw Failure with DEVICE_LOST.
class Stream {
 public:
  // Closes the stream, and finishes everything that was submitted.
  virtual ~Stream() = default;
  // Stops waiting for timelines, now and later, so that submitted lists end soon.
  virtual void close() = 0;
  // Takes the commands of the list, which is empty afterwards, and lets them run. Returns the value of the stream's
  // timeline that will be reached when they have ended: 1 more than that of the list before. If it throws, none of the
  // commands runs and the list is as it was.
  virtual uint64_t submit(CommandList& list) = 0;
  // Adds the commands of the list, which is empty afterwards, to a graph of the application, which may run them any
  // number of times: fills, and copies and dispatches without times. native_stream: the stream of the backend's own API
  // that the application is capturing. If it throws, the list is as it was.
  virtual void capture(CommandList&, void*) { fail(CLOTHC_ERROR_UNSUPPORTED, no_graphs); }
  // Of a device that only records: adds all lists that were submitted since the last call to a command buffer of the
  // application, given in the type of the backend's own API. Returns what the application must signal when they have
  // ended. Throws Failure.
  virtual NativeSignal record_into(void*) { fail(CLOTHC_ERROR_UNSUPPORTED, no_command_buffers); }
  // Throws Failure if the thread that submits a list cannot wait for it, since the application must first execute it.
  virtual void require_waits() const {}
  // Returns the value of the last list that has ended.
  virtual uint64_t completed() const = 0;
  // Throws Failure if the device is lost. Values that have not been reached by then never will be.
  virtual void check() const = 0;
  // Called by a thread that is about to wait, up to timeout_ns, for what the lists up to value bring about, even if they
  // have ended. Executes those that no other thread has begun, unless that may take longer. Does nothing if a device
  // executes them.
  virtual void help(uint64_t, uint64_t) {}
  // Waits until the value of a list has been reached. Returns false if the time-out passes first.
  virtual bool wait(uint64_t value, uint64_t timeout_ns) = 0;
  virtual StreamCounters counters() const = 0;
  // Returns whether lists that wait for no timeline end although every thread of the program is held up, but for one that
  // waits for the stream.
  virtual bool runs_by_itself() const { return true; }

  // The timelines that the lists wait for, as far as whoever submits them has noted them here.
  PendingWaits& pending_waits() { return pending_waits_; }
  // Returns whether the lists up to value are certain to end although every thread of the program is held up, but for one
  // that waits for the stream. Once it returns true for a value, it always does.
  bool ends_by_itself(uint64_t value) const {
    return completed() >= value || (runs_by_itself() && pending_waits_.are_over(value));
  }

 private:
  PendingWaits pending_waits_;
};

}  // namespace clothc
