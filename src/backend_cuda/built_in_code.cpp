// built_in_code.cpp - puts the images of native code into the library. cmake/native_code.cmake makes them, and defines
//   CLOTHC_NATIVE_IMAGES   a generated file with CLOTHC_NATIVE_IMAGE(architecture, name, path) for each image
//   CLOTHC_NATIVE_TOOLKIT  the version of CUDA that the compiler belongs to
// if there are any. This file is always compiled on its own, because a test links one with other images in its place.
#include "backend_cuda/native_code.h"

namespace clothc::cuda {

#ifdef CLOTHC_NATIVE_IMAGES

// The assembler reads the files, which takes no time, as a list of numbers for the compiler would. An image begins on a
// cache line; the symbols are seen in the library only.
#define CLOTHC_NATIVE_IMAGE(architecture, name, path)  \
  asm(".pushsection .rodata\n"                         \
      ".balign 64\n"                                   \
      ".globl clothc_native_" #architecture "_" #name  \
      "\n"                                             \
      ".hidden clothc_native_" #architecture "_" #name \
      "\n"                                             \
      "clothc_native_" #architecture "_" #name         \
      ":\n"                                            \
      ".incbin \"" path                                \
      "\"\n"                                           \
      ".popsection");                                  \
  extern "C" CLOTHC_HIDDEN const unsigned char clothc_native_##architecture##_##name[];
#include CLOTHC_NATIVE_IMAGES
#undef CLOTHC_NATIVE_IMAGE

const NativeCode& built_in_code() {
  static constexpr NativeImage images[] = {
#define CLOTHC_NATIVE_IMAGE(architecture, name, path) \
  {"clothc_" #name, architecture, clothc_native_##architecture##_##name},
#include CLOTHC_NATIVE_IMAGES
#undef CLOTHC_NATIVE_IMAGE
  };
  static constexpr NativeCode code = {images, sizeof(images) / sizeof(images[0]), CLOTHC_NATIVE_TOOLKIT};
  return code;
}

#else

const NativeCode& built_in_code() {
  static constexpr NativeCode none;
  return none;
}

#endif

}  // namespace clothc::cuda
