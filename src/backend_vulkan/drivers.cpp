// drivers.cpp - the traits of drivers that run shaders on the processor. Both run the vectors of a workgroup one after the
// other and switch between them at barriers. Programs are therefore several times as fast with a workgroup of a single
// vector.
#include "backend_vulkan/drivers.h"

namespace clothc::vulkan {
namespace {

// Mesa's lavapipe ends all loops of an invocation after 65535 loop iterations in total. It makes a branch per lane of
// every load: if it unrolls loops that load, it takes up to seven times as long to compile them, and twice as long to run
// them. A read of texels is a call, which takes it less than half the time to compile.
DriverTraits lavapipe() {
  DriverTraits traits;
  traits.is_proved = true;
  traits.computes_as_processors = true;
  traits.program_lanes = 8;
  traits.max_loops_per_dispatch = 60'000;
  traits.unrolls_loops = false;
  traits.compiles_when_run = true;
  traits.reads_texels = true;
  return traits;
}

// SwiftShader flushes denormals. It leaves out passes of its optimiser where a module declares an extension that these do
// not know: with float controls, the larger program takes it twice as long and half a gigabyte more to compile.
DriverTraits swiftshader() {
  DriverTraits traits;
  traits.is_proved = true;
  traits.computes_as_processors = true;
  traits.takes_float_controls = false;
  traits.program_lanes = 4;
  return traits;
}

}  // namespace

DriverTraits traits_of(VkDriverId driver) {
  switch (driver) {
    case VK_DRIVER_ID_MESA_LLVMPIPE:
      return lavapipe();
    case VK_DRIVER_ID_GOOGLE_SWIFTSHADER:
      return swiftshader();
    default:
      return {};
  }
}

}  // namespace clothc::vulkan
