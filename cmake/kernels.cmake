# Compiles src/backend_cpu/isa/kernels.cpp once per instruction set of the target, and sets clothc_kernel_objects.
# Invariant: flags for an instruction set apply to that one translation unit only, and never enable FMA.

# Only xsimd's own folder becomes an include directory: in a cross build, the rest of /usr/include belongs to the wrong
# machine.
find_path(CLOTHC_XSIMD_DIR xsimd/xsimd.hpp PATHS /usr/include /usr/local/include REQUIRED NO_CMAKE_FIND_ROOT_PATH)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/xsimd_include)
file(CREATE_LINK ${CLOTHC_XSIMD_DIR}/xsimd ${PROJECT_BINARY_DIR}/xsimd_include/xsimd SYMBOLIC)
add_library(clothc_xsimd INTERFACE)
target_include_directories(clothc_xsimd SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/xsimd_include)

set(isa_flags_scalar -fno-tree-vectorize -fno-tree-slp-vectorize)
set(isa_flags_sse4_1 -msse4.1)
set(isa_flags_avx2 -mavx2)
set(isa_flags_avx512 -mavx512f -mavx512vl -mavx512dq -mavx512bw)
set(isa_flags_neon "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(isas scalar sse4_1 avx2 avx512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(isas scalar neon)
else()
  set(isas scalar)
endif()

set(clothc_kernel_objects "")
foreach(isa IN LISTS isas)
  add_library(clothc_isa_${isa} OBJECT ${PROJECT_SOURCE_DIR}/src/backend_cpu/isa/kernels.cpp)
  target_include_directories(clothc_isa_${isa} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(clothc_isa_${isa} PRIVATE clothc_xsimd)
  target_compile_definitions(clothc_isa_${isa} PRIVATE CLOTHC_ISA=${isa})
  # The kernels are optimised in every configuration, because unoptimised batches are a hundred times slower.
  # -fno-math-errno and -fno-trapping-math drop errno and traps, which nothing reads, and change no result.
  # Functions begin at a cache line, so that their speed does not depend on what is linked before them
  # (docs/performance.md).
  # Without exceptions, the object needs no weak reference to their run time.
  # g++'s points-to analysis takes a third of the compile time and changes the generated code very little.
  # g++ 12 warns about registers that its own AVX-512 header leaves undefined on purpose.
  target_compile_options(clothc_isa_${isa} PRIVATE -O3 -falign-functions=64 -fno-math-errno -fno-trapping-math
                                                   -fno-exceptions -Wno-psabi
                                                   -Wno-ignored-attributes ${isa_flags_${isa}}
                                                   $<$<CXX_COMPILER_ID:GNU>:-fno-tree-pta;-Wno-uninitialized;-Wno-maybe-uninitialized>)
  # UndefinedBehaviorSanitizer checks the same source in the scalar build. Each vector build would take minutes to
  # compile with it.
  if(CLOTHC_SANITIZE MATCHES undefined AND NOT isa STREQUAL scalar)
    target_compile_options(clothc_isa_${isa} PRIVATE -fno-sanitize=undefined)
  endif()
  list(APPEND clothc_kernel_objects $<TARGET_OBJECTS:clothc_isa_${isa}>)
endforeach()
