// bvh_order.cpp - owns the recursive halving of the points. A range is halved along the axis on which its points
// spread most; the first half has 16 points times a power of two, and ties are broken by index. Which points are in a
// half therefore does not depend on how a standard library orders equal elements. Blocks of 16 are sorted by
// index.
// Source: Bentley 1975, Multidimensional Binary Search Trees.
#include "cook/order/bvh_order.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace clothc::cook {
namespace {

constexpr uint32_t block = 16;

class Halving {
 public:
  explicit Halving(const std::vector<float>& positions) : positions_(positions), order_(positions.size() / 4) {
    std::iota(order_.begin(), order_.end(), 0u);
    sort(0, static_cast<uint32_t>(order_.size()));
  }
  std::vector<uint32_t> take() { return std::move(order_); }

 private:
  float at(uint32_t point, size_t axis) const { return positions_[size_t{point} * 4 + axis]; }

  size_t widest_axis(uint32_t begin, uint32_t end) const {
    size_t widest = 0;
    float most = -1;
    for (size_t axis = 0; axis < 3; ++axis) {
      float low = at(order_[begin], axis);
      float high = low;
      for (uint32_t k = begin; k < end; ++k) {
        low = std::min(low, at(order_[k], axis));
        high = std::max(high, at(order_[k], axis));
      }
      if (high - low > most) {
        most = high - low;
        widest = axis;
      }
    }
    return widest;
  }

  // Sorts a range. begin is a multiple of the smallest block times a power of two that holds the whole range.
  void sort(uint32_t begin, uint32_t end) {
    if (end - begin <= block) {
      std::sort(order_.begin() + begin, order_.begin() + end);
      return;
    }
    uint32_t half = block;
    while (half * 2 < end - begin) half *= 2;
    const size_t axis = widest_axis(begin, end);
    std::nth_element(
        order_.begin() + begin, order_.begin() + begin + half, order_.begin() + end,
        [&](uint32_t a, uint32_t b) { return at(a, axis) != at(b, axis) ? at(a, axis) < at(b, axis) : a < b; });
    sort(begin, begin + half);
    sort(begin + half, end);
  }

  const std::vector<float>& positions_;
  std::vector<uint32_t> order_;
};

}  // namespace

std::vector<uint32_t> order_points_for_bvh(const std::vector<float>& points) { return Halving(points).take(); }

std::vector<uint32_t> order_for_bvh(const FabricLayout& fabric) {
  if (!fabric.positions.empty()) return order_points_for_bvh(fabric.positions);
  std::vector<uint32_t> order(fabric.particle_count);
  for (uint32_t particle = 0; particle < fabric.particle_count; ++particle)
    order[fabric.storage_index(particle)] = particle;
  return order;
}

}  // namespace clothc::cook
