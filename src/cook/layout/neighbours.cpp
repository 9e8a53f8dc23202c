// neighbours.cpp - owns the choice of slots.
#include "cook/layout/neighbours.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "cook/constraint_types.h"
#include "cook/layout/append.h"

namespace clothc::cook {
namespace {

// What a slot of consecutive nodes costs, and one that has to gather them.
constexpr uint32_t consecutive_cost = 2, listed_cost = 5;

struct Neighbour {
  uint32_t lane;
  uint32_t node;
  float length, edge_length;
};

// The slots of one block.
class Block {
 public:
  Block(const LevelArrays& level, uint32_t first) : first_(first), stride_(level_stride_of(level.node_count)) {
    for (uint32_t k = 0; k < level.neighbours_per_node; ++k) {
      for (uint32_t lane = 0; lane < lane_padding && first + lane < level.node_count; ++lane) {
        const size_t at = size_t{k} * level.node_count + first + lane;
        if (level.neighbours[at] != first + lane)
          left_.push_back({lane, level.neighbours[at], level.lengths[at], level.edge_lengths[at]});
      }
    }
  }

  // Gives the most frequent distances between the numbers of a node and its neighbour slots of their own, as long as
  // that makes the block cheaper; appends the slots.
  void append_consecutive(std::vector<uint32_t>& words) {
    std::vector<int64_t> distances = distances_by_frequency();
    uint32_t best = listed_slots(distances, 0) * listed_cost;
    size_t count = 0;
    for (size_t k = 1; k <= distances.size(); ++k) {
      const uint32_t cost = static_cast<uint32_t>(k) * consecutive_cost + listed_slots(distances, k) * listed_cost;
      if (cost < best) {
        best = cost;
        count = k;
      }
    }
    distances.resize(count);
    for (const int64_t distance : distances) append_slot(distance, words);
  }

  // Appends slots for the neighbours that are left.
  void append_listed(std::vector<uint32_t>& words) {
    std::array<uint32_t, lane_padding> count = {};
    const size_t begin = words.size();
    for (const Neighbour& neighbour : left_) {
      const size_t slot = begin + size_t{count[neighbour.lane]++} * neighbour_slot_words;
      if (slot == words.size()) append_empty_slot(0, words);
      put(neighbour, slot, words);
    }
  }

 private:
  int64_t distance_of(const Neighbour& neighbour) const {
    return int64_t{neighbour.node} - (int64_t{first_} + neighbour.lane);
  }

  // Distances that stay in the rows of the level from all lanes of the block.
  std::vector<int64_t> distances_by_frequency() const {
    std::vector<int64_t> all;
    for (const Neighbour& neighbour : left_) {
      const int64_t first = int64_t{first_} + distance_of(neighbour);
      if (first >= 0 && first + lane_padding <= stride_) all.push_back(distance_of(neighbour));
    }
    std::sort(all.begin(), all.end());
    std::vector<std::pair<size_t, int64_t>> counted;
    for (const int64_t distance : all) {
      if (counted.empty() || counted.back().second != distance) counted.push_back({0, distance});
      ++counted.back().first;
    }
    std::sort(counted.begin(), counted.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::vector<int64_t> distances;
    distances.reserve(counted.size());
    for (const auto& [frequency, distance] : counted) distances.push_back(distance);
    return distances;
  }

  // Returns how many slots list the other neighbours if the first k distances have slots of their own.
  uint32_t listed_slots(const std::vector<int64_t>& distances, size_t k) const {
    std::array<uint32_t, lane_padding> count = {};
    const auto end = distances.begin() + static_cast<ptrdiff_t>(k);
    for (const Neighbour& neighbour : left_)
      count[neighbour.lane] += std::find(distances.begin(), end, distance_of(neighbour)) == end;
    return *std::max_element(count.begin(), count.end());
  }

  void append_slot(int64_t distance, std::vector<uint32_t>& words) {
    const size_t slot = words.size();
    append_empty_slot(distance, words);
    std::array<bool, lane_padding> is_taken = {};
    const auto has_slot = [&](const Neighbour& neighbour) {
      if (distance_of(neighbour) != distance || is_taken[neighbour.lane]) return false;
      is_taken[neighbour.lane] = true;
      put(neighbour, slot, words);
      return true;
    };
    left_.erase(std::remove_if(left_.begin(), left_.end(), has_slot), left_.end());
  }

  void append_empty_slot(int64_t distance, std::vector<uint32_t>& words) const {
    const size_t slot = words.size();
    words.resize(slot + neighbour_slot_words);
    for (uint32_t lane = 0; lane < lane_padding; ++lane) {
      const auto node = static_cast<uint32_t>(int64_t{first_} + lane + distance);
      put({lane, node, longest_length, longest_length}, slot, words);
    }
  }

  static void put(const Neighbour& neighbour, size_t slot, std::vector<uint32_t>& words) {
    words[slot + neighbour.lane] = neighbour.node;
    std::memcpy(&words[slot + lane_padding + neighbour.lane], &neighbour.length, 4);
    std::memcpy(&words[slot + 2 * size_t{lane_padding} + neighbour.lane], &neighbour.edge_length, 4);
  }

  uint32_t first_, stride_;
  std::vector<Neighbour> left_;
};

}  // namespace

std::vector<uint32_t> lay_out_neighbours(const LevelArrays& level) {
  const uint32_t block_count = level_stride_of(level.node_count) / lane_padding;
  std::vector<uint32_t> words(padded(2 * (block_count + 1)));
  for (uint32_t k = 0; k < block_count; ++k) {
    Block block(level, k * lane_padding);
    words[2 * k] = static_cast<uint32_t>(words.size());
    block.append_consecutive(words);
    words[2 * k + 1] = static_cast<uint32_t>(words.size());
    block.append_listed(words);
  }
  words[2 * block_count] = words[2 * block_count + 1] = static_cast<uint32_t>(words.size());
  return words;
}

}  // namespace clothc::cook
