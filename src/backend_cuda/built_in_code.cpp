// built_in_code.cpp - puts the images of native code into the library. cmake/native_code.cmake makes them, and defines
//   CLOTHC_NATIVE_IMAGES   a generated file with CLOTHC_NATIVE_IMAGE(architecture, name, path) for each image
//   CLOTHC_NATIVE_TOOLKIT  the version of CUDA that the compiler belongs to
// if there are any. This file is always compiled on its own, because a test links one with other images in its place.
#include "backend_cuda/native_code.h"
#include "platform/compiler.h"

namespace clothc::cuda {

#ifdef CLOTHC_NATIVE_IMAGES

// The assembler reads the files, which takes no time, as a list of numbers for the compiler would. An image begins on a
// cache line; the symbols are seen in the library only.
#if defined(_WIN32)
// Objects of Windows have no stack of sections, and no symbols that need be hidden.
#define CLOTHC_BEGIN_IMAGE(symbol) ".section .rdata,\"dr\"\n"
#define CLOTHC_END_IMAGE ".text"
#else
#define CLOTHC_BEGIN_IMAGE(symbol) \
  ".pushsection .rodata\n"         \
  ".hidden " symbol "\n"
#define CLOTHC_END_IMAGE ".popsection"
#endif
#define CLOTHC_IMAGE_IN(symbol, path) \
  asm(CLOTHC_BEGIN_IMAGE(symbol)      \
      ".balign 64\n"                  \
      ".globl " symbol "\n"           \
      symbol ":\n"                    \
      ".incbin \"" path "\"\n"        \
      CLOTHC_END_IMAGE);
#define CLOTHC_NATIVE_IMAGE(architecture, name, path)             \
  CLOTHC_IMAGE_IN("clothc_native_" #architecture "_" #name, path) \
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
