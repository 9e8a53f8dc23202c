// sheet_surface.cpp - builds the data that surface.kernel.h and wind.kernel.h read, using the cooker's own layout.
#include "parity/dialect/sheet_surface.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "cook/layout/constraint_sets.h"
#include "cook/layout/surface.h"
#include "core/collision/primitive_layout.h"

namespace clothc::probes {
namespace {

// Returns the list at an offset of the fabric arena, or 0 1 2 ... if the offset is 0.
std::vector<uint32_t> list_at(const Arenas& arenas, uint32_t offset, uint32_t count) {
  std::vector<uint32_t> list(count);
  std::iota(list.begin(), list.end(), 0u);
  if (offset != 0) std::copy_n(arenas.topology.begin() + offset, count, list.begin());
  return list;
}

// Adds triangles. Those of every second column use the last vertex of each of their particles, the others the first.
void add_triangles(const Sheet& sheet, FabricData& fabric) {
  std::vector<uint32_t> first(fabric.particle_count), last(fabric.particle_count);
  for (uint32_t v = fabric.vertex_count; v-- > 0;) first[fabric.vertex_map[v]] = v;
  for (uint32_t v = 0; v < fabric.vertex_count; ++v) last[fabric.vertex_map[v]] = v;
  for (uint32_t a = 0; a + sheet.columns < sheet.particle_count; ++a) {
    if (a % sheet.columns + 1 == sheet.columns) continue;
    const uint32_t below = a + sheet.columns;
    for (const uint32_t particle : {a, a + 1, below + 1, a, below + 1, below}) {
      fabric.triangles.push_back(particle);
      fabric.triangle_vertices.push_back(a % 2 == 0 ? first[particle] : last[particle]);
    }
  }
}

// Adds a virtual particle to every second cell; some lie nearer to one corner.
void add_virtual_particles(const Sheet& sheet, FabricData& fabric) {
  fabric.virtual_weights = {0.333f, 0.333f, 0.334f, 0.6f, 0.1f, 0.3f};
  for (uint32_t a = 0; a + sheet.columns < sheet.particle_count; a += 2) {
    if (a % sheet.columns + 1 == sheet.columns) continue;
    const uint32_t virtual_particle[] = {a, a + 1, a + sheet.columns, a % 6 == 0 ? 1u : 0u};
    fabric.virtual_particles.insert(fabric.virtual_particles.end(), virtual_particle, virtual_particle + 4);
  }
}

// The types of constraints whose rows sheets.cpp does not lay out by hand.
constexpr uint32_t first_further_type = static_cast<uint32_t>(ConstraintType::virtual_particle) + 1;

Kernel kernel_of(ConstraintType type) {
  constexpr Kernel kernels[] = {
#define CLOTHC_CONSTRAINT_TYPE(name, number, particles, moved, stage, kernel, limited_kernel) Kernel::kernel,
#define CLOTHC_CONSTRAINT_PARAMETER(type, name, least, most, storage)
#include "kernels/constraint_types.def"
#undef CLOTHC_CONSTRAINT_TYPE
#undef CLOTHC_CONSTRAINT_PARAMETER
  };
  return kernels[static_cast<uint32_t>(type) - 1];
}

// Adds a set of each further type, with a constraint on every third cell. Lengths and areas are small, since larger
// ones would tear the sheet apart.
void add_further_sets(const Sheet& sheet, FabricData& fabric) {
  for (uint32_t number = first_further_type; number <= last_constraint_type(); ++number) {
    const ConstraintTypeInfo& type = *find_constraint_type(number);
    uint32_t count = 0;
    for (uint32_t a = number % 3; a + sheet.columns < sheet.particle_count; a += 3) {
      if (a % sheet.columns + 1 == sheet.columns) continue;
      const uint32_t corners[] = {a, a + 1 + sheet.columns, a + 1, a + sheet.columns};
      fabric.constraint_particles.insert(fabric.constraint_particles.end(), corners, corners + type.arity);
      for (uint32_t k = 0; k < type.width; ++k) {
        const ConstraintParameterInfo& parameter = type.parameters[k];
        const float most = parameter.most > 10 ? spacing * spacing : parameter.most;
        const float part = static_cast<float>((count * 5 + k) % 17) / 16.0f;
        fabric.constraint_parameters.push_back(parameter.least + (most - parameter.least) * part);
      }
      ++count;
    }
    fabric.constraint_types.push_back(number);
    fabric.constraint_counts.push_back(count);
  }
}

// Adds the distances that hold the further sets together in most of the sheet. In the rest they are loose.
void add_distances(const Sheet& sheet, FabricData& fabric) {
  for (uint32_t a = 1; a < sheet.particle_count / 5 * 4; ++a) {
    fabric.indices.insert(fabric.indices.end(), {a - 1, a});
    fabric.rest_lengths.push_back(spacing);
  }
  fabric.set_ends.push_back(static_cast<uint32_t>(fabric.rest_lengths.size()));
}

// Lays out the edges and triangles. The positions only decide in which order they are.
void add_primitives(const FabricData& fabric, FabricLayout& layout, Arenas& arenas, GroupSettings& settings) {
  layout.storage_order = fabric.storage_order;
  for (uint32_t p = 0; p < fabric.particle_count; ++p)
    layout.positions.insert(layout.positions.end(), {static_cast<float>(p * 7 % 31), static_cast<float>(p), 0, 1});
  const cook::LaidOutPrimitives laid_out = cook::lay_out_primitives(layout, arenas.topology);
  ClothPrimitives primitives{laid_out.edges, laid_out.triangles, laid_out.edge_fans};
  primitives.first = static_cast<uint32_t>(arenas.topology.size());
  arenas.topology.insert(arenas.topology.end(), laid_out.words.begin(), laid_out.words.end());
  const PrimitiveTables tables{primitives};
  settings.primitives = static_cast<uint32_t>(arenas.tables.size());
  const std::vector<uint32_t> headers = tables.headers(settings.primitives, layout.particle_fans);
  arenas.tables.insert(arenas.tables.end(), headers.begin(), headers.end());
  arenas.tables.resize(settings.primitives + tables.words());
}

}  // namespace

void add_surface(Arenas& arenas, Sheet& sheet, GroupSettings& settings) {
  FabricData fabric;
  fabric.particle_count = sheet.particle_count;
  fabric.vertex_count = settings.vertices != 0 ? settings.vertex_count : sheet.particle_count;
  fabric.storage_order = list_at(arenas, settings.storage_order, sheet.particle_count);
  std::vector<uint32_t> particle_at(sheet.particle_count);
  for (uint32_t p = 0; p < sheet.particle_count; ++p) particle_at[fabric.storage_order[p]] = p;
  for (const uint32_t storage_index : list_at(arenas, settings.vertices, fabric.vertex_count))
    fabric.vertex_map.push_back(particle_at[storage_index]);
  add_triangles(sheet, fabric);
  // Later copies of a vertex have rotated and mirrored texture coordinates.
  for (uint32_t v = 0; v < fabric.vertex_count; ++v) {
    const float x = static_cast<float>(fabric.vertex_map[v] % sheet.columns);
    const float y = static_cast<float>(fabric.vertex_map[v] / sheet.columns);
    const bool turned = sheet.particle_count <= v;
    fabric.texture_coordinates.insert(fabric.texture_coordinates.end(), {turned ? y : x + 0.1f * y, turned ? x : y});
  }
  add_virtual_particles(sheet, fabric);
  add_distances(sheet, fabric);
  add_further_sets(sheet, fabric);
  // The cooker appends its arrays to the arena, so that it returns where they are in it.
  LaidOutFabric laid_out;
  laid_out.layout.particle_count = sheet.particle_count;
  laid_out.words = std::move(arenas.topology);
  cook::lay_out_surface(fabric, laid_out);
  cook::lay_out_constraints(fabric, laid_out);
  arenas.topology = std::move(laid_out.words);
  FabricLayout& layout = laid_out.layout;
  add_primitives(fabric, layout, arenas, settings);
  settings.triangle_stride = layout.triangle_stride;
  settings.triangle_corners = layout.triangle_corners;
  settings.particle_fans = layout.particle_fans;
  settings.vertex_fans = layout.vertex_fans;
  sheet.wind_place_count = layout.wind.place_count;
  settings.wind_batches = layout.wind.batches;
  settings.wind_fans = layout.wind.fans;
  settings.tangent_weights = layout.tangent_weights;
  settings.particle_handedness = layout.particle_handedness;
  settings.vertex_handedness = layout.vertex_handedness;
  const auto rows_of = [](const ConstraintLayout& set) {
    return ConstraintRows{set.rows.particles, set.rows.parameters, set.rows.stride, set.width};
  };
  const ConstraintLayout& set = layout.sets[layout.collision_sets[0]];
  for (uint32_t c = set.colours.begin; c < set.colours.end; ++c)
    sheet.virtual_colours.push_back(layout.colours[c].items);
  sheet.virtual_particles = rows_of(set);
  for (uint32_t s = 0; s < fabric.constraint_types.size(); ++s) {
    // The first set has the distances.
    const ConstraintLayout& further = layout.sets[s + 1];
    sheet.further.push_back(rows_of(further));
    for (uint32_t c = further.colours.begin; c < further.colours.end; ++c) {
      const Range items = layout.colours[c].items;
      sheet.colours.push_back({kernel_of(further.type), further_record + s, items.begin, items.end});
    }
  }
}

void add_counting(const Arenas& arenas, uint32_t cloth, std::vector<Job>& jobs) {
  const auto header = [&](uint32_t set, uint32_t word) {
    return arenas.tables[arenas.records[cloth].settings.primitives + set * primitive_words + word];
  };
  const auto run = [&](Kernel kernel) {
    for (uint32_t set = 0; set < primitive_sets; ++set)
      jobs.push_back({number_of(kernel), cloth, 0, header(set, primitive_stride), set});
  };
  run(Kernel::bound_primitives);
  for (uint32_t set = 0; set < primitive_sets; ++set) {
    const WideBvh bvh(header(set, primitive_stride) / node_children);
    for (uint32_t level = bvh.levels; level-- > 0;)
      jobs.push_back({number_of(Kernel::refit_primitives), cloth, 0, padded(bvh.boxes(level)),
                      set | level << primitive_level_shift});
  }
  run(Kernel::count_intersections);
}

}  // namespace clothc::probes
