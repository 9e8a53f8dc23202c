// format.h - the layout of capture files, which the recorder writes and the player reads. All numbers are little-endian.
//
// A file is a header, the names of the functions that events refer to, and blocks. A block holds whole events, as they
// are or compressed. While a program runs, each call is written as a block of its own, so that a crash leaves all calls
// before it. When the program has ended, the tool replaces these blocks by compressed ones.
#pragma once

#include <cstdint>

namespace clothc_tool {

inline constexpr char CAPTURE_MAGIC[8] = {'c', 'l', 'o', 't', 'h', 'c', 'a', 'p'};
inline constexpr uint32_t CAPTURE_FORMAT = 1;

struct CaptureHeader {
  char magic[8];
  uint32_t format;
  // Bytes of a pointer of the recorded program, which decides how structs are laid out.
  uint32_t pointer_size;
  // clothc_version() of the recorded program.
  uint32_t library_version;
  // Bytes of the names behind the header. Each ends with a zero byte.
  uint32_t names_size;
  // CRC-32 of this header, with 0 here, and of the names.
  uint32_t checksum;
  uint32_t reserved;
};
static_assert(sizeof(CaptureHeader) == 32);

enum class BlockKind : uint32_t { raw = 0x626c6b30, deflated = 0x626c6b31 };

struct BlockHeader {
  BlockKind kind;
  // Bytes of the block in the file, without this header.
  uint32_t stored_size;
  // Bytes of its events.
  uint32_t raw_size;
  // CRC-32 of the stored bytes.
  uint32_t checksum;
};
static_assert(sizeof(BlockHeader) == 16);

enum class EventKind : uint16_t {
  // A call with its arguments, as capture/generated/calls.h lists them; the message of a call that failed follows.
  call = 1,
  // What the program wrote to a buffer: a ContentsHeader and its runs.
  contents = 2,
  // The state hash after an update: a HashEvent.
  hash = 3,
  // A call that changes nothing has failed: its message.
  failure = 4,
  // A call after which the program may change what no call shows. It has no data.
  note = 5,
  // The result of a call that was written before it was made: its number (64 bits), and its message.
  result = 6,
  // The program has ended. It has no data.
  end = 7
};

struct EventHeader {
  // Bytes of the event with this header.
  uint32_t size;
  EventKind kind;
  // Index among the names of the file; 0 where there is none.
  uint16_t function;
  int32_t result;
  // Threads are numbered from 1, in the order of their first calls.
  uint32_t thread;
};
static_assert(sizeof(EventHeader) == 16);

// The result of a call that was written before it was made, because another thread may act on its effect at once.
// Unless an event of the kind `result` follows, it is CLOTHC_SUCCESS.
inline constexpr int32_t RESULT_NOT_YET_KNOWN = INT32_MAX;

// What the runs of contents are relative to.
enum class ContentsKind : uint32_t {
  // Relative to what the mapped memory held when it was mapped.
  mapped = 1,
  // Relative to the last contents of this kind and buffer, at first zeros; all of the mapped memory is known.
  discarded = 2,
  // As discarded, of memory of the program that a call is about to read.
  wrapped = 3
};

// A run is an offset and a size, 64 bits each, and the bytes. Runs are in ascending order and do not overlap.
struct ContentsHeader {
  uint64_t buffer;
  // Bytes of the buffer.
  uint64_t size;
  ContentsKind kind;
  uint32_t run_count;
};
static_assert(sizeof(ContentsHeader) == 24);

struct HashEvent {
  uint64_t solver;
  uint64_t hash;
  // Number of updates of this solver so far.
  uint64_t update;
  uint32_t cloth_count;
  uint32_t reserved;
};
static_assert(sizeof(HashEvent) == 32);

// How a pointer is encoded: one byte, and what follows.
enum class PointerKind : uint8_t {
  null = 0,
  // Arrays: their size in bytes, 64 bits, and the bytes. Structs: their size, 32 bits, and the bytes, with zeros in place
  // of pointers; then what these pointers refer to.
  present = 1,
  // A call that failed had a pointer to memory that the program cannot read, or to more than LARGEST_FAILED_ARRAY.
  unreadable = 2
};
inline constexpr uint64_t LARGEST_FAILED_ARRAY = uint64_t{64} << 20;

// The environment variables that tell the recorder what to do. `clothc record` sets them.
inline constexpr char CAPTURE_FILE_VARIABLE[] = "CLOTHC_RECORD_FILE";
inline constexpr char HASH_EVERY_VARIABLE[] = "CLOTHC_RECORD_HASH_EVERY";
inline constexpr uint32_t DEFAULT_HASH_EVERY = 10;

}  // namespace clothc_tool
