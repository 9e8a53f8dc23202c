// checked_kernels.cpp - compiles all kernels again, for one lane, on arenas of Checked numbers. It uses the scalar
// dialect with float and uint32_t replaced wherever they refer to memory, and accesses constraint records in place
// instead of copying them.
#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "unit/access/log.h"
#include "unit/access/checked.h"

namespace clothc::checked {

// The records that kernels share, with Checked members.
namespace records {
using CheckedFloat = Checked<float>;
using uint = Checked<uint32_t>;
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#define float CheckedFloat
// Constants of a class type are constant expressions only if they are constexpr.
#define const constexpr
#include "kernels/types.h"
#undef const
#undef float
}  // namespace records

using GroupRecord = records::GroupRecord;
using records::GroupSettings;
using records::GroupStep;
static_assert(sizeof(GroupRecord) == sizeof(clothc::GroupRecord), "same layout as what it stands for");
static_assert(offsetof(GroupRecord, state) == offsetof(clothc::GroupRecord, state), "the same");
static_assert(offsetof(GroupRecord, step) == offsetof(clothc::GroupRecord, step), "the same");

using CheckedFloat = Checked<float>;
using CheckedWord = Checked<uint32_t>;
using WrittenWord = Written<uint32_t>;
#include "backend_cpu/isa/scalar.h"
#define written_tables tables->written()
#define float CheckedFloat
#define uint32_t CheckedWord
#include "kernels/dialect/cpp.h"
#include "backend_cpu/isa/scalar_rows.h"
#include "backend_cpu/isa/block_loads.h"
#undef uint32_t
#undef float
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

LANE_FUNCTION inum load_int(const WrittenWord* p) { return static_cast<inum>(*p); }
LANE_FUNCTION real load_real(const WrittenWord* p) { return as_real(load_int(p)); }
LANE_FUNCTION real4 load_row(const WrittenWord* p) {
  return {load_real(p), load_real(p + 1), load_real(p + 2), load_real(p + 3)};
}
LANE_FUNCTION real4 gather_row(const WrittenWord* p, inum index) {
  return load_row(p + 4 * static_cast<ptrdiff_t>(index));
}

LANE_FUNCTION void count_unless(mask condition, CheckedWord* counter) {
  if (!condition) counter->count(1);
}

#include "kernels/kernels.h"

namespace {

// The run in progress.
struct Watch {
  probes::Arenas* arenas;
  uint32_t kernel;
  const probes::AccessTable* declared;
  probes::AccessLog* log;
  // See parts_of_tables().
  std::vector<std::pair<uint32_t, uint32_t>> parts_of_tables;
  // The addresses that the job in progress has written.
  std::unordered_set<const void*> written;
};
Watch watch;

// Returns the offset of an address in an arena, or the arena's size if the address lies outside.
template <typename T>
size_t offset_in(const std::vector<T>& arena, const void* address) {
  const size_t offset = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(arena.data());
  const size_t size = arena.size() * sizeof(T);
  return offset < size ? offset : size;
}

template <typename T>
bool holds(const std::vector<T>& arena, const void* address) {
  return offset_in(arena, address) < arena.size() * sizeof(T);
}

// Returns the access bit of the block of the particles arena that contains the element: the last block that begins at
// or before it. The last cloth has all blocks, and the other cloths have theirs in the same places.
uint32_t access_of_block(const FrameConstants& frame, const clothc::GroupSettings& settings, size_t element) {
  const struct {
    uint32_t begin;
    uint32_t access;
  } blocks[] = {{frame.position, access_position},
                {frame.previous, access_previous},
#define CLOTHC_BLOCK_always(block, bit)
#define CLOTHC_BLOCK_optional(block, bit) {settings.block##_block, bit},
#define CLOTHC_CHANNEL(channel, name, block, format, write, read, group, presence, unset) \
  CLOTHC_BLOCK_##presence(block, access_##group)
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL
#undef CLOTHC_BLOCK_always
#undef CLOTHC_BLOCK_optional
                {frame.exchange, access_exchange}};
  uint32_t begin = 0;
  uint32_t access = 0;
  for (const auto& block : blocks) {
    if (element < block.begin || block.begin < begin) continue;
    begin = block.begin;
    access = block.access;
  }
  return access;
}

// Returns the beginning of each part of the tables with the access bit of its content, sorted.
std::vector<std::pair<uint32_t, uint32_t>> parts_of_tables(const probes::Arenas& arenas) {
  // The scene begins with its collider sets.
  std::vector<std::pair<uint32_t, uint32_t>> parts = {{0, access_colliders}};
  for (const clothc::GroupRecord& record : arenas.records) {
    const clothc::GroupSettings& s = record.settings;
    // The last record is that of the lattice. The one before it is that of the coarsest level, whose rows come first.
    const uint32_t last_record = s.constraint_records + (s.record_count - 1) * constraint_words;
    const uint32_t coarsest_level = last_record - constraint_words;
    uint32_t first_shape = UINT32_MAX;
#define CLOTHC_SHAPE_KIND(kind, plural, words) first_shape = std::min(first_shape, uint32_t{s.plural});
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_KIND
    parts.insert(parts.end(), {{s.constraint_records, access_constraints},
                               {s.collider_table, access_colliders},
                               {first_shape, access_shapes},
                               {s.triangle_cache, access_caches},
                               {s.transformed_vertices, access_shapes},
                               {s.impulses, access_impulses},
                               {arenas.tables[coarsest_level + level_rows], access_levels},
                               {arenas.tables[last_record + lattice_rows], access_lattice},
                               {arenas.tables[last_record + lattice_rows] +
                                    lattice_row_count * arenas.tables[last_record + lattice_stride],
                                access_crowd},
                               {s.collision_particles, access_collision_particles},
                               {s.primitives, access_primitives},
                               {s.cloth_bvh, access_cloth_bvh},
                               {s.update_start, access_saved_positions},
                               {s.report, access_reports},
                               {s.active_flags, access_active_flags},
                               {s.scratch, access_scratch}});
  }
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return parts;
}

// The last part that begins at or before the word.
uint32_t access_of_table(size_t word) {
  const auto& parts = watch.parts_of_tables;
  const auto next =
      std::upper_bound(parts.begin(), parts.end(), word, [](size_t a, const auto& part) { return a < part.first; });
  return std::prev(next)->second;
}

uint32_t access_of(const void* address) {
  const probes::Arenas& arenas = *watch.arenas;
  if (holds(arenas.particles, address)) {
    return access_of_block(arenas.frame, arenas.records.back().settings,
                           offset_in(arenas.particles, address) / (4 * sizeof(float)));
  }
  if (holds(arenas.topology, address)) return access_topology;
  if (holds(arenas.tables, address)) return access_of_table(offset_in(arenas.tables, address) / sizeof(uint32_t));
  if (!holds(arenas.records, address)) return 0;
  const size_t offset = offset_in(arenas.records, address) % sizeof(GroupRecord);
  if (offset >= offsetof(GroupRecord, state)) return access_state;
  const bool is_step = offset >= offsetof(GroupRecord, step) && offset < offsetof(GroupRecord, frame);
  return is_step ? access_step : access_settings;
}

void record_access(const void* address, uint32_t probes::Accesses::*direction) {
  const uint32_t access = access_of(address);
  if (access == 0) ++watch.log->astray;
  watch.log->seen[watch.kernel].*direction |= access;
  watch.log->undeclared[watch.kernel].*direction |= access & ~((*watch.declared)[watch.kernel].*direction);
}

void run_job(const Lane& lane) {
  const int begin = static_cast<int>(lane.job.begin);
  const int end = static_cast<int>(lane.job.end);
  switch (static_cast<Kernel>(lane.job.kernel)) {
#define CLOTHC_KERNEL(kernel, scope, class_of_items, program, stage, reads, writes) \
  case Kernel::kernel:                                                              \
    for (int i = begin; i < end; ++i) kernel(lane, i);                              \
    break;
#include "kernels/kernels.def"
#undef CLOTHC_KERNEL
    case Kernel::count:
      break;
  }
}

// Whether kernels load what is at the address through GROUP, never as a texel: of records, the state, and everything that
// the kernels load that run once per group.
bool is_through_group(const void* address) {
  if (!holds(watch.arenas->records, address)) return false;
  return access_of(address) == access_state || kernel_infos[watch.kernel].class_of_items == KernelClass::one_per_group;
}

}  // namespace

void record_read(const void* address) {
  record_access(address, &probes::Accesses::reads);
  if (watch.written.count(address) == 0 || is_through_group(address)) return;
  watch.log->stale[watch.kernel].reads |= access_of(address);
}
void record_read_again(const void* address) { record_access(address, &probes::Accesses::reads); }
void record_write(const void* address) {
  record_access(address, &probes::Accesses::writes);
  watch.written.insert(address);
}

}  // namespace clothc::checked

namespace clothc::probes {

void run_checked(Arenas& arenas, const std::vector<Job>& jobs, const AccessTable& declared, AccessLog& log) {
  auto* cloths = reinterpret_cast<checked::GroupRecord*>(arenas.records.data());
  checked::watch = {&arenas, 0, &declared, &log, checked::parts_of_tables(arenas), {}};
  auto* tables = reinterpret_cast<checked::CheckedWord*>(arenas.tables.data());
  for (const Job& job : jobs) {
    checked::watch.kernel = job.kernel;
    checked::watch.written.clear();
    const bool has_record = is_over_constraints(kernel_infos[job.kernel].class_of_items);
    checked::run_job({reinterpret_cast<checked::CheckedFloat*>(arenas.particles.data()),
                      reinterpret_cast<const checked::CheckedWord*>(arenas.topology.data()), tables, cloths,
                      arenas.frame, job, cloths[job.record].settings, cloths[job.record].step,
                      has_record ? tables + job.argument + constraint_line : nullptr});
  }
}

}  // namespace clothc::probes
