// motion.kernel.h - corrects the stretch of a cloth on coarse levels, whose nodes stand for more and more particles, and
// moves the particles by what the nodes have moved. In an iteration, with D the motion of a node:
//   up    m = mean position of the particles of each node;
//   down  from the coarsest level on: x = m + sum of weights * D of the parents, on the next coarser level;
//         a few times: x += k sum over the neighbours that are too far away of the part w / (w + w_j) of the way back;
//         D = x - m;
//   end   each free particle moves by the sum of weights * D of its parents, on the finest of the coarse levels.
// w is 1 / share: with the share of a node the sum of weights by which particles follow it, momentum is conserved.
// Source: Mueller 2008, Hierarchical Position Based Dynamics; means and shares: docs/log/2026-11-27-hierarchy.md.

// Neighbours in two directions correct the same error, and corrections of a sweep do not see each other.
#define CLOTHC_SWEEP_RATE 0.8f

// Above the square of any distance between particles that are not lost, in m2.
#define CLOTHC_LARGEST_SQUARE 1.3e19f

#define LEVEL_ROWS(row) (CONSTRAINT_INT(level_rows) + int(row) * CONSTRAINT_INT(level_stride))
#define LEVEL_NODES(row) (CONSTRAINT_INT(level_nodes) + int(row) * CONSTRAINT_INT(level_stride))
// The rows of indices of finer nodes that belong to the nodes of node i's block.
#define FOR_EACH_ROW_OF_MEMBERS(row)                                                                     \
  int end_of_members = TOPOLOGY_INT(CONSTRAINT_INT(level_members) + (i >> 4) + 1);                       \
  for (int row = CONSTRAINT_INT(level_members) + TOPOLOGY_INT(CONSTRAINT_INT(level_members) + (i >> 4)); \
       row < CONSTRAINT_INT(level_members) + end_of_members; row += 16)
// The first slot of the neighbours of node i's block; the first one that lists them; and the end.
#define NEIGHBOUR_SLOT(k) \
  (CONSTRAINT_INT(level_neighbours) + TOPOLOGY_INT(CONSTRAINT_INT(level_neighbours) + 2 * (i >> 4) + k))
// The rows of the next finer level.
#define FINER_ROWS (CONSTRAINT_INT(level_rows) + int(level_row_count) * CONSTRAINT_INT(level_stride))

FUNCTION(void) store_mean(CONTEXT VALUE(int) i, VALUE(real3) mean) {
  STORE_ROW(tables, LEVEL_ROWS(row_means), i, make4(mean, LOAD_REAL(topology, LEVEL_NODES(node_part), i)));
}

// The means of particles. Padding particles, which fill up the lists of members, are at the origin.
KERNEL(average_particles) {
  real3 sum = make3(R(0.0f), R(0.0f), R(0.0f));
  FOR_EACH_ROW_OF_MEMBERS(row) {
    index_list particle = LOAD_INDICES(topology, row, i & 15);
    real4 position = GATHER_POSITION(particle);
    sum = sum + XYZ(position);
  }
  real3 mean = sum * LOAD_REAL(topology, LEVEL_NODES(node_inverse_size), i);
  store_mean(PASS i, mean);
}

// The means of finer nodes, each of which is a part of its node.
KERNEL(average_nodes) {
  real3 sum = make3(R(0.0f), R(0.0f), R(0.0f));
  FOR_EACH_ROW_OF_MEMBERS(row) {
    index_list node = LOAD_INDICES(topology, row, i & 15);
    real4 mean = GATHER_ROW(tables, FINER_ROWS, node);
    sum = sum + XYZ(mean) * mean.w;
  }
  store_mean(PASS i, sum);
}

// The motion of the parents of node i or, on level 0, of particle i. All 16 lanes of a block go through the parents of
// all of them, with weights that are mostly 0: that takes no gathers.
FUNCTION(real3) motion_of_parents(CONTEXT VALUE(int) i) {
  int parents = CONSTRAINT_INT(level_parents);
  int end = TOPOLOGY_INT(parents + (i >> 4) + 1);
  real3 motion = make3(R(0.0f), R(0.0f), R(0.0f));
  for (int row = TOPOLOGY_INT(parents + (i >> 4)); row < end; ++row) {
    int moved = CONSTRAINT_INT(level_motions) + 4 * TOPOLOGY_INT(CONSTRAINT_INT(level_parent_nodes) + row);
    real weight = LOAD_REAL(topology, parents + 16 * row, i & 15);
    motion = motion + make3(TABLE_REAL(moved), TABLE_REAL(moved + 1), TABLE_REAL(moved + 2)) * weight;
  }
  return motion;
}

KERNEL(interpolate_nodes) {
  real4 mean = LOAD_ROW(tables, LEVEL_ROWS(row_means), i);
  real3 position = XYZ(mean);
  if (CONSTRAINT_INT(level_parents) != 0) position = position + motion_of_parents(PASS i);
  STORE_ROW(tables, LEVEL_ROWS(row_nodes), i, make4(position, LOAD_REAL(tables, LEVEL_ROWS(row_weight), i)));
}

// How far apart the neighbours in a slot may be: along edges if the cloth shears freely, along the surface if it does not.
FUNCTION(real) length_to_neighbour(CONTEXT VALUE(int) slot, VALUE(int) k, VALUE(real) shear) {
  real along_surface = LOAD_REAL(topology, slot + 16, k);
  real along_edges = LOAD_REAL(topology, slot + 32, k);
  return along_edges + (along_surface - along_edges) * shear;
}

// The rate of shear, as a part of that of a stiffness of 1.
FUNCTION(real) shear_part(CONTEXT_ONLY) { return divide(CONSTRAINT_REAL(constraint_soft_part), STEP(full_rate)); }

// The part of the vector between two nodes that removes what it is longer than the length l: with d the distance,
// (d d - l l) / (d d + l l) in place of (d - l) / d, which is the same for small errors and needs no square root.
// Particles that are lost pull nothing.
FUNCTION(real3) pull_along(VALUE(real3) between, VALUE(real) weight, VALUE(real) weights, VALUE(real) most) {
  real square = dot3(between, between);
  real limit = most * most;
  real part = (square - limit) * weight * rough_reciprocal((square + limit) * weights);
  mask is_taut = mask_and(limit < square, square < R(CLOTHC_LARGEST_SQUARE));
  return select3(is_taut, between * part, make3(R(0.0f), R(0.0f), R(0.0f)));
}

// Where node i is after one sweep, from the rows of positions before it. A node that pinned particles hold has no weight.
FUNCTION(real3) swept_node(CONTEXT VALUE(int) i, VALUE(real4) node, VALUE(int) rows) {
  int slot = NEIGHBOUR_SLOT(0);
  int listed = NEIGHBOUR_SLOT(1);
  int end = NEIGHBOUR_SLOT(2);
  real scale = CONSTRAINT_REAL(constraint_scale);
  real shear = shear_part(PASS_ONLY);
  real3 sum = make3(R(0.0f), R(0.0f), R(0.0f));
  for (; slot < listed; slot += int(neighbour_slot_words)) {
    real4 other = LOAD_ROW(tables, rows + 4 * TOPOLOGY_INT(slot), i & 15);
    real most = length_to_neighbour(PASS slot, i & 15, shear) * scale;
    sum = sum + pull_along(XYZ(other) - XYZ(node), node.w, node.w + other.w, most);
  }
  for (; slot < end; slot += int(neighbour_slot_words)) {
    index_list neighbour = LOAD_INDICES(topology, slot, i & 15);
    real4 other = GATHER_ROW(tables, rows, neighbour);
    real most = length_to_neighbour(PASS slot, i & 15, shear) * scale;
    sum = sum + pull_along(XYZ(other) - XYZ(node), node.w, node.w + other.w, most);
  }
  real to_pin = LOAD_REAL(tables, LEVEL_ROWS(row_pin_length), i);
  mask has_pin = to_pin < R(CLOTHC_LARGEST);
  IF_ANY(has_pin) {
    index_list pin = LOAD_INDICES(tables, LEVEL_ROWS(row_pin), i);
    real4 pinned = GATHER_POSITION(pin);
    real3 pull = pull_along(XYZ(pinned) - XYZ(node), node.w, node.w, to_pin * scale);
    sum = select3(has_pin, sum + pull, sum);
  }
  return XYZ(node) + sum * (R(CLOTHC_SWEEP_RATE) * CONSTRAINT_REAL(constraint_rate));
}

// A sweep from one of two rows of positions into the other one.
KERNEL(sweep_nodes) {
  real4 node = LOAD_ROW(tables, LEVEL_ROWS(row_nodes), i);
  real3 swept = swept_node(PASS i, node, LEVEL_ROWS(row_nodes));
  STORE_ROW(tables, LEVEL_ROWS(row_swept), i, make4(swept, node.w));
}

// A sweep back.
KERNEL(sweep_nodes_back) {
  real4 node = LOAD_ROW(tables, LEVEL_ROWS(row_swept), i);
  real3 swept = swept_node(PASS i, node, LEVEL_ROWS(row_swept));
  STORE_ROW(tables, LEVEL_ROWS(row_nodes), i, make4(swept, node.w));
}

// The last sweep, which leaves the motion of each node behind.
KERNEL(move_nodes) {
  real4 node = LOAD_ROW(tables, LEVEL_ROWS(row_nodes), i);
  real3 swept = swept_node(PASS i, node, LEVEL_ROWS(row_nodes));
  real4 mean = LOAD_ROW(tables, LEVEL_ROWS(row_means), i);
  real3 motion = swept - XYZ(mean);
  mask moves = mask_and(R(0.0f) < node.w, is_bounded3(motion));
  motion = select3(moves, motion, make3(R(0.0f), R(0.0f), R(0.0f)));
  STORE_ROW(tables, LEVEL_ROWS(row_motions), i, make4(motion, R(0.0f)));
}

KERNEL(move_particles) {
  int first = CONSTRAINT_INT(constraint_first_particle);
  real4 position = LOAD4(particles, FRAME(position) + first, i);
  real3 moved = XYZ(position) + snap3(motion_of_parents(PASS i));
  mask moves = mask_and(R(0.0f) < position.w, is_bounded3(moved));
  STORE4(particles, FRAME(position) + first, i, make4(select3(moves, moved, XYZ(position)), position.w));
}
