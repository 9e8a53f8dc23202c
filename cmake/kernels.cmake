# Compiles src/backend_cpu/isa/kernels.cpp once per instruction set of the target, and sets clothc_kernel_objects.
# Invariant: flags for an instruction set apply to that one translation unit only, and never enable FMA.

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
  target_compile_options(clothc_isa_${isa} PRIVATE ${clothc_kernel_options} ${isa_flags_${isa}})
  # UndefinedBehaviorSanitizer checks the same source in the scalar build. Each vector build would take minutes to
  # compile with it.
  if(CLOTHC_SANITIZE MATCHES undefined AND NOT isa STREQUAL scalar)
    target_compile_options(clothc_isa_${isa} PRIVATE -fno-sanitize=undefined)
  endif()
  list(APPEND clothc_kernel_objects $<TARGET_OBJECTS:clothc_isa_${isa}>)
endforeach()
