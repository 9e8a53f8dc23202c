// races.cpp - the rules of what orders two accesses, and the reports of races.
#include "cuda/device/ptx/races.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>

namespace ptx {
namespace {

constexpr uint32_t operation_limit = 1u << AccessRecord::operation.width;

struct KnownOperation {
  uint32_t stream = 0, number = 0;
  std::string name;
};

// The operations that shadow words may name, and the races that have been found.
struct Registry {
  std::mutex mutex;
  std::vector<KnownOperation> operations{1};
  uint32_t next = 1;
  std::set<std::string> keys;
  std::vector<std::string> races;
};

// Never destroyed, because threads of streams may still run while the process ends.
Registry& registry() {
  static Registry* const instance = new Registry;
  return *instance;
}

// Numbers are used again after two million operations.
uint32_t add_to_registry(const Operation& operation) {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const uint32_t identity = all.next;
  all.next = all.next + 1 == operation_limit ? 1 : all.next + 1;
  if (identity == all.operations.size()) all.operations.emplace_back();
  all.operations[identity] = {operation.stream, operation.number, operation.name};
  return identity;
}

KnownOperation known(uint32_t identity) {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  return all.operations[identity];
}

std::string who(AccessRecord record, const std::string& operation) {
  std::string text = operation + " (thread " + std::to_string(record.get(AccessRecord::thread)) + " of block " +
                     std::to_string(record.get(AccessRecord::block));
  if (record.has(AccessRecord::by_blocks)) {
    text += " and other blocks";
  } else if (record.has(AccessRecord::by_threads)) {
    text += " and other threads";
  }
  return text + ")";
}

const char* what(AccessRecord record, bool writes) {
  return record.has(AccessRecord::is_atomic) ? "changes it atomically" : writes ? "writes it" : "reads it";
}

// Whether two records differ in the block or in the barriers that it has passed.
bool are_phases_different(AccessRecord a, AccessRecord b) {
  return AccessRecord::differ(a, b,
                              AccessRecord::operation.mask() | AccessRecord::block.mask() | AccessRecord::epoch.mask());
}

// Adds to the record of an access what has to be remembered of the one it replaces.
void merge(AccessRecord earlier, AccessRecord& now) {
  if (AccessRecord::differ(earlier, now, AccessRecord::operation.mask() | AccessRecord::is_atomic.mask())) return;
  if (earlier.has(AccessRecord::by_blocks) || AccessRecord::differ(earlier, now, AccessRecord::block.mask())) {
    now.add(AccessRecord::by_blocks, 1);
  }
  if (are_phases_different(earlier, now)) return;
  if (earlier.has(AccessRecord::by_threads) || AccessRecord::differ(earlier, now, AccessRecord::thread.mask())) {
    now.add(AccessRecord::by_threads, 1);
  }
}

}  // namespace

void* ShadowWord::operator new[](size_t size) {
  void* const memory = std::calloc(1, size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void ShadowWord::operator delete[](void* memory) { std::free(memory); }

RaceFinder::RaceFinder(const Operation& operation) : operation_(operation) {}

uint32_t RaceFinder::add_identities(uint32_t part) {
  while (identities_.size() <= part) identities_.push_back(add_to_registry(operation_));
  return identities_[part];
}

// Returns whether an earlier operation has ended before this one began.
bool RaceFinder::follows(uint32_t earlier) {
  Verdict& verdict = verdicts_[earlier % verdicts_.size()];
  if (verdict.operation == earlier) return verdict.follows;
  const KnownOperation other = known(earlier);
  const uint32_t seen = other.stream < operation_.seen.size() ? operation_.seen[other.stream] : 0;
  verdict = {earlier, other.stream == operation_.stream || seen >= other.number};
  return verdict.follows;
}

// Returns whether nothing orders the accesses. Barriers order those of the threads of a block.
bool RaceFinder::conflicts(AccessRecord earlier, AccessRecord now) {
  const uint32_t other = earlier.get(AccessRecord::operation);
  if (other == 0) return false;
  if ((earlier.bits() & now.bits() & AccessRecord::bytes.mask()) == 0) return false;
  if ((earlier.bits() & now.bits() & AccessRecord::is_atomic.mask()) != 0) return false;
  if (other != now.get(AccessRecord::operation)) {
    const bool is_own = std::find(identities_.begin(), identities_.end(), other) != identities_.end();
    if (!is_own) return !follows(other);
  }
  if (earlier.has(AccessRecord::by_blocks) || AccessRecord::differ(earlier, now, AccessRecord::block.mask())) {
    return true;
  }
  if (are_phases_different(earlier, now)) return false;
  return earlier.has(AccessRecord::by_threads) || AccessRecord::differ(earlier, now, AccessRecord::thread.mask());
}

void RaceFinder::access(ShadowWord& shadow, AccessKind kind, uint32_t bytes, const Accessor& accessor,
                        const std::string& memory, uint64_t word) {
  const bool writes = kind != AccessKind::read, is_atomic = kind == AccessKind::atomic;
  AccessRecord now;
  now.add(AccessRecord::operation, identity_of(accessor.epoch));
  now.add(AccessRecord::block, accessor.block);
  now.add(AccessRecord::epoch, accessor.epoch);
  now.add(AccessRecord::thread, accessor.thread);
  now.add(AccessRecord::bytes, bytes);
  now.add(AccessRecord::is_atomic, is_atomic);

  const AccessRecord last_write(shadow.last_write.load(std::memory_order_relaxed));
  if (conflicts(last_write, now)) report(last_write, true, now, writes, memory, word);
  const AccessRecord last_read(shadow.last_read.load(std::memory_order_relaxed));
  if (writes && conflicts(last_read, now)) report(last_read, false, now, writes, memory, word);

  if (!writes || is_atomic) merge(writes ? last_write : last_read, now);
  (writes ? shadow.last_write : shadow.last_read).store(now.bits(), std::memory_order_relaxed);
}

void RaceFinder::report(AccessRecord earlier, bool earlier_writes, AccessRecord now, bool now_writes,
                        const std::string& memory, uint64_t word) {
  const uint32_t kinds = earlier_writes * 2u + now_writes;
  const std::string earlier_name = known(earlier.get(AccessRecord::operation)).name;
  if (!reported_.emplace(memory + '\n' + earlier_name, kinds).second) return;
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const std::string key = std::to_string(kinds) + '\n' + earlier_name + '\n' + operation_.name + '\n' + memory;
  if (!all.keys.insert(key).second) return;
  all.races.push_back("race at word " + std::to_string(word) + " (byte " + std::to_string(word * 4) + ") of " + memory +
                      ": " + who(earlier, earlier_name) + " " + what(earlier, earlier_writes) + ", " +
                      who(now, operation_.name) + " " + what(now, now_writes) + ", and nothing orders the two");
}

std::vector<std::string> take_races() {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  std::vector<std::string> races;
  races.swap(all.races);
  all.keys.clear();
  return races;
}

}  // namespace ptx
