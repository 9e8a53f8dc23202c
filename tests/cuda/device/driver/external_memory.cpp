// external_memory.cpp - memory of another API, given as the handle of shared memory.
#include <algorithm>

#include "cuda/device/driver/blocks.h"

namespace clothc::cuda_device {
namespace {

template <typename Description>
void require_reserved_zero(const Description& description) {
  const bool is_zero = std::all_of(std::begin(description.reserved), std::end(description.reserved),
                                   [](unsigned value) { return value == 0; });
  require(is_zero, CUDA_ERROR_INVALID_VALUE);
}

BlockPointer map_buffer(const ContextPointer& context, const ExternalMemory& memory, uint64_t offset, uint64_t size) {
  const uint64_t pages_offset = offset / page_size * page_size;
  const uint64_t pages_size = round_up(offset + size, page_size) - pages_offset;
  const uint64_t pages = map_shared(memory.memory->value(), pages_offset, pages_size);
  require(pages != 0, CUDA_ERROR_MAP_FAILED);
  const BlockPointer block = std::make_shared<Block>();
  block->kind = BlockKind::external;
  block->pages_begin = pages;
  block->pages_size = pages_size;
  block->begin = block->pages_begin + (offset - pages_offset);
  block->size = size;
  block->context = context;
  block->device = context->device;
  return block;
}

}  // namespace
}  // namespace clothc::cuda_device

using namespace clothc::cuda_device;

CUresult cuImportExternalMemory(CUexternalMemory* handle, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* description) {
  return perform(Function::ImportExternalMemory, Needs::working_context, [&](Call& call) {
    require(handle != nullptr && description != nullptr, CUDA_ERROR_INVALID_VALUE);
    require(description->type == memory_handle_type, CUDA_ERROR_NOT_SUPPORTED);
    require(description->size > 0 && (description->flags & ~CUDA_EXTERNAL_MEMORY_DEDICATED) == 0,
            CUDA_ERROR_INVALID_VALUE);
    require(description->flags != 0 || !state().rules.demands_dedicated, CUDA_ERROR_INVALID_VALUE);
    require_reserved_zero(*description);
    const uint64_t size = size_of_shared(handle_in(description->handle));
    require(size > 0 && description->size <= size, CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<ExternalMemory> memory = std::make_shared<ExternalMemory>();
    memory->context = call.context;
    memory->memory = std::make_shared<const Descriptor>(taken_over(description->handle));
    memory->size = description->size;
    *handle = state().external_memories.add(memory);
  });
}

CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr* pointer, CUexternalMemory handle,
                                         const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* description) {
  return perform(Function::ExternalMemoryGetMappedBuffer, Needs::working_context, [&](Call& call) {
    require(pointer != nullptr && description != nullptr, CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<ExternalMemory> memory =
        find_here(call, state().external_memories, handle, "external memory");
    require(description->size > 0 && description->flags == 0, CUDA_ERROR_INVALID_VALUE);
    require_reserved_zero(*description);
    require(description->offset <= memory->size && description->size <= memory->size - description->offset,
            CUDA_ERROR_INVALID_VALUE);
    const BlockPointer block = map_buffer(call.context, *memory, description->offset, description->size);
    add_block(block);
    *pointer = block->begin;
  });
}

CUresult cuDestroyExternalMemory(CUexternalMemory handle) {
  return perform(Function::DestroyExternalMemory, Needs::context, [&](Call& call) {
    find_here(call, state().external_memories, handle, "external memory");
    state().external_memories.remove(handle);
  });
}
