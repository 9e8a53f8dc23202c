// point.glsl - makes a disc of the six vertices of a square.

vec2 disc_corner() {
  return vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(-1, 1), vec2(1, -1), vec2(1, 1))[gl_VertexIndex % 6];
}

vec4 disc_position(vec4 centre, vec2 corner, float size) {
  centre.xy += corner * size / view.extent * centre.w;
  centre.z *= LINE_LEAD;
  return centre;
}
