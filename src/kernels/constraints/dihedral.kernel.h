// dihedral.kernel.h - the angle between two triangles that share an edge, with a stiffness of its own in place of that
// of the phase. The triangles are 0 1 2 and 1 0 3. With e = x1 - x0, n2 = (x2 - x0) x (x2 - x1) and
// n3 = (x3 - x1) x (x3 - x0), the angle t has sin t = (n3 x n2) . e / (|n3| |n2| |e|) and the gradient
//   g2 = |e| n2 / |n2|^2,  g0 = ((x2 - x1) . e n2 / |n2|^2 + (x3 - x1) . e n3 / |n3|^2) / |e|,
//   g3 = |e| n3 / |n3|^2,  g1 = -g0 - g2 - g3.
// A step of Newton's method for 2 tan((t - rest) / 2) = 0 changes the angle by -sin(t - rest), which needs no inverse
// function: x_i -= k w_i sin(t - rest) g_i / sum(w_j |g_j|^2). Of loose constraints (loose.kernel.h) it is at most half a
// radian, and the wings turn on arcs, so that they do not get longer at every step.
// Source: Bridson, Marino and Fedkiw 2003, Simulation of Clothing with Folds and Wrinkles (gradient); Bergou et al.
// 2008, Discrete Elastic Rods (2 tan(t / 2) as the measure of bending); Mueller et al. 2007, Position Based Dynamics.

FUNCTION(real) inverse_square(VALUE(real3) v, VALUE(mask) regular) {
  return divide(R(1.0f), select(regular, dot3(v, v), R(1.0f)));
}

// How far a triangle turns about the edge by a step of 1: sum(w |g|^2) over what the triangle gives to the gradients.
FUNCTION(real) turn_of(VALUE(real) w0, VALUE(real) w1, VALUE(real) w2, VALUE(real) along, VALUE(real) length) {
  real behind = length + along;
  return w2 * length * length + w0 * along * along + w1 * behind * behind;
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
  real correction = error * CONSTRAINT_KEPT_RATE(1);
  mask loose = mask_and(counts, CONSTRAINT_IS_LOOSE(1));
  correction = select(loose, limited_to(correction, R(0.5f)), correction);
  real safe_weight = select(counts, weight, R(1.0f));
  real step = select(counts, divide(correction, safe_weight), R(0.0f)) * R(-1.0f);
  IF_ANY(loose) {
    real4 y0 = GATHER_PREVIOUS(p0);
    real4 y1 = GATHER_PREVIOUS(p1);
    real4 y2 = GATHER_PREVIOUS(p2);
    real4 y3 = GATHER_PREVIOUS(p3);
    real change = dot3(XYZ(x0) - XYZ(y0), g0) + dot3(XYZ(x1) - XYZ(y1), g1) + dot3(XYZ(x2) - XYZ(y2), g2) +
                  dot3(XYZ(x3) - XYZ(y3), g3);
    real lost = divide(part_of_velocity(correction, change), safe_weight) * R(-1.0f);
    // A chord turns from the tangent by half the turn.
    real half_step = step * R(-0.5f);
    real turn2 = turn_of(x0.w, x1.w, x2.w, dot3(from_1_to_2, e), length) * inverse_square(n2, regular);
    real turn3 = turn_of(x0.w, x1.w, x3.w, dot3(from_1_to_3, e), length) * inverse_square(n3, regular);
    real3 c2 = a2 + cross3(a2, e) * limited_to(turn2 * half_step, R(0.25f));
    real3 c3 = a3 + cross3(e, a3) * limited_to(turn3 * half_step, R(0.25f));
    real3 s0 = select3(loose, c2 * dot3(from_1_to_2, e) + c3 * dot3(from_1_to_3, e), g0);
    real3 s2 = select3(loose, c2 * length, g2);
    real3 s3 = select3(loose, c3 * length, g3);
    real3 s1 = select3(loose, (s0 + s2 + s3) * R(-1.0f), g1);
    MOVE_PREVIOUS(loose, p0, y0, s0, step, g0, lost)
    MOVE_PREVIOUS(loose, p1, y1, s1, step, g1, lost)
    MOVE_PREVIOUS(loose, p2, y2, s2, step, g2, lost)
    MOVE_PREVIOUS(loose, p3, y3, s3, step, g3, lost)
    g0 = s0;
    g1 = s1;
    g2 = s2;
    g3 = s3;
  }
  MOVE_ALONG(p0, x0, g0, step)
  MOVE_ALONG(p1, x1, g1, step)
  MOVE_ALONG(p2, x2, g2, step)
  MOVE_ALONG(p3, x3, g3, step)
}
