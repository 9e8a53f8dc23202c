// dialect_glsl.h - the kernel dialect as GLSL for Vulkan: a lane is an invocation. Include types.h first. Every value
// type is `precise`, masks and integers too, so that each operation that leads to one is decorated NoContraction.
// Four storage buffers and 52 bytes of push constants, within what every Vulkan 1.1 device has.

layout(std430, set = 0, binding = 0) buffer ParticlesArena { vec4 particles[]; };
layout(std430, set = 0, binding = 1) readonly buffer FabricArena { uint fabric[]; };
layout(std430, set = 0, binding = 2) buffer ClothsArena { ClothRecord cloths[]; };
layout(std430, set = 0, binding = 3) buffer TablesArena { uint tables[]; };
layout(push_constant) uniform Launch {
  FrameConstants frame;
  Work work;
}
launch;

#define real precise float
#define real3 precise vec3
#define real4 precise vec4
#define inum precise int
#define unum precise uint
#define mask precise bool
#define index_list int

#define FUNCTION(type) type
#define KERNEL(name) void name(int i)
#define CONTEXT
#define PASS
#define VALUE(type) in type
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
FUNCTION(real) divide(VALUE(real) a, VALUE(real) b) { return a / b; }
FUNCTION(real) square_root(VALUE(real) a) { return sqrt(a); }
FUNCTION(inum) as_int(VALUE(real) a) { return floatBitsToInt(a); }
FUNCTION(unum) as_bits(VALUE(real) a) { return floatBitsToUint(a); }
FUNCTION(real) as_real(VALUE(inum) a) { return intBitsToFloat(a); }
FUNCTION(real) as_real(VALUE(unum) a) { return uintBitsToFloat(a); }
FUNCTION(unum) to_unsigned(VALUE(inum) a) { return uint(a); }
FUNCTION(inum) to_signed(VALUE(unum) a) { return int(a); }
FUNCTION(inum) to_int(VALUE(real) a) { return int(a); }
FUNCTION(real) to_real(VALUE(inum) a) { return float(a); }

#define CLOTHC_OWN_CLOTH cloths[launch.work.cloth]
#define SETTING(name) CLOTHC_OWN_CLOTH.settings.name
#define SETTING_INT(name) int(CLOTHC_OWN_CLOTH.settings.name)
#define STEP(name) CLOTHC_OWN_CLOTH.step.name
#define STATE(name) CLOTHC_OWN_CLOTH.state.name
#define FRAME(name) int(launch.frame.name)
#define FRAME_DT launch.frame.dt
#define ARGUMENT int(launch.work.argument)
#define HAS_FLAG(flag) ((CLOTHC_OWN_CLOTH.settings.flags & (flag)) != 0u)
#define HAS_ARGUMENT(flag) ((launch.work.argument & (flag)) != 0u)
#define IS_POSITIVE(setting) (0.0f < (setting))
#define LANES(i) (i)
#define IN_REGION mask_and(launch.work.begin <= uint(i), uint(i) < launch.work.end)
#define COUNT_UNLESS(condition, field)                         \
  {                                                            \
    mask counted = condition;                                  \
    if (!counted) atomicAdd(CLOTHC_OWN_CLOTH.state.field, 1u); \
  }

#define CLOTH(index) cloths[index]
#define TABLE_INT(index) int(tables[index])
#define TABLE_REAL(index) uintBitsToFloat(tables[index])
#define STORE_TABLE_REAL(index, value) STORE_REAL(tables, index, 0, value)

// What is stored passes through a precise variable: a buffer's member is none.
#define LOAD4(arena, offset, i) arena[(offset) + (i)]
#define STORE4(arena, offset, i, value) \
  {                                     \
    real4 stored = value;               \
    arena[(offset) + (i)] = stored;     \
  }
#define LOAD_REAL(arena, offset, i) uintBitsToFloat(arena[(offset) + (i)])
#define STORE_REAL(arena, offset, i, value)          \
  {                                                  \
    real stored = value;                             \
    arena[(offset) + (i)] = floatBitsToUint(stored); \
  }
#define STORE_BITS(arena, offset, i, value) \
  {                                         \
    unum stored = value;                    \
    arena[(offset) + (i)] = stored;         \
  }
#define LOAD_INT(arena, offset, i) int(arena[(offset) + (i)])
#define LOAD_INDICES(arena, offset, i) int(arena[(offset) + (i)])
#define GATHER4(arena, offset, indices) arena[(offset) + (indices)]
#define SCATTER4(arena, offset, indices, value) STORE4(arena, offset, indices, value)
#define GATHER_INT(arena, offset, indices) int(arena[(offset) + (indices)])
#define GATHER_REAL(arena, offset, indices) uintBitsToFloat(arena[(offset) + (indices)])
// Each invocation loops while its own lane's condition holds; lanes that are done would change nothing.
#define WHILE_ANY(condition) while (condition)
#define IF_ANY(condition) if (condition)
