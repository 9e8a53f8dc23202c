// line_buffers.glsl - vertices that are read by their indices.

layout(set = 1, binding = 0, std430) readonly buffer Vertices { float values[]; } vertices;
layout(set = 1, binding = 1, std430) readonly buffer Indices { uint values[]; } indices;

vec3 world_position(uint vertex) {
  const uint at = lines.first_position + vertex * lines.position_stride;
  return (lines.transform * vec4(vertices.values[at], vertices.values[at + 1], vertices.values[at + 2], 1)).xyz;
}
