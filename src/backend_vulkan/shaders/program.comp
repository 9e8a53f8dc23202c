// program.comp - runs programs: each workgroup runs the whole update of one cloth. A program is one texel of `jobs`,
// which has the indices of its first jobs before, in and after the iterations, and the index where the jobs end.
// tools/make_spirv defines CLOTHC_CASES, which lists the kernels that a program may run as CASE(number, name, domain).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 128, local_size_x_id = 1) in;

#define CLOTHC_COHERENT coherent
#include "kernels/types.h"
#include "kernels/dialect/glsl.h"
#include "kernels/kernels.h"

#define ON_cloth(name) \
  if (gl_LocalInvocationID.x == 0u) name(int(job.begin));
#define ON_particle(name) \
  for (uint item = job.begin + gl_LocalInvocationID.x; item < job.end; item += gl_WorkGroupSize.x) name(int(item));
#define ON_constraint(name) ON_particle(name)
#define ON_tether(name) ON_particle(name)
#define ON_triangle(name) ON_particle(name)
#define ON_triplet(name) ON_particle(name)
#define ON_vertex(name) ON_particle(name)
#define ON_collision_particle(name) ON_particle(name)
#define ON_box(name) ON_particle(name)
#define ON_lane(name) ON_particle(name)
#define ON_shape(name) ON_particle(name)
#define CASE(number, name, domain) \
  case number:                     \
    ON_##domain(name) break;

// The jobs of a program are numbered consecutively through all iterations. A dispatch runs jobs first_step .. end_step
// - 1, because some devices stop what runs for too long. There is only one loop, so that compilers, which inline
// everything, compile each kernel once.
void main() {
  uvec4 program = texelFetch(jobs, int(launch.first_job + gl_WorkGroupID.x));
  uint before = program.y - program.x;
  uint iteration = program.z - program.y;
  uint cloth = job_at(program.x).cloth;
  // Number of jobs in all iterations together.
  uint repeated = 0u;
  for (uint number = launch.first_step; number < launch.end_step; ++number) {
    // The number of iterations is known once begin_cloth, one of the jobs before the iterations, has run.
    if (number == before || (before < number && number == launch.first_step))
      repeated = cloths[cloth].step.iteration_count * iteration;
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
