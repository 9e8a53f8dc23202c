// table_launches.cpp - a sort is eight rounds, one for each digit: count the digits of every block, scan the counts, and
// move the elements. A scan of more than one block scans the sums of its blocks in the same way.
#include "backend_gpu/table_launches.h"

#include <utility>

namespace clothc::gpu {
namespace {

constexpr uint32_t digit_bits = 4;
constexpr uint32_t digits = 1u << digit_bits;

uint32_t blocks_of(uint32_t words) { return (words + table_block_words - 1) / table_block_words; }

void append_scan(std::vector<TableKernelLaunch>& launches, uint32_t words, uint32_t count, uint32_t sums) {
  TableLaunch launch{};
  launch.first = words;
  launch.second = sums;
  launch.count = count;
  launch.blocks = blocks_of(count);
  launches.push_back({TableKernel::scan_blocks, launch});
  if (launch.blocks == 1) return;
  append_scan(launches, sums, launch.blocks, sums + launch.blocks);
  launches.push_back({TableKernel::scan_add, launch});
}

void append_sort(std::vector<TableKernelLaunch>& launches, const TableOperation& sort) {
  TableLaunch launch{};
  launch.first = sort.first;
  launch.second = sort.second;
  launch.first_target = sort.scratch;
  launch.second_target = launch.first_target + sort.count;
  launch.counts = launch.second_target + sort.count;
  launch.count = sort.count;
  launch.blocks = blocks_of(sort.count);
  const uint32_t count_words = digits * launch.blocks;
  for (launch.shift = 0; launch.shift < 32; launch.shift += digit_bits) {
    launches.push_back({TableKernel::sort_count, launch});
    append_scan(launches, launch.counts, count_words, launch.counts + count_words);
    launches.push_back({TableKernel::sort_scatter, launch});
    std::swap(launch.first, launch.first_target);
    std::swap(launch.second, launch.second_target);
  }
}

}  // namespace

std::vector<TableKernelLaunch> launches_of(const TableOperation& operation) {
  std::vector<TableKernelLaunch> launches;
  if (operation.count == 0) return launches;
  switch (operation.kind) {
    case TableOperation::Kind::sort:
      append_sort(launches, operation);
      break;
    case TableOperation::Kind::scan:
      append_scan(launches, operation.first, operation.count, operation.scratch);
      break;
    case TableOperation::Kind::copy:
      TableLaunch launch{};
      launch.first = operation.first;
      launch.second = operation.second;
      launch.count = operation.count;
      launch.blocks = blocks_of(operation.count);
      launches.push_back({TableKernel::copy_words, launch});
      break;
  }
  return launches;
}

}  // namespace clothc::gpu
