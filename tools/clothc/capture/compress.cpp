// compress.cpp - reads blocks one after the other, and writes the events of several as one compressed block.
#include "capture/compress.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "capture/format.h"
#include "cli/errors.h"
#include "cli/file_output.h"

namespace clothc_tool {
namespace {

// The events that are compressed together: more of them hardly become smaller.
constexpr size_t COMPRESSED_TOGETHER = 1 << 20;
constexpr int LEVEL = 6;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// Reads up to `size` bytes behind those that `bytes` has. Returns how many it read.
size_t read_more(std::FILE* file, size_t size, std::vector<uint8_t>& bytes) {
  // No block is larger than its file, whatever its header says.
  constexpr size_t step = 1 << 20;
  size_t total = 0;
  while (total < size) {
    const size_t wanted = std::min(step, size - total);
    const size_t begin = bytes.size();
    bytes.resize(begin + wanted);
    const size_t count = std::fread(bytes.data() + begin, 1, wanted, file);
    bytes.resize(begin + count);
    total += count;
    if (count < wanted) break;
  }
  return total;
}

void write_block(FileOutput& output, BlockKind kind, const uint8_t* stored, size_t size, size_t raw_size) {
  const BlockHeader header = {kind, static_cast<uint32_t>(size), static_cast<uint32_t>(raw_size),
                              static_cast<uint32_t>(crc32_z(0, stored, size))};
  output.write(&header, sizeof header);
  output.write(stored, size);
}

void write_events(FileOutput& output, std::vector<uint8_t>& events) {
  if (events.empty()) return;
  uLongf size = compressBound(events.size());
  std::vector<uint8_t> compressed(size);
  const int result = compress2(compressed.data(), &size, events.data(), events.size(), LEVEL);
  if (result == Z_OK && size < events.size()) {
    write_block(output, BlockKind::deflated, compressed.data(), size, events.size());
  } else {
    write_block(output, BlockKind::raw, events.data(), events.size(), events.size());
  }
  events.clear();
}

// Reads a block that is not compressed, and adds its events. Otherwise returns false, with what was read in `rest`.
bool read_raw_block(std::FILE* file, std::vector<uint8_t>& events, std::vector<uint8_t>& rest) {
  rest.clear();
  BlockHeader header;
  if (read_more(file, sizeof header, rest) < sizeof header) return false;
  std::memcpy(&header, rest.data(), sizeof header);
  if (header.kind != BlockKind::raw || read_more(file, header.stored_size, rest) < header.stored_size) return false;
  const uint8_t* const stored = rest.data() + sizeof header;
  if (crc32_z(0, stored, header.stored_size) != header.checksum) return false;
  events.insert(events.end(), stored, stored + header.stored_size);
  return true;
}

}  // namespace

void compress_capture(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) throw InputError("cannot read '" + path + "': " + std::strerror(errno));
  std::vector<uint8_t> bytes;
  CaptureHeader header;
  const bool has_header = read_more(file.get(), sizeof header, bytes) == sizeof header;
  if (!has_header) return;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (read_more(file.get(), header.names_size, bytes) < header.names_size) return;
  FileOutput output(path);
  output.write(bytes.data(), bytes.size());
  std::vector<uint8_t> events;
  while (read_raw_block(file.get(), events, bytes)) {
    if (events.size() >= COMPRESSED_TOGETHER) write_events(output, events);
  }
  write_events(output, events);
  do {
    output.write(bytes.data(), bytes.size());
    bytes.clear();
  } while (read_more(file.get(), COMPRESSED_TOGETHER, bytes) > 0);
  output.commit();
}

}  // namespace clothc_tool
