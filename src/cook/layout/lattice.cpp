// lattice.cpp - owns which particle has which slot, and whether a lattice is worth it.
#include "cook/layout/lattice.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

#include "cook/layout/append.h"
#include "cook/layout/lattice_batches.h"
#include "cook/layout/lattice_cells.h"
#include "cook/layout/lattice_tethers.h"

namespace clothc::cook {
namespace {

constexpr uint32_t classes_per_axis = 4;
constexpr uint32_t class_count = classes_per_axis * classes_per_axis;

// Adjacent slots of a class that are visited together: the more, the fewer places in memory are in use at the same time.
// Those of all classes fit into a second-level cache.
constexpr uint32_t slots_per_visit = 16 * lane_padding;

// Which slot the particles of a fabric have.
struct SlotList {
  // [storage indices] no_index for particles without a slot.
  std::vector<uint32_t> slot_of;
  uint32_t per_class = 0;

  uint32_t count() const { return padded(class_count * per_class); }
};

SlotList number_slots(const FabricData& fabric, const LatticeCells& cells, bool by_columns) {
  SlotList slots;
  // [pieces] slots of a class in front of the piece, and in each of its rows.
  std::vector<uint32_t> begins, widths;
  uint32_t per_class = 0;
  for (const LatticePiece& piece : cells.pieces) {
    const uint32_t columns = by_columns ? piece.rows : piece.columns, rows = by_columns ? piece.columns : piece.rows;
    begins.push_back(per_class);
    widths.push_back((columns + classes_per_axis - 1) / classes_per_axis);
    per_class += widths.back() * ((rows + classes_per_axis - 1) / classes_per_axis);
  }
  slots.per_class = per_class;
  slots.slot_of.assign(fabric.particle_count, no_index);
  for (uint32_t p = 0; p < fabric.particle_count; ++p) {
    const LatticeCell& cell = cells.cells[p];
    if (cell.piece == no_index) continue;
    const auto column = static_cast<uint32_t>(by_columns ? cell.row : cell.column);
    const auto row = static_cast<uint32_t>(by_columns ? cell.column : cell.row);
    const uint32_t number = row % classes_per_axis * classes_per_axis + column % classes_per_axis;
    slots.slot_of[fabric.storage_index(p)] = number * per_class + begins[cell.piece] +
                                             row / classes_per_axis * widths[cell.piece] + column / classes_per_axis;
  }
  return slots;
}

// The lattice of a fabric for one numbering of the slots.
class LatticeDraft {
 public:
  LatticeDraft(const LaidOutFabric& fabric, SlotList slots) : fabric_(fabric), slots_(std::move(slots)) {
    const FabricLayout& layout = fabric.layout;
    sets_.resize(layout.sets.size());
    for (size_t s = 0; s < sets_.size(); ++s) {
      const Range before = {static_cast<uint32_t>(colours_.size()), static_cast<uint32_t>(batches_.size())};
      if (layout.sets[s].rings.count > 0 && add_set(layout.sets[s])) {
        sets_[s] = {before.begin, static_cast<uint32_t>(colours_.size())};
      } else {
        colours_.resize(before.begin);
        batches_.resize(before.end);
      }
    }
  }

  // Upper bound on the words that append_to appends, or 0 if there is nothing in the lattice.
  uint64_t word_count() const {
    if (batches_.empty()) return 0;
    uint64_t tethers_per_particle = 0;
    for (const uint32_t s : fabric_.layout.tether_sets) tethers_per_particle += fabric_.layout.sets[s].width;
    return (2 + 2 * tethers_per_particle) * slots_.count() + batches_.size() * LatticeLayout::batch_words;
  }

  void append_to(LaidOutFabric& out) const {
    LatticeLayout& lattice = out.layout.lattice;
    // The lanes of a batch may go on behind the last slot.
    lattice.stride = slots_.count() + lane_padding;
    std::vector<uint32_t> particles(slots_.count(), padding_particle);
    for (uint32_t index = 0; index < slots_.slot_of.size(); ++index) {
      if (slots_.slot_of[index] != no_index) particles[slots_.slot_of[index]] = index;
    }
    lattice.has_all_particles =
        std::find(slots_.slot_of.begin(), slots_.slot_of.end(), no_index) == slots_.slot_of.end();
    lattice.particles = append(out.words, particles);
    append_visits(out.words);
    lattice.batches = static_cast<uint32_t>(out.words.size());
    out.words.reserve(out.words.size() + batches_.size() * LatticeLayout::batch_words);
    for (const LatticeBatch& batch : batches_) {
      out.words.insert(out.words.end(), batch.first.begin(), batch.first.end());
      out.words.push_back(batch.shares_slots ? 1 : 0);
      out.words.resize(out.words.size() + lane_padding - ring_size - 1, 0u);
      for (const auto& row : batch.lengths) out.words.insert(out.words.end(), row.begin(), row.end());
    }
    out.layout.lattice_colours = colours_;
    for (size_t s = 0; s < sets_.size(); ++s) out.layout.sets[s].lattice_colours = sets_[s];
    for (const uint32_t s : out.layout.tether_sets) {
      ConstraintLayout& set = out.layout.sets[s];
      if (fits_lattice(set, out.words, slots_.slot_of))
        append_lattice_tethers(slots_.slot_of, slots_.count(), set, out.words);
    }
  }

 private:
  // Blocks of slots that are at the same place in their classes follow one another, since their particles are neighbours.
  void append_visits(std::vector<uint32_t>& words) const {
    std::vector<std::pair<uint32_t, uint32_t>> blocks;
    for (uint32_t slot = 0; slot < slots_.count(); slot += lane_padding)
      blocks.push_back({slot % slots_.per_class / slots_per_visit, slot});
    std::sort(blocks.begin(), blocks.end());
    std::vector<uint32_t> visits;
    visits.reserve(blocks.size());
    for (const auto& block : blocks) visits.push_back(block.second);
    append(words, visits);
  }

  bool add_set(const ConstraintLayout& set) {
    const std::vector<Colour>& colours = fabric_.layout.colours;
    for (uint32_t c = set.colours.begin; c < set.colours.end;) {
      std::vector<LatticeItem> items;
      do {
        if (!collect(set, colours[c], items)) return false;
        ++c;
      } while (c < set.colours.end && colours[c].joins_previous);
      while (!items.empty()) {
        LatticeBatches made(slots_.count());
        made.run(items);
        const auto begin = static_cast<uint32_t>(batches_.size()) * lane_padding;
        batches_.insert(batches_.end(), made.all().begin(), made.all().end());
        colours_.push_back({begin, static_cast<uint32_t>(batches_.size()) * lane_padding});
      }
    }
    return true;
  }

  // Returns false if a particle has no slot.
  bool collect(const ConstraintLayout& set, const Colour& colour, std::vector<LatticeItem>& items) const {
    for (uint32_t i = colour.items.begin; i < colour.items.end; ++i) {
      const LatticeItem item = colour.of_rings ? ring_at(set.rings, i) : pair_at(set.rows, i);
      const auto end = item.slots.begin() + item.particle_count;
      if (std::find(item.slots.begin(), end, no_index) != end) return false;
      items.push_back(item);
    }
    return true;
  }

  uint32_t slot_at(uint32_t word) const { return slots_.slot_of[fabric_.words[word]]; }

  LatticeItem pair_at(const ConstraintRows& rows, uint32_t i) const {
    LatticeItem pair{2, {}, {}};
    for (uint32_t k = 0; k < 2; ++k) pair.slots[k] = slot_at(rows.particles + k * rows.stride + i);
    pair.lengths[0] = fabric_.words[rows.parameters + i];
    return pair;
  }

  LatticeItem ring_at(const RingBlocks& rings, uint32_t i) const {
    LatticeItem ring{ring_size, {}, {}};
    const bool is_path = fabric_.words[rings.length(0, i)] == bits_of(no_constraint_length);
    if (is_path) ring.particle_count = ring_size - 1;
    // The first particle of a path in place of a ring is its third one too.
    const uint32_t first = ring_size - ring.particle_count;
    for (uint32_t k = first; k < ring_size; ++k) {
      ring.slots[k - first] = slot_at(rings.particle(k, i));
      ring.lengths[k - first] = fabric_.words[rings.length(k, i)];
    }
    return ring;
  }

  const LaidOutFabric& fabric_;
  const SlotList slots_;
  std::vector<LatticeBatch> batches_;
  std::vector<Range> colours_;
  // [sets] their lattice colours.
  std::vector<Range> sets_;
};

// Whether lanes are to run along the columns instead of the rows: where more constraints join the ends of rows than those
// of columns, as in a tube, since those of neighbouring rows are adjacent then; else where fewer lanes stay empty.
bool runs_along_columns(const FabricData& fabric, const LatticeCells& cells) {
  size_t along_rows = 0, along_columns = 0;
  for (size_t c = 0; c + 1 < fabric.indices.size(); c += 2) {
    const LatticeCell &a = cells.cells[fabric.indices[c]], &b = cells.cells[fabric.indices[c + 1]];
    if (a.piece == no_index || a.piece != b.piece) continue;
    constexpr int32_t farthest = 2;
    along_rows += std::abs(a.column - b.column) > farthest;
    along_columns += std::abs(a.row - b.row) > farthest;
  }
  if (along_rows != along_columns) return along_rows > along_columns;
  uint64_t empty_in_rows = 0, empty_in_columns = 0;
  for (const LatticePiece& piece : cells.pieces) {
    const auto empty = [](uint32_t count) { return (classes_per_axis - count % classes_per_axis) % classes_per_axis; };
    empty_in_rows += uint64_t{empty(piece.columns)} * piece.rows;
    empty_in_columns += uint64_t{empty(piece.rows)} * piece.columns;
  }
  return empty_in_rows > empty_in_columns;
}

bool has_rings(const FabricLayout& layout) {
  return std::any_of(layout.sets.begin(), layout.sets.end(),
                     [](const ConstraintLayout& set) { return set.rings.count > 0; });
}

uint64_t batches_of(Range items) { return (uint64_t{items.end} - items.begin + lane_padding - 1) / lane_padding; }

// In the unit of batch_cost: 16 constraints whose particles are gathered, and the way there and back of 16 slots.
constexpr uint64_t cost_of_pairs = 40, cost_of_slots = 30;

}  // namespace

bool is_worth_lattice(const FabricLayout& layout, const std::vector<uint32_t>& sets, uint32_t batch_cost) {
  if (layout.lattice.stride == 0 || batch_cost == UINT32_MAX) return false;
  uint64_t outside = 0, inside = layout.lattice.slot_count() / lane_padding * cost_of_slots;
  for (const uint32_t s : sets) {
    const ConstraintLayout& set = layout.sets[s];
    if (set.lattice_colours.begin == set.lattice_colours.end) continue;
    for (uint32_t c = set.colours.begin; c < set.colours.end; ++c) {
      const Colour& colour = layout.colours[c];
      outside += batches_of(colour.items) * (colour.of_rings ? 100 : cost_of_pairs);
    }
    for (uint32_t c = set.lattice_colours.begin; c < set.lattice_colours.end; ++c)
      inside += batches_of(layout.lattice_colours[c]) * batch_cost;
  }
  return inside < outside;
}

void lay_out_lattice(const FabricData& fabric, uint32_t batch_cost, LaidOutFabric& out) {
  if (!has_rings(out.layout)) return;
  const LatticeCells cells = find_lattice_cells(fabric);
  const LatticeDraft draft(out, number_slots(fabric, cells, runs_along_columns(fabric, cells)));
  // Kernels use int for offsets.
  if (draft.word_count() == 0 || out.words.size() + draft.word_count() > std::numeric_limits<int32_t>::max()) return;
  const size_t word_count = out.words.size();
  draft.append_to(out);
  std::vector<uint32_t> sets(out.layout.sets.size());
  std::iota(sets.begin(), sets.end(), 0u);
  if (is_worth_lattice(out.layout, sets, batch_cost)) return;
  remove_lattice(out.layout);
  out.words.resize(word_count);
}

void remove_lattice(FabricLayout& layout) {
  layout.lattice = {};
  layout.lattice_colours.clear();
  for (ConstraintLayout& set : layout.sets) {
    set.lattice_colours = {};
    set.lattice_tethers = 0;
  }
}

}  // namespace clothc::cook
