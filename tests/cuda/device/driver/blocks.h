// blocks.h - the memory that the device may access. A block lies between guard pages. Memory that was freed stays
// inaccessible for a long time, so that whoever still uses it is found. Called with the state's lock held.
#pragma once

#include "cuda/device/driver/calls.h"
#include "cuda/device/driver/pages.h"

namespace clothc::cuda_device {

// Makes a block of device memory or of pinned memory for the current context. Throws CUDA_ERROR_OUT_OF_MEMORY.
BlockPointer allocate_block(const ContextPointer& context, BlockKind kind, uint64_t size);
// Makes memory that is mapped already known to all contexts that may access it.
void add_block(const BlockPointer& block);
// Frees the block, or forgets registered memory.
void remove_block(const BlockPointer& block);

bool is_known_to(const Block& block, const ContextPointer& context);
void add_to_space(const Block& block, Context& context);

// Returns the block that contains the address, or null.
BlockPointer find_block(uint64_t address);
// Returns whether the address lies in memory that was freed.
bool was_freed(uint64_t address);
// Returns whether a block has bytes in this range, of which the end does not belong to it.
bool overlaps_block(uint64_t begin, uint64_t end);
// Throws unless the range lies in one block that the context may access.
BlockPointer require_block(const ContextPointer& context, uint64_t address, uint64_t size);
// Sum of the sizes of all blocks of device memory.
uint64_t used_memory(int device);
// Returns whether there is memory of the process in all pages of the range.
bool is_mapped(uint64_t begin, uint64_t end);
// Makes pages inaccessible and keeps their addresses from being used again.
void quarantine(uint64_t pages_begin, uint64_t pages_size);

// What new memory is filled with, so that a program which relies on zeros is found.
constexpr int fresh_byte = 0xcd;

}  // namespace clothc::cuda_device
