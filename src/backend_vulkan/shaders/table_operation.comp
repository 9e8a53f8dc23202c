// table_operation.comp - runs the kernel of table_operations.kernel.h that CLOTHC_ENTRY names, with a workgroup per block.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 128) in;

#define CLOTHC_TABLE_LAUNCH
#include "kernels/types.h"
#include "kernels/dialect/glsl.h"
#include "backend_gpu/table_operations.kernel.h"

void main() { CLOTHC_ENTRY(int(gl_WorkGroupID.y * 65535u + gl_WorkGroupID.x), int(gl_LocalInvocationID.x)); }
