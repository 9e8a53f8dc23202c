// observed_backend.h - a backend that hands all of its work to another one, list by list, and waits for it. It passes
// dispatches to an observer, which runs them there as it likes.
#pragma once

#include <functional>

#include "core/backend/backend.h"

namespace clothc {

// Runs a dispatch on the stream, and waits for it. Everything before it has ended.
using DispatchObserver = std::function<void(const Dispatch&, Stream&)>;

// Hands a list to a stream, and waits until it has ended.
void run_and_wait(Stream& stream, CommandList& list);
void run_and_wait(Stream& stream, const Dispatch& dispatch);

class ObservedBackend final : public Backend {
 public:
  // below: outlives the backend. limits: what core is to see in place of those of the backend below.
  ObservedBackend(Backend& below, const DeviceLimits& limits, DispatchObserver observe)
      : Backend(below.info(), limits), below_(below), observe_(std::move(observe)) {}
  MemoryPointer allocate(uint64_t size, MemoryVisibility visibility) override {
    return below_.allocate(size, visibility);
  }
  MemoryPointer wrap(void* memory, uint64_t size) override { return below_.wrap(memory, size); }
  uint64_t allocation_count() const override { return below_.allocation_count(); }
  std::shared_ptr<Stream> create_stream() override;

 private:
  Backend& below_;
  DispatchObserver observe_;
};

}  // namespace clothc
