// sheet_lattice.cpp - builds the lattices, over the edges and the diagonals of all quads, and the tethers in them. Some
// constraints have no length.
#include "parity/dialect/sheet_lattice.h"

#include <algorithm>
#include <cmath>

#include "cook/layout/constraint_sets.h"
#include "cook/layout/lattice.h"
#include "cook/order/ring_order.h"

namespace clothc::probes {
namespace {

constexpr uint32_t phase_type_of_set[] = {CLOTHC_PHASE_STRETCH, CLOTHC_PHASE_SHEAR};

// Every fourth row has no tethers. The particles of the others have three: to the first particle, to that of the last such
// row in their column, and to one of the first row out of order. So anchors of 16 slots are one slot, slots one after the
// other, and a row of slots.
void tether_to_every_fourth_row(const Sheet& sheet, FabricData& fabric) {
  fabric.tethers_per_particle = lattice_tethers_per_particle;
  for (uint32_t tether = 0; tether < lattice_tethers_per_particle; ++tether) {
    for (uint32_t p = 0; p < sheet.particle_count; ++p) {
      const uint32_t column = p % sheet.columns, row = p / sheet.columns;
      const uint32_t anchors[] = {0, p - row % 4 * sheet.columns, column * 7 % sheet.columns};
      const uint32_t anchor = row % 4 == 0 ? p : anchors[tether];
      fabric.tether_anchors.push_back(anchor);
      const auto x = static_cast<float>(column) - static_cast<float>(anchor % sheet.columns);
      const auto y = static_cast<float>(row - anchor / sheet.columns);
      fabric.tether_lengths.push_back(spacing * std::sqrt(x * x + y * y));
    }
  }
}

FabricData fabric_of(const Arenas& arenas, const Sheet& sheet, const GroupSettings& settings) {
  FabricData fabric;
  fabric.particle_count = sheet.particle_count;
  std::vector<float> rest_positions;
  std::vector<cook::Pair> sets[2];
  for (uint32_t p = 0; p < sheet.particle_count; ++p) {
    rest_positions.insert(rest_positions.end(), {spacing * static_cast<float>(p % sheet.columns),
                                                 spacing * static_cast<float>(p / sheet.columns), 0.0f, 1.0f});
    const uint32_t below = p + sheet.columns;
    const bool has_right = p % sheet.columns + 1 < sheet.columns, has_below = below < sheet.particle_count;
    if (has_right) sets[0].push_back({p, p + 1});
    if (has_below) sets[0].push_back({p, below});
    if (!has_right || !has_below) continue;
    sets[1].push_back({p, below + 1});
    sets[1].push_back({p + 1, below});
    fabric.triangles.insert(fabric.triangles.end(), {p, below, below + 1, p, below + 1, p + 1});
  }
  for (uint32_t s = 0; s < 2; ++s) {
    std::sort(sets[s].begin(), sets[s].end());
    cook::order_by_rings(sets[s], rest_positions);
    for (const cook::Pair pair : sets[s]) {
      fabric.indices.insert(fabric.indices.end(), {pair.first, pair.second});
      const float length = spacing * (s == 0 ? 1.0f : 1.4f);
      fabric.rest_lengths.push_back(fabric.rest_lengths.size() % 29 == 5 ? 0.0f : length);
    }
    fabric.phase_sets.push_back(s);
    fabric.phase_types.push_back(phase_type_of_set[s]);
    fabric.set_ends.push_back(static_cast<uint32_t>(fabric.rest_lengths.size()));
  }
  if (settings.storage_order != 0) {
    const auto order = arenas.topology.begin() + settings.storage_order;
    fabric.storage_order.assign(order, order + sheet.particle_count);
  }
  tether_to_every_fourth_row(sheet, fabric);
  return fabric;
}

uint32_t lattice_record_of(const GroupSettings& settings) {
  return settings.constraint_records + (settings.record_count - 1) * constraint_words;
}

}  // namespace

void add_lattice(Arenas& arenas, Sheet& sheet, const GroupSettings& settings) {
  LaidOutFabric out;
  out.words.resize(lane_padding, 0u);
  const FabricData fabric = fabric_of(arenas, sheet, settings);
  cook::lay_out_constraints(fabric, out);
  cook::lay_out_lattice(fabric, 0, out);
  const auto base = static_cast<uint32_t>(arenas.topology.size());
  arenas.topology.insert(arenas.topology.end(), out.words.begin(), out.words.end());
  sheet.lattice = out.layout.lattice;
  sheet.lattice.particles += base;
  sheet.lattice.batches += base;
  sheet.lattice_tethers = base + out.layout.sets[out.layout.tether_sets.front()].lattice_tethers;
  for (const ConstraintLayout& set : out.layout.sets) {
    const auto colours = out.layout.lattice_colours.begin();
    sheet.lattice_sets.emplace_back(colours + set.lattice_colours.begin, colours + set.lattice_colours.end);
  }
}

void add_lattice_record(Arenas& arenas, const Sheet& sheet, GroupSettings& settings) {
  ++settings.record_count;
  arenas.tables.resize(arenas.tables.size() + constraint_words, 0u);
  uint32_t* const own = &arenas.tables[lattice_record_of(settings)];
  // Tethers with a low stiffness, which leave particles near the shapes.
  const float config[] = {0.1f, 1.0f, 1.0f, 1.0f};
  for (uint32_t k = 0; k < 4; ++k) own[k] = bits_of(config[k]);
  own[constraint_parts] = lattice_tethers_per_particle;
  own[lattice_particles] = sheet.lattice.particles;
  const float scale = 0.98f, regularisation = 1e-30f;
  own[constraint_scale] = bits_of(scale);
  own[constraint_regularisation] = bits_of(regularisation);
  own[constraint_width] = lattice_tethers_per_particle;
  own[lattice_tethers] = sheet.lattice_tethers;
  own[constraint_first_particle] = settings.first_particle;
  for (const uint32_t record : {0u, 1u, settings.record_count - 1}) {
    uint32_t* const words = &arenas.tables[settings.constraint_records + record * constraint_words];
    words[lattice_batches] = sheet.lattice.batches;
    words[lattice_stride] = sheet.lattice.stride;
  }
}

void add_lattice_rows(Arenas& arenas, const Sheet& sheet, const GroupSettings& settings) {
  const auto rows = static_cast<uint32_t>(arenas.tables.size());
  arenas.tables.resize(rows + size_t{lattice_row_count} * sheet.lattice.stride, 0u);
  for (const uint32_t record : {0u, 1u, settings.record_count - 1})
    arenas.tables[settings.constraint_records + record * constraint_words + lattice_rows] = rows;
}

void add_lattice_jobs(const Sheet& sheet, const GroupSettings& settings, uint32_t cloth, std::vector<Job>& jobs) {
  const uint32_t slots = sheet.lattice.slot_count(), own = lattice_record_of(settings);
  const auto add = [&](Kernel kernel, Range items, uint32_t record) {
    jobs.push_back({number_of(kernel), cloth, items.begin, items.end, record});
  };
  add(Kernel::enter_lattice, {0, slots}, own);
  for (uint32_t s = 0; s < sheet.lattice_sets.size(); ++s) {
    const Kernel kernel = s == 0 ? Kernel::solve_lattice : Kernel::solve_lattice_with_limits;
    for (const Range colour : sheet.lattice_sets[s])
      add(kernel, colour, settings.constraint_records + s * constraint_words);
  }
  add(Kernel::leave_lattice, {0, slots}, own);
}

void add_stages_in_lattice(const Sheet& sheet, const GroupSettings& settings, uint32_t cloth, std::vector<Job>& jobs) {
  for (const Kernel kernel : {Kernel::move_into_lattice, Kernel::integrate_in_lattice,
                              Kernel::constrain_tethers_in_lattice, Kernel::move_out_of_lattice})
    jobs.push_back({number_of(kernel), cloth, 0, sheet.lattice.slot_count(), lattice_record_of(settings)});
}

}  // namespace clothc::probes
