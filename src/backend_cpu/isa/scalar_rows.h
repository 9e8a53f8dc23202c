// scalar_rows.h - loads and stores words and float4 elements in memory, for a single lane.

LANE_FUNCTION real load_real(const uint32_t* p) { return as_real(static_cast<inum>(*p)); }
LANE_FUNCTION void store_real(uint32_t* p, real v) { *p = as_bits(v); }
LANE_FUNCTION real load_real_where(const uint32_t* p, mask where) { return where ? load_real(p) : 0.0f; }
LANE_FUNCTION void store_real_where(uint32_t* p, real v, mask where) {
  if (where) store_real(p, v);
}
LANE_FUNCTION void store_bits(uint32_t* p, unum v) { *p = v; }
LANE_FUNCTION real float_at(const uint32_t* p) { return load_real(p); }
LANE_FUNCTION void store_float(uint32_t* p, real v) { store_real(p, v); }
LANE_FUNCTION inum load_int(const uint32_t* p) { return static_cast<inum>(*p); }
LANE_FUNCTION index_list load_indices(const uint32_t* p) { return {4 * static_cast<ptrdiff_t>(load_int(p))}; }
LANE_FUNCTION inum gather_int(const uint32_t* p, inum index) { return static_cast<inum>(p[index]); }
LANE_FUNCTION void scatter_int(uint32_t* p, inum index, inum value, mask where) {
  if (where) p[index] = to_unsigned(value);
}

LANE_FUNCTION real4 load4(const float* p) { return {p[0], p[1], p[2], p[3]}; }
LANE_FUNCTION void store4(float* p, real4 v) {
  p[0] = v.x;
  p[1] = v.y;
  p[2] = v.z;
  p[3] = v.w;
}
LANE_FUNCTION real4 gather4(const float* p, index_list list) { return load4(p + list.at); }
LANE_FUNCTION void scatter4(float* p, index_list list, real4 v) { store4(p + list.at, v); }
LANE_FUNCTION void scatter4_where(float* p, index_list list, real4 v, mask where) {
  if (where) store4(p + list.at, v);
}
LANE_FUNCTION real4 gather4(const float* p, inum index) { return load4(p + 4 * static_cast<ptrdiff_t>(index)); }

LANE_FUNCTION void store_row(uint32_t* p, real4 v) {
  store_real(p, v.x);
  store_real(p + 1, v.y);
  store_real(p + 2, v.z);
  store_real(p + 3, v.w);
}
LANE_FUNCTION void store_two_rows(uint32_t* p, real4 first, real4 second) {
  store_row(p, first);
  store_row(p + 4, second);
}
LANE_FUNCTION real4 load_row(const uint32_t* p) {
  return {load_real(p), load_real(p + 1), load_real(p + 2), load_real(p + 3)};
}
LANE_FUNCTION real4 gather_row(const uint32_t* p, index_list list) { return load_row(p + list.at); }
LANE_FUNCTION real4 gather_row(const uint32_t* p, inum index) {
  return load_row(p + 4 * static_cast<ptrdiff_t>(index));
}
