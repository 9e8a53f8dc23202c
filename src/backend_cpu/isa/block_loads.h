// block_loads.h - loads words of blocks of 16 lanes for lanes of one block.

template <uint32_t words_per_block>
LANE_FUNCTION real load_block_real(const uint32_t* p) {
  return load_real(p);
}
template <uint32_t words_per_block>
LANE_FUNCTION index_list load_block_indices(const uint32_t* p) {
  return load_indices(p);
}
