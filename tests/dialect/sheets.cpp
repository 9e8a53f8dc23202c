// sheets.cpp - builds the two sheets and lists the work of an update, in the order of the step.
#include "dialect/sheets.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace clothc::probes {
namespace {

constexpr uint32_t padding = 16;
constexpr uint32_t reduction_lanes = 32;
constexpr uint32_t sphere_count = 2;
constexpr uint32_t plane_count = 6;
constexpr float spacing = 0.04f;  // m

uint32_t padded(uint32_t count) { return (count + padding - 1) / padding * padding; }

// Numbers in [0, 1) that do not depend on a standard library.
struct Sequence {
  uint32_t state = 1;
  float next() {
    state = state * 1664525u + 1013904223u;
    return static_cast<float>(state >> 8) * 0x1p-24f;
  }
};

struct Constraint {
  uint32_t first, second;
  float rest;
};

float* element(Arenas& arenas, uint32_t block, uint32_t particle) { return &arenas.particles[4 * (block + particle)]; }

void set(float* v, float x, float y, float z, float w) {
  v[0] = x;
  v[1] = y;
  v[2] = z;
  v[3] = w;
}

uint32_t append(std::vector<uint32_t>& arena, const std::vector<float>& values) {
  const auto offset = static_cast<uint32_t>(arena.size());
  for (float value : values) arena.push_back(bits_of(value));
  return offset;
}

// Connects each particle with the one that lies (right, down) of it.
void connect(const Sheet& sheet, int right, int down, std::vector<Constraint>& constraints) {
  const auto columns = static_cast<int>(sheet.columns);
  const auto rows = static_cast<int>(sheet.rows);
  const float length = spacing * std::sqrt(static_cast<float>(right * right + down * down));
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      const int u = x + right, v = y + down;
      if (u < 0 || u >= columns || v >= rows) continue;
      constraints.push_back({static_cast<uint32_t>(y * columns + x), static_cast<uint32_t>(v * columns + u), length});
    }
  }
}

struct LaidOut {
  std::vector<uint32_t> first, second;
  std::vector<float> rest, stiffness;
};

// Greedy colouring; each colour is padded with constraints of the dummy particle on itself.
void lay_out(Sheet& sheet, const std::vector<Constraint>& constraints, Kernel kernel, uint32_t phase, LaidOut& out) {
  std::vector<uint64_t> used(sheet.particle_count, 0);
  std::vector<std::vector<Constraint>> colours;
  for (const Constraint& c : constraints) {
    const uint64_t taken = used[c.first] | used[c.second];
    uint32_t colour = 0;
    while (taken >> colour & 1) ++colour;
    used[c.first] |= uint64_t(1) << colour;
    used[c.second] |= uint64_t(1) << colour;
    if (colours.size() <= colour) colours.resize(colour + 1);
    colours[colour].push_back(c);
  }
  const uint32_t dummy = sheet.particle_count;
  for (const auto& colour : colours) {
    const auto begin = static_cast<uint32_t>(out.first.size());
    for (size_t k = 0; k < padded(static_cast<uint32_t>(colour.size())); ++k) {
      const Constraint c = k < colour.size() ? colour[k] : Constraint{dummy, dummy, 0.0f};
      out.first.push_back(c.first);
      out.second.push_back(c.second);
      out.rest.push_back(c.rest);
      out.stiffness.push_back(-0.05f * static_cast<float>(k % 20));
    }
    sheet.colours.push_back({kernel, phase, begin, begin + static_cast<uint32_t>(colour.size())});
  }
}

void add_constraints(Arenas& arenas, Sheet& sheet, ClothSettings& settings) {
  LaidOut out;
  std::vector<Constraint> structural, shear, bend;
  connect(sheet, 1, 0, structural);
  connect(sheet, 0, 1, structural);
  connect(sheet, 1, 1, shear);
  connect(sheet, -1, 1, shear);
  connect(sheet, 2, 0, bend);
  connect(sheet, 0, 2, bend);
  lay_out(sheet, structural, Kernel::solve_edges, 0, out);
  lay_out(sheet, shear, Kernel::solve_edges_with_limits, 1, out);
  lay_out(sheet, bend, Kernel::solve_edges_with_stiffness, 2, out);
  std::vector<uint32_t>& fabric = arenas.fabric;
  settings.constraint_first = static_cast<uint32_t>(fabric.size());
  fabric.insert(fabric.end(), out.first.begin(), out.first.end());
  settings.constraint_second = static_cast<uint32_t>(fabric.size());
  fabric.insert(fabric.end(), out.second.begin(), out.second.end());
  settings.constraint_rest = append(fabric, out.rest);
  settings.constraint_stiffness = append(fabric, out.stiffness);
}

// Two tethers per particle, to the upper corners. In order: the others by rows from below, so that slots are not particles.
void add_tethers(Arenas& arenas, Sheet& sheet, ClothSettings& settings) {
  std::vector<uint32_t> slots;
  for (uint32_t k = 0; k < sheet.particle_count; ++k) {
    const uint32_t particle = sheet.tethers_in_order ? sheet.particle_count - 1 - k : k;
    const bool anchor = particle == 0 || particle == sheet.columns - 1;
    if (!sheet.tethers_in_order || !anchor) slots.push_back(particle);
  }
  sheet.tether_count = static_cast<uint32_t>(slots.size());
  slots.resize(padded(sheet.tether_count + 1), sheet.particle_count);
  std::vector<uint32_t> anchors;
  std::vector<float> lengths;
  for (const uint32_t anchor : {0u, sheet.columns - 1}) {
    for (const uint32_t particle : slots) {
      const bool is_dummy = particle == sheet.particle_count;
      const float x = spacing * (static_cast<float>(particle % sheet.columns) - static_cast<float>(anchor));
      const float y = spacing * static_cast<float>(particle / sheet.columns);
      anchors.push_back(is_dummy ? particle : anchor);
      lengths.push_back(is_dummy ? 0.0f : std::sqrt(x * x + y * y));
    }
  }
  settings.tether_count = 2;
  settings.tether_stride = static_cast<uint32_t>(slots.size());
  settings.tether_order = static_cast<uint32_t>(arenas.fabric.size());
  arenas.fabric.insert(arenas.fabric.end(), slots.begin(), slots.end());
  settings.tether_anchor = static_cast<uint32_t>(arenas.fabric.size());
  arenas.fabric.insert(arenas.fabric.end(), anchors.begin(), anchors.end());
  settings.tether_length = append(arenas.fabric, lengths);
}

// One set with two spheres and a box of six planes; prepare_frame fills in where they are.
void add_colliders(Arenas& arenas, ClothSettings& settings) {
  std::vector<uint32_t>& tables = arenas.tables;
  settings.collider_count = 1;
  settings.collider_table = static_cast<uint32_t>(tables.size());
  const uint32_t header = settings.collider_table + 1;
  const uint32_t spheres = header + collider_words;
  const uint32_t planes = spheres + 8 * sphere_count;
  const uint32_t ends = planes + 8 * plane_count;
  tables.resize(ends + 1 + plane_count);
  tables[header - 1] = header;
  tables[header + collider_sphere_count] = sphere_count;
  tables[header + collider_sphere_starts] = spheres;
  tables[header + collider_sphere_targets] = spheres + 4 * sphere_count;
  tables[header + collider_plane_starts] = planes;
  tables[header + collider_plane_targets] = planes + 4 * plane_count;
  tables[header + collider_convex_count] = 1;
  tables[header + collider_convex_ends] = ends;
  tables[header + collider_convex_planes] = ends + 1;
  tables[ends] = plane_count;
  for (uint32_t k = 0; k < plane_count; ++k) tables[ends + 1 + k] = k;
}

void add_phases(Arenas& arenas, ClothSettings& settings) {
  const float configs[3][phase_words] = {
      {0.9f, 1.0f, 1.0f, 1.0f, 0, 0, 0, 0}, {0.5f, 0.3f, 0.9f, 1.1f, 0, 0, 0, 0}, {0.4f, 0.0f, 0.8f, 1.3f, 0, 0, 0, 0}};
  settings.phase_count = 3;
  settings.phase_table = static_cast<uint32_t>(arenas.tables.size());
  for (const auto& config : configs) append(arenas.tables, {config, config + phase_words});
}

void add_particles(Arenas& arenas, const Sheet& sheet, uint32_t first, float depth, Sequence& random) {
  for (uint32_t k = 0; k < sheet.padded_count; ++k) {
    const bool real = k < sheet.particle_count;
    const float x = spacing * static_cast<float>(k % sheet.columns);
    const float y = -spacing * static_cast<float>(k / sheet.columns);
    const bool pinned = k == 0 || k == sheet.columns - 1;
    const float w = pinned ? 0.0f : 0.5f + random.next();
    const uint32_t i = first + k;
    set(element(arenas, arenas.frame.motion_start, i), 0, 0, 0, -1);
    set(element(arenas, arenas.frame.motion_target, i), 0, 0, 0, -1);
    if (!real) continue;
    set(element(arenas, arenas.frame.position, i), x, y, depth + 0.01f * random.next(), w);
    set(element(arenas, arenas.frame.previous, i), x, y, depth, w);
    set(element(arenas, arenas.frame.velocity, i), 0.3f * random.next(), 0, 0.2f, static_cast<float>(k % 2));
    set(element(arenas, arenas.frame.acceleration, i), random.next() - 0.5f, random.next(), random.next(), 0);
  }
}

ClothSettings make_settings(uint32_t slot) {
  ClothSettings s{};
  s.gravity_y = -9.81f;
  s.gravity_x = slot ? 0.7f : 0.0f;
  s.damping_x = 0.1f;
  s.damping_y = 0.2f;
  s.damping_z = slot ? 0.0f : 0.15f;
  s.solver_frequency = slot ? 240.0f : 250.0f;
  s.stiffness_frequency = 60.0f;
  s.friction = slot ? 0.3f : 0.0f;
  s.tether_stiffness = slot ? 1.0f : 0.7f;
  s.tether_scale = 1.05f;
  s.motion_stiffness = 0.8f;
  s.motion_scale = 1.1f;
  s.motion_bias = 0.0f;
  s.acceleration_filter_width = 30;
  s.flags = cloth_has_acceleration | cloth_has_motion | cloth_has_velocity;
  s.ordinal_low = 5 + slot;
  s.ordinal_high = slot;
  s.reduction_lanes = reduction_lanes;
  return s;
}

uint32_t collider_header(const Arenas& arenas, const ClothSettings& settings) {
  return arenas.tables[settings.collider_table];
}

void store(Arenas& arenas, uint32_t offset, float x, float y, float z, float w) {
  const float values[4] = {x, y, z, w};
  for (uint32_t k = 0; k < 4; ++k) arenas.tables[offset + k] = bits_of(values[k]);
}

// Where the shapes are at a time counted in frames.
void place_colliders(Arenas& arenas, uint32_t spheres, uint32_t planes, float time) {
  const float swing = 0.2f * static_cast<float>(static_cast<int>(time) % 20);
  store(arenas, spheres, 0.3f, -0.5f + 0.01f * time, -0.3f + 0.015f * time, 0.2f);
  store(arenas, spheres + 4, 0.05f * swing, -0.3f, 0.12f, 0.1f + 0.005f * swing);
  const float centre[3] = {0.5f, -0.55f, -0.1f + 0.005f * time};
  for (uint32_t k = 0; k < plane_count; ++k) {
    float normal[3] = {0, 0, 0};
    const uint32_t axis = k / 2;
    normal[axis] = k % 2 ? 1.0f : -1.0f;
    store(arenas, planes + 4 * k, normal[0], normal[1], normal[2], -normal[axis] * centre[axis] - 0.12f);
  }
}

void place_motion(Arenas& arenas, const Sheet& sheet, uint32_t first, uint32_t block, float time) {
  for (uint32_t k = 3; k < sheet.particle_count; k += 11) {
    const float x = spacing * static_cast<float>(k % sheet.columns) + 0.002f * time;
    const float y = -spacing * static_cast<float>(k / sheet.columns);
    set(element(arenas, block, first + k), x, y, 0.003f * time, k % 2 ? 0.1f : 0.0f);
  }
}

// Values for the accept kernels: near the particles, and some that must not be taken.
void fill_incoming(const Scene& scene, Arenas& arenas) {
  Sequence random;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (size_t slot = 0; slot < scene.sheets.size(); ++slot) {
    for (uint32_t k = 0; k < scene.sheets[slot].particle_count; ++k) {
      const uint32_t i = arenas.cloths[slot].settings.first_particle + k;
      const float* p = element(arenas, arenas.frame.position, i);
      float* v = element(arenas, arenas.frame.incoming, i);
      set(v, p[0] + 0.002f * random.next(), p[1], p[2] + 0.002f * random.next(), p[3]);
      if (k % 13 == 7) v[k % 3] = k % 2 ? infinity : std::numeric_limits<float>::quiet_NaN();
      if (k % 17 == 5) v[3] = -1.0f;
    }
  }
}

struct WorkList {
  std::vector<Work> works;
  uint32_t cloth = 0;
  void add(Kernel kernel, uint32_t begin, uint32_t end, uint32_t argument = 0) {
    works.push_back({number_of(kernel), cloth, begin, end, argument});
  }
};

void add_accepted(WorkList& list, const Sheet& sheet) {
  const uint32_t end = sheet.particle_count - 21;
  list.add(Kernel::accept_position, 16, end, accept_at_rest);
  list.add(Kernel::accept_position, 0, 37, accept_keep_w);
  list.add(Kernel::accept_previous, 16, end);
  list.add(Kernel::accept_velocity, 32, 70);
  list.add(Kernel::accept_acceleration, 32, 71);
  list.add(Kernel::accept_motion_start, 48, 53);
  list.add(Kernel::accept_motion_target, 48, 53);
}

void add_iteration(WorkList& list, const Arenas& arenas, const Sheet& sheet) {
  const uint32_t all = sheet.padded_count;
  list.add(Kernel::begin_iteration, list.cloth, list.cloth + 1);
  list.add(Kernel::integrate, 0, all);
  list.add(Kernel::constrain_motion, 0, all);
  if (sheet.tethers_in_order) {
    list.add(Kernel::constrain_tethers_in_order, 0, sheet.tether_count);
  } else {
    list.add(Kernel::constrain_tethers, 0, sheet.tether_count);
  }
  const uint32_t phases = arenas.cloths[list.cloth].settings.phase_table;
  for (const Colour& colour : sheet.colours) {
    list.add(colour.kernel, colour.begin, colour.end, phases + colour.phase * phase_words);
  }
  list.add(Kernel::collide_convexes, 0, all);
  list.add(Kernel::collide_spheres, 0, all);
}

}  // namespace

Scene make_scene() {
  Scene scene;
  scene.sheets = {{19, 17, 0, 0, false, 0, {}}, {24, 13, 0, 0, true, 0, {}}};
  Arenas& arenas = scene.arenas;
  arenas.cloths.resize(scene.sheets.size());
  uint32_t total = 0;
  for (Sheet& sheet : scene.sheets) {
    sheet.particle_count = sheet.columns * sheet.rows;
    sheet.padded_count = padded(sheet.particle_count + 1);
    total += sheet.padded_count;
  }
  arenas.particles.assign(7 * 4 * size_t(total), 0.0f);
  arenas.frame = {1.0f / 60.0f, 0, total, 2 * total, 3 * total, 4 * total, 5 * total, 6 * total};
  Sequence random;
  uint32_t first = 0;
  for (uint32_t slot = 0; slot < scene.sheets.size(); ++slot) {
    Sheet& sheet = scene.sheets[slot];
    ClothSettings settings = make_settings(slot);
    settings.first_particle = first;
    settings.particle_count = sheet.particle_count;
    settings.padded_count = sheet.padded_count;
    add_constraints(arenas, sheet, settings);
    add_tethers(arenas, sheet, settings);
    add_colliders(arenas, settings);
    add_phases(arenas, settings);
    settings.scratch = static_cast<uint32_t>(arenas.tables.size());
    arenas.tables.resize(arenas.tables.size() + 8 * reduction_lanes);
    add_particles(arenas, sheet, first, 0.1f * static_cast<float>(slot), random);
    arenas.cloths[slot].settings = settings;
    first += sheet.padded_count;
  }
  return scene;
}

void prepare_frame(const Scene& scene, Arenas& arenas, int frame) {
  const auto time = static_cast<float>(frame);
  arenas.frame.dt = frame % 20 == 9 ? 0.03f : 1.0f / 60.0f;
  for (uint32_t slot = 0; slot < scene.sheets.size(); ++slot) {
    const Sheet& sheet = scene.sheets[slot];
    const ClothSettings& settings = arenas.cloths[slot].settings;
    const uint32_t header = collider_header(arenas, settings);
    for (const uint32_t half : {0u, 1u}) {  // where shapes start, and where they go
      place_colliders(arenas, arenas.tables[header + collider_sphere_starts + half],
                      arenas.tables[header + collider_plane_starts + half], time + static_cast<float>(half));
    }
    place_motion(arenas, sheet, settings.first_particle, arenas.frame.motion_start, time);
    place_motion(arenas, sheet, settings.first_particle, arenas.frame.motion_target, time + 1);
  }
  if (frame % 10 == 3) fill_incoming(scene, arenas);
}

std::vector<Work> work_of_frame(const Scene& scene, int frame, uint32_t iterations) {
  WorkList list;
  for (list.cloth = 0; list.cloth < scene.sheets.size(); ++list.cloth) {
    const Sheet& sheet = scene.sheets[list.cloth];
    const uint32_t own = list.cloth;
    const uint32_t all = sheet.padded_count;
    if (frame % 10 == 3) add_accepted(list, sheet);
    list.add(Kernel::begin_cloth, own, own + 1);
    if (frame % 10 == 0 || frame % 10 == 3) list.add(Kernel::apply_velocity, 0, all);
    for (uint32_t k = 0; k < iterations; ++k) add_iteration(list, scene.arenas, sheet);
    list.add(Kernel::compute_velocity, 0, all);
    list.add(Kernel::reduce_bounds, 0, reduction_lanes);
    list.add(Kernel::end_cloth, own, own + 1);
    list.add(Kernel::reduce_hash, 0, reduction_lanes);
    list.add(Kernel::end_hash, own, own + 1);
  }
  return list.works;
}

}  // namespace clothc::probes
