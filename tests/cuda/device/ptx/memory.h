// memory.h - the memory that kernels may access, with the checks of each access: bounds, alignment, and races.
//
// A race is a pair of accesses to a word, at least one of which writes, that nothing orders. Within a kernel, barriers
// of a block order the accesses of its threads. Between operations of a device (kernels, copies and fills), streams and
// events order them, which Operation tells.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace ptx {

// A wrong access or a wrong instruction of a kernel. The message names the kernel, the thread and the address.
class Fault : public std::runtime_error {
 public:
  enum class Kind : uint8_t { illegal_address, misaligned_address, illegal_instruction, race };
  Fault(Kind kind, const std::string& message) : std::runtime_error(message), kind(kind) {}
  const Kind kind;
};

struct ShadowWord;

// A range of bytes that kernels and copies may access.
struct Allocation {
  uint64_t begin = 0;
  uint64_t size = 0;
  bool is_writable = true;
  // What messages call it.
  std::string name;
  // One per word of the range; made when the first checked access needs it.
  std::unique_ptr<ShadowWord[]> shadow;
  std::mutex making_shadow;
};

// All allocations of a device. Any thread may call any function.
class AddressSpace {
 public:
  void add(uint64_t begin, uint64_t size, std::string name, bool is_writable = true);
  // Removes the allocation that begins there. Accesses to it fail from then on. Returns false if there is none.
  bool remove(uint64_t begin);
  // Returns the allocation that contains the address, or null.
  std::shared_ptr<Allocation> find(uint64_t address) const;
  // Changes whenever an allocation is removed, so that a thread may keep what find has returned until then.
  uint64_t generation() const { return generation_.load(std::memory_order_acquire); }
  // Returns a sentence about where the range lies: in, before or behind which allocation, and how far.
  std::string describe(uint64_t address, uint64_t size) const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<uint64_t, std::shared_ptr<Allocation>> allocations_;
  std::atomic<uint64_t> generation_{0};
};

// A kernel, copy or fill that a stream runs, for the detection of races between streams. A stream's operations have
// rising numbers. `seen` has, for each stream, the number of its last operation that is known to have ended before this
// one began: a vector clock.
// Source: Fidge 1988; Mattern 1989; Flanagan and Freund 2009, FastTrack.
struct Operation {
  uint32_t stream = 0;
  uint32_t number = 0;
  std::vector<uint32_t> seen;
  // What messages call it, such as the name of the kernel.
  std::string name;
};

// Checks the accesses of one operation.
class Checker {
 public:
  // finds_races: otherwise only bounds and alignments are checked, which is several times faster.
  Checker(const AddressSpace& space, const Operation& operation, bool finds_races);
  ~Checker();
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  // Checks a whole range that a copy or a fill reads or writes. Throws Fault.
  void access_range(uint64_t address, uint64_t size, bool writes);

  // Used by run; see accesses.h.
  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// What the races that Checkers have found are, since the last call of take_races: at most a few for each pair of
// operations. Races are not thrown as faults; the driver reports them when the process ends, or when a test asks.
std::vector<std::string> take_races();

}  // namespace ptx
