// push.kernel.h - cloth pushes cloth. Of two points nearer to each other than the distance, each moves along the line between
// them by its share, by inverse masses, of what is missing. Points move at once: each gathers what all others do to it, from
// where they were when the stage began, in the order of the points; the sum is limited to half the distance.
// Source: PhysX 3.4 manual, Cloth, "Self-Collision of a Single Cloth Actor" and "Inter-Collision between Multiple Cloth
// Actors"; Mueller et al. 2007, Position Based Dynamics (shares by inverse mass).

// What others do to a point.
struct Push {
  real3 displacement;
  real3 rubbed;  // of its previous position, by friction
  real3 slip;    // across the lines, relative to the others
  real count;
};

FUNCTION(Push) no_push() {
  Push push;
  push.displacement = make3(R(0.0f), R(0.0f), R(0.0f));
  push.rubbed = push.displacement;
  push.slip = push.displacement;
  push.count = R(0.0f);
  return push;
}

// A point, or what pushes it: as the arrays of points have it.
struct Point {
  real3 x;
  real w;
  real3 before;
  real4 rest;
};

// How points that meet act on each other.
struct Touch {
  real distance;
  real stiffness;  // part of the overlap that is removed
  real friction;
};

FUNCTION(mask) are_near_at_rest(VALUE(real4) a, VALUE(real4) b, VALUE(real) distance) {
  real3 d = XYZ(a) - XYZ(b);
  return mask_and(mask_and(R(0.0f) < a.w, R(0.0f) < b.w), dot3(d, d) < distance * distance);
}

// Adds what another point, d away, does to a point where near holds; sign: which way points go that are at the same place.
FUNCTION(Push)
add_push(VALUE(Push) push, VALUE(mask) near, VALUE(real3) d, VALUE(Point) a, VALUE(Point) b, VALUE(Touch) touch,
         VALUE(real) sign) {
  real square = dot3(d, d);
  real least = touch.distance * touch.distance * R(1e-12f);
  mask apart = least < square;
  real3 way = select3(apart, d, make3(sign * touch.distance * R(1e-6f), R(0.0f), R(0.0f)));
  real length = square_root(select(apart, square, maximum(least, R(CLOTHC_SMALLEST))));
  real missing = (touch.distance - length) * touch.stiffness;
  real masses = maximum((a.w + b.w) * length, R(CLOTHC_SMALLEST));
  real part = select(near, divide(missing * a.w, masses), R(0.0f));
  Push sum = push;
  sum.displacement = push.displacement + way * part;
  if (IS_POSITIVE(touch.friction)) {
    real3 motion = (a.x - a.before) - (b.x - b.before);
    real3 slip = motion - way * divide(dot3(motion, way), length * length);
    real speed = square_root(maximum(dot3(slip, slip), R(CLOTHC_SMALLEST)));
    real share = divide(a.w, maximum(a.w + b.w, R(CLOTHC_SMALLEST)));
    real held = select(near, minimum(R(1.0f), divide(touch.friction * missing, speed)), R(0.0f));
    real3 none = make3(R(0.0f), R(0.0f), R(0.0f));
    sum.rubbed = push.rubbed + slip * (held * share);
    sum.slip = push.slip + select3(near, slip, none);
    sum.count = push.count + select(near, R(1.0f), R(0.0f));
  }
  return sum;
}

// A vector made no longer than the limit.
FUNCTION(real3) limited(VALUE(real3) v, VALUE(real) limit) {
  real square = dot3(v, v);
  mask beyond = limit * limit < square;
  real part = divide(limit, square_root(select(beyond, square, R(1.0f))));
  return v * select(beyond, part, R(1.0f));
}

// Friction takes back the mean slip, at most: many points would turn it around otherwise.
FUNCTION(real3) limited_rub(VALUE(Push) push) {
  real most = divide(square_root(dot3(push.slip, push.slip)), maximum(push.count, R(1.0f)));
  return limited(push.rubbed, most);
}

// rests: rest positions count.
FUNCTION(Point) load_point(CONTEXT int i, VALUE(real) friction, bool rests) {
  Point a;
  a.x = make3(LOAD_REAL(tables, POINTS(point_position), i), LOAD_REAL(tables, POINTS(point_position + 1u), i),
              LOAD_REAL(tables, POINTS(point_position + 2u), i));
  a.w = LOAD_REAL(tables, POINTS(point_inverse_mass), i);
  a.before = a.x;
  if (IS_POSITIVE(friction)) {
    a.before = make3(LOAD_REAL(tables, POINTS(point_previous), i), LOAD_REAL(tables, POINTS(point_previous + 1u), i),
                     LOAD_REAL(tables, POINTS(point_previous + 2u), i));
  }
  a.rest = make4(a.x, R(0.0f));
  if (rests) {
    a.rest = make4(make3(LOAD_REAL(tables, POINTS(point_rest), i), LOAD_REAL(tables, POINTS(point_rest + 1u), i),
                         LOAD_REAL(tables, POINTS(point_rest + 2u), i)),
                   LOAD_REAL(tables, POINTS(point_rest + 3u), i));
  }
  return a;
}

// The points of a cloth and their tree.
struct Cloud {
  int points;
  int stride;
  int levels;
  bool is_own;  // of the points that are pushed
  bool rests;
};

FUNCTION(Cloud) cloud_of(CONTEXT int cloth) {
  Cloud cloud;
  cloud.points = int(CLOTH(cloth).settings.points);
  cloud.stride = int(CLOTH(cloth).settings.point_stride);
  cloud.levels = int(CLOTH(cloth).settings.point_levels);
  cloud.is_own = cloth == OWN_CLOTH;
  cloud.rests = false;
  return cloud;
}

// A vector of point j, the same for all lanes.
FUNCTION(real3) point_vector(CONTEXT VALUE(Cloud) cloud, int word, int j) {
  int at = cloud.points + word * cloud.stride + j;
  return make3(TABLE_REAL(at), TABLE_REAL(at + cloud.stride), TABLE_REAL(at + 2 * cloud.stride));
}

// What point j of a cloud does to the points at lanes i.
FUNCTION(Push) push_by_point(CONTEXT int i, VALUE(Push) push, VALUE(Point) a, VALUE(Cloud) cloud, int j, VALUE(Touch) touch) {
  Push sum = push;
  Point b;
  b.x = point_vector(PASS cloud, int(point_position), j);
  real3 d = a.x - b.x;
  mask near = dot3(d, d) < touch.distance * touch.distance;
  if (cloud.is_own) near = mask_and(near, mask_not(LANES(i) == I(j)));
  IF_ANY(near) {
    b.before = b.x;
    if (IS_POSITIVE(touch.friction)) b.before = point_vector(PASS cloud, int(point_previous), j);
    b.w = TABLE_REAL(cloud.points + int(point_inverse_mass) * cloud.stride + j);
    b.rest = make4(b.x, R(0.0f));
    if (cloud.rests) {
      real rested = TABLE_REAL(cloud.points + int(point_rest + 3u) * cloud.stride + j);
      b.rest = make4(point_vector(PASS cloud, int(point_rest), j), rested);
      near = mask_and(near, mask_not(are_near_at_rest(a.rest, b.rest, touch.distance)));
    }
    IF_ANY(near) {
      real sign = select(LANES(i) < I(j), R(-1.0f), R(1.0f));
      sum = add_push(push, near, d, a, b, touch, sign);
    }
  }
  return sum;
}

// Around the points at all lanes.
FUNCTION(Boxes) box_of_lanes(VALUE(real3) x) {
  mask present = x.x < R(CLOTHC_NOWHERE);
  real3 top = select3(present, x, make3(R(-CLOTHC_NOWHERE), R(-CLOTHC_NOWHERE), R(-CLOTHC_NOWHERE)));
  Boxes box;
  box.low = make3(LEAST_OF_LANES(x.x), LEAST_OF_LANES(x.y), LEAST_OF_LANES(x.z));
  box.high = make3(GREATEST_OF_LANES(top.x), GREATEST_OF_LANES(top.y), GREATEST_OF_LANES(top.z));
  return box;
}

FUNCTION(Boxes) grown(VALUE(Boxes) box, VALUE(real) by) {
  real3 margin = make3(by, by, by);
  Boxes larger;
  larger.low = box.low - margin;
  larger.high = box.high + margin;
  return larger;
}

// What all points of a cloud do to those at lanes i, which box is around.
FUNCTION(Push)
push_by_cloud(CONTEXT int i, VALUE(Push) before, VALUE(Point) a, VALUE(Boxes) box, VALUE(Cloud) cloud, VALUE(Touch) touch) {
  Push push = before;
  Boxes near = grown(box, touch.distance);
  int nodes = cloud.points + int(point_words) * cloud.stride;
  int leaves = first_node(cloud.levels - 1);
  int left[most_point_levels];  // children that are still to be visited, at the levels down to the present one
  int level = 0;
  int node = 0;
  int points = 0;  // the same of a block of points
  int block = 0;
  left[0] = those_that_meet(PASS nodes, nodes + 48, 16, near);
  while (0 <= level) {
    if (points != 0) {
      int j = block * int(node_children) + FIRST_BIT(points);
      points = points & (points - 1);
      push = push_by_point(PASS i, push, a, cloud, j, touch);
    } else if (left[level] == 0) {
      level = level - 1;
      node = (node - 1) / int(node_children);
    } else {
      int child = node * int(node_children) + 1 + FIRST_BIT(left[level]);
      left[level] = left[level] & (left[level] - 1);
      if (leaves <= node) {
        block = child - 1 - leaves * int(node_children);
        int at = cloud.points + int(point_position) * cloud.stride + block * int(node_children);
        points = those_that_meet(PASS at, at, cloud.stride, near);
      } else {
        node = child;
        level = level + 1;
        int at = nodes + node * int(node_words);
        left[level] = those_that_meet(PASS at, at + 48, 16, near);
      }
    }
  }
  return push;
}

KERNEL(collide_self) {
  Touch touch;
  touch.distance = SETTING(self_distance);
  touch.stiffness = STEP(self_rate);
  touch.friction = SETTING(self_friction);
  Cloud cloud = cloud_of(PASS OWN_CLOTH);
  cloud.rests = HAS_FLAG(cloth_has_rest);
  Point a = load_point(PASS i, touch.friction, cloud.rests);
  Boxes box = box_of_lanes(a.x);
  Push push = push_by_cloud(PASS i, no_push(), a, box, cloud, touch);
  mask pushed = R(0.0f) < dot3(push.displacement, push.displacement);
  IF_ANY(pushed) {
    int first = SETTING_INT(first_particle);
    index_list place = LOAD_INDICES(tables, POINTS(point_place), i);
    real4 p = GATHER4(particles, FRAME(position) + first, place);
    real3 displacement = limited(push.displacement, touch.distance * R(0.5f));
    SCATTER4(particles, FRAME(position) + first, place, make4(XYZ(p) + snap3(displacement), p.w));
    if (IS_POSITIVE(touch.friction)) {
      real4 q = GATHER4(particles, FRAME(previous) + first, place);
      real3 rubbed = limited_rub(push);
      SCATTER4(particles, FRAME(previous) + first, place, make4(XYZ(q) + snap3(rubbed), q.w));
    }
  }
}
