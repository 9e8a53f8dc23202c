// commands.cpp - collects commands, and the bytes that their writes write.
#include "core/backend/commands.h"

namespace clothc {
namespace {

constexpr size_t largest_kept_bytes = size_t{1} << 13;
constexpr size_t largest_kept_commands = 256;

}  // namespace

void CommandList::write(const MemoryPointer& memory, uint64_t offset, const void* data, uint64_t size) {
  if (size == 0) return;
  const auto* bytes = static_cast<const uint8_t*>(data);
  const uint64_t first_byte = bytes_.size();
  bytes_.insert(bytes_.end(), bytes, bytes + size);
  try {
    commands_.emplace_back(Write{memory, offset, first_byte, size});
  } catch (...) {
    bytes_.resize(first_byte);
    throw;
  }
}

void CommandList::discard() {
  for (size_t k = kept_; k < commands_.size(); ++k) {
    const Write* write = std::get_if<Write>(&commands_[k]);
    if (write == nullptr) continue;
    bytes_.resize(write->first_byte);
    break;
  }
  commands_.erase(commands_.begin() + static_cast<std::ptrdiff_t>(kept_), commands_.end());
}

void CommandList::clear() {
  commands_.clear();
  bytes_.clear();
  kept_ = 0;
  // Assigning {} would keep the memory.
  if (commands_.capacity() > largest_kept_commands) commands_ = std::vector<Command>();
  if (bytes_.capacity() > largest_kept_bytes) bytes_ = std::vector<uint8_t>();
}

}  // namespace clothc
