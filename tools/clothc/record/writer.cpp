// writer.cpp - appends blocks, and compresses them in groups. After a fork, only the parent goes on.
#include "record/writer.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "capture/generated/calls.h"

namespace clothc_tool {
namespace {

// Events are compressed together when they make up so many bytes: enough for zlib to find what repeats, and few enough
// that no call takes long because of it.
constexpr size_t COMPRESSED_TOGETHER = 256 << 10;
constexpr size_t LARGEST_BLOCK = size_t{1} << 30;

uint32_t checksum_of(const void* data, size_t size) {
  return static_cast<uint32_t>(crc32_z(0, static_cast<const Bytef*>(data), size));
}

std::string function_names() {
  std::string names;
  for (const char* name : FUNCTION_NAMES) names.append(name, std::strlen(name) + 1);
  return names;
}

}  // namespace

CaptureWriter::CaptureWriter(const std::string& path, uint32_t library_version) : path_(path), process_(getpid()) {
  file_ = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (file_ < 0 && errno == EEXIST) {
    std::fprintf(stderr, "clothc record: process %d is not recorded, because '%s' is the capture of another process\n",
                 static_cast<int>(process_), path.c_str());
  } else if (file_ < 0) {
    std::fprintf(stderr, "clothc record: cannot create '%s': %s\n", path.c_str(), std::strerror(errno));
  }
  if (file_ < 0) return;
  const std::string names = function_names();
  CaptureHeader header = {};
  std::memcpy(header.magic, CAPTURE_MAGIC, sizeof header.magic);
  header.format = CAPTURE_FORMAT;
  header.pointer_size = sizeof(void*);
  header.library_version = library_version;
  header.names_size = static_cast<uint32_t>(names.size());
  std::string text(reinterpret_cast<const char*>(&header), sizeof header);
  header.checksum = checksum_of((text + names).data(), text.size() + names.size());
  if (!write_at_end(&header, sizeof header) || !write_at_end(names.data(), names.size())) fail();
  pending_begin_ = end_;
}

bool CaptureWriter::write_at_end(const void* data, size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = pwrite(file_, next, size, static_cast<off_t>(end_));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    end_ += static_cast<uint64_t>(written);
    next += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

void CaptureWriter::write_block(BlockKind kind, const std::vector<uint8_t>& stored, uint64_t raw_size) {
  const BlockHeader header = {kind, static_cast<uint32_t>(stored.size()), static_cast<uint32_t>(raw_size),
                              checksum_of(stored.data(), stored.size())};
  if (!write_at_end(&header, sizeof header) || !write_at_end(stored.data(), stored.size())) fail();
}

void CaptureWriter::append(const std::vector<uint8_t>& events) {
  if (!is_open() || getpid() != process_) return;
  if (events.size() > LARGEST_BLOCK) {
    std::fprintf(stderr, "clothc record: a call with %zu bytes is more than a capture can hold; '%s' ends before it\n",
                 events.size(), path_.c_str());
    close(file_);
    file_ = -1;
    return;
  }
  write_block(BlockKind::raw, events, events.size());
  pending_.insert(pending_.end(), events.begin(), events.end());
  if (pending_.size() >= COMPRESSED_TOGETHER) compress();
}

void CaptureWriter::compress() {
  if (!is_open() || getpid() != process_ || pending_.empty()) return;
  uLongf size = compressBound(pending_.size());
  std::vector<uint8_t> compressed(size);
  const bool done = compress2(compressed.data(), &size, pending_.data(), pending_.size(), 1) == Z_OK;
  compressed.resize(size);
  const uint64_t raw_end = end_;
  if (done && size + sizeof(BlockHeader) < raw_end - pending_begin_) {
    end_ = pending_begin_;
    write_block(BlockKind::deflated, compressed, pending_.size());
    if (is_open() && ftruncate(file_, static_cast<off_t>(end_)) != 0) fail();
  }
  pending_.clear();
  pending_begin_ = end_;
}

void CaptureWriter::fail() {
  std::fprintf(stderr, "clothc record: cannot write '%s': %s; the capture ends here\n", path_.c_str(),
               std::strerror(errno));
  close(file_);
  file_ = -1;
}

}  // namespace clothc_tool
