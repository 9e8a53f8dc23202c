// kernel.comp - one kernel over a range of jobs: CLOTHC_ENTRY names it. Of a kernel of the cloth domain, for which
// CLOTHC_CLOTH_DOMAIN is defined, an invocation does one job; of the others, a row of workgroups does, an item each. With
// CLOTHC_RUNS_ALWAYS that a cloth's iterations are done leaves nothing out.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 128) in;

#include "kernels/types.h"
#include "kernels/dialect/glsl.h"
#include "kernels/kernels.h"

void main() {
#ifdef CLOTHC_CLOTH_DOMAIN
  uint index = gl_GlobalInvocationID.x;
  if (launch.job_count <= index) return;
  job = job_at(launch.first_job + index);
  CLOTHC_ENTRY(int(job.begin));
#else
  job = job_at(launch.first_job + gl_WorkGroupID.y);
#ifndef CLOTHC_RUNS_ALWAYS
  if (launch.repeated != 0u && cloths[job.cloth].step.running == 0u) return;
#endif
  uint item = job.begin + gl_GlobalInvocationID.x;
  if (item < job.end) CLOTHC_ENTRY(int(item));
#endif
}
