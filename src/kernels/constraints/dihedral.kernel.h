// dihedral.kernel.h - the angle between two triangles that share an edge, with a stiffness of its own in place of that
// of the phase. The triangles are 0 1 2 and 1 0 3. With e = x1 - x0, n2 = (x2 - x0) x (x2 - x1) and
// n3 = (x3 - x1) x (x3 - x0), the angle t has sin t = (n3 x n2) . e / (|n3| |n2| |e|) and the gradient
//   g2 = |e| n2 / |n2|^2,  g0 = ((x2 - x1) . e n2 / |n2|^2 + (x3 - x1) . e n3 / |n3|^2) / |e|,
//   g3 = |e| n3 / |n3|^2,  g1 = -g0 - g2 - g3.
// A step of Newton's method for 2 tan((t - rest) / 2) = 0 changes the angle by -sin(t - rest), which needs no inverse
// function: x_i -= k w_i sin(t - rest) g_i / sum(w_j |g_j|^2).
// Source: Bridson, Marino and Fedkiw 2003, Simulation of Clothing with Folds and Wrinkles (gradient); Bergou et al.
// 2008, Discrete Elastic Rods (2 tan(t / 2) as the measure of bending); Mueller et al. 2007, Position Based Dynamics.

FUNCTION(real) inverse_square(VALUE(real3) v, VALUE(mask) regular) {
  return divide(R(1.0f), select(regular, dot3(v, v), R(1.0f)));
}

KERNEL(solve_dihedral_angles) {
  index_list p0 = CONSTRAINT_PARTICLE(0);
  index_list p1 = CONSTRAINT_PARTICLE(1);
  index_list p2 = CONSTRAINT_PARTICLE(2);
  index_list p3 = CONSTRAINT_PARTICLE(3);
  real4 x0 = GATHER_POSITION(p0);
  real4 x1 = GATHER_POSITION(p1);
  real4 x2 = GATHER_POSITION(p2);
  real4 x3 = GATHER_POSITION(p3);
  real3 edge = flush_tiny3(XYZ(x1) - XYZ(x0));
  real3 from_0_to_2 = flush_tiny3(XYZ(x2) - XYZ(x0));
  real3 from_1_to_2 = flush_tiny3(XYZ(x2) - XYZ(x1));
  real3 from_0_to_3 = flush_tiny3(XYZ(x3) - XYZ(x0));
  real3 from_1_to_3 = flush_tiny3(XYZ(x3) - XYZ(x1));
  real3 n2 = cross3(from_0_to_2, from_1_to_2);
  real3 n3 = cross3(from_1_to_3, from_0_to_3);
  mask regular = mask_and(R(CLOTHC_SMALLEST) < dot3(n2, n2), R(CLOTHC_SMALLEST) < dot3(n3, n3));
  regular = mask_and(regular, R(CLOTHC_SMALLEST) < dot3(edge, edge));

  real length = square_root(select(regular, dot3(edge, edge), R(1.0f)));
  real3 e = edge * divide(R(1.0f), length);
  real3 a2 = n2 * inverse_square(n2, regular);
  real3 a3 = n3 * inverse_square(n3, regular);
  real3 g0 = a2 * dot3(from_1_to_2, e) + a3 * dot3(from_1_to_3, e);
  real3 g2 = a2 * length;
  real3 g3 = a3 * length;
  real3 g1 = (g0 + g2 + g3) * R(-1.0f);
  real weight = x0.w * dot3(g0, g0) + x1.w * dot3(g1, g1) + (x2.w * dot3(g2, g2) + x3.w * dot3(g3, g3));
  mask counts = mask_and(regular, R(CLOTHC_SMALLEST) < weight);

  real3 unit2 = n2 * square_root(inverse_square(n2, regular));
  real3 unit3 = n3 * square_root(inverse_square(n3, regular));
  real sine = dot3(cross3(unit3, unit2), e);
  real cosine = dot3(unit3, unit2);
  real rest = CONSTRAINT_PARAMETER(0);
  real error = sine * cos_of(rest) - cosine * sin_of(rest);
  real step = divide(error * CONSTRAINT_OWN_RATE(1), select(counts, weight, R(1.0f)));
  step = select(counts, step, R(0.0f)) * R(-1.0f);
  MOVE_ALONG(p0, x0, g0, step)
  MOVE_ALONG(p1, x1, g1, step)
  MOVE_ALONG(p2, x2, g2, step)
  MOVE_ALONG(p3, x3, g3, step)
}
