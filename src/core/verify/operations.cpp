// operations.cpp - see operations.h.
#include "core/verify/operations.h"

namespace clothc {
namespace {

// Devices work on 1024 words per workgroup.
constexpr uint32_t word_count = 3000;

// The same words on every machine, each some times.
uint32_t word(uint32_t k) { return k * 2654435761u & 0xffc00fffu; }

Dispatch make_operation(Backend& reference, TableOperation::Kind kind) {
  TableOperation operation;
  operation.kind = kind;
  operation.count = operation.second = word_count;
  operation.scratch = 2 * word_count;
  const uint32_t words = operation.scratch + sort_scratch_words(word_count);
  Dispatch dispatch;
  const MemoryPointer tables = reference.allocate(uint64_t{4} * words, MemoryVisibility::host);
  auto* values = static_cast<uint32_t*>(tables->host_pointer());
  for (uint32_t k = 0; k < words; ++k) values[k] = k < word_count ? word(k) : k;
  // An operation looks at nothing but tables.
  const MemoryPointer others = reference.allocate(256, MemoryVisibility::host);
  dispatch.arenas = {others, others, others, tables};
  auto schedule = std::make_shared<Schedule>();
  schedule->operations = {operation};
  schedule->passes.resize(1);
  schedule->passes[0].operation = 0;
  dispatch.schedule = std::move(schedule);
  return dispatch;
}

}  // namespace

std::vector<Dispatch> make_large_operations(Backend& reference) {
  return {make_operation(reference, TableOperation::Kind::sort), make_operation(reference, TableOperation::Kind::scan)};
}

}  // namespace clothc
