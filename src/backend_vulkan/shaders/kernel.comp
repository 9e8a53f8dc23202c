// kernel.comp - runs the kernel that CLOTHC_ENTRY names over a range of jobs. For a kernel of the cloth domain, where
// CLOTHC_CLOTH_DOMAIN is defined, each invocation runs one job. For other kernels, each row of workgroups runs one job
// and each invocation one item of it. If CLOTHC_RUNS_ALWAYS is defined, jobs also run after their cloth's iterations
// are done.
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
