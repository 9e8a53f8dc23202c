// extent.comp - grows the box around everything that throws shadows by the vertices of a mesh. Minima and maxima do not
// depend on the order in which threads take part.
#version 450
#extension GL_GOOGLE_include_directive : require
#define EXTENT_ACCESS
#include "render/shaders/view.glsl"
#include "render/shaders/extent.glsl"

layout(local_size_x = 64) in;
layout(set = 1, binding = 0, std430) readonly buffer Vertices { float values[]; } vertices;
layout(push_constant, std430) uniform Mesh {
  mat4 transform;

  // In floats: where the first position is, and from one to the next.
  uint first, stride;
  uint count;
}
mesh;

shared uint low[3], high[3];

void main() {
  const uint lane = gl_LocalInvocationID.x;
  if (lane < 3) {
    low[lane] = LAST;
    high[lane] = FIRST;
  }
  barrier();
  const uint thread_count = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  for (uint vertex = gl_GlobalInvocationID.x; vertex < mesh.count; vertex += thread_count) {
    const uint at = mesh.first + vertex * mesh.stride;
    const vec3 position = vec3(vertices.values[at], vertices.values[at + 1], vertices.values[at + 2]);
    const vec3 world = (mesh.transform * vec4(position, 1)).xyz;
    for (int axis = 0; axis < 3; ++axis) {
      if (isnan(world[axis]) || isinf(world[axis])) continue;
      atomicMin(low[axis], ordered(world[axis]));
      atomicMax(high[axis], ordered(world[axis]));
    }
  }
  barrier();
  if (lane < 3) {
    atomicMin(extent.low[lane], low[lane]);
    atomicMax(extent.high[lane], high[lane]);
  }
}
