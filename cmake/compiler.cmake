# Chooses the options of the compiler: those of GNU-like ones (g++, clang) beside those of MSVC's command line (cl,
# clang-cl). Sets clothc_library_options for the library, clothc_kernel_options for all kernels, and isa_flags_ISA.
# Invariant: no compiler may evaluate a * b + c with a single rounding, which many do wherever the target has FMA. The
# bits would then depend on the machine.

if(MSVC)
  if(CMAKE_CXX_COMPILER_ID STREQUAL MSVC AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19.30)
    message(FATAL_ERROR "this compiler is older than Visual Studio 2022 (17.0), and contracts a * b + c; use a newer one")
  endif()
  # With /fp:precise, cl has contracted nothing since Visual Studio 2022; clang-cl has an option for it.
  add_compile_options(/fp:precise $<$<CXX_COMPILER_ID:Clang>:/clang:-ffp-contract=off>)
  add_compile_options(/EHsc /utf-8 /permissive- /bigobj /W3)
  # The functions of C that cl calls unsafe are those of the standard.
  add_compile_definitions(_CRT_SECURE_NO_WARNINGS)
  if(CLOTHC_WERROR)
    add_compile_options(/WX)
  endif()
  set(clothc_library_options "")
  set(clothc_kernel_options $<$<CONFIG:Debug>:/Od> $<$<NOT:$<CONFIG:Debug>>:/O2>)
  # cl takes the intrinsics of SSE4.1 without an option; the macro tells xsimd so.
  set(isa_flags_scalar "")
  set(isa_flags_sse4_1 $<IF:$<CXX_COMPILER_ID:Clang>,-msse4.1,/D__SSE4_1__=1>)
  set(isa_flags_avx2 /arch:AVX2)
  set(isa_flags_avx512 /arch:AVX512)
  set(isa_flags_neon "")
else()
  # A project that contains this one may have chosen -ffast-math for itself.
  add_compile_options(-fno-fast-math -ffp-contract=off)
  # With -Wshadow, g++ would also warn about a constructor's parameter that has the name of the member it initialises.
  add_compile_options(-Wall -Wextra -Wpedantic $<IF:$<CXX_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow>)
  if(CLOTHC_WERROR)
    add_compile_options(-Werror)
  endif()
  if(CLOTHC_SANITIZE)
    add_compile_options(-fsanitize=${CLOTHC_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${CLOTHC_SANITIZE})
    if(CLOTHC_NO_SANITIZE)
      add_compile_options(-fno-sanitize=${CLOTHC_NO_SANITIZE})
    endif()
  endif()
  set(clothc_library_options -Wconversion -Wno-sign-conversion)
  # The kernels are optimised in every configuration, because unoptimised batches are a hundred times slower.
  # -fno-math-errno and -fno-trapping-math drop errno and traps, which nothing reads, and change no result.
  # Functions begin at a cache line, so that their speed does not depend on what is linked before them
  # (docs/performance.md).
  # Without exceptions, the object needs no weak reference to their run time.
  # g++'s points-to analysis takes a third of the compile time, its unlimited search for what each load reads a quarter; both
  # change the generated code very little (docs/log/2026-11-28-wind.md).
  # g++ 12 warns about registers that its own AVX-512 header leaves undefined on purpose.
  set(clothc_kernel_options
      -O3 -falign-functions=64 -fno-math-errno -fno-trapping-math -fno-exceptions -Wno-psabi -Wno-ignored-attributes
      $<$<CXX_COMPILER_ID:GNU>:-fno-tree-pta;--param=sccvn-max-alias-queries-per-access=50;-Wno-uninitialized;-Wno-maybe-uninitialized>)
  set(isa_flags_scalar -fno-tree-vectorize -fno-tree-slp-vectorize)
  set(isa_flags_sse4_1 -msse4.1)
  set(isa_flags_avx2 -mavx2)
  set(isa_flags_avx512 -mavx512f -mavx512vl -mavx512dq -mavx512bw)
  set(isa_flags_neon "")
endif()

if(MINGW)
  # g++ for Windows aligns the stack to 16 bytes only, but moves whole registers as if it were aligned to their size (GCC
  # bug 54412). The assembler turns these moves into ones that need no alignment (tests/package/dll).
  list(APPEND isa_flags_avx2 -Wa,-muse-unaligned-vector-move)
  list(APPEND isa_flags_avx512 -Wa,-muse-unaligned-vector-move)
  # printf and its like follow the C standard, as elsewhere.
  add_compile_definitions(__USE_MINGW_ANSI_STDIO=1)
  # Programs and libraries need no DLL of the compiler's.
  add_link_options(-static)
endif()
if(WIN32)
  # windows.h defines neither min and max nor what the library has no use for.
  add_compile_definitions(NOMINMAX WIN32_LEAN_AND_MEAN)
endif()
