// lattice_cells.cpp - owns the walk from quad to quad, in which each step across a side leads one column or one row
// further. Where the mesh is no lattice, as at a corner of five quads or where a tube closes, the walk stops.
#include "cook/layout/lattice_cells.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "cook/constraints/stretch_phases.h"
#include "cook/topology/edges.h"
#include "cook/topology/incidence.h"
#include "cook/topology/quads.h"

namespace clothc::cook {
namespace {

using Quad = std::array<uint32_t, 4>;

// A piece must fill this part of its columns and rows.
constexpr uint64_t most_places_per_particle = 2;

std::vector<Quad> find_quads(const FabricData& fabric) {
  std::vector<bool> is_stretch_set(fabric.set_ends.size(), false);
  for (size_t k = 0; k < fabric.phase_sets.size(); ++k) {
    if (is_stretch(fabric.phase_types[k]) && fabric.phase_sets[k] < is_stretch_set.size())
      is_stretch_set[fabric.phase_sets[k]] = true;
  }
  std::vector<Pair> edges;
  size_t begin = 0;
  for (size_t s = 0; s < fabric.set_ends.size(); ++s) {
    for (size_t c = begin; is_stretch_set[s] && c < fabric.set_ends[s]; ++c)
      edges.push_back(ordered(fabric.indices[2 * c], fabric.indices[2 * c + 1]));
    begin = fabric.set_ends[s];
  }
  const Incidence edges_at = find_incidence(fabric.particle_count, static_cast<uint32_t>(edges.size()), 1,
                                            [&](uint32_t e, uint32_t) { return edges[e].first; });
  const auto is_edge = [&](Pair side) {
    const auto at = edges_at.item.begin();
    return std::any_of(at + edges_at.begin[side.first], at + edges_at.begin[side.first + 1],
                       [&](uint32_t e) { return edges[e] == side; });
  };
  std::vector<Half> halves;
  for (uint32_t t = 0; t < fabric.triangle_count(); ++t) {
    const uint32_t* const corners = &fabric.triangles[size_t{t} * 3];
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    for (size_t k = 0; k < 3; ++k) {
      const Pair side = ordered(corners[k], corners[(k + 1) % 3]);
      if (!is_edge(side)) halves.push_back({side, t, corners[(k + 2) % 3]});
    }
  }
  std::vector<bool> is_joined(fabric.triangle_count(), false);
  return join_halves(std::move(halves), is_joined);
}

class CellSearch {
 public:
  explicit CellSearch(const FabricData& fabric) : quads_(find_quads(fabric)) {
    found_.cells.resize(fabric.particle_count);
  }

  LatticeCells run() {
    find_neighbours();
    is_placed_.resize(quads_.size(), false);
    for (uint32_t q = 0; q < quads_.size(); ++q) {
      const Quad& quad = quads_[q];
      if (std::none_of(quad.begin(), quad.end(), [&](uint32_t p) { return cell(p).piece != no_index; })) walk_from(q);
    }
    find_extents();
    drop_pieces();
    return std::move(found_);
  }

 private:
  LatticeCell& cell(uint32_t particle) { return found_.cells[particle]; }

  // Side k of a quad joins its corners k and k + 1.
  void find_neighbours() {
    struct Side {
      Pair pair;
      uint32_t index;
    };
    std::vector<Side> sides;
    for (uint32_t q = 0; q < quads_.size(); ++q) {
      for (uint32_t k = 0; k < 4; ++k) sides.push_back({ordered(quads_[q][k], quads_[q][(k + 1) % 4]), 4 * q + k});
    }
    std::sort(sides.begin(), sides.end(),
              [](const Side& a, const Side& b) { return a.pair == b.pair ? a.index < b.index : a.pair < b.pair; });
    neighbours_.assign(4 * quads_.size(), no_index);
    for (size_t i = 0; i + 1 < sides.size(); ++i) {
      if (!(sides[i].pair == sides[i + 1].pair)) continue;
      neighbours_[sides[i].index] = sides[i + 1].index / 4;
      neighbours_[sides[i + 1].index] = sides[i].index / 4;
    }
  }

  void walk_from(uint32_t first) {
    const auto piece = static_cast<uint32_t>(found_.pieces.size());
    found_.pieces.emplace_back();
    constexpr int32_t columns[] = {0, 1, 1, 0}, rows[] = {0, 0, 1, 1};
    for (size_t k = 0; k < 4; ++k) cell(quads_[first][k]) = {piece, columns[k], rows[k]};
    is_placed_[first] = true;
    std::vector<uint32_t> waiting = {first};
    for (size_t next = 0; next < waiting.size(); ++next) {
      for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t neighbour = neighbours_[4 * waiting[next] + k];
        if (neighbour == no_index || is_placed_[neighbour] || !step_across(quads_[waiting[next]], k, quads_[neighbour]))
          continue;
        is_placed_[neighbour] = true;
        waiting.push_back(neighbour);
      }
    }
  }

  // Places the corners of the quad beyond side k. Returns false if one of them is elsewhere already.
  bool step_across(const Quad& from, uint32_t k, const Quad& to) {
    const uint32_t a = from[k], b = from[(k + 1) % 4], behind = from[(k + 3) % 4];
    size_t i = 0;
    while (to[i] != a) ++i;
    const bool runs_along = to[(i + 1) % 4] == b;
    const uint32_t beyond_a = to[(i + (runs_along ? 3 : 1)) % 4], beyond_b = to[(i + 2) % 4];
    const int32_t right = cell(a).column - cell(behind).column, up = cell(a).row - cell(behind).row;
    return place(beyond_a, a, right, up) && place(beyond_b, b, right, up);
  }

  bool place(uint32_t particle, uint32_t from, int32_t right, int32_t up) {
    const LatticeCell wanted = {cell(from).piece, cell(from).column + right, cell(from).row + up};
    LatticeCell& present = cell(particle);
    if (present.piece == no_index) present = wanted;
    return present.piece == wanted.piece && present.column == wanted.column && present.row == wanted.row;
  }

  // Makes the least column and row of each piece 0.
  void find_extents() {
    std::vector<LatticeCell> least(found_.pieces.size(), {0, INT32_MAX, INT32_MAX});
    for (const LatticeCell& c : found_.cells) {
      if (c.piece == no_index) continue;
      least[c.piece].column = std::min(least[c.piece].column, c.column);
      least[c.piece].row = std::min(least[c.piece].row, c.row);
    }
    for (LatticeCell& c : found_.cells) {
      if (c.piece == no_index) continue;
      c.column -= least[c.piece].column;
      c.row -= least[c.piece].row;
      LatticePiece& piece = found_.pieces[c.piece];
      piece.columns = std::max(piece.columns, static_cast<uint32_t>(c.column) + 1);
      piece.rows = std::max(piece.rows, static_cast<uint32_t>(c.row) + 1);
    }
  }

  // Leaves out pieces with many empty places, and those that lie over themselves.
  void drop_pieces() {
    std::vector<uint64_t> particles(found_.pieces.size(), 0);
    for (const LatticeCell& c : found_.cells) {
      if (c.piece != no_index) ++particles[c.piece];
    }
    std::vector<std::vector<bool>> is_taken(found_.pieces.size());
    std::vector<bool> is_dropped(found_.pieces.size(), false);
    for (size_t k = 0; k < found_.pieces.size(); ++k) {
      const uint64_t places = uint64_t{found_.pieces[k].columns} * found_.pieces[k].rows;
      is_dropped[k] = places > most_places_per_particle * particles[k];
      if (!is_dropped[k]) is_taken[k].resize(places, false);
    }
    for (const LatticeCell& c : found_.cells) {
      if (c.piece == no_index || is_dropped[c.piece]) continue;
      const auto place = is_taken[c.piece].begin() + (c.row * ptrdiff_t{found_.pieces[c.piece].columns} + c.column);
      is_dropped[c.piece] = *place;
      *place = true;
    }
    for (LatticeCell& c : found_.cells) {
      if (c.piece != no_index && is_dropped[c.piece]) c.piece = no_index;
    }
    for (size_t k = 0; k < found_.pieces.size(); ++k) {
      if (is_dropped[k]) found_.pieces[k] = {};
    }
  }

  const std::vector<Quad> quads_;
  // [quads][4] the quad on the other side of each side.
  std::vector<uint32_t> neighbours_;
  std::vector<bool> is_placed_;
  LatticeCells found_;
};

}  // namespace

LatticeCells find_lattice_cells(const FabricData& fabric) { return CellSearch(fabric).run(); }

}  // namespace clothc::cook
