// slots.h - stores objects of a solver under 32-bit ids, each composed of a slot and the slot's generation. A slot is
// never used again once it has run out of generations, so an id never refers to a second object.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace clothc {

template <class T>
class Slots {
 public:
  static constexpr uint32_t index_bits = 20;
  static constexpr uint32_t index_mask = (1u << index_bits) - 1;
  static constexpr uint32_t last_generation = (1u << (32 - index_bits)) - 1;

  explicit Slots(uint32_t capacity) : capacity_(capacity) {}

  uint32_t capacity() const { return capacity_; }
  uint32_t count() const { return count_; }
  uint32_t slot_count() const { return static_cast<uint32_t>(slots_.size()); }
  T* at(uint32_t slot) const { return slots_[slot].object.get(); }
  uint32_t generation(uint32_t slot) const { return slots_[slot].generation; }

  // Returns the object with this id, or null if it no longer exists or never did.
  T* find(uint32_t id) const {
    const uint32_t slot = slot_of(id);
    if (slot >= slots_.size() || slots_[slot].generation != id >> index_bits) return nullptr;
    return slots_[slot].object.get();
  }
  // Returns a free slot to put an object in, or 0xffffffff if there is none. May throw std::bad_alloc.
  uint32_t reserve() {
    for (size_t k = 0; k < slots_.size() && count_ < slots_.size(); ++k) {
      const size_t slot = (next_free_ + k) % slots_.size();
      if (slots_[slot].object == nullptr && slots_[slot].generation <= last_generation) {
        next_free_ = slot;
        return static_cast<uint32_t>(slot);
      }
    }
    if (slots_.size() >= capacity_) return 0xffffffffu;
    slots_.emplace_back();
    next_free_ = slots_.size() - 1;
    return static_cast<uint32_t>(next_free_);
  }
  uint32_t id_of(uint32_t slot) const { return slots_[slot].generation << index_bits | slot; }
  void put(uint32_t slot, std::unique_ptr<T> object) {
    slots_[slot].object = std::move(object);
    ++count_;
  }
  // Removes an object and ends the validity of its id.
  std::unique_ptr<T> take(uint32_t slot) {
    ++slots_[slot].generation;
    --count_;
    next_free_ = slot;
    return std::move(slots_[slot].object);
  }
  // Reverts put, for an object whose id has not been passed to any caller. The generation stays, so the id is used
  // again.
  std::unique_ptr<T> undo_put(uint32_t slot) {
    --count_;
    return std::move(slots_[slot].object);
  }
  // Makes one slot per generation recorded in a snapshot, before any object is put in.
  void set_generations(const std::vector<uint32_t>& generations) {
    slots_.resize(generations.size());
    for (size_t k = 0; k < generations.size(); ++k) slots_[k].generation = generations[k];
  }
  static uint32_t slot_of(uint32_t id) { return id & index_mask; }

 private:
  struct Slot {
    std::unique_ptr<T> object;
    uint32_t generation = 1;
  };
  uint32_t capacity_;
  uint32_t count_ = 0;
  size_t next_free_ = 0;
  std::vector<Slot> slots_;
};

}  // namespace clothc
