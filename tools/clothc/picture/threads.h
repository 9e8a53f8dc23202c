// threads.h - distributes the rows of an image over threads, in bands that any idle thread takes next. The processing
// of a band must not depend on what other bands write, so that the result is the same for any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace clothc_tool {

// Returns the number of threads that process bands, which is the same in every call.
inline uint32_t band_threads() {
  static const uint32_t count = std::max(1u, std::min(std::thread::hardware_concurrency(), 16u));
  return count;
}

// Calls job(begin_row, end_row, thread) for every band of band_rows of the row_count rows, and returns when all calls
// have returned. thread: 0 .. band_threads() - 1.
template <typename Job>
void for_each_band(uint32_t row_count, uint32_t band_rows, Job job) {
  std::atomic<uint32_t> next{0};
  const auto take_bands = [&](uint32_t thread) {
    for (uint32_t row; (row = next.fetch_add(band_rows)) < row_count;)
      job(row, std::min(row + band_rows, row_count), thread);
  };
  const uint32_t thread_count = band_threads();
  std::vector<std::thread> helpers;
  helpers.reserve(thread_count - 1);
  for (uint32_t thread = 1; thread < thread_count; ++thread) helpers.emplace_back(take_bands, thread);
  take_bands(0);
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace clothc_tool
