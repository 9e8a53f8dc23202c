// rings.cpp - owns what a ring is: four pairs in a row, of which the first two and the last two have no particle in
// common, and which join four particles to a ring. The first two could be solved at the same time, and so could the
// last two, so the order of a ring's constraints is 0, 2, 1, 3, whichever way round the ring is read.
#include "cook/layout/rings.h"

#include <algorithm>

#include "cook/layout/append.h"
#include "cook/layout/constraint_rows.h"
#include "cook/order/independent_groups.h"

namespace clothc::cook {
namespace {

bool joins(const uint32_t* pair, uint32_t a, uint32_t b) {
  return (pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a);
}

// Returns the number of constraints of the item that begins with a pair.
uint32_t item_at(const uint32_t* pairs, size_t left, uint32_t* particles) {
  if (left >= ring_size && read_ring(pairs, particles)) return ring_size;
  std::fill_n(particles, ring_size, IndependentGroups::no_particle);
  // A ring that begins with the second pair is worth more than the path.
  uint32_t ring[ring_size];
  const bool is_before_ring = left > ring_size && read_ring(pairs + 2, ring);
  if (left >= 2 && !is_before_ring && read_path(pairs, particles)) return 2;
  std::copy_n(pairs, 2, particles);
  return 1;
}

RingSequence sequence_of(const uint32_t* pairs, size_t count, bool with_rings) {
  RingSequence sequence;
  uint32_t particles[ring_size];
  for (size_t c = 0; c < count;) {
    const uint32_t size = item_at(pairs + 2 * c, with_rings ? count - c : 1, particles);
    sequence.items.push_back({static_cast<uint32_t>(c), size});
    sequence.particles.insert(sequence.particles.end(), particles, particles + ring_size);
    c += size;
  }
  return sequence;
}

// A set with its rings taken apart: each colour of rings becomes a colour of their constraints 0 and 2 and one of their
// constraints 1 and 3.
class Dissolved {
 public:
  Dissolved(const FabricLayout& before, const ConstraintLayout& set, LaidOutFabric& out)
      : before_(before), source_(set), out_(out), set_(set) {
    std::vector<ColourSize> sizes;
    for (uint32_t c = set.colours.begin; c < set.colours.end; ++c) {
      const Colour& colour = before.colours[c];
      if (colour.of_rings) {
        for (uint32_t half = 0; half < 2; ++half) sizes.push_back({constraints_in_half(colour.items, half)});
      } else {
        sizes.push_back({colour.items.end - colour.items.begin});
      }
    }
    place_colours(sizes, set_, out);
  }

  const ConstraintLayout& set() const { return set_; }

  void fill() {
    uint32_t next = set_.colours.begin;
    for (uint32_t c = source_.colours.begin; c < source_.colours.end; ++c) {
      const Colour& colour = before_.colours[c];
      if (colour.of_rings) {
        for (uint32_t half = 0; half < 2; ++half) fill_from_rings(colour.items, half, out_.layout.colours[next++]);
      } else {
        copy_rows(colour.items, out_.layout.colours[next++]);
      }
    }
  }

 private:
  void copy_rows(Range items, const Colour& target) {
    for (uint32_t row = 0; row < set_.arity + set_.width; ++row) {
      const bool is_particle = row < set_.arity;
      const uint32_t k = is_particle ? row : row - set_.arity;
      for (uint32_t i = items.begin; i < items.end; ++i)
        out_.words[word(set_.rows, is_particle, k, target.items.begin + i - items.begin)] =
            out_.words[word(source_.rows, is_particle, k, i)];
    }
  }

  bool has_side(uint32_t side, uint32_t ring) const {
    return out_.words[source_.rings.length(side, ring)] != bits_of(no_constraint_length);
  }

  // half: 0 for the constraints 0 and 2, 1 for the constraints 1 and 3.
  uint32_t constraints_in_half(Range items, uint32_t half) const {
    uint32_t count = 0;
    for (uint32_t i = items.begin; i < items.end; ++i) count += has_side(half, i) + has_side(half + 2, i);
    return count;
  }

  void fill_from_rings(Range items, uint32_t half, const Colour& target) {
    uint32_t item = target.items.begin;
    for (uint32_t i = items.begin; i < items.end; ++i) {
      for (uint32_t side = half; side < ring_size; side += 2) {
        if (!has_side(side, i)) continue;
        for (uint32_t end = 0; end < 2; ++end)
          out_.words[word(set_.rows, true, end, item)] =
              out_.words[source_.rings.particle((side + end) % ring_size, i)];
        out_.words[word(set_.rows, false, 0, item)] = out_.words[source_.rings.length(side, i)];
        ++item;
      }
    }
  }

  static size_t word(const ConstraintRows& rows, bool is_particle, uint32_t row, uint32_t item) {
    return (is_particle ? rows.particles : rows.parameters) + size_t{row} * rows.stride + item;
  }

  const FabricLayout& before_;
  const ConstraintLayout source_;
  LaidOutFabric& out_;
  ConstraintLayout set_;
};

}  // namespace

bool read_ring(const uint32_t* pairs, uint32_t* ring) {
  const uint32_t* const second = pairs + 2;
  for (uint32_t turned = 0; turned < 4; ++turned) {
    ring[0] = pairs[turned & 1];
    ring[1] = pairs[1 - (turned & 1)];
    ring[2] = second[turned >> 1];
    ring[3] = second[1 - (turned >> 1)];
    if (joins(pairs + 4, ring[1], ring[2]) && joins(pairs + 6, ring[3], ring[0]))
      return ring[0] != ring[1] && ring[0] != ring[2] && ring[0] != ring[3] && ring[1] != ring[2] &&
             ring[1] != ring[3] && ring[2] != ring[3];
  }
  return false;
}

bool read_path(const uint32_t* pairs, uint32_t* path) {
  for (uint32_t turned = 0; turned < 4; ++turned) {
    const uint32_t end_of_first = pairs[turned & 1], middle = pairs[1 - (turned & 1)];
    const uint32_t other_middle = pairs[2 + (turned >> 1)], end_of_second = pairs[3 - (turned >> 1)];
    if (middle != other_middle || end_of_first == end_of_second || end_of_first == middle || end_of_second == middle)
      continue;
    path[0] = end_of_second;
    path[1] = middle;
    path[2] = end_of_first;
    return true;
  }
  return false;
}

RingSequence recognise_rings(const uint32_t* pairs, size_t count) {
  RingSequence sequence = sequence_of(pairs, count, true);
  const auto rings = std::count_if(sequence.items.begin(), sequence.items.end(),
                                   [](const RingSequence::Item& item) { return item.count == ring_size; });
  const bool has_many = static_cast<size_t>(rings) * 16 >= count * 3;
  return has_many ? sequence : sequence_of(pairs, count, false);
}

void dissolve_rings(LaidOutFabric& fabric) {
  const auto has_rings = [](const ConstraintLayout& set) { return set.rings.count > 0; };
  std::vector<ConstraintLayout>& sets = fabric.layout.sets;
  if (std::none_of(sets.begin(), sets.end(), has_rings)) return;
  const FabricLayout before = fabric.layout;
  fabric.layout.colours.clear();
  for (ConstraintLayout& set : sets) {
    if (has_rings(set)) {
      Dissolved dissolved(before, set, fabric);
      dissolved.fill();
      set = dissolved.set();
      continue;
    }
    const auto first = before.colours.begin() + set.colours.begin;
    const uint32_t count = set.colours.end - set.colours.begin;
    set.colours.begin = static_cast<uint32_t>(fabric.layout.colours.size());
    set.colours.end = set.colours.begin + count;
    fabric.layout.colours.insert(fabric.layout.colours.end(), first, first + count);
  }
  trim(fabric.words);
}

}  // namespace clothc::cook
