// hash.kernel.h - the state hash: the sum modulo 2^64 of a mix of (cloth ordinal, vertex, word number, word) over all
// state that affects the next update. A sum does not depend on the order, so any split over lanes gives the same value.

FUNCTION(Sum64) add_vector(VALUE(Sum64) sum, VALUE(unum) owner, VALUE(int) number, VALUE(real4) v) {
  Sum64 s = add_word(sum, owner, number, as_bits(v.x));
  s = add_word(s, owner, number + 1, as_bits(v.y));
  s = add_word(s, owner, number + 2, as_bits(v.z));
  return add_word(s, owner, number + 3, as_bits(v.w));
}

KERNEL(reduce_hash) {
  int first = first_item(i, 16 * int(reduction_items));
  int end = end_of_items(first, 16 * int(reduction_items), SETTING_INT(padded_count));
  Sum64 sum;
  sum.low = U(0u);
  sum.high = U(0u);
  for (int k = first; k < end; k += 16) {
    unum owner = to_unsigned(LANES(k)) * U(0x9e3779b1u) + U(uint(SETTING_INT(ordinal_low)) * 0x85ebca77u) +
                 U(uint(SETTING_INT(ordinal_high)) * 0xc2b2ae3du);
    Sum64 s = sum;
    int number = 0;
#define CLOTHC_HASH_always(block) s = add_vector(s, owner, number, load_particle(PASS FRAME(block), k));
#define CLOTHC_HASH_optional(block) \
  if (HAS_BLOCK(block)) s = add_vector(s, owner, number, load_particle(PASS BLOCK(block), k));
#define CLOTHC_CHANNEL(channel, name, block, format, write, read, group, presence, unset) \
  CLOTHC_HASH_##presence(block) number = number + 4;
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL
#undef CLOTHC_HASH_always
#undef CLOTHC_HASH_optional
    mask exists = is_particle(PASS k);
    sum.low = select_bits(exists, s.low, sum.low);
    sum.high = select_bits(exists, s.high, sum.high);
  }
  STORE_BITS(tables, SETTING_INT(scratch), i, sum.low);
  STORE_BITS(tables, SETTING_INT(scratch) + SETTING_INT(reduction_lanes), i, sum.high);
}

// Combines the results of level ARGUMENT, as combine_results does.
KERNEL(combine_hash) {
  ReductionLevel from = reduction_level(PASS ARGUMENT);
  int first = first_item(i, 16 * int(reduction_fan));
  int end = end_of_items(first, 16 * int(reduction_fan), from.lanes);
  Sum64 sum;
  sum.low = U(0u);
  sum.high = U(0u);
  for (int k = first; k < end; k += 16) {
    unum low = to_unsigned(LOAD_INT(tables, from.begin, k));
    unum high = to_unsigned(LOAD_INT(tables, from.begin + from.lanes, k));
    sum = add64(sum, low, high);
  }
  int begin = from.begin + int(scratch_words) * from.lanes;
  STORE_BITS(tables, begin, i, sum.low);
  STORE_BITS(tables, begin + combining_lanes(from.lanes), i, sum.high);
}
