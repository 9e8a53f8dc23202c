// area.kernel.h - the area of a triangle, with a stiffness of its own in place of that of the phase.
// With n = (x1 - x0) x (x2 - x0), the area is |n| / 2 and has the gradient
//   g1 = (x2 - x0) x n / (2 |n|),  g2 = n x (x1 - x0) / (2 |n|),  g0 = -g1 - g2,
// and x_i -= k w_i (area - rest) g_i / sum(w_j |g_j|^2). Of loose constraints (loose.kernel.h) the correction is at most
// sum |g_j|^2, by which small triangles double.
// Source: Mueller et al. 2007, Position Based Dynamics, section 3.3.

KERNEL(solve_triangle_areas) {
  index_list p0 = CONSTRAINT_PARTICLE(0);
  index_list p1 = CONSTRAINT_PARTICLE(1);
  index_list p2 = CONSTRAINT_PARTICLE(2);
  real4 x0 = GATHER_POSITION(p0);
  real4 x1 = GATHER_POSITION(p1);
  real4 x2 = GATHER_POSITION(p2);
  real3 to_1 = flush_tiny3(XYZ(x1) - XYZ(x0));
  real3 to_2 = flush_tiny3(XYZ(x2) - XYZ(x0));
  real3 normal = cross3(to_1, to_2);
  real square = dot3(normal, normal);
  mask regular = R(CLOTHC_SMALLEST) < square;
  real twice_area = square_root(select(regular, square, R(1.0f)));
  real3 half_unit = normal * divide(R(0.5f), twice_area);
  real3 g1 = cross3(to_2, half_unit);
  real3 g2 = cross3(half_unit, to_1);
  real3 g0 = (g1 + g2) * R(-1.0f);
  real weight = x0.w * dot3(g0, g0) + x1.w * dot3(g1, g1) + x2.w * dot3(g2, g2);
  mask counts = mask_and(regular, R(CLOTHC_SMALLEST) < weight);

  real scale = CONSTRAINT_REAL(constraint_scale);
  real error = twice_area * R(0.5f) - CONSTRAINT_PARAMETER(0) * (scale * scale);
  real correction = error * CONSTRAINT_KEPT_RATE(1);
  mask loose = mask_and(counts, CONSTRAINT_IS_LOOSE(1));
  real most = dot3(g0, g0) + dot3(g1, g1) + dot3(g2, g2);
  correction = select(loose, limited_to(correction, most), correction);
  real safe_weight = select(counts, weight, R(1.0f));
  real step = select(counts, divide(correction, safe_weight), R(0.0f)) * R(-1.0f);
  IF_ANY(loose) {
    real4 y0 = GATHER_PREVIOUS(p0);
    real4 y1 = GATHER_PREVIOUS(p1);
    real4 y2 = GATHER_PREVIOUS(p2);
    real change = dot3(XYZ(x0) - XYZ(y0), g0) + dot3(XYZ(x1) - XYZ(y1), g1) + dot3(XYZ(x2) - XYZ(y2), g2);
    real lost = divide(part_of_velocity(correction, change), safe_weight) * R(-1.0f);
    MOVE_PREVIOUS(loose, p0, y0, g0, step, g0, lost)
    MOVE_PREVIOUS(loose, p1, y1, g1, step, g1, lost)
    MOVE_PREVIOUS(loose, p2, y2, g2, step, g2, lost)
  }
  MOVE_ALONG(p0, x0, g0, step)
  MOVE_ALONG(p1, x1, g1, step)
  MOVE_ALONG(p2, x2, g2, step)
}
