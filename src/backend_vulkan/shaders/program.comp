// program.comp - runs programs: each workgroup runs the whole update of one group. A program is one texel of `jobs`,
// which has the indices of its first jobs before, in and after the iterations, and the index where the jobs end.
// tools/make_spirv defines CLOTHC_CASES, which lists the kernels that a program may run as CASE(number, name, class).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 128, local_size_x_id = 1) in;

#define CLOTHC_COHERENT coherent
#include "kernels/types.h"
#include "kernels/dialect/glsl.h"
// Reports of contacts run in passes.
#define REPORTS(variant) false
#include "kernels/kernels.h"

#define ON_one_per_group(name) \
  if (gl_LocalInvocationID.x == 0u) name(int(job.begin));
#define ON_lanes(name) \
  for (uint item = job.begin + gl_LocalInvocationID.x; item < job.end; item += gl_WorkGroupSize.x) name(int(item));
#define ON_variants(name) ON_lanes(name)
#define ON_constraints(name) ON_lanes(name)
#define ON_constraints_wide(name) ON_lanes(name)
#define ON_scalar(name) ON_lanes(name)
#define CASE(number, name, class) \
  case number:                     \
    ON_##class(name) break;

// The jobs of a program are numbered consecutively through all iterations. A dispatch runs jobs first_step .. end_step
// - 1, because some devices stop what runs for too long. There is only one loop, so that compilers, which inline
// everything, compile each kernel once.
void main() {
  uvec4 program = texelFetch(jobs, int(launch.first_job + gl_WorkGroupID.x));
  uint before = program.y - program.x;
  uint iteration = program.z - program.y;
  uint record = job_at(program.x).record;
  // Number of jobs in all iterations together.
  uint repeated = 0u;
  for (uint number = launch.first_step; number < launch.end_step; ++number) {
    // The number of iterations is known once the jobs before them have run.
    if (number == before || (before < number && number == launch.first_step))
      repeated = CLOTHC_REPETITIONS(records[record]) * iteration;
    uint index = program.x + number;
    if (before <= number) {
      uint behind = number - before;
      index = behind < repeated ? program.y + behind % iteration : program.z + (behind - repeated);
      if (program.w <= index) break;
    }
    job = job_at(index);
    switch (job.kernel) { CLOTHC_CASES }
    // Makes what this job has written visible to the next job.
    memoryBarrierBuffer();
    barrier();
  }
}
