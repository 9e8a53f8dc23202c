// kernel.comp - one kernel, or with CLOTHC_PROBES one probe, as a compute shader: CLOTHC_ENTRY names it.
#version 450
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "kernels/types.h"
#include "kernels/dialect_glsl.h"
#include "kernels/kernels.h"
#ifdef CLOTHC_PROBES
#include "dialect/probes.h"
#endif

void main() {
  uint i = launch.work.begin + gl_GlobalInvocationID.x;
  if (i < launch.work.end) CLOTHC_ENTRY(int(i));
}
