// kernel.comp - runs the kernel that CLOTHC_ENTRY names over a range of jobs. For a kernel of class one_per_group, where
// CLOTHC_ONE_PER_GROUP is defined, each invocation runs one job. For other kernels, each row of workgroups runs one job
// and each invocation one item of it. If CLOTHC_PREDICATED is defined, jobs of the repeated range are skipped where the
// predicate of their group is 0. If CLOTHC_RIDER is defined, the jobs whose kernel is CLOTHC_RIDER_NUMBER run that one
// (riders.def).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 128) in;

#define CLOTHC_ARENA_TEXELS
#include "kernels/types.h"
#include "kernels/dialect/glsl.h"
#include "kernels/kernels.h"

void main() {
#ifdef CLOTHC_ONE_PER_GROUP
  uint index = gl_GlobalInvocationID.x;
  if (launch.job_count <= index) return;
  job = job_at(launch.first_job + index);
  CLOTHC_ENTRY(int(job.begin));
#else
  job = job_at(launch.first_job + gl_WorkGroupID.y);
#ifdef CLOTHC_PREDICATED
  if (launch.repeated != 0u && CLOTHC_PREDICATE(records[job.record]) == 0u) return;
#endif
  uint item = job.begin + gl_GlobalInvocationID.x;
  if (job.end <= item) return;
#ifdef CLOTHC_RIDER
  if (job.kernel == CLOTHC_RIDER_NUMBER) {
    CLOTHC_RIDER(int(item));
    return;
  }
#endif
  CLOTHC_ENTRY(int(item));
#endif
}
