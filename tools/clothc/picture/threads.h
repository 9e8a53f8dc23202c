// threads.h - distributes the rows of an image over threads, in bands that any idle thread takes next. The processing
// of a band must not depend on what other bands write, so that the result is the same for any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace clothc_tool {

// Calls job(begin_row, end_row) for every band of band_rows of the row_count rows, and returns when all calls have
// returned.
template <typename Job>
void for_each_band(uint32_t row_count, uint32_t band_rows, Job job) {
  std::atomic<uint32_t> next{0};
  const auto take_bands = [&] {
    for (uint32_t row; (row = next.fetch_add(band_rows)) < row_count;) job(row, std::min(row + band_rows, row_count));
  };
  const uint32_t helper_count = std::max(1u, std::min(std::thread::hardware_concurrency(), 16u)) - 1;
  std::vector<std::thread> helpers;
  helpers.reserve(helper_count);
  for (uint32_t i = 0; i < helper_count; ++i) helpers.emplace_back(take_bands);
  take_bands();
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace clothc_tool
