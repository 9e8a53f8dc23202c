// memory.cpp - the allocations of a device, and the checks of accesses to them.
#include "cuda/device/ptx/memory.h"

#include <algorithm>
#include <cstdio>

#include "cuda/device/ptx/accesses.h"

namespace ptx {
namespace {

std::string hexadecimal(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string quoted(const Allocation& allocation) {
  return "'" + allocation.name + "' (" + std::to_string(allocation.size) + " bytes at " +
         hexadecimal(allocation.begin) + ")";
}

// Returns the shadow words of an allocation, which are made if there are none yet.
ShadowWord* shadow_of(Allocation& allocation) {
  const std::lock_guard<std::mutex> lock(allocation.making_shadow);
  if (allocation.shadow == nullptr) {
    // The words are counted from the multiple of 4 at or before the begin.
    const uint64_t words = ((allocation.begin & 3) + allocation.size + 3) / 4;
    allocation.shadow.reset(new ShadowWord[words]);
  }
  return allocation.shadow.get();
}

}  // namespace

void AddressSpace::add(uint64_t begin, uint64_t size, std::string name, bool is_writable) {
  auto allocation = std::make_shared<Allocation>();
  allocation->begin = begin;
  allocation->size = size;
  allocation->is_writable = is_writable;
  allocation->name = std::move(name);
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  allocations_[begin] = std::move(allocation);
}

bool AddressSpace::remove(uint64_t begin) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  generation_.fetch_add(1, std::memory_order_release);
  return allocations_.erase(begin) != 0;
}

std::shared_ptr<Allocation> AddressSpace::find(uint64_t address) const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const std::shared_ptr<Allocation>& candidate = std::prev(after)->second;
  return address - candidate->begin < candidate->size ? candidate : nullptr;
}

std::string AddressSpace::describe(uint64_t address, uint64_t size) const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  const auto after = allocations_.upper_bound(address);
  const Allocation* const next = after == allocations_.end() ? nullptr : after->second.get();
  const Allocation* const previous = after == allocations_.begin() ? nullptr : std::prev(after)->second.get();
  if (previous == nullptr && next == nullptr) return "there are no allocations";
  const uint64_t end = previous == nullptr ? 0 : previous->begin + previous->size;
  if (previous != nullptr && address < end) {
    if (size <= end - address) return "inside of " + quoted(*previous);
    return "the last " + std::to_string(address + size - end) + " bytes are behind the end of " + quoted(*previous);
  }
  if (previous == nullptr || (next != nullptr && next->begin - address < address - end)) {
    return std::to_string(next->begin - address) + " bytes before the begin of " + quoted(*next);
  }
  return std::to_string(address - end) + " bytes behind the end of " + quoted(*previous);
}

Checker::State::State(const AddressSpace& address_space, const Operation& checked_operation, bool finds_races)
    : space(address_space), operation(checked_operation), generation(address_space.generation()) {
  if (finds_races) races.emplace(operation);
}

void Checker::State::forget() {
  generation = space.generation();
  ranges.fill({});
}

const KnownRange* Checker::State::find(uint64_t address, uint64_t size, uint8_t hint) {
  const auto contains = [&](const KnownRange& range) {
    return address - range.begin < range.size && size <= range.size - (address - range.begin);
  };
  if (const KnownRange& range = likely(hint); contains(range)) return &range;
  auto known = std::find_if(ranges.begin(), ranges.end(), contains);
  if (known == ranges.end()) {
    std::shared_ptr<Allocation> allocation = space.find(address);
    if (allocation == nullptr) return nullptr;
    known = ranges.begin() + next_range;
    next_range = static_cast<uint8_t>((next_range + 1u) % ranges.size());
    *known = {allocation->begin, allocation->size, allocation->is_writable, allocation,
              races ? shadow_of(*allocation) : nullptr};
  }
  likely_ranges[hint] = static_cast<uint8_t>(known - ranges.begin());
  return contains(*known) ? &*known : nullptr;
}

void Checker::State::mark(const KnownRange& range, uint64_t address, uint64_t size, AccessKind kind,
                          const Accessor& accessor) {
  const uint64_t first = range.begin & ~uint64_t{3};
  if (size == 4 && (address & 3) == 0) {
    const uint64_t word = (address - first) / 4;
    return races->access(range.shadow[word], kind, 15, accessor, range.allocation->name, word);
  }
  for (uint64_t at = address & ~uint64_t{3}; at < address + size; at += 4) {
    const uint64_t from = std::max(at, address), to = std::min(at + 4, address + size);
    const uint32_t bytes = ((1u << (to - from)) - 1) << (from - at);
    const uint64_t word = (at - first) / 4;
    races->access(range.shadow[word], kind, bytes, accessor, range.allocation->name, word);
  }
}

Checker::Checker(const AddressSpace& space, const Operation& operation, bool finds_races)
    : state_(std::make_unique<State>(space, operation, finds_races)) {}

Checker::~Checker() = default;

void Checker::access_range(uint64_t address, uint64_t size, bool writes) {
  if (size == 0) return;
  State& state = *state_;
  const std::string where = state.operation.name + (writes ? " writes " : " reads ") + std::to_string(size) +
                            " bytes at " + hexadecimal(address) + ": ";
  const KnownRange* const range = state.find(address, size, 0);
  if (range == nullptr) throw Fault(Fault::Kind::illegal_address, where + state.space.describe(address, size));
  if (writes && !range->is_writable) {
    throw Fault(Fault::Kind::illegal_address, where + "'" + range->allocation->name + "' may only be read");
  }
  if (state.races) state.mark(*range, address, size, writes ? AccessKind::write : AccessKind::read, {});
}

}  // namespace ptx
