// counts.h - what launches have executed and accessed, instruction by instruction: what a GPU would have to issue and to
// move, without saying how fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ptx {

// A GPU moves data between its caches and memory in aligned ranges of so many bytes, which are called sectors.
constexpr uint32_t sector_size = 32;

struct InstructionCounts {
  // Where the instruction is in the text, and which it is, such as "add.rn.f32".
  uint32_t line = 0;
  std::string form;
  // How often a warp has executed it. Lanes that have parted execute it one group after the other.
  uint64_t warps = 0;
  // The lanes for which it had an effect, in all those executions together.
  uint64_t lanes = 0;
  // Accesses to global memory: the different sectors of each execution, summed.
  uint64_t sectors = 0;
  // Accesses to shared memory: how often each execution needs the banks, summed; 1 if no two lanes need different words
  // of one bank and all words together are at most 128 bytes.
  uint64_t bank_turns = 0;
};

// The different sectors that a launch accesses.
class Footprint {
 public:
  void read(uint64_t sector);
  void write(uint64_t sector);
  // Sectors whose first access was a read, and sectors that were written.
  uint64_t read_sectors = 0, written_sectors = 0;

 private:
  static constexpr uint64_t page_sectors = 4096;
  struct Page {
    uint64_t accessed[page_sectors / 64] = {}, written[page_sectors / 64] = {};
  };
  Page& page_of(uint64_t sector);

  std::unordered_map<uint64_t, Page> pages_;
  uint64_t last_number_ = UINT64_MAX;
  Page* last_ = nullptr;
};

// The sum over launches of a kernel.
struct Counts {
  uint64_t launches = 0;
  uint64_t blocks = 0;
  uint64_t threads = 0;
  // Of the footprint of each launch: what memory has to read and write if nothing is cached from launch to launch.
  uint64_t read_sectors = 0, written_sectors = 0;
  // One per instruction of the kernel.
  std::vector<InstructionCounts> instructions;

  // Adds the counts of other launches of the same kernel. Changes nothing and returns false if the instructions are
  // others.
  bool add(const Counts& other);
};

}  // namespace ptx
