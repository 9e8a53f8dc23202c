// cpp.h - the kernel dialect as C++. Before this file, the includer defines in the current namespace the lane types
// real, inum, unum and mask with their operators, and lane_count (see backend_cpu/isa). A kernel runs the lane_count
// items that start at i.

#include "kernels/dialect/cpp_vectors.h"

// Everything that a run of a kernel accesses: the arenas, the constants, and the uniform parts of the group's record.
struct Lane {
  float* particles;
  const uint32_t* topology;
  uint32_t* tables;
  GroupRecord* records;
  FrameConstants frame;
  Job job;
  const GroupSettings& settings;
  const GroupStep& step;
  // The second line of the constraint record of a job over constraints, else null.
  const uint32_t* constraint;
};

#define FUNCTION(type) static INLINE type
// For a long function that several kernels call: all of them share one copy.
#define FUNCTION_APART(type) static CLOTHC_NOINLINE type
#define KERNEL(name) static INLINE void name(const Lane& lane, int i)
// A kernel of class variants, which is function(PASS i, value). The value is the same for all items of a job and below the
// limit; backends may compile the function for each value.
#define KERNEL_IN_VARIANTS(name, function, limit, value)                  \
  enum : int { variants_of_##name = (limit) };                            \
  static INLINE int variant_of_##name(const Lane& lane) { return value; } \
  template <int variant>                                                  \
  static INLINE void name##_in(const Lane& lane, int i) {                 \
    function(lane, i, variant);                                           \
  }                                                                       \
  KERNEL(name) { function(lane, i, variant_of_##name(lane)); }
#define CONTEXT const Lane &lane,
#define PASS lane,
#define CONTEXT_ONLY const Lane& lane
#define PASS_ONLY lane
#define VALUE(type) type
#define INOUT(type) type&
#define R(x) real(x)
#define I(x) inum(x)
#define U(x) unum(x)
#define XYZ(v) xyz_of(v)

#define SETTING(name) real(lane.settings.name)
#define SETTING_INT(name) static_cast<int>(lane.settings.name)
#define STEP(name) real(lane.step.name)
#define STEP_INT(name) static_cast<int>(lane.step.name)
#define STATE(name) real(lane.records[lane.job.record].state.name)
#define POSE(name) real(lane.records[lane.job.record].frame.name)
// Where kernels find a block of the particles, in elements from the beginning of the arena.
using block_offset = int;
#define FRAME(name) static_cast<int>(lane.frame.name)
#define FRAME_DT lane.frame.dt
#define ARGUMENT static_cast<int>(lane.job.argument)
#define HAS_ARGUMENT(flag) ((lane.job.argument & (flag)) != 0)
#define HAS_COLLISION(flag) ((lane.settings.collision_flags & (flag)) != 0)
#define IS_POSITIVE(setting) is_positive(setting)
#define LANES(i) lanes_from(i)
#define IN_REGION                                                   \
  mask_and(inum(static_cast<int>(lane.job.begin)) <= lanes_from(i), \
           lanes_from(i) < inum(static_cast<int>(lane.job.end)))
#define COUNT_UNLESS(condition, field) count_unless(condition, &lane.records[lane.job.record].field)

#define CONSTRAINT_REAL(word) real(float_at(lane.constraint + ((word)-constraint_line)))
#define CONSTRAINT_INT(word) static_cast<int>(lane.constraint[(word)-constraint_line])

// The record of a group. Its settings and its frame, which no kernel stores, are loaded through GROUP_SETTING and
// GROUP_FRAME.
#define GROUP(index) lane.records[index]
#define GROUP_SETTING(group, name) lane.records[group].settings.name
#define GROUP_FRAME(group, name) lane.records[group].frame.name
#define GROUP_STEP(group, name) lane.records[group].step.name
#define GROUP_STATE(group, name) lane.records[group].state.name
#define OWN_GROUP static_cast<int>(lane.job.record)
#define TOPOLOGY_INT(index) static_cast<int>(lane.topology[index])
#define TABLE_INT(index) static_cast<int>(lane.tables[index])
#define TABLE_REAL(index) real(float_at(lane.tables + (index)))
#define STORE_TABLE_INT(index, value) lane.tables[index] = static_cast<uint32_t>(value)
#define STORE_TABLE_REAL(index, value) store_float(lane.tables + (index), value)

// The tables again, for loads of what the kernel itself may have stored; see glsl.h.
#ifndef written_tables
#define written_tables tables
#endif

// Consecutive lanes access element offset + i. Index lists are ready for use by several gathers and scatters of rows of
// four words.
#define LOAD4(arena, offset, i) load4(lane.arena + 4 * (static_cast<size_t>(offset) + static_cast<size_t>(i)))
#define STORE4(arena, offset, i, value) \
  store4(lane.arena + 4 * (static_cast<size_t>(offset) + static_cast<size_t>(i)), value)
#define LOAD_REAL(arena, offset, i) load_real(lane.arena + static_cast<size_t>(offset) + static_cast<size_t>(i))
#define STORE_REAL(arena, offset, i, value) \
  store_real(lane.arena + static_cast<size_t>(offset) + static_cast<size_t>(i), value)
// The same in those lanes only where the condition holds; others load 0.
#define LOAD_REAL_WHERE(arena, offset, i, condition) \
  load_real_where(lane.arena + static_cast<size_t>(offset) + static_cast<size_t>(i), condition)
#define STORE_REAL_WHERE(arena, offset, i, value, condition) \
  store_real_where(lane.arena + static_cast<size_t>(offset) + static_cast<size_t>(i), value, condition)
#define STORE_BITS(arena, offset, i, value) \
  store_bits(lane.arena + static_cast<size_t>(offset) + static_cast<size_t>(i), value)
#define LOAD_INT(arena, offset, i) load_int(lane.arena + static_cast<size_t>(offset) + static_cast<size_t>(i))
// Lanes of a block of 16 load adjacent words; those of the next block, if there are any, words_per_block further on.
#define LOAD_BLOCK_REAL(arena, word, words_per_block) \
  load_block_real(lane.arena + static_cast<size_t>(word), static_cast<int>(words_per_block))
#define LOAD_BLOCK_INDICES(arena, word, words_per_block) \
  load_block_indices(lane.arena + static_cast<size_t>(word), static_cast<int>(words_per_block))
#define LOAD_INDICES(arena, offset, i) load_indices(lane.arena + static_cast<size_t>(offset) + static_cast<size_t>(i))
#define GATHER4(arena, offset, indices) gather4(lane.arena + 4 * static_cast<size_t>(offset), indices)
#define SCATTER4(arena, offset, indices, value) scatter4(lane.arena + 4 * static_cast<size_t>(offset), indices, value)
// The same from those lanes only where the condition holds.
#define SCATTER4_WHERE(arena, offset, indices, value, condition) \
  scatter4_where(lane.arena + 4 * static_cast<size_t>(offset), indices, value, condition)
// A row is four words in an arena of words; all of them are floats.
#define STORE_ROW(arena, offset, i, value) \
  store_row(lane.arena + static_cast<size_t>(offset) + 4 * static_cast<size_t>(i), value)
#define LOAD_ROW(arena, offset, i) load_row(lane.arena + static_cast<size_t>(offset) + 4 * static_cast<size_t>(i))
// Item i has two adjacent rows.
#define STORE_TWO_ROWS(arena, offset, i, first, second) \
  store_two_rows(lane.arena + static_cast<size_t>(offset) + 8 * static_cast<size_t>(i), first, second)
#define GATHER_ROW(arena, offset, indices) gather_row(lane.arena + static_cast<size_t>(offset), indices)
// Reads one integer per lane, at computed indices.
#define GATHER_INT(arena, offset, indices) gather_int(lane.arena + static_cast<size_t>(offset), indices)
// Writes one integer from each lane where the condition holds.
#define SCATTER_INT(arena, offset, indices, value, condition) \
  scatter_int(lane.arena + static_cast<size_t>(offset), indices, value, condition)
#define GATHER_REAL(arena, offset, indices) as_real(gather_int(lane.arena + static_cast<size_t>(offset), indices))
// Prepares computed indices that several gathers use; the type is kept_indices.
#define KEEP_INDICES(indices) keep_indices(indices)
// LANE_BITS gives lanes as bits of an int, lane 0 first; FIRST_BIT gives the lowest bit that is set.
#define LANE_COUNT lane_count
#define LANE_BITS(condition) lane_bits(condition)
#define FIRST_BIT(bits) platform::first_bit(static_cast<uint32_t>(bits))
// The lanes whose bit is set, where the first bit is that of the first lane of 16.
#define LANES_OF_BITS(bits, i) lanes_of_bits((bits) >> ((i)&15))
// The result is the same in all lanes.
#define LEAST_OF_LANES(value) least_of_lanes(value)
#define GREATEST_OF_LANES(value) greatest_of_lanes(value)
// A loop that runs while the condition of any lane holds.
#define WHILE_ANY(condition) while (any(condition))
// Stands in front of a loop of a few steps, which processors run faster as straight code. Drivers that compile slowly
// keep it a loop, whose code they compile once.
#define UNROLLED CLOTHC_UNROLLED
#define NOT_UNROLLED
// Skips code where the condition holds in no lane. The effects of the code must be masked nevertheless.
#define IF_ANY(condition) if (any(condition))
