// neighbours.h - lays out the neighbours of a level's nodes, in slots of blocks of 16 nodes.
//
// A slot has one neighbour of each node of a block: a row of 16 nodes, one of lengths and one of edge_lengths. On a
// grid, the neighbours of consecutive nodes are consecutive; a slot of such neighbours needs no gather. The array begins
// with two words per block: its first slot, and its first one whose nodes need not be consecutive, both as words from
// the start of the array; behind the last block they are both the end. A node that lacks the neighbour of a slot has any
// node there, at longest_length.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/hierarchy/level_arrays.h"

namespace clothc::cook {

constexpr uint32_t neighbour_slot_words = 48;

std::vector<uint32_t> lay_out_neighbours(const LevelArrays& level);

}  // namespace clothc::cook
