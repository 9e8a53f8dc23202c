// commands.cpp - collects commands, and the bytes that their writes write.
#include "core/backend/commands.h"

namespace clothc {
namespace {

// Clears an array, and releases its memory if it is large, and much larger than what the array held last. Small arrays
// keep theirs, and so do those that are filled anew in every update.
template <class Array>
void clear_and_shrink(Array& array) {
  constexpr size_t small_size = 8192;
  const size_t held = array.size();
  array.clear();
  // Assigning {} would keep the memory.
  if (array.capacity() * sizeof(array[0]) > small_size && array.capacity() / 4 > held) array = Array();
}

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
  clear_and_shrink(commands_);
  clear_and_shrink(bytes_);
  kept_ = 0;
}

}  // namespace clothc
