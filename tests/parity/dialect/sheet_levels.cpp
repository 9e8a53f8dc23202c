// sheet_levels.cpp - builds the coarse levels. Quads of the first sheet may shear; the second one is all triangles.
#include "parity/dialect/sheet_levels.h"

#include <algorithm>

#include "cook/hierarchy/level_arrays.h"
#include "cook/layout/levels.h"

namespace clothc::probes {
namespace {

FabricData fabric_of(const Arenas& arenas, const Sheet& sheet, const GroupSettings& settings, bool has_quads) {
  FabricData fabric;
  fabric.particle_count = sheet.particle_count;
  std::vector<cook::Pair> edges, diagonals;
  for (uint32_t p = 0; p < sheet.particle_count; ++p) {
    const uint32_t x = p % sheet.columns, y = p / sheet.columns;
    const float position[] = {spacing * static_cast<float>(x), -spacing * static_cast<float>(y), 0.0f, 1.0f};
    fabric.positions.insert(fabric.positions.end(), std::begin(position), std::end(position));
    const bool has_right = x + 1 < sheet.columns, has_below = y + 1 < sheet.rows;
    if (has_right) edges.push_back({p, p + 1});
    if (has_below) edges.push_back({p, p + sheet.columns});
    if (!has_right || !has_below) continue;
    const uint32_t below = p + sheet.columns;
    (has_quads ? diagonals : edges).push_back({p, below + 1});
    if (has_quads) diagonals.push_back({p + 1, below});
    fabric.triangles.insert(fabric.triangles.end(), {p, below, below + 1, p, below + 1, p + 1});
  }
  std::sort(edges.begin(), edges.end());
  std::sort(diagonals.begin(), diagonals.end());
  if (settings.storage_order != 0) {
    const auto order = arenas.topology.begin() + settings.storage_order;
    fabric.storage_order.assign(order, order + sheet.particle_count);
  }
  cook::add_levels(cook::find_hierarchy({fabric.positions, edges, diagonals, fabric.triangles, {}}), fabric);
  return fabric;
}

uint32_t record_of_level(const Sheet& sheet, const GroupSettings& settings, size_t level) {
  const size_t first = further_record + sheet.further.size();
  return settings.constraint_records + static_cast<uint32_t>(first + level) * constraint_words;
}

// A job over the nodes of a level, and those over all levels that has to come after it.
struct LevelJobs {
  const Sheet& sheet;
  const GroupSettings& settings;
  uint32_t cloth;
  std::vector<Job>& jobs;

  void add(Kernel kernel, size_t level, uint32_t count) const {
    jobs.push_back({number_of(kernel), cloth, 0, count, record_of_level(sheet, settings, level)});
  }
  void add_from_below(Kernel of_particles, Kernel of_nodes) const {
    for (size_t k = 1; k < sheet.levels.size(); ++k)
      add(k == 1 ? of_particles : of_nodes, k, level_stride_of(sheet.levels[k].node_count));
  }
};

}  // namespace

void add_levels(Arenas& arenas, uint32_t slot, Sheet& sheet, GroupSettings& settings) {
  LaidOutFabric out;
  out.words.resize(lane_padding, 0u);
  cook::lay_out_levels(fabric_of(arenas, sheet, settings, slot == 0), out);
  const auto base = static_cast<uint32_t>(arenas.topology.size());
  arenas.topology.insert(arenas.topology.end(), out.words.begin(), out.words.end());
  settings.rest_positions = base + out.layout.rest_positions;
  sheet.levels = out.layout.levels;
  for (LevelLayout& level : sheet.levels) {
    for (uint32_t* word : {&level.members, &level.neighbours, &level.nodes, &level.parents, &level.parent_nodes}) {
      if (*word != 0) *word += base;
    }
  }
}

void add_level_records(Arenas& arenas, const Sheet& sheet, GroupSettings& settings) {
  settings.record_count += static_cast<uint32_t>(sheet.levels.size());
  for (const LevelLayout& level : sheet.levels) {
    std::vector<uint32_t> words(constraint_words, 0u);
    const float config[] = {0.05f, 0.4f, 1.0f, 1.0f};
    for (uint32_t k = 0; k < 4; ++k) words[k] = bits_of(config[k]);
    words[constraint_parts] = 1;
    words[constraint_scale] = bits_of(settings.scale);
    words[constraint_first_particle] = settings.first_particle;
    words[level_parents] = level.parents;
    words[level_parent_nodes] = level.parent_nodes;
    words[level_members] = level.members;
    words[level_neighbours] = level.neighbours;
    words[level_nodes] = level.nodes;
    words[level_stride] = level_stride_of(level.node_count);
    arenas.tables.insert(arenas.tables.end(), words.begin(), words.end());
  }
}

void add_level_rows(Arenas& arenas, const Sheet& sheet, const GroupSettings& settings) {
  for (size_t k = sheet.levels.size() - 1; k > 0; --k) {
    const uint32_t stride = level_stride_of(sheet.levels[k].node_count);
    const auto rows = static_cast<uint32_t>(arenas.tables.size());
    arenas.tables.resize(rows + size_t{level_row_count} * stride, 0u);
    arenas.tables[record_of_level(sheet, settings, k) + level_rows] = rows;
    arenas.tables[record_of_level(sheet, settings, k - 1) + level_motions] = rows + row_motions * stride;
  }
}

void add_pins(const Sheet& sheet, const GroupSettings& settings, uint32_t cloth, std::vector<Job>& jobs) {
  const LevelJobs list{sheet, settings, cloth, jobs};
  list.add_from_below(Kernel::find_pinned_particles, Kernel::find_pinned_nodes);
  for (size_t k = 1; k < sheet.levels.size(); ++k)
    list.add(Kernel::choose_pins, k, level_stride_of(sheet.levels[k].node_count));
}

void add_correction(const Sheet& sheet, const GroupSettings& settings, uint32_t cloth, std::vector<Job>& jobs) {
  const LevelJobs list{sheet, settings, cloth, jobs};
  list.add_from_below(Kernel::average_particles, Kernel::average_nodes);
  for (size_t k = sheet.levels.size() - 1; k > 0; --k) {
    for (const Kernel kernel :
         {Kernel::interpolate_nodes, Kernel::sweep_nodes, Kernel::sweep_nodes_back, Kernel::move_nodes})
      list.add(kernel, k, sheet.levels[k].node_count);
  }
  list.add(Kernel::move_particles, 0, sheet.padded_count);
}

}  // namespace clothc::probes
