// blocks.cpp - see blocks.h.
#include "cuda/device/driver/blocks.h"

#include <cstring>
#include <deque>

namespace clothc::cuda_device {
namespace {

constexpr size_t max_quarantined = 8192;

struct Pages {
  uint64_t begin, size;
};
std::deque<Pages>& quarantined() {
  static std::deque<Pages>* const only = new std::deque<Pages>;
  return *only;
}

void* to_pointer(uint64_t address) { return reinterpret_cast<void*>(address); }

const char* name_of(BlockKind kind) {
  switch (kind) {
    case BlockKind::device:
      return "device memory";
    case BlockKind::pinned:
      return "pinned memory";
    case BlockKind::registered:
      return "registered memory";
    case BlockKind::mapped:
      return "mapped memory";
    case BlockKind::external:
      break;
  }
  return "external memory";
}

}  // namespace

uint64_t used_memory(int device) {
  uint64_t used = 0;
  for (const auto& [begin, block] : state().blocks) {
    if (block->kind == BlockKind::device && block->device == device) used += block->size;
  }
  return used;
}

BlockPointer allocate_block(const ContextPointer& context, BlockKind kind, uint64_t size) {
  require(size > 0, CUDA_ERROR_INVALID_VALUE);
  const uint64_t memory_size = state().rules.memory_size;
  const uint64_t used = kind == BlockKind::device ? used_memory(context->device) : 0;
  require(used <= memory_size && size <= memory_size - used, CUDA_ERROR_OUT_OF_MEMORY);
  const uint64_t pages_size = round_up(size, page_size) + 2 * page_size;
  const uint64_t pages = reserve_pages(pages_size, page_size);
  require(pages != 0, CUDA_ERROR_OUT_OF_MEMORY);
  const BlockPointer block = std::make_shared<Block>();
  block->kind = kind;
  block->pages_begin = pages;
  block->pages_size = pages_size;
  block->begin = block->pages_begin + page_size;
  block->size = size;
  block->context = context;
  block->device = context->device;
  allow_pages(block->begin, pages_size - 2 * page_size);
  std::memset(to_pointer(block->begin), fresh_byte, size);
  add_block(block);
  ++state().counts.allocations;
  return block;
}

bool is_known_to(const Block& block, const ContextPointer& context) {
  if (block.kind == BlockKind::mapped) return block.device == context->device;
  return block.is_host() || block.context == context;
}

void add_to_space(const Block& block, Context& context) {
  static uint64_t number = 0;
  context.space.add(block.begin, block.size, std::string(name_of(block.kind)) + " " + std::to_string(++number));
}

void add_block(const BlockPointer& block) {
  state().blocks[block->begin] = block;
  state().contexts.for_each([&](const ContextPointer& context) {
    if (is_known_to(*block, context)) add_to_space(*block, *context);
  });
}

void remove_block(const BlockPointer& block) {
  state().blocks.erase(block->begin);
  state().contexts.for_each([&](const ContextPointer& context) { context->space.remove(block->begin); });
  if (block->pages_size > 0) quarantine(block->pages_begin, block->pages_size);
}

bool is_mapped(uint64_t begin, uint64_t end) {
  const uint64_t pages_begin = begin / page_size * page_size;
  return are_pages_used(pages_begin, round_up(end, page_size) - pages_begin);
}

void quarantine(uint64_t pages_begin, uint64_t pages_size) {
  forbid_pages(pages_begin, pages_size);
  std::deque<Pages>& all = quarantined();
  all.push_back({pages_begin, pages_size});
  if (all.size() <= max_quarantined) return;
  release_pages(all.front().begin, all.front().size);
  all.pop_front();
}

BlockPointer find_block(uint64_t address) {
  const std::map<uint64_t, BlockPointer>& blocks = state().blocks;
  const auto after = blocks.upper_bound(address);
  if (after == blocks.begin()) return nullptr;
  const BlockPointer& block = std::prev(after)->second;
  return address < block->end() ? block : nullptr;
}

bool was_freed(uint64_t address) {
  for (const Pages& pages : quarantined()) {
    if (address >= pages.begin && address - pages.begin < pages.size) return true;
  }
  return false;
}

bool overlaps_block(uint64_t begin, uint64_t end) {
  const std::map<uint64_t, BlockPointer>& blocks = state().blocks;
  const auto after = blocks.lower_bound(end);
  return after != blocks.begin() && std::prev(after)->second->end() > begin;
}

BlockPointer require_block(const ContextPointer& context, uint64_t address, uint64_t size) {
  const BlockPointer block = find_block(address);
  require(block && is_known_to(*block, context), CUDA_ERROR_INVALID_VALUE);
  require(size <= block->end() - address, CUDA_ERROR_INVALID_VALUE);
  return block;
}

}  // namespace clothc::cuda_device
