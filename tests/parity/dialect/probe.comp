// probe.comp - one probe as a compute shader. CLOTHC_ENTRY names the probe. It works like shaders/kernel.comp does for
// lanes, in one job.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 128) in;

#include "kernels/types.h"
#include "kernels/dialect/glsl.h"
#include "kernels/dialect/math.h"
#include "kernels/dialect/transcendental.h"
#include "parity/dialect/probes.h"

void main() {
  job = job_at(launch.first_job + gl_WorkGroupID.y);
  uint item = job.begin + gl_GlobalInvocationID.x;
  if (item < job.end) CLOTHC_ENTRY(int(item));
}
