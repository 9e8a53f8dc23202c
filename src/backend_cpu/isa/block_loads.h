// block_loads.h - loads words of blocks of 16 lanes, where a batch is within a block.

LANE_FUNCTION real load_block_real(const uint32_t* p, int) { return load_real(p); }
LANE_FUNCTION index_list load_block_indices(const uint32_t* p, int) { return load_indices(p); }
