// recorder.cpp - implements the recording of copies, fills, dispatches and barriers.
#include "backend_vulkan/recorder.h"

#include <cstring>

#include "backend_gpu/schedule_launches.h"

namespace clothc::vulkan {
namespace {

// Push constants of copy.comp. All values are in words.
struct CopyConstants {
  uint32_t source_first;
  uint32_t source_stride;
  uint32_t target_first;
  uint32_t target_stride;
  uint32_t element_words;
  uint32_t word_count;
};

constexpr VkPipelineStageFlags working_stages = VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
constexpr VkAccessFlags working_writes = VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_SHADER_WRITE_BIT;
constexpr VkAccessFlags working_accesses = working_writes | VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_SHADER_READ_BIT;

void record_barrier(const Gpu& gpu, VkCommandBuffer commands, VkPipelineStageFlags before, VkAccessFlags written,
                    VkPipelineStageFlags after, VkAccessFlags accessed) {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = written;
  barrier.dstAccessMask = accessed;
  gpu.CmdPipelineBarrier(commands, before, after, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

// Returns a window that contains the bytes [first, first + size) and begins at an offset where a binding may begin.
// first becomes relative to that offset.
Window window_of(const Gpu& gpu, const Block& block, uint64_t& first, uint64_t size) {
  const uint64_t alignment = std::max<uint64_t>(gpu.adapter().limits.minStorageBufferOffsetAlignment, 4);
  const uint64_t begin = first / alignment * alignment;
  first -= begin;
  return {&block, begin, first + size};
}

}  // namespace

void record_dispatch(const Gpu& gpu, Pipelines& pipelines, VkCommandBuffer commands, Shader shader, VkDescriptorSet set,
                     const void* constants, uint32_t size, uint32_t x, uint32_t y) {
  gpu.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines.of(shader));
  gpu.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines.layout(), 0, 1, &set, 0, nullptr);
  gpu.CmdPushConstants(commands, pipelines.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, size, constants);
  gpu.CmdDispatch(commands, x, y, 1);
}

void record_shader_barrier(const Gpu& gpu, VkCommandBuffer commands) {
  record_barrier(gpu, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                 VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

void record_begin(const Gpu& gpu, VkCommandBuffer commands) {
  record_barrier(gpu, commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT, working_stages,
                 working_accesses);
}

void record_end(const Gpu& gpu, VkCommandBuffer commands) {
  record_barrier(gpu, commands, working_stages, working_writes, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                 VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
}

Recorder::Recorder(const GpuPointer& gpu, std::shared_ptr<Pipelines> pipelines)
    : gpu_(gpu), pipelines_(std::move(pipelines)), descriptors_(gpu, pipelines_->set_layout()) {}

void Recorder::before(const gpu::MemoryAccess* accesses, size_t count) {
  if (hazards_.conflict(accesses, count)) {
    record_barrier(*gpu_, commands_, working_stages, working_writes, working_stages, working_accesses);
    hazards_.barrier_done();
  }
  hazards_.add(accesses, count);
}

void Recorder::shader_barrier() { record_shader_barrier(*gpu_, commands_); }

void Recorder::host_barrier() {
  record_barrier(*gpu_, commands_, working_stages, working_writes, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

void Recorder::begin_after_all() {
  record_begin(*gpu_, commands_);
  hazards_.barrier_done();
}

void Recorder::transfer(const GpuMemory& memory, uint32_t from, uint32_t to) {
  VkBufferMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER;
  barrier.srcAccessMask = working_writes;
  barrier.dstAccessMask = working_accesses;
  barrier.srcQueueFamilyIndex = from;
  barrier.dstQueueFamilyIndex = to;
  barrier.buffer = memory.block().buffer();
  barrier.offset = memory.offset();
  barrier.size = memory.size();
  gpu_->CmdPipelineBarrier(commands_, working_stages, working_stages, 0, 0, nullptr, 1, &barrier, 0, nullptr);
}

void Recorder::dispatch(Shader shader, VkDescriptorSet set, const void* constants, uint32_t size, uint32_t x,
                        uint32_t y) {
  record_dispatch(*gpu_, *pipelines_, commands_, shader, set, constants, size, x, y);
  ++dispatches_;
}

void Recorder::upload(const Staging::Slice& slice, const GpuMemory& target, uint64_t offset, uint64_t size) {
  const uint64_t first = target.offset() + offset;
  const gpu::MemoryAccess accesses[] = {{slice.piece->block().number(), slice.offset, slice.offset + size, false},
                                        {target.block().number(), first, first + size, true}};
  before(accesses, 2);
  const VkBufferCopy region = {slice.offset, first, size};
  gpu_->CmdCopyBuffer(commands_, slice.piece->block().buffer(), target.block().buffer(), 1, &region);
}

void Recorder::copy(const Copy& copy) {
  if (copy.count == 0 || copy.element_size == 0) return;
  const GpuMemory& source = gpu_memory(copy.source);
  const GpuMemory& target = gpu_memory(copy.target);
  const uint64_t source_first = source.offset() + copy.source_offset;
  const uint64_t target_first = target.offset() + copy.target_offset;
  const uint64_t source_size = (copy.count - 1) * copy.source_stride + copy.element_size;
  const uint64_t target_size = (copy.count - 1) * copy.target_stride + copy.element_size;
  const gpu::MemoryAccess accesses[] = {{source.block().number(), source_first, source_first + source_size, false},
                                        {target.block().number(), target_first, target_first + target_size, true}};
  before(accesses, 2);
  if (copy.count == 1 || (copy.source_stride == copy.element_size && copy.target_stride == copy.element_size)) {
    const VkBufferCopy region = {source_first, target_first, copy.element_size * copy.count};
    gpu_->CmdCopyBuffer(commands_, source.block().buffer(), target.block().buffer(), 1, &region);
    return;
  }
  copy_elements({&source.block(), source_first, 0}, copy.source_stride, {&target.block(), target_first, 0},
                copy.target_stride, copy.element_size, copy.count);
}

void Recorder::copy_elements(const Window& source, uint64_t source_stride, const Window& target, uint64_t target_stride,
                             uint64_t element_size, uint64_t count) {
  // A dispatch copies as many elements as it can have invocations for and as a binding can cover.
  const uint64_t words = element_size / 4;
  const uint64_t reach = gpu_->adapter().limits.maxStorageBufferRange - 4096 - element_size;
  const uint64_t stride = std::max<uint64_t>({source_stride, target_stride, 4});
  const uint64_t most = std::min(uint64_t{gpu::most_groups} * gpu::group_threads / words, reach / stride);
  for (uint64_t done = 0; done < count; done += most) {
    const uint64_t part = std::min(most, count - done);
    uint64_t source_first = source.offset + done * source_stride;
    uint64_t target_first = target.offset + done * target_stride;
    Bindings bindings;
    bindings.buffers[0] = window_of(*gpu_, *source.block, source_first, (part - 1) * source_stride + element_size);
    bindings.buffers[1] = window_of(*gpu_, *target.block, target_first, (part - 1) * target_stride + element_size);
    const CopyConstants constants = {static_cast<uint32_t>(source_first / 4),
                                     static_cast<uint32_t>(source_stride / 4),
                                     static_cast<uint32_t>(target_first / 4),
                                     static_cast<uint32_t>(target_stride / 4),
                                     static_cast<uint32_t>(words),
                                     static_cast<uint32_t>(part * words)};
    const uint64_t groups = (part * words + gpu::group_threads - 1) / gpu::group_threads;
    dispatch(Shader::copy, set_for(bindings), &constants, sizeof(constants), static_cast<uint32_t>(groups));
  }
}

void Recorder::fill(const GpuMemory& memory, uint64_t offset, uint64_t size, const uint32_t pattern[4]) {
  if (size == 0) return;
  const uint64_t first = memory.offset() + offset;
  const gpu::MemoryAccess target = {memory.block().number(), first, first + size, true};
  if (pattern[0] == pattern[1] && pattern[1] == pattern[2] && pattern[2] == pattern[3]) {
    before(&target, 1);
    gpu_->CmdFillBuffer(commands_, memory.block().buffer(), first, size, pattern[0]);
    return;
  }
  const Staging::Slice slice = stage(16);
  std::memcpy(slice.bytes(), pattern, 16);
  const gpu::MemoryAccess accesses[] = {{slice.piece->block().number(), slice.offset, slice.offset + 16, false},
                                        target};
  before(accesses, 2);
  copy_elements({&slice.piece->block(), slice.offset, 0}, 0, {&memory.block(), first, 0}, 16, 16, size / 16);
}

}  // namespace clothc::vulkan
