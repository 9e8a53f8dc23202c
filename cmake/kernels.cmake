# Compiles src/backend_cpu/isa/kernels.cpp once per instruction set of the target, or of CLOTHC_ISAS, and sets
# clothc_kernel_objects and, for files that name kernel tables, clothc_isa_definitions.
# Invariant: flags for an instruction set apply to that one translation unit only, and never enable FMA.

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(isas scalar sse4_1 avx2 avx512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(isas scalar neon)
else()
  set(isas scalar)
endif()

# What a build leaves out is unknown to it, as if the processor had no such instructions.
set(clothc_isa_definitions "")
if(CLOTHC_ISAS)
  set(unknown ${CLOTHC_ISAS})
  list(REMOVE_ITEM unknown ${isas})
  if(unknown)
    message(FATAL_ERROR "CLOTHC_ISAS names ${unknown}; this target has ${isas}")
  endif()
  foreach(isa IN LISTS isas)
    if(NOT isa IN_LIST CLOTHC_ISAS AND NOT isa STREQUAL scalar)
      list(REMOVE_ITEM isas ${isa})
      string(TOUPPER ${isa} name)
      list(APPEND clothc_isa_definitions CLOTHC_HAS_${name}=0)
      message(STATUS "no kernels are compiled or tested for ${isa}, which CLOTHC_ISAS does not name")
    endif()
  endforeach()
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
