// glsl.h - the kernel dialect as GLSL for Vulkan: a lane is an invocation. Include types.h first, after the extension
// GL_EXT_samplerless_texture_functions. main() sets `job` before it calls a kernel.
//
// Every value type is `precise`, masks and integers too, so that every operation that contributes to such a value is
// decorated NoContraction. Arguments of a call do not contribute to a precise value where the call returns nothing, or
// returns a struct of which the caller reads no member: kernels store the results that they pass to such calls in a
// named variable first.
//
// The bindings are four storage buffers, five texel buffers and 64 bytes of push constants, which is within the limits
// of every Vulkan 1.1 device.

// Kernels use most words as int, so that is how arenas declare them: modules would convert each word otherwise.
#ifdef CLOTHC_TABLE_LAUNCH
#define CLOTHC_TABLE_TYPE uint
#else
#define CLOTHC_TABLE_TYPE int
#endif

// A shader in which invocations read what other invocations have written defines this as `coherent`.
#ifndef CLOTHC_COHERENT
#define CLOTHC_COHERENT
#endif

layout(std430, set = 0, binding = 0) CLOTHC_COHERENT buffer ParticlesArena { vec4 particles[]; };
layout(std430, set = 0, binding = 1) readonly buffer TopologyArena { int topology[]; };
// tools/make_spirv makes words of the records, so that modules need not declare their hundreds of members.
layout(std430, set = 0, binding = 2) CLOTHC_COHERENT buffer RecordsArena { GroupRecord records[]; };
layout(std430, set = 0, binding = 2) CLOTHC_COHERENT buffer RecordWordsArena { int record_words[]; };
layout(std430, set = 0, binding = 3) CLOTHC_COHERENT buffer TablesArena { CLOTHC_TABLE_TYPE tables[]; };
// One texel per job: kernel << 24 | record, begin, end, argument.
layout(set = 0, binding = 4) uniform utextureBuffer jobs;
#ifdef CLOTHC_TABLE_LAUNCH
// For kernels that work on words of the tables by groups of threads.
layout(push_constant) uniform Launch { TableLaunch launch; };
#define GROUP_KERNEL(name) void name(int block, int thread)
#define SHARED_WORDS(name, count) shared uint name[count];
#define SHARED_ADD(word, addend) atomicAdd(word, addend)
#define GROUP_BARRIER barrier();
#define OPERATION(field) launch.field
#define TABLE_WORD(index) tables[index]
#else
layout(push_constant) uniform Launch {
  FrameConstants frame;
  uint first_job;
  uint job_count;
  // Whether jobs are skipped where the predicate of their group is 0.
  uint repeated;
  // Used by programs, which number the jobs of the whole update through all its iterations.
  uint first_step;
  uint end_step;
}
launch;
#endif

// True: division and square root are correctly rounded. False: they are as precise as the device makes them.
layout(constant_id = 0) const bool strict_arithmetic = true;

// Kernels read arenas through particles_at(index), topology_at(index) and tables_at(index), and settings, frames and steps
// of records through CLOTHC_LOADED(part, group, name). Where reads_texels is true, these fetch texels, which some drivers
// compile and run faster. Texels need not show what the same dispatch has written. So kernels load what they may have
// stored themselves from written_tables and through GROUP, and shaders whose invocations read what others have written do
// not define CLOTHC_ARENA_TEXELS.
#ifdef CLOTHC_ARENA_TEXELS
layout(constant_id = 2) const bool reads_texels = false;
layout(set = 0, binding = 5) uniform utextureBuffer particle_texels;
layout(set = 0, binding = 6) uniform utextureBuffer topology_texels;
layout(set = 0, binding = 7) uniform utextureBuffer record_texels;
layout(set = 0, binding = 8) uniform utextureBuffer table_texels;
#define CLOTHC_ARENA(arena, type, texels, from_texel)  \
  type arena##_at(const int index) {                   \
    type element;                                      \
    if (reads_texels) {                                \
      element = from_texel(texelFetch(texels, index)); \
    } else {                                           \
      element = arena[index];                          \
    }                                                  \
    return element;                                    \
  }
#define CLOTHC_FIRST(texel) int((texel).x)
CLOTHC_ARENA(particles, vec4, particle_texels, uintBitsToFloat)
CLOTHC_ARENA(topology, int, topology_texels, CLOTHC_FIRST)
CLOTHC_ARENA(record_words, int, record_texels, CLOTHC_FIRST)
CLOTHC_ARENA(tables, int, table_texels, CLOTHC_FIRST)
#else
#define particles_at(index) particles[index]
#define topology_at(index) topology[index]
#define record_words_at(index) record_words[index]
#define tables_at(index) tables[index]
#endif

// The functions part_name_word(group) and part_name_at(group) for each member.
#define CLOTHC_FROM_float(word) intBitsToFloat(word)
#define CLOTHC_FROM_uint(word) uint(word)
#define CLOTHC_MEMBER(type, part, name, word, words)                                              \
  int part##_##name##_word(const int group) { return record_words_at(group * (words) + (word)); } \
  type part##_##name##_at(const int group) { return CLOTHC_FROM_##type(part##_##name##_word(group)); }
#include "kernels/spirv/record_members.h"
#undef CLOTHC_MEMBER
#define CLOTHC_LOADED(part, group, name) part##_##name##_at(int(group))
#define CLOTHC_LOADED_INT(part, group, name) part##_##name##_word(int(group))
#define written_tables_at(index) tables[index]

Job job;

Job job_at(const uint index) {
  uvec4 texel = texelFetch(jobs, int(index));
  return Job(texel.x >> 24, texel.x & 0xffffffu, texel.y, texel.z, texel.w);
}

#define real precise float
#define real3 precise vec3
#define real4 precise vec4
#define inum precise int
#define unum precise uint
#define mask precise bool
#define index_list int
#define kept_indices int

// Drivers for GPUs unroll loops over a strict division, which takes them seconds to compile.
#define NOT_UNROLLED [[dont_unroll]]
#define FUNCTION(type) type
#define FUNCTION_APART(type) type
#define KERNEL(name) void name(int i)
#define KERNEL_IN_VARIANTS(name, function, limit, value) \
  KERNEL(name) { function(i, value); }
#define CONTEXT
#define PASS
#define CONTEXT_ONLY
#define PASS_ONLY
#define VALUE(type) const type
#define INOUT(type) inout type
#define R(x) float(x)
#define I(x) int(x)
#define U(x) uint(x)
#define XYZ(v) (v).xyz

FUNCTION(real3) make3(VALUE(real) x, VALUE(real) y, VALUE(real) z) { return vec3(x, y, z); }
FUNCTION(real4) make4(VALUE(real3) v, VALUE(real) w) { return vec4(v, w); }
FUNCTION(real) select(VALUE(mask) m, VALUE(real) a, VALUE(real) b) { return m ? a : b; }
FUNCTION(inum) select_int(VALUE(mask) m, VALUE(inum) a, VALUE(inum) b) { return m ? a : b; }
FUNCTION(unum) select_bits(VALUE(mask) m, VALUE(unum) a, VALUE(unum) b) { return m ? a : b; }
FUNCTION(mask) mask_and(VALUE(mask) a, VALUE(mask) b) { return a && b; }
FUNCTION(mask) mask_or(VALUE(mask) a, VALUE(mask) b) { return a || b; }
FUNCTION(mask) mask_not(VALUE(mask) a) { return !a; }
FUNCTION(inum) as_int(VALUE(real) a) { return floatBitsToInt(a); }
FUNCTION(unum) as_bits(VALUE(real) a) { return floatBitsToUint(a); }
FUNCTION(real) as_real(VALUE(inum) a) { return intBitsToFloat(a); }
FUNCTION(real) as_real(VALUE(unum) a) { return uintBitsToFloat(a); }
FUNCTION(unum) to_unsigned(VALUE(inum) a) { return uint(a); }
FUNCTION(inum) to_signed(VALUE(unum) a) { return int(a); }
// What is out of range, for which SPIR-V leaves everything undefined, becomes zero. Results that count are in range.
FUNCTION(inum) to_int(VALUE(real) a) {
  real value = a;
  mask fits = intBitsToFloat(floatBitsToInt(value) & 0x7fffffff) < 2147483648.0f;
  real converted = fits ? value : 0.0f;
  return int(converted);
}
FUNCTION(real) to_real(VALUE(inum) a) { return float(a); }

// math.h defines these for dialects without operations on vectors.
#define CLOTHC_HAS_VECTORS
FUNCTION(real) dot3(VALUE(real3) a, VALUE(real3) b) {
  real3 products = a * b;
  real result = products.x + products.y + products.z;
  return result;
}
FUNCTION(real3) cross3(VALUE(real3) a, VALUE(real3) b) {
  real3 result = a.yzx * b.zxy - a.zxy * b.yzx;
  return result;
}
FUNCTION(real3) componentwise(VALUE(real3) a, VALUE(real3) b) {
  real3 products = a * b;
  return products;
}
FUNCTION(real3) absolute3(VALUE(real3) a) { return intBitsToFloat(floatBitsToInt(a) & ivec3(0x7fffffff)); }
FUNCTION(real3) lower_of(VALUE(real3) a, VALUE(real3) b) { return mix(b, a, lessThan(a, b)); }
FUNCTION(real3) upper_of(VALUE(real3) a, VALUE(real3) b) { return mix(b, a, lessThan(b, a)); }
FUNCTION(mask) is_within3(VALUE(real3) a, VALUE(real3) b) { return all(lessThanEqual(a, b)); }
FUNCTION(real3) select3(VALUE(mask) m, VALUE(real3) a, VALUE(real3) b) { return mix(b, a, bvec3(m)); }
FUNCTION(real4) select4(VALUE(mask) m, VALUE(real4) a, VALUE(real4) b) { return mix(b, a, bvec4(m)); }
FUNCTION(real3) select_below3(VALUE(real3) v, VALUE(real) limit, VALUE(real3) b, VALUE(real3) c) {
  return mix(c, b, lessThan(v, vec3(limit)));
}

// Division and square root of the device; tests replace them by inaccurate ones.
#ifndef CLOTHC_NATIVE_DIVIDE
#define CLOTHC_NATIVE_DIVIDE(a, b) ((a) / (b))
#define CLOTHC_NATIVE_SQUARE_ROOT(a) sqrt(a)
#endif

FUNCTION(unum) significand_of(VALUE(unum) bits) { return bits & 0x7fffffu | 0x800000u; }
FUNCTION(unum) exponent_of(VALUE(unum) bits) { return bits >> 23 & 0xffu; }
// False for the exponents of zero, subnormal numbers, infinities and NaN.
FUNCTION(mask) is_normal(VALUE(unum) exponent) { return exponent - 1u < 254u; }

// Numerator / denominator, at most 1.3 % too small, rounded towards zero: rough_reciprocal in math.h.
FUNCTION(inum) rough_ratio(VALUE(inum) numerator, VALUE(unum) denominator) {
  real divisor = float(denominator);
  real guess = uintBitsToFloat(0x7ef311c7u - floatBitsToUint(divisor));
  real inverse = guess * (2.0f - divisor * guess);
  real ratio = float(numerator) * inverse;
  return int(ratio);
}

// The strict operations compute with significands as integers of 24 bits. The device's result, of which the last bits
// may be wrong, gives a candidate, whose remainder is exact modulo 2^32. A rough estimate of the candidate's error brings
// it to within 1.5 of the quotient or root, and the remainder that is left decides which of the three integers there is
// the nearest. Ties cannot occur. This works for all normal operands with a normal result, where the device's error is
// at most 30 units in the last place. All others get what the device gives. There are no branches and one operation of
// the device, since drivers may copy these functions to each place where they are called.
FUNCTION(real) divide_strictly(VALUE(real) a, VALUE(real) b) {
  unum dividend = significand_of(as_bits(a));
  unum divisor = significand_of(as_bits(b));
  unum of_a = exponent_of(as_bits(a));
  unum of_b = exponent_of(as_bits(b));
  // The place of the quotient's first bit.
  uint small = uint(dividend < divisor);
  unum exponent = of_a - of_b - small + 127u;
  mask normal = mask_and(mask_and(is_normal(of_a), is_normal(of_b)), is_normal(exponent));
  real native = CLOTHC_NATIVE_DIVIDE(select(normal, as_real(dividend | 0x3f800000u), a),
                                     select(normal, as_real(divisor | 0x3f800000u), b));
  // In units of the last place: times 2^23 or 2^24.
  real ratio = normal ? native : 1.0f;
  unum quotient = uint(int(ratio * uintBitsToFloat(0x4b000000u + (small << 23))));
  inum remainder = int((dividend << 23u + small) - quotient * divisor);
  inum off = rough_ratio(remainder, divisor);
  inum twice = 2 * (remainder - off * int(divisor));
  unum rounded = quotient + uint(off) + uint(int(divisor) < twice) - uint(twice < -int(divisor));
  unum sign = (as_bits(a) ^ as_bits(b)) & 0x80000000u;
  return select(normal, as_real(sign | exponent << 23 | rounded & 0x7fffffu), native);
}

FUNCTION(real) square_root_strictly(VALUE(real) a) {
  unum exponent = exponent_of(as_bits(a));
  unum odd = ~exponent & 1u;
  unum radicand = significand_of(as_bits(a));
  mask normal = mask_and(0.0f < a, is_normal(exponent));
  real native = CLOTHC_NATIVE_SQUARE_ROOT(select(normal, as_real(radicand & 0x7fffffu | 127u + odd << 23), a));
  real ratio = normal ? native : 1.0f;
  unum root = uint(int(ratio * 8388608.0f));
  root = root + uint(rough_ratio(int((radicand << 23u + odd) - root * root), 2u * root));
  inum rest = int((radicand << 23u + odd) - root * root);
  unum rounded = root + uint(int(root) < rest) - uint(rest <= -int(root));
  return select(normal, as_real((exponent + 127u - odd >> 1) << 23 | rounded & 0x7fffffu), native);
}

// tools/make_spirv keeps one copy of these two in a module that calls them often.
FUNCTION(real) divide(VALUE(real) a, VALUE(real) b) {
  real quotient;
  if (strict_arithmetic) {
    quotient = divide_strictly(a, b);
  } else {
    quotient = CLOTHC_NATIVE_DIVIDE(a, b);
  }
  return quotient;
}

FUNCTION(real) square_root(VALUE(real) a) {
  real root;
  if (strict_arithmetic) {
    root = square_root_strictly(a);
  } else {
    root = CLOTHC_NATIVE_SQUARE_ROOT(a);
  }
  return root;
}

// One after the other where one copy of the division is enough for all three.
#define CLOTHC_HAS_DIVIDE3
FUNCTION(real3) divide3(VALUE(real3) a, VALUE(real3) b) {
  real3 quotients;
  if (strict_arithmetic) {
    real3 dividends = a;
    real3 divisors = b;
    quotients = a;
    NOT_UNROLLED for (int k = 0; k < 3; ++k) {
      quotients = vec3(quotients.yz, divide(dividends.x, divisors.x));
      dividends = dividends.yzx;
      divisors = divisors.yzx;
    }
  } else {
    quotients = vec3(CLOTHC_NATIVE_DIVIDE(a.x, b.x), CLOTHC_NATIVE_DIVIDE(a.y, b.y), CLOTHC_NATIVE_DIVIDE(a.z, b.z));
  }
  return quotients;
}

#define CLOTHC_OWN_GROUP records[job.record]
#define SETTING(name) GROUP_SETTING(job.record, name)
#define SETTING_INT(name) CLOTHC_LOADED_INT(settings, job.record, name)
#define STEP(name) CLOTHC_LOADED(step, job.record, name)
#define STEP_INT(name) CLOTHC_LOADED_INT(step, job.record, name)
#define STATE(name) CLOTHC_OWN_GROUP.state.name
#define POSE(name) GROUP_FRAME(job.record, name)
// Where kernels find a block of the particles, in elements from the beginning of the arena.
#define block_offset int
#define FRAME(name) int(launch.frame.name)
#define FRAME_DT launch.frame.dt
#define ARGUMENT int(job.argument)
#define HAS_ARGUMENT(flag) ((job.argument & (flag)) != 0u)
#define HAS_COLLISION(flag) ((GROUP_SETTING(job.record, collision_flags) & (flag)) != 0u)
#define IS_POSITIVE(setting) (0.0f < (setting))
#define LANES(i) (i)
#define IN_REGION mask_and(job.begin <= uint(i), uint(i) < job.end)
#define COUNT_UNLESS(condition, field)                   \
  {                                                      \
    mask counted = condition;                            \
    if (!counted) atomicAdd(CLOTHC_OWN_GROUP.field, 1u); \
  }

#define CONSTRAINT_REAL(word) TABLE_REAL(job.argument + (word))
#define CONSTRAINT_INT(word) TABLE_INT(job.argument + (word))

#define GROUP(index) records[index]
#define GROUP_SETTING(group, name) CLOTHC_LOADED(settings, group, name)
#define GROUP_FRAME(group, name) CLOTHC_LOADED(frame, group, name)
#define GROUP_STEP(group, name) records[group].step.name
#define GROUP_STATE(group, name) records[group].state.name
#define OWN_GROUP int(job.record)
#define TOPOLOGY_INT(index) topology_at(int(index))
#define TABLE_INT(index) tables_at(int(index))
#define TABLE_REAL(index) intBitsToFloat(tables_at(int(index)))
#define STORE_TABLE_INT(index, value) tables[index] = value
#define STORE_TABLE_REAL(index, value) STORE_REAL(tables, index, 0, value)

// A stored value passes through a precise variable, since the member of a buffer is not precise.
#define LOAD4(arena, offset, i) arena##_at((offset) + (i))
#define STORE4(arena, offset, i, value) \
  {                                     \
    real4 stored = value;               \
    arena[(offset) + (i)] = stored;     \
  }
#define LOAD_REAL(arena, offset, i) intBitsToFloat(arena##_at((offset) + (i)))
#define STORE_REAL(arena, offset, i, value)         \
  {                                                 \
    real stored = value;                            \
    arena[(offset) + (i)] = floatBitsToInt(stored); \
  }
#define LOAD_REAL_WHERE(arena, offset, i, condition) ((condition) ? LOAD_REAL(arena, offset, i) : 0.0)
#define STORE_REAL_WHERE(arena, offset, i, value, condition) \
  if (condition) STORE_REAL(arena, offset, i, value)
#define STORE_BITS(arena, offset, i, value) \
  {                                         \
    unum stored = value;                    \
    arena[(offset) + (i)] = int(stored);    \
  }
#define LOAD_INT(arena, offset, i) arena##_at((offset) + (i))
#define LOAD_INDICES(arena, offset, i) arena##_at((offset) + (i))
#define LOAD_BLOCK_REAL(arena, word, words_per_block) LOAD_REAL(arena, word, 0)
#define LOAD_BLOCK_INDICES(arena, word, words_per_block) LOAD_INDICES(arena, word, 0)
#define GATHER4(arena, offset, indices) arena##_at((offset) + (indices))
#define SCATTER4(arena, offset, indices, value) STORE4(arena, offset, indices, value)
#define SCATTER4_WHERE(arena, offset, indices, value, condition) \
  if (condition) STORE4(arena, offset, indices, value)
#define STORE_ROW(arena, offset, i, value)                    \
  {                                                           \
    real4 stored = value;                                     \
    arena[(offset) + 4 * (i)] = floatBitsToInt(stored.x);     \
    arena[(offset) + 4 * (i) + 1] = floatBitsToInt(stored.y); \
    arena[(offset) + 4 * (i) + 2] = floatBitsToInt(stored.z); \
    arena[(offset) + 4 * (i) + 3] = floatBitsToInt(stored.w); \
  }
#define LOAD_ROW(arena, offset, i) GATHER_ROW(arena, offset, i)
// Item i has two adjacent rows.
#define STORE_TWO_ROWS(arena, offset, i, first, second) \
  STORE_ROW(arena, offset, 2 * (i), first)              \
  STORE_ROW(arena, offset, 2 * (i) + 1, second)
#define GATHER_ROW(arena, offset, indices)                                                                             \
  vec4(intBitsToFloat(arena##_at((offset) + 4 * (indices))), intBitsToFloat(arena##_at((offset) + 4 * (indices) + 1)), \
       intBitsToFloat(arena##_at((offset) + 4 * (indices) + 2)),                                                       \
       intBitsToFloat(arena##_at((offset) + 4 * (indices) + 3)))
#define GATHER_INT(arena, offset, indices) arena##_at((offset) + (indices))
#define SCATTER_INT(arena, offset, indices, value, condition) \
  if (condition) arena[(offset) + (indices)] = value
#define GATHER_REAL(arena, offset, indices) intBitsToFloat(arena##_at((offset) + (indices)))
#define KEEP_INDICES(indices) (indices)
#define LANE_COUNT 1
#define LANE_BITS(condition) int(condition)
#define LANES_OF_BITS(bits, i) (((bits) >> ((i)&15) & 1) != 0)
#define FIRST_BIT(bits) findLSB(bits)
#define LEAST_OF_LANES(value) (value)
#define GREATEST_OF_LANES(value) (value)
// Each invocation loops while the condition of its own lane holds; further passes would not change a lane that is done.
#define WHILE_ANY(condition) while (condition)
#define UNROLLED
#define IF_ANY(condition) if (condition)
