// slots.h - stores objects of a solver under 32-bit ids, each composed of a slot and the slot's generation. A slot is
// never used again once it has run out of generations, so an id never refers to a second object.
#pragma once

#include <algorithm>
#include <cstddef>
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
  // Returns the first free slot, for an object to be put in, or 0xffffffff if there is none. It depends only on what a
  // snapshot has, so a restored solver gives the ids that the original gives. May throw std::bad_alloc, and changes
  // nothing that can be seen: the slots grow in number when the object is put.
  uint32_t reserve() {
    while (first_free_ < slots_.size() && !is_free(slots_[first_free_])) ++first_free_;
    if (first_free_ < slots_.size()) return static_cast<uint32_t>(first_free_);
    if (slots_.size() >= capacity_) return 0xffffffffu;
    if (slots_.size() == slots_.capacity()) slots_.reserve(2 * slots_.size() + 8);
    return static_cast<uint32_t>(slots_.size());
  }
  uint32_t id_of(uint32_t slot) const {
    return (slot < slots_.size() ? slots_[slot].generation : first_generation) << index_bits | slot;
  }
  // slot: as returned by reserve just before, or one that set_generations has made.
  void put(uint32_t slot, std::unique_ptr<T> object) {
    if (slot == slots_.size()) slots_.emplace_back();
    slots_[slot].object = std::move(object);
    ++count_;
  }
  // Removes an object and ends the validity of its id.
  std::unique_ptr<T> take(uint32_t slot) {
    ++slots_[slot].generation;
    return leave(slot);
  }
  // Reverts put, for an object whose id has not been passed to any caller. The generation stays, so the id is used
  // again.
  std::unique_ptr<T> undo_put(uint32_t slot) {
    std::unique_ptr<T> object = leave(slot);
    // No object but this one has been in a last slot of the first generation.
    if (slot + 1 == slots_.size() && slots_[slot].generation == first_generation) slots_.pop_back();
    return object;
  }
  // Makes one slot per generation recorded in a snapshot, before any object is put in.
  void set_generations(const std::vector<uint32_t>& generations) {
    slots_.resize(generations.size());
    for (size_t k = 0; k < generations.size(); ++k) slots_[k].generation = generations[k];
  }
  static uint32_t slot_of(uint32_t id) { return id & index_mask; }

 private:
  static constexpr uint32_t first_generation = 1;

  struct Slot {
    std::unique_ptr<T> object;
    uint32_t generation = first_generation;
  };

  static bool is_free(const Slot& slot) { return slot.object == nullptr && slot.generation <= last_generation; }
  std::unique_ptr<T> leave(uint32_t slot) {
    --count_;
    first_free_ = std::min<size_t>(first_free_, slot);
    return std::move(slots_[slot].object);
  }

  uint32_t capacity_;
  uint32_t count_ = 0;
  // No slot before this one is free.
  size_t first_free_ = 0;
  std::vector<Slot> slots_;
};

}  // namespace clothc
