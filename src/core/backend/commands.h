// commands.h - the commands of a stream as data. Core collects them in a list and hands the whole list to a stream; to
// drop commands that must not run, it drops them from the list.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "core/backend/dispatch.h"
#include "core/backend/memory.h"
#include "core/backend/timeline.h"

namespace clothc {

// Writes size bytes of the list's own data, from first_byte on, to memory.
struct Write {
  MemoryPointer target;
  uint64_t offset = 0;
  uint64_t first_byte = 0;
  uint64_t size = 0;
};

// Copies count elements of element_size bytes each. The strides are the distances from one element to the next, in
// bytes.
struct Copy {
  MemoryPointer source;
  MemoryPointer target;
  uint64_t source_offset = 0;
  uint64_t target_offset = 0;
  uint64_t source_stride = 0;
  uint64_t target_stride = 0;
  uint64_t element_size = 0;
  uint64_t count = 1;
};

// Fills size bytes with copies of the 16-byte pattern. size is a multiple of 16.
struct Fill {
  MemoryPointer target;
  uint64_t offset = 0;
  uint64_t size = 0;
  std::array<uint32_t, 4> pattern{};
};

// Makes everything behind it wait until the timeline reaches value.
struct Wait {
  std::shared_ptr<Timeline> timeline;
  uint64_t value = 0;
};

// Raises the timeline to value once everything before it has ended.
struct Signal {
  std::shared_ptr<Timeline> timeline;
  uint64_t value = 0;
};

// Notes the time at which everything before it has ended. The mark of UpdateTimes::end completes the times.
struct Mark {
  std::shared_ptr<UpdateTimes> times;
  UpdateTimes::Point point = UpdateTimes::begin;
};

using Command = std::variant<Write, Copy, Fill, Dispatch, Wait, Signal, Mark>;

class CommandList {
 public:
  // Copies size bytes from data during the call, and appends a command that writes them to memory.
  void write(const MemoryPointer& memory, uint64_t offset, const void* data, uint64_t size);
  template <class AnyCommand>
  void add(AnyCommand command) {
    commands_.emplace_back(std::move(command));
  }

  const std::vector<Command>& commands() const { return commands_; }
  const uint8_t* data_of(const Write& write) const { return bytes_.data() + write.first_byte; }

  // Makes discard spare all commands so far.
  void keep() { kept_ = commands_.size(); }
  // Drops all commands since the last keep.
  void discard();
  // Drops all commands. Keeps the memory for the next ones, unless it is large and was mostly unused.
  void clear();

 private:
  std::vector<Command> commands_;
  std::vector<uint8_t> bytes_;
  // Number of commands that discard spares.
  size_t kept_ = 0;
};

}  // namespace clothc
