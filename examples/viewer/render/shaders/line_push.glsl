// line_push.glsl - the constants of lines and points, as LinePush of pipelines.h has them.

layout(push_constant, std430) uniform Lines {
  mat4 transform;

  // sRGB and opacity.
  vec4 colour;

  // Width in pixels, how much nearer they are drawn in m, and a length in m or the strain whose colour is full.
  float width, lead, scale;

  // Of pairs: whether they have rest lengths, and where in the bound ranges the first position, pair and rest length
  // are, and from one position to the next, in words.
  uint has_rest_lengths;
  uint first_position, position_stride, first_pair, first_rest_length;
}
lines;
