// table_launches.h - divides the sorts, scans and copies of a schedule into launches of GPU kernels, without allocating
// memory.
#pragma once

#include <utility>

#include "core/backend/dispatch.h"

namespace clothc::gpu {

enum class TableKernel : uint8_t {
#define CLOTHC_TABLE_KERNEL(name) name,
#include "backend_gpu/table_kernels.def"
#undef CLOTHC_TABLE_KERNEL
  count
};

constexpr uint32_t blocks_of(uint32_t words) { return (words + table_block_words - 1) / table_block_words; }

// A scan of more than one block scans the sums of its blocks in the same way.
template <class Launch>
void launch_scan(uint32_t words, uint32_t count, uint32_t sums, Launch& launch) {
  TableLaunch constants{};
  constants.first = words;
  constants.second = sums;
  constants.count = count;
  constants.blocks = blocks_of(count);
  launch(TableKernel::scan_blocks, constants);
  if (constants.blocks == 1) return;
  launch_scan(sums, constants.blocks, sums + constants.blocks, launch);
  launch(TableKernel::scan_add, constants);
}

// A sort is eight rounds, one for each digit: count the digits of every block, scan the counts, and move the elements.
template <class Launch>
void launch_sort(const TableOperation& sort, Launch& launch) {
  constexpr uint32_t digit_bits = 4;
  TableLaunch constants{};
  constants.first = sort.first;
  constants.second = sort.second;
  constants.first_target = sort.scratch;
  constants.second_target = constants.first_target + sort.count;
  constants.counts = constants.second_target + sort.count;
  constants.count = sort.count;
  constants.blocks = blocks_of(sort.count);
  const uint32_t count_words = constants.blocks << digit_bits;
  for (constants.shift = 0; constants.shift < 32; constants.shift += digit_bits) {
    launch(TableKernel::sort_count, constants);
    launch_scan(constants.counts, count_words, constants.counts + count_words, launch);
    launch(TableKernel::sort_scatter, constants);
    std::swap(constants.first, constants.first_target);
    std::swap(constants.second, constants.second_target);
  }
}

// Calls launch(kernel, constants) for each launch of an operation, in order. A launch is over constants.blocks groups
// of threads and must wait until the one before it has ended.
template <class Launch>
void for_each_launch(const TableOperation& operation, Launch launch) {
  if (operation.count == 0) return;
  switch (operation.kind) {
    case TableOperation::Kind::sort:
      launch_sort(operation, launch);
      break;
    case TableOperation::Kind::scan:
      launch_scan(operation.first, operation.count, operation.scratch, launch);
      break;
    case TableOperation::Kind::copy: {
      TableLaunch constants{};
      constants.first = operation.first;
      constants.second = operation.second;
      constants.count = operation.count;
      constants.blocks = blocks_of(operation.count);
      launch(TableKernel::copy_words, constants);
      break;
    }
  }
}

}  // namespace clothc::gpu
