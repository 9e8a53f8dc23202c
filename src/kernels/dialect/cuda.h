// cuda.h - the kernel dialect as CUDA C++: a lane is a thread. Include types.h first, in the same namespace. Products
// and sums are plain operators, so compile with -fmad=false -ftz=false.

typedef float real;
typedef int inum;
typedef uint unum;
typedef bool mask;
typedef int index_list;
typedef int kept_indices;

struct real3 {
  float x, y, z;
};
struct alignas(16) real4 {
  float x, y, z, w;
};

// The second line of a constraint record, which kernels over constraints only read. It is at a multiple of 16 bytes.
struct ConstraintLine {
  uint4 words[(constraint_words - constraint_line) / 4];
};

// Everything that a launch of a kernel accesses: the arenas and the constants.
struct Lane {
  real4* particles;
  const uint* topology;
  uint* tables;
  GroupRecord* records;
  FrameConstants frame;
  Job job;
  // Of the job's constraint record. A compiler would load it again for each item, because of the stores between them.
  // What no kernel uses of it is not loaded.
  ConstraintLine constraint;
#ifdef CLOTHC_SHARED_PARTICLES
  // The elements of the group in the two blocks of positions are in shared_particles: number of elements of each, and
  // the one which comes first there.
  int shared_count;
  int shared_first;
#endif
};

// Everything that a launch of a kernel that works on words of the tables accesses.
struct TableLane {
  uint* tables;
  TableLaunch launch;
};
#define GROUP_KERNEL(name) static __device__ __forceinline__ void name(const TableLane& lane, int block, int thread)
#define SHARED_WORDS(name, count) static __shared__ uint name[count];
#define SHARED_ADD(word, addend) atomicAdd(&(word), addend)
#define GROUP_BARRIER __syncthreads();
#define OPERATION(field) lane.launch.field
#define TABLE_WORD(index) lane.tables[index]

#define FUNCTION(type) static __device__ __forceinline__ type
#define FUNCTION_APART(type) FUNCTION(type)
#define KERNEL(name) static __device__ __forceinline__ void name(const Lane& lane, int i)
#define KERNEL_IN_VARIANTS(name, function, limit, value) \
  KERNEL(name) { function(lane, i, value); }
#define CONTEXT const Lane &lane,
#define PASS lane,
#define CONTEXT_ONLY const Lane& lane
#define PASS_ONLY lane
#define VALUE(type) type
#define INOUT(type) type&
#define R(x) float(x)
#define I(x) int(x)
#define U(x) uint(x)
#define XYZ(v) xyz_of(v)

FUNCTION(real3) make3(real x, real y, real z) { return {x, y, z}; }
FUNCTION(real4) make4(real3 v, real w) { return {v.x, v.y, v.z, w}; }
FUNCTION(real3) xyz_of(real4 v) { return {v.x, v.y, v.z}; }
FUNCTION(real3) operator+(real3 a, real3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
FUNCTION(real3) operator-(real3 a, real3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
FUNCTION(real3) operator*(real3 a, real s) { return {a.x * s, a.y * s, a.z * s}; }
FUNCTION(real) select(mask m, real a, real b) { return m ? a : b; }
FUNCTION(inum) select_int(mask m, inum a, inum b) { return m ? a : b; }
FUNCTION(unum) select_bits(mask m, unum a, unum b) { return m ? a : b; }
FUNCTION(mask) mask_and(mask a, mask b) { return a && b; }
FUNCTION(mask) mask_or(mask a, mask b) { return a || b; }
FUNCTION(mask) mask_not(mask a) { return !a; }
FUNCTION(real) divide(real a, real b) { return __fdiv_rn(a, b); }
FUNCTION(real) square_root(real a) { return __fsqrt_rn(a); }
FUNCTION(inum) as_int(real a) { return __float_as_int(a); }
FUNCTION(unum) as_bits(real a) { return __float_as_uint(a); }
FUNCTION(real) as_real(inum a) { return __int_as_float(a); }
FUNCTION(real) as_real(unum a) { return __uint_as_float(a); }
FUNCTION(unum) to_unsigned(inum a) { return uint(a); }
FUNCTION(inum) to_signed(unum a) { return int(a); }
FUNCTION(inum) to_int(real a) { return __float2int_rz(a); }
FUNCTION(real) to_real(inum a) { return __int2float_rn(a); }

// Where kernels find a block of the particles, in elements from the beginning of the arena. In programs, the two blocks
// of positions are in memory that the threads of a block share; which of them an offset belongs to is known when the
// program is compiled.
#ifdef CLOTHC_SHARED_PARTICLES
extern __shared__ real4 shared_particles[];
enum class Home { arena, position, previous };
struct block_offset {
  __device__ __forceinline__ block_offset(int offset, Home home = Home::arena) : offset(offset), home(home) {}
  int offset;
  Home home;
};
FUNCTION(block_offset) operator+(block_offset block, int elements) { return {block.offset + elements, block.home}; }
FUNCTION(block_offset) operator-(block_offset block, int elements) { return {block.offset - elements, block.home}; }
FUNCTION(block_offset) frame_position(const Lane& lane) { return {-lane.shared_first, Home::position}; }
FUNCTION(block_offset) frame_previous(const Lane& lane) {
  return {lane.shared_count - lane.shared_first, Home::previous};
}
FUNCTION(real4) particles_load4(const Lane& lane, block_offset block, int i) {
  if (block.home == Home::arena) return lane.particles[block.offset + i];
  return shared_particles[block.offset + i];
}
FUNCTION(void) particles_store4(const Lane& lane, block_offset block, int i, real4 value) {
  if (block.home == Home::arena) {
    lane.particles[block.offset + i] = value;
  } else {
    shared_particles[block.offset + i] = value;
  }
}
#else
typedef int block_offset;
FUNCTION(block_offset) frame_position(const Lane& lane) { return int(lane.frame.position); }
FUNCTION(block_offset) frame_previous(const Lane& lane) { return int(lane.frame.previous); }
FUNCTION(real4) particles_load4(const Lane& lane, block_offset block, int i) { return lane.particles[block + i]; }
FUNCTION(void) particles_store4(const Lane& lane, block_offset block, int i, real4 value) {
  lane.particles[block + i] = value;
}
#endif
FUNCTION(block_offset) frame_exchange(const Lane& lane) { return int(lane.frame.exchange); }

#define CLOTHC_OWN_GROUP lane.records[lane.job.record]
#define SETTING(name) CLOTHC_OWN_GROUP.settings.name
#define SETTING_INT(name) int(CLOTHC_OWN_GROUP.settings.name)
#define STEP(name) CLOTHC_OWN_GROUP.step.name
#define STEP_INT(name) int(CLOTHC_OWN_GROUP.step.name)
#define STATE(name) CLOTHC_OWN_GROUP.state.name
#define POSE(name) CLOTHC_OWN_GROUP.frame.name
#define FRAME(name) frame_##name(lane)
#define FRAME_DT lane.frame.dt
#define ARGUMENT int(lane.job.argument)
#define HAS_ARGUMENT(flag) ((lane.job.argument & (flag)) != 0)
#define HAS_COLLISION(flag) ((CLOTHC_OWN_GROUP.settings.collision_flags & (flag)) != 0)
#define IS_POSITIVE(setting) (0.0f < (setting))
#define LANES(i) (i)
#define IN_REGION mask_and(lane.job.begin <= uint(i), uint(i) < lane.job.end)
#define COUNT_UNLESS(condition, field) \
  if (!(condition)) atomicAdd(&CLOTHC_OWN_GROUP.field, 1u)

FUNCTION(void) load_constraint(Lane& lane) {
  const uint4* line = reinterpret_cast<const uint4*>(lane.tables + lane.job.argument + constraint_line);
#pragma unroll
  for (uint k = 0; k < (constraint_words - constraint_line) / 4; ++k) lane.constraint.words[k] = line[k];
}
FUNCTION(uint) constraint_word(const Lane& lane, uint word) {
  const uint4 words = lane.constraint.words[(word - constraint_line) / 4];
  return word % 4 == 0 ? words.x : word % 4 == 1 ? words.y : word % 4 == 2 ? words.z : words.w;
}
#define CONSTRAINT_REAL(word) __uint_as_float(constraint_word(lane, word))
#define CONSTRAINT_INT(word) int(constraint_word(lane, word))

#define GROUP(index) lane.records[index]
#define GROUP_SETTING(group, name) lane.records[group].settings.name
#define GROUP_FRAME(group, name) lane.records[group].frame.name
#define GROUP_STEP(group, name) lane.records[group].step.name
#define GROUP_STATE(group, name) lane.records[group].state.name
#define OWN_GROUP int(lane.job.record)
// Kernels only read the topology, so its loads may go through the cache for constants.
FUNCTION(uint) topology_word(const Lane& lane, int index) { return __ldg(&lane.topology[index]); }
FUNCTION(uint) tables_word(const Lane& lane, int index) { return lane.tables[index]; }
FUNCTION(uint) written_tables_word(const Lane& lane, int index) { return lane.tables[index]; }
#define TOPOLOGY_INT(index) int(topology_word(lane, int(index)))
#define TABLE_INT(index) int(lane.tables[index])
#define TABLE_REAL(index) __uint_as_float(lane.tables[index])
#define STORE_TABLE_INT(index, value) lane.tables[index] = uint(value)
#define STORE_TABLE_REAL(index, value) lane.tables[index] = __float_as_uint(value)

#define written_tables tables
#define LOAD4(arena, offset, i) arena##_load4(lane, offset, i)
#define STORE4(arena, offset, i, value) arena##_store4(lane, offset, i, value)
#define LOAD_REAL(arena, offset, i) __uint_as_float(arena##_word(lane, int((offset) + (i))))
#define STORE_REAL(arena, offset, i, value) lane.arena[(offset) + (i)] = __float_as_uint(value)
#define LOAD_REAL_WHERE(arena, offset, i, condition) ((condition) ? LOAD_REAL(arena, offset, i) : 0.0f)
#define STORE_REAL_WHERE(arena, offset, i, value, condition) \
  if (condition) STORE_REAL(arena, offset, i, value)
#define STORE_BITS(arena, offset, i, value) lane.arena[(offset) + (i)] = value
#define LOAD_INT(arena, offset, i) int(arena##_word(lane, int((offset) + (i))))
#define LOAD_INDICES(arena, offset, i) int(arena##_word(lane, int((offset) + (i))))
#define LOAD_BLOCK_REAL(arena, word, words_per_block) LOAD_REAL(arena, word, 0)
#define LOAD_BLOCK_INDICES(arena, word, words_per_block) LOAD_INDICES(arena, word, 0)
#define GATHER4(arena, offset, indices) LOAD4(arena, offset, indices)
#define SCATTER4(arena, offset, indices, value) STORE4(arena, offset, indices, value)
#define SCATTER4_WHERE(arena, offset, indices, value, condition) \
  if (condition) STORE4(arena, offset, indices, value)
#define STORE_ROW(arena, offset, i, value)       \
  {                                              \
    const real4 stored = value;                  \
    uint* row = &lane.arena[(offset) + 4 * (i)]; \
    row[0] = __float_as_uint(stored.x);          \
    row[1] = __float_as_uint(stored.y);          \
    row[2] = __float_as_uint(stored.z);          \
    row[3] = __float_as_uint(stored.w);          \
  }
#define LOAD_ROW(arena, offset, i) CLOTHC_ROW(arena##_word, offset, i)
// Item i has two adjacent rows.
#define STORE_TWO_ROWS(arena, offset, i, first, second) \
  STORE_ROW(arena, offset, 2 * (i), first)              \
  STORE_ROW(arena, offset, 2 * (i) + 1, second)
#define GATHER_ROW(arena, offset, indices) CLOTHC_ROW(arena##_word, offset, indices)
#define CLOTHC_ROW(word, offset, indices)                               \
  real4 {                                                               \
    __uint_as_float(word(lane, int((offset) + 4 * (indices)))),         \
        __uint_as_float(word(lane, int((offset) + 4 * (indices) + 1))), \
        __uint_as_float(word(lane, int((offset) + 4 * (indices) + 2))), \
        __uint_as_float(word(lane, int((offset) + 4 * (indices) + 3)))  \
  }
#define GATHER_INT(arena, offset, indices) int(arena##_word(lane, int((offset) + (indices))))
#define SCATTER_INT(arena, offset, indices, value, condition) \
  if (condition) lane.arena[(offset) + (indices)] = uint(value)
#define GATHER_REAL(arena, offset, indices) __uint_as_float(arena##_word(lane, int((offset) + (indices))))
#define KEEP_INDICES(indices) (indices)
#define LANE_COUNT 1
#define LANE_BITS(condition) int(condition)
#define LANES_OF_BITS(bits, i) (((bits) >> ((i)&15) & 1) != 0)
#define FIRST_BIT(bits) (__ffs(bits) - 1)
#define LEAST_OF_LANES(value) (value)
#define GREATEST_OF_LANES(value) (value)
// Each thread loops while the condition of its own lane holds; further passes would not change a lane that is done.
#define WHILE_ANY(condition) while (condition)
#define UNROLLED _Pragma("unroll")
#define NOT_UNROLLED
#define IF_ANY(condition) if (condition)
