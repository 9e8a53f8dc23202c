// line_push.glsl - the constants of lines and points, as LinePush of pipelines.h has them.

const uint NO_INDEX = 0xffffffffu;

layout(push_constant, std430) uniform Lines {
  mat4 transform;

  // sRGB and opacity.
  vec4 colour;

  // Width in pixels, how much nearer they are drawn in m, and a length in m or the strain whose colour is full.
  float width, lead, size;

  // Factor on rest lengths; 0 = there are none.
  float rest_scale;

  // Of what reads buffers: where in the bound ranges the first position, index and rest length are, and from one position
  // to the next, in words. first_index of points: NO_INDEX = all vertices in order.
  uint first_position, position_stride, first_index, first_rest_length;
}
lines;
