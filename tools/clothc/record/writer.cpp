// writer.cpp - appends blocks. After a fork, only the parent goes on.
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

void CaptureWriter::append(const std::vector<uint8_t>& events) {
  if (!is_open() || getpid() != process_) return;
  if (events.size() > LARGEST_BLOCK) {
    std::fprintf(stderr, "clothc record: a call with %zu bytes is more than a capture can hold; '%s' ends before it\n",
                 events.size(), path_.c_str());
    close(file_);
    file_ = -1;
    return;
  }
  const auto size = static_cast<uint32_t>(events.size());
  const BlockHeader header = {BlockKind::raw, size, size, checksum_of(events.data(), events.size())};
  if (!write_at_end(&header, sizeof header) || !write_at_end(events.data(), events.size())) fail();
}

void CaptureWriter::fail() {
  std::fprintf(stderr, "clothc record: cannot write '%s': %s; the capture ends here\n", path_.c_str(),
               std::strerror(errno));
  close(file_);
  file_ = -1;
}

}  // namespace clothc_tool
