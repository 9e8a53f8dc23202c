// sheets.cpp - builds the two sheets.
#include "parity/dialect/sheets.h"

#include <cmath>
#include <iterator>

#include "core/cloth/particle_channels.h"
#include "core/cloth/reduction.h"
#include "parity/dialect/sheet_collision.h"
#include "parity/dialect/sheet_crowd.h"
#include "parity/dialect/sheet_lattice.h"
#include "parity/dialect/sheet_levels.h"
#include "parity/dialect/sheet_shapes.h"
#include "parity/dialect/sheet_surface.h"

namespace clothc::probes {
namespace {

constexpr uint32_t padding = 16;

uint32_t padded(uint32_t count) { return (count + padding - 1) / padding * padding; }

struct Constraint {
  uint32_t first, second;
  float rest;
};

uint32_t append(std::vector<uint32_t>& arena, const std::vector<float>& values) {
  const auto offset = static_cast<uint32_t>(arena.size());
  for (float value : values) arena.push_back(bits_of(value));
  return offset;
}

// Connects each particle with the one that lies (right, down) from it.
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

// Colours the constraints greedily. Each colour is padded with constraints of the padding particle on itself.
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
  const uint32_t padding_particle = sheet.particle_count;
  for (const auto& colour : colours) {
    const auto begin = static_cast<uint32_t>(out.first.size());
    for (size_t k = 0; k < padded(static_cast<uint32_t>(colour.size())); ++k) {
      const Constraint c = k < colour.size() ? colour[k] : Constraint{padding_particle, padding_particle, 0.0f};
      out.first.push_back(c.first);
      out.second.push_back(c.second);
      out.rest.push_back(c.rest);
      out.stiffness.push_back(-0.05f * static_cast<float>(k % 20));
    }
    sheet.colours.push_back({kernel, phase, begin, begin + static_cast<uint32_t>(colour.size())});
  }
}

void add_constraints(Arenas& arenas, Sheet& sheet) {
  LaidOut out;
  std::vector<Constraint> structural, shear, bend, long_range;
  connect(sheet, 1, 0, structural);
  connect(sheet, 0, 1, structural);
  connect(sheet, 1, 1, shear);
  connect(sheet, -1, 1, shear);
  connect(sheet, 2, 0, bend);
  connect(sheet, 0, 2, bend);
  connect(sheet, 3, 0, long_range);
  connect(sheet, 0, 4, long_range);
  lay_out(sheet, long_range, Kernel::solve_long_range, 0, out);
  lay_out(sheet, structural, Kernel::solve_edges, 0, out);
  lay_out(sheet, shear, Kernel::solve_edges_with_limits, 1, out);
  lay_out(sheet, bend, Kernel::solve_edges_with_stiffness, 2, out);
  std::vector<uint32_t>& fabric = arenas.topology;
  sheet.edges.particles = static_cast<uint32_t>(fabric.size());
  fabric.insert(fabric.end(), out.first.begin(), out.first.end());
  fabric.insert(fabric.end(), out.second.begin(), out.second.end());
  sheet.edges.parameters = append(fabric, out.rest);
  append(fabric, out.stiffness);
  sheet.edges.stride = static_cast<uint32_t>(out.first.size());
  sheet.edges.width = 2;
}

// Adds rings around every second cell in every second row, which phase 0 solves, and around the cells between them, which
// phase 1 solves. Some sides have no length.
void add_rings(Arenas& arenas, Sheet& sheet) {
  std::vector<uint32_t> corners[4];
  std::vector<float> lengths[4];
  for (uint32_t phase = 0; phase < 2; ++phase) {
    const auto begin = static_cast<uint32_t>(corners[0].size());
    for (uint32_t y = phase; y + 1 < sheet.rows; y += 2) {
      for (uint32_t x = phase; x + 1 < sheet.columns; x += 2) {
        const uint32_t a = y * sheet.columns + x, particles[] = {a, a + 1, a + 1 + sheet.columns, a + sheet.columns};
        for (uint32_t k = 0; k < 4; ++k) {
          corners[k].push_back(particles[k]);
          lengths[k].push_back((x + y + k) % 23 == 0 ? 0.0f : spacing * (0.95f + 0.02f * static_cast<float>(k)));
        }
      }
    }
    const auto end = static_cast<uint32_t>(corners[0].size());
    sheet.colours.push_back({phase == 0 ? Kernel::solve_rings : Kernel::solve_rings_with_limits, phase, begin, end});
    for (uint32_t k = 0; k < 4; ++k) {
      corners[k].resize(padded(end), sheet.particle_count);
      lengths[k].resize(padded(end), 0.0f);
    }
  }
  sheet.ring_count = static_cast<uint32_t>(corners[0].size());
  sheet.rings = static_cast<uint32_t>(arenas.topology.size());
  for (uint32_t block = 0; block < sheet.ring_count; block += lane_padding) {
    for (const auto& row : corners)
      arenas.topology.insert(arenas.topology.end(), row.begin() + block, row.begin() + block + lane_padding);
    for (const auto& row : lengths)
      append(arenas.topology, std::vector<float>(row.begin() + block, row.begin() + block + lane_padding));
  }
}

// Adds two tethers per particle, to the upper corners. The other particles have slots in rows, starting from below.
void add_tethers(Arenas& arenas, Sheet& sheet) {
  std::vector<uint32_t> slots;
  for (uint32_t k = 0; k < sheet.particle_count; ++k) {
    const uint32_t particle = sheet.particle_count - 1 - k;
    const bool anchor = particle == 0 || particle == sheet.columns - 1;
    if (!anchor) slots.push_back(particle);
  }
  sheet.tether_count = static_cast<uint32_t>(slots.size());
  slots.resize(padded(sheet.tether_count + 1), sheet.particle_count);
  std::vector<uint32_t> anchors;
  std::vector<float> lengths;
  for (const uint32_t anchor : {0u, sheet.columns - 1}) {
    for (const uint32_t particle : slots) {
      const bool is_padding = particle == sheet.particle_count;
      const float x = spacing * (static_cast<float>(particle % sheet.columns) - static_cast<float>(anchor));
      const float y = spacing * static_cast<float>(particle / sheet.columns);
      anchors.push_back(is_padding ? particle : anchor);
      lengths.push_back(is_padding ? 0.0f : std::sqrt(x * x + y * y));
    }
  }
  sheet.tethers.stride = static_cast<uint32_t>(slots.size());
  sheet.tethers.width = 2;
  sheet.tethers.particles = static_cast<uint32_t>(arenas.topology.size());
  arenas.topology.insert(arenas.topology.end(), slots.begin(), slots.end());
  arenas.topology.insert(arenas.topology.end(), anchors.begin(), anchors.end());
  sheet.tethers.parameters = append(arenas.topology, lengths);
}

void add_record(Arenas& arenas, const GroupSettings& settings, const float (&config)[4], uint32_t parts, float scale,
                bool is_exact, const ConstraintRows& rows, uint32_t rings = 0) {
  std::vector<uint32_t> words(constraint_words, 0u);
  for (uint32_t k = 0; k < 4; ++k) words[k] = bits_of(config[k]);
  words[constraint_parts] = parts;
  words[constraint_scale] = bits_of(scale);
  words[constraint_regularisation] = bits_of(is_exact ? 1e-30f : 1.1920929e-7f);
  words[constraint_first_particle] = settings.first_particle;
  words[constraint_particles] = rows.particles;
  words[constraint_parameters] = rows.parameters;
  words[constraint_stride] = rows.stride;
  words[constraint_width] = rows.width;
  words[constraint_rings] = rings;
  arenas.tables.insert(arenas.tables.end(), words.begin(), words.end());
}

void add_records(Arenas& arenas, const Sheet& sheet, uint32_t slot, GroupSettings& settings) {
  const float configs[sheet_phase_count][4] = {
      {0.9f, 1.0f, 1.0f, 1.0f}, {0.5f, 0.3f, 0.9f, 1.1f}, {0.4f, 0.0f, 0.8f, 1.3f}};
  const bool is_exact = slot == 0;
  settings.phase_count = sheet_phase_count;
  settings.records_version = 1;
  settings.record_count = further_record + static_cast<uint32_t>(sheet.further.size());
  // Records take whole lines.
  arenas.tables.resize((arenas.tables.size() + constraint_line - 1) / constraint_line * constraint_line);
  settings.constraint_records = static_cast<uint32_t>(arenas.tables.size());
  for (const auto& config : configs)
    add_record(arenas, settings, config, 1, settings.scale, is_exact, sheet.edges, sheet.rings);
  add_record(arenas, settings, {settings.tether_stiffness, 1.0f, 1.0f, 1.0f}, 2, settings.tether_scale, is_exact,
             sheet.tethers);
  add_record(arenas, settings, {1.0f, 1.0f, 1.0f, 1.0f}, 1, 1.0f, is_exact, sheet.virtual_particles);
  for (const ConstraintRows& rows : sheet.further)
    add_record(arenas, settings, {1.0f, 1.0f, 1.0f, 1.0f}, 1, settings.scale, is_exact, rows);
  add_level_records(arenas, sheet, settings);
  add_lattice_record(arenas, sheet, settings);
  // Stretch is measured on these: all phases but the bend phase.
  for (const Colour& colour : sheet.colours) {
    if (colour.record >= 2) continue;
    uint32_t* words = &arenas.tables[settings.constraint_records + colour.record * constraint_words];
    if (colour.kernel == Kernel::solve_rings || colour.kernel == Kernel::solve_rings_with_limits) {
      words[constraint_stretch_rings] = sheet.ring_count;
      continue;
    }
    if (words[constraint_stretch_end] == 0) words[constraint_stretch_begin] = colour.begin;
    words[constraint_stretch_end] = padded(colour.end);
  }
}

// Stores particles in reverse order with the padding at the end, and gives each particle two vertices.
void add_storage_order(Arenas& arenas, const Sheet& sheet, GroupSettings& settings) {
  settings.storage_order = static_cast<uint32_t>(arenas.topology.size());
  for (uint32_t k = 0; k < sheet.padded_count; ++k)
    arenas.topology.push_back(k < sheet.particle_count ? sheet.particle_count - 1 - k : k);
  settings.vertices = static_cast<uint32_t>(arenas.topology.size());
  settings.vertex_count = 2 * sheet.particle_count;
  for (uint32_t k = 0; k < settings.vertex_count; ++k) arenas.topology.push_back(k * 7 % sheet.particle_count);
}

void add_particles(Arenas& arenas, const Sheet& sheet, const GroupSettings& settings, float depth, Sequence& random) {
  for (uint32_t k = 0; k < sheet.padded_count; ++k) {
    const bool real = k < sheet.particle_count;
    const float x = spacing * static_cast<float>(k % sheet.columns);
    const float y = -spacing * static_cast<float>(k / sheet.columns);
    const bool pinned = k == 0 || k == sheet.columns - 1;
    const float w = pinned ? 0.0f : random.next(0.5f, 1.5f);
    const uint32_t i = settings.first_particle + k;
    for (const OptionalChannel& channel : optional_channels) {
      if (channel.is_sphere) set(element(arenas, settings.*channel.block, i), 0, 0, 0, -1);
    }
    if (!real) continue;
    set(element(arenas, arenas.frame.position, i), x, y, depth + random.next(0, 0.01f), w);
    set(element(arenas, arenas.frame.previous, i), x, y, depth, w);
    set(element(arenas, settings.velocity_block, i), random.next(0, 0.3f), 0, 0.2f, static_cast<float>(k % 2));
    const float acceleration[] = {random.next(-0.5f, 0.5f), random.next(0, 1), random.next(0, 1)};
    set(element(arenas, settings.acceleration_block, i), acceleration[0], acceleration[1], acceleration[2], 0);
    set(element(arenas, settings.particle_phase_block, i), static_cast<float>(k % 3), 0, 0, k % 5 < 3 ? 1.0f : 0.0f);
  }
}

GroupSettings make_settings(uint32_t slot) {
  GroupSettings s{};
  s.gravity_y = -9.81f;
  s.gravity_x = slot ? 0.7f : 0.0f;
  s.damping_x = 0.1f;
  s.damping_y = 0.2f;
  s.damping_z = slot ? 0.0f : 0.15f;
  s.solver_frequency = slot ? 240.0f : 250.0f;
  s.stiffness_frequency = 60.0f;
  s.friction = slot ? 0.3f : 0.0f;
  s.friction_smoothing = slot ? 0.0003f : 0.0f;
  s.collision_flags = slot ? collision_continuous : 0u;
  s.contact_margin = slot ? 0.005f : 0.0f;
  s.collision_mass_scale = slot ? 40.0f : 0.0f;
  s.scale = slot ? 1.02f : 1.0f;
  s.tether_stiffness = slot ? 1.0f : 0.7f;
  s.tether_scale = 1.05f;
  s.motion_constraint_stiffness = 0.8f;
  s.motion_constraint_scale = 1.1f;
  s.motion_constraint_bias = 0.0f;
  s.linear_drag_x = slot ? 0.2f : 0.0f;
  s.angular_drag_y = 0.3f;
  s.linear_inertia_x = s.linear_inertia_y = s.linear_inertia_z = slot ? 0.8f : 1.0f;
  s.angular_inertia_x = s.angular_inertia_z = 0.7f;
  s.angular_inertia_y = 0.9f;
  s.centrifugal_inertia_x = s.centrifugal_inertia_y = s.centrifugal_inertia_z = 0.6f;
  s.wind_velocity_x = 2.0f;
  s.wind_velocity_z = slot ? 3.0f : -1.0f;
  s.drag_coefficient = 0.3f;
  s.lift_coefficient = slot ? 0.2f : 0.0f;
  s.fluid_density = 1.2f;
  s.sleep_threshold = slot ? 0.5f : 50.0f;
  s.sleep_test_interval = 7;
  s.sleep_after_count = 5;
  s.sleep_policy = sleep_report;
  s.statistics = statistic_kinetic_energy | statistic_stretch;
  s.acceleration_filter_width = 30;
  s.ordinal_low = 5 + slot;
  s.ordinal_high = slot;
  return s;
}

// Makes the state look like that of an older cloth: its ring of time steps is about to wrap around.
void age(GroupState& state, const GroupSettings& settings) {
  state.solver_frequency = settings.solver_frequency;
  state.time_step_count = state.time_step_next = time_step_capacity - 10;
  for (uint32_t k = 0; k < state.time_step_count; ++k) state.time_steps[k] = 1 / settings.solver_frequency;
}

}  // namespace

Scene make_scene() {
  Scene scene;
  scene.sheets.resize(2);
  scene.sheets[0].columns = 19;
  scene.sheets[0].rows = 17;
  scene.sheets[1].columns = 23;
  scene.sheets[1].rows = 13;
  Arenas& arenas = scene.arenas;
  arenas.records.resize(scene.sheets.size());
  uint32_t total = 0;
  for (Sheet& sheet : scene.sheets) {
    sheet.particle_count = sheet.columns * sheet.rows;
    sheet.padded_count = padded(sheet.particle_count + 1);
    // The padding particles to which triangles refer are in front of a sheet.
    total += padding + sheet.padded_count;
  }
  arenas.particles.assign((block_count + std::size(optional_channels)) * 4 * total, 0.0f);
  arenas.frame = {1.0f / 60.0f, block_position * total, block_previous * total, block_exchange * total};
  add_collider_sets(scene);
  Sequence random;
  uint32_t first = 0;
  for (uint32_t slot = 0; slot < scene.sheets.size(); ++slot) {
    Sheet& sheet = scene.sheets[slot];
    GroupSettings settings = make_settings(slot);
    settings.first_particle = first + padding;
    settings.particle_count = sheet.particle_count;
    settings.padded_count = settings.particle_stride = sheet.padded_count;
    // The sheets have all channels, but for those that the first one lacks, in blocks for all particles.
    uint32_t block = block_count * total;
    for (const OptionalChannel& channel : optional_channels) {
      settings.*channel.block = block;
      block += total;
    }
    add_constraints(arenas, sheet);
    add_rings(arenas, sheet);
    add_tethers(arenas, sheet);
    add_shapes(scene, slot + 1, settings);
    add_report(arenas, slot, settings);
    add_collision_particles(arenas, slot, settings);
    if (slot == 1) add_storage_order(arenas, sheet, settings);
    add_surface(arenas, sheet, settings);
    add_levels(arenas, slot, sheet, settings);
    add_lattice(arenas, sheet, settings);
    add_records(arenas, sheet, slot, settings);
    add_level_rows(arenas, sheet, settings);
    add_lattice_rows(arenas, sheet, settings);
    add_crowd(arenas, sheet, settings);
    settings.scratch = static_cast<uint32_t>(arenas.tables.size());
    settings.reduction_lanes = reduction_lanes_for(settings.padded_count);
    arenas.tables.resize(arenas.tables.size() + scratch_words * lanes_of_all_levels(settings.padded_count));
    settings.active_flags = static_cast<uint32_t>(arenas.tables.size());
    arenas.tables.resize(arenas.tables.size() + settings.padded_count);
    settings.impulses = static_cast<uint32_t>(arenas.tables.size());
    arenas.tables.resize(arenas.tables.size() + size_t{4} * sheet.wind_place_count);
    add_particles(arenas, sheet, settings, 0.1f * static_cast<float>(slot), random);
    arenas.records[slot].settings = settings;
    if (slot == 1) age(arenas.records[slot].state, settings);
    first += padding + sheet.padded_count;
  }
  add_inter_collision(arenas);
  return scene;
}

}  // namespace clothc::probes
