# Finds the headers that the library is compiled with, and sets CLOTHC_HAS_VULKAN. They are the same for all machines, so
# those of this machine serve in a cross build too, where only their own folders become include directories: the rest of
# /usr/include belongs to the wrong machine.

# Defines target as the folders named after directory, which contains them.
function(clothc_add_headers target directory)
  add_library(${target} INTERFACE)
  if(CMAKE_HOST_WIN32)
    target_include_directories(${target} SYSTEM INTERFACE ${directory})
    return()
  endif()
  set(links ${PROJECT_BINARY_DIR}/headers/${target})
  file(MAKE_DIRECTORY ${links})
  foreach(folder IN LISTS ARGN)
    if(EXISTS ${directory}/${folder})
      file(CREATE_LINK ${directory}/${folder} ${links}/${folder} SYMBOLIC)
    endif()
  endforeach()
  target_include_directories(${target} SYSTEM INTERFACE ${links})
endfunction()

# Only the headers of xsimd's package are taken: Debian's also names a library of another package, which none of them needs.
find_package(xsimd QUIET)
if(TARGET xsimd)
  get_target_property(folders xsimd INTERFACE_INCLUDE_DIRECTORIES)
  find_path(CLOTHC_XSIMD_DIR xsimd/xsimd.hpp PATHS ${folders} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
endif()
find_path(CLOTHC_XSIMD_DIR xsimd/xsimd.hpp PATHS /usr/include /usr/local/include REQUIRED NO_CMAKE_FIND_ROOT_PATH)
clothc_add_headers(clothc_xsimd ${CLOTHC_XSIMD_DIR} xsimd)

# The Vulkan backend needs only Vulkan's headers: the driver is loaded at run time, and the repository contains the
# compiled shaders.
set(CLOTHC_HAS_VULKAN OFF)
if(CLOTHC_VULKAN)
  find_path(CLOTHC_VULKAN_DIR vulkan/vulkan.h HINTS ENV VULKAN_SDK PATH_SUFFIXES Include PATHS /usr/include /usr/local/include
            NO_CMAKE_FIND_ROOT_PATH)
  if(CLOTHC_VULKAN_DIR)
    set(CLOTHC_HAS_VULKAN ON)
    clothc_add_headers(clothc_vulkan_headers ${CLOTHC_VULKAN_DIR} vulkan vk_video)
  else()
    message(STATUS "vulkan/vulkan.h is not here; the Vulkan backend is left out")
  endif()
endif()
if(NOT TARGET clothc_vulkan_headers)
  add_library(clothc_vulkan_headers INTERFACE)
endif()
mark_as_advanced(CLOTHC_XSIMD_DIR CLOTHC_VULKAN_DIR)
