// hash_words.kernel.h - the mix of one word of the state hash. Integers only, so that core hashes with the same
// functions what the host owns (core/cloth/parameter_hash.cpp). Each half of a mix is the 32-bit finaliser of Appleby
// 2011, MurmurHash3, with different keys.

struct Sum64 {
  unum low;
  unum high;
};

FUNCTION(unum) scramble(VALUE(unum) v) {
  unum h = v;
  h = (h ^ (h >> 16)) * U(0x85ebca6bu);
  h = (h ^ (h >> 13)) * U(0xc2b2ae35u);
  return h ^ (h >> 16);
}

FUNCTION(Sum64) add64(VALUE(Sum64) a, VALUE(unum) low, VALUE(unum) high) {
  Sum64 sum;
  sum.low = a.low + low;
  sum.high = a.high + high + select_bits(sum.low < low, U(1u), U(0u));
  return sum;
}

// Adds the mix of one word. owner identifies the particle or cloth, number the word within it.
FUNCTION(Sum64) add_word(VALUE(Sum64) sum, VALUE(unum) owner, VALUE(int) number, VALUE(unum) word) {
  unum key = owner + U(uint(number) * 0x9e3779b9u);
  unum low = scramble(word ^ scramble(key));
  unum high = scramble((word + U(0x7f4a7c15u)) ^ scramble(key ^ U(0x94d049bbu)));
  return add64(sum, low, high);
}
