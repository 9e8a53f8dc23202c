// program.comp - a workgroup takes one cloth through a whole update. A program is one texel of `works`: the indices of
// its first works before, in and after the iterations, and where they end. CLOTHC_CASES, from tools/make_spirv, lists
// the kernels that an update may run as CASE(number, name, domain).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 128) in;

#define CLOTHC_COHERENT coherent
#include "kernels/types.h"
#include "kernels/dialect_glsl.h"
#include "kernels/kernels.h"

#define ON_cloth(name) \
  if (gl_LocalInvocationID.x == 0u) name(int(work.begin));
#define ON_particle(name) \
  for (uint item = work.begin + gl_LocalInvocationID.x; item < work.end; item += gl_WorkGroupSize.x) name(int(item));
#define ON_constraint(name) ON_particle(name)
#define ON_tether(name) ON_particle(name)
#define ON_lane(name) ON_particle(name)
#define CASE(number, name, domain) \
  case number:                     \
    ON_##domain(name) break;

// In one loop over the parts of the program, so that compilers, which inline everything, get each kernel once.
void main() {
  uvec4 program = texelFetch(works, int(launch.first_work + gl_WorkGroupID.x));
  uint iteration_count = 0u;
  for (uint part = 0u; part <= iteration_count + 1u; ++part) {
    uint begin = part == 0u ? program.x : part <= iteration_count ? program.y : program.z;
    uint end = part == 0u ? program.y : part <= iteration_count ? program.z : program.w;
    for (uint index = begin; index < end; ++index) {
      work = work_at(index);
      switch (work.kernel) { CLOTHC_CASES }
      // What a work has written is visible to the next.
      memoryBarrierBuffer();
      barrier();
    }
    if (part == 0u) iteration_count = cloths[work_at(program.x).cloth].step.iteration_count;
  }
}
