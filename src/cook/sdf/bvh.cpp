// bvh.cpp - owns the shape of the BVH. The triangles of a node are halved at the median along the axis on
// which their centres spread most, with ties broken by index, and those of a leaf are sorted by index. The order of
// triangles therefore does not depend on how a standard library orders equal elements, and sums over the triangles of a
// node have the same bits on every machine.
#include "cook/sdf/bvh.h"

#include <algorithm>
#include <utility>

namespace clothc::cook {
namespace {

constexpr uint32_t leaf_size = 4;

Vector least(Vector a, Vector b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
Vector greatest(Vector a, Vector b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

class Builder {
 public:
  explicit Builder(const std::vector<Vector>& corners) : corners_(corners) {
    const uint32_t count = static_cast<uint32_t>(corners.size() / 3);
    for (uint32_t t = 0; t < count; ++t) {
      order_.push_back(t);
      const Vector* c = &corners[size_t{t} * 3];
      centres_.push_back(c[0] + c[1] + c[2]);
    }
    if (count > 0) build(0, count);
    for (const uint32_t t : order_) {
      const Vector* c = &corners[size_t{t} * 3];
      bvh_.triangles.push_back({{c[0], c[1], c[2]}});
    }
  }

  Bvh take() { return std::move(bvh_); }

 private:
  void build(uint32_t begin, uint32_t end) {
    const size_t at = bvh_.nodes.size();
    bvh_.nodes.push_back({box_of(begin, end), begin, end, 0});
    if (end - begin <= leaf_size) {
      std::sort(order_.begin() + begin, order_.begin() + end);
      return;
    }
    const uint32_t middle = begin + (end - begin) / 2;
    halve(begin, middle, end);
    build(begin, middle);
    bvh_.nodes[at].right = static_cast<uint32_t>(bvh_.nodes.size());
    build(middle, end);
  }

  BoundingBox box_of(uint32_t begin, uint32_t end) const {
    const Vector first = corners_[size_t{order_[begin]} * 3];
    BoundingBox box = {first, first};
    for (uint32_t i = begin; i < end; ++i) {
      for (size_t c = 0; c < 3; ++c) {
        box.low = least(box.low, corners_[size_t{order_[i]} * 3 + c]);
        box.high = greatest(box.high, corners_[size_t{order_[i]} * 3 + c]);
      }
    }
    return box;
  }

  void halve(uint32_t begin, uint32_t middle, uint32_t end) {
    Vector low = centres_[order_[begin]], high = low;
    for (uint32_t i = begin; i < end; ++i) {
      low = least(low, centres_[order_[i]]);
      high = greatest(high, centres_[order_[i]]);
    }
    const Vector spread = high - low;
    double Vector::*axis = spread.x >= spread.y && spread.x >= spread.z ? &Vector::x
                           : spread.y >= spread.z                       ? &Vector::y
                                                                        : &Vector::z;
    const auto is_before = [&](uint32_t a, uint32_t b) {
      const double left = centres_[a].*axis, right = centres_[b].*axis;
      return left != right ? left < right : a < b;
    };
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, is_before);
  }

  const std::vector<Vector>& corners_;
  // [triangles] the centre of each triangle times three.
  std::vector<Vector> centres_;
  std::vector<uint32_t> order_;
  Bvh bvh_;
};

}  // namespace

Bvh build_bvh(const std::vector<Vector>& corners) { return Builder(corners).take(); }

}  // namespace clothc::cook
