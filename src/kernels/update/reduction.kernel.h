// reduction.kernel.h - the tree in which kernels reduce over all particles of a cloth, the same on every device. A lane
// reduces reduction_items particles; 16 neighbouring lanes take as many blocks of 16 consecutive particles. Lane i of the
// next level combines the results of lane i % 16 of reduction_fan blocks of 16 lanes, and so on until there is one block,
// whose 16 results end_group and end_hash combine. The results of a level are an array over its lanes per word; those of
// the next level are behind them.

// The first item of lane i, where blocks of 16 lanes have so many items. The next one is 16 further on.
FUNCTION(int) first_item(VALUE(int) i, VALUE(int) items_of_block) { return (i >> 4) * items_of_block + (i & 15); }

// Where a lane's items end that begin at this one, if there are so many items in all.
FUNCTION(int) end_of_items(VALUE(int) first, VALUE(int) items_of_block, VALUE(int) count) {
  int end = first + items_of_block;
  if (count < end) end = count;
  return end;
}

// Number of lanes that combine the results of so many.
FUNCTION(int) combining_lanes(VALUE(int) lanes) {
  int combined = 16 * int(reduction_fan);
  return (lanes + combined - 1) / combined * 16;
}

// A level of the tree: the first word of its results, and its number of lanes.
struct ReductionLevel {
  int begin;
  int lanes;
};

// Level 0 reduces over particles.
FUNCTION(ReductionLevel) reduction_level(CONTEXT VALUE(int) number) {
  ReductionLevel level;
  level.begin = SETTING_INT(scratch);
  level.lanes = SETTING_INT(reduction_lanes);
  for (int k = 0; k < number; ++k) {
    level.begin = level.begin + int(scratch_words) * level.lanes;
    level.lanes = combining_lanes(level.lanes);
  }
  return level;
}

// Combines the results of level ARGUMENT. Lanes are those of the next level, for each word in turn: minima, of which
// there are reduction_minima, and then sums.
KERNEL(combine_results) {
  ReductionLevel from = reduction_level(PASS ARGUMENT);
  int combined = combining_lanes(from.lanes);
  int word = i / combined;
  int own = i - word * combined;
  int first = first_item(own, 16 * int(reduction_fan));
  int end = end_of_items(first, 16 * int(reduction_fan), from.lanes);
  int begin = from.begin + word * from.lanes;
  real result = LOAD_REAL(tables, begin, first);
  for (int k = first + 16; k < end; k += 16) {
    real other = LOAD_REAL(tables, begin, k);
    if (word < int(reduction_minima)) {
      result = minimum(result, other);
    } else {
      result = result + other;
    }
  }
  STORE_REAL(tables, from.begin + int(scratch_words) * from.lanes, i, result);
}
