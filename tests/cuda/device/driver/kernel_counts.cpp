// kernel_counts.cpp - see kernel_counts.h.
#include "cuda/device/driver/kernel_counts.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "cuda/device/driver/sanitizer.h"
#include "cuda/device/driver/state.h"

namespace clothc::cuda_device {
namespace {

std::string line_of(std::string words, std::initializer_list<uint64_t> numbers) {
  for (const uint64_t number : numbers) words += " " + std::to_string(number);
  return words + "\n";
}

}  // namespace

void add_kernel_counts(const std::string& kernel, const ptx::Counts& counts) {
  const InsideDevice inside;
  const std::lock_guard lock(state().mutex);
  auto [entry, end] = state().kernel_counts.equal_range(kernel);
  while (entry != end && !entry->second.add(counts)) ++entry;
  if (entry == end) state().kernel_counts.emplace(kernel, counts);
}

std::string kernel_counts_text() {
  std::string text;
  for (const auto& [name, counts] : state().kernel_counts) {
    text += line_of("kernel " + name,
                    {counts.launches, counts.blocks, counts.threads, counts.read_sectors, counts.written_sectors});
    for (const ptx::InstructionCounts& i : counts.instructions) {
      if (i.warps == 0) continue;
      text += line_of(std::to_string(i.line) + " " + i.form, {i.warps, i.lanes, i.sectors, i.bank_turns});
    }
  }
  return text;
}

void write_kernel_counts() {
  const char* const path = std::getenv("CLOTHC_CUDA_DEVICE_COUNTS");
  if (path == nullptr) return;
  std::ofstream file(path);
  file << kernel_counts_text() << std::flush;
  if (!file) std::fprintf(stderr, "cuda device: cannot write %s: %s\n", path, std::strerror(errno));
}

}  // namespace clothc::cuda_device
