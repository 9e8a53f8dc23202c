// line.glsl - makes a line of a given width of six vertices, because few devices have wide lines.

// Lines are drawn nearer by this part of their distance than what they lie on.
const float LINE_LEAD = 1.0005;

// Cuts off the part of a line that is behind the eye.
void clip_line(inout vec4 a, inout vec4 b) {
  const float near = view.eye.w;
  if (a.w < near && b.w > near) a = mix(b, a, (b.w - near) / (b.w - a.w));
  if (b.w < near && a.w > near) b = mix(a, b, (a.w - near) / (a.w - b.w));
}

// Returns the corner of the line's quad that this vertex is, and whether it is at the end b.
vec4 line_corner(vec4 a, vec4 b, float width, out float at_b) {
  const int corner = int[](0, 1, 2, 2, 1, 3)[gl_VertexIndex % 6];
  at_b = corner / 2;
  clip_line(a, b);
  // What is cut off ends at the near plane, but for rounding.
  if (min(a.w, b.w) < 0.5 * view.eye.w) return vec4(0, 0, 0, 1);
  const vec2 half_extent = 0.5 * view.extent;
  const vec2 from = a.xy / a.w * half_extent, to = b.xy / b.w * half_extent;
  const float distance = length(to - from);
  const vec2 along = distance > 1e-4 ? (to - from) / distance : vec2(1, 0);
  vec4 clip = corner < 2 ? a : b;
  const float side = corner % 2 == 0 ? -0.5 : 0.5;
  clip.xy += vec2(-along.y, along.x) * (side * width) / half_extent * clip.w;
  clip.z *= LINE_LEAD;
  return clip;
}
