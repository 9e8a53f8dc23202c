// sort.cpp - a stable radix sort with digits of 4 bits, and exclusive scans, on the device. Both work on integers only,
// so every correct implementation gives the same bits. Source: Merrill and Grimshaw 2010, Revisiting Sorting for GPGPU
// Stream Architectures (count, scan, scatter).
#include "backend_vulkan/stream.h"

namespace clothc::vulkan {
namespace {

// Number of words in a block, which is fixed in the shaders.
constexpr uint64_t block_words = 1024;
constexpr uint32_t digit_bits = 4;
constexpr uint64_t digits = 1u << digit_bits;
constexpr uint64_t window_alignment = 256;

uint64_t blocks_of(uint64_t words) { return (words + block_words - 1) / block_words; }
uint64_t aligned_words(uint64_t words) {
  return (words * 4 + window_alignment - 1) / window_alignment * window_alignment / 4;
}

// Returns the number of scratch words that a scan of count words needs for the sums of its blocks, including those for
// the recursive scans of these sums.
uint64_t sum_words(uint64_t count) {
  uint64_t words = 0;
  do {
    count = blocks_of(count);
    words += aligned_words(count);
  } while (count > 1);
  return words;
}

Window whole(const MemoryPointer& memory, uint64_t words) {
  const GpuMemory& of = gpu_memory(memory);
  return {&of.block(), of.offset(), words * 4};
}
// Returns the window of size_words words that begins after the first words words of another window, aligned.
Window behind(const Window& window, uint64_t words, uint64_t size_words) {
  return {window.block, window.offset + aligned_words(words) * 4, size_words * 4};
}

Access reading(const Window& w) { return {w.block, w.offset, w.offset + w.size, false}; }
Access writing(const Window& w) { return {w.block, w.offset, w.offset + w.size, true}; }

// Numbers of workgroups in x and y for a number of blocks, in the way in which the shaders number the blocks.
struct Groups {
  uint32_t x, y;
};
Groups groups_for(uint64_t blocks) {
  return {static_cast<uint32_t>(std::min<uint64_t>(blocks, most_groups)),
          static_cast<uint32_t>((blocks + most_groups - 1) / most_groups)};
}

}  // namespace

MemoryPointer GpuStream::scratch(uint64_t words) {
  if (scratch_ == nullptr || scratch_->size() < words * 4)
    scratch_ = memory_->allocate_raw(words * 4, MemoryVisibility::device_only);
  use(scratch_);
  return scratch_;
}

void GpuStream::scan(const Window& words, uint64_t count, const Window& sums) {
  const uint64_t blocks = blocks_of(count);
  const auto constant = static_cast<uint32_t>(count);
  Bindings bindings;
  bindings.buffers[0] = words;
  bindings.buffers[1] = {sums.block, sums.offset, aligned_words(blocks) * 4};
  const Groups groups = groups_for(blocks);
  const Access scanned[] = {writing(words), writing(bindings.buffers[1])};
  recorder_.before(scanned, 2);
  recorder_.dispatch(Shader::scan_blocks, recorder_.set_for(bindings), &constant, 4, groups.x, groups.y);
  if (blocks == 1) return;
  scan({sums.block, sums.offset, blocks * 4}, blocks, behind(sums, blocks, sum_words(blocks)));
  const Access added[] = {writing(words), reading(bindings.buffers[1])};
  recorder_.before(added, 2);
  recorder_.dispatch(Shader::scan_add, recorder_.set_for(bindings), &constant, 4, groups.x, groups.y);
}

void GpuStream::record(const CommandList&, const Scan& command) {
  if (command.count == 0) return;
  pipelines_->of(Shader::scan_blocks);
  pipelines_->of(Shader::scan_add);
  open();
  use_target(command.words);
  const MemoryPointer scratch_words = scratch(sum_words(command.count));
  scan(whole(command.words, command.count), command.count, whole(scratch_words, sum_words(command.count)));
}

void GpuStream::record(const CommandList&, const Sort& sort) {
  const uint64_t count = sort.count;
  if (count < 2) return;
  for (const Shader shader : {Shader::sort_count, Shader::scan_blocks, Shader::scan_add, Shader::sort_scatter})
    pipelines_->of(shader);
  open();
  for (const MemoryPointer& memory : sort.arrays) use_target(memory);
  const uint64_t blocks = blocks_of(count);
  const uint64_t count_words = digits * blocks;
  const MemoryPointer scratch_words = scratch(aligned_words(count_words) + sum_words(count_words));
  const Window counts = whole(scratch_words, count_words);
  const Window sums = behind(counts, count_words, sum_words(count_words));
  Window from[] = {whole(sort.arrays[0], count), whole(sort.arrays[1], count)};
  Window to[] = {whole(sort.arrays[2], count), whole(sort.arrays[3], count)};
  const Groups groups = groups_for(blocks);
  for (uint32_t shift = 0; shift < 32; shift += digit_bits) {
    const uint32_t constants[] = {static_cast<uint32_t>(count), shift, static_cast<uint32_t>(blocks)};
    const Access counted[] = {reading(from[0]), writing(counts)};
    recorder_.before(counted, 2);
    recorder_.dispatch(Shader::sort_count, recorder_.set_for({{from[0], counts}, nullptr}), constants,
                       sizeof(constants), groups.x, groups.y);
    scan(counts, count_words, sums);
    for (const int k : {1, 0}) {
      const Access scattered[] = {reading(from[0]), reading(counts), reading(from[k]), writing(to[k])};
      recorder_.before(scattered, 4);
      recorder_.dispatch(Shader::sort_scatter, recorder_.set_for({{from[0], counts, from[k], to[k]}, nullptr}),
                         constants, sizeof(constants), groups.x, groups.y);
    }
    std::swap(from[0], to[0]);
    std::swap(from[1], to[1]);
  }
}

}  // namespace clothc::vulkan
