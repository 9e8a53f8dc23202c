// scalar_rows.h - float4 elements for one lane.

LANE_FUNCTION real4 load4(const float* p) { return {p[0], p[1], p[2], p[3]}; }
LANE_FUNCTION void store4(float* p, real4 v) {
  p[0] = v.x;
  p[1] = v.y;
  p[2] = v.z;
  p[3] = v.w;
}
LANE_FUNCTION real4 gather4(const float* p, const uint32_t* indices) {
  return load4(p + 4 * static_cast<size_t>(*indices));
}
LANE_FUNCTION void scatter4(float* p, const uint32_t* indices, real4 v) {
  store4(p + 4 * static_cast<size_t>(*indices), v);
}
LANE_FUNCTION real4 gather4(const float* p, inum index) { return load4(p + 4 * static_cast<size_t>(index)); }
