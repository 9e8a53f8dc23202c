// sheet_frames.cpp - moves what changes from update to update, and lists the jobs of an update in the order of the
// step.
#include <cmath>
#include <cstring>
#include <limits>

#include "core/cloth/reduction.h"
#include "parity/dialect/sheet_collision.h"
#include "parity/dialect/sheet_crowd.h"
#include "parity/dialect/sheet_lattice.h"
#include "parity/dialect/sheet_levels.h"
#include "parity/dialect/sheet_shapes.h"
#include "parity/dialect/sheet_surface.h"

namespace clothc::probes {
namespace {

void set_motion(Arenas& arenas, const Sheet& sheet, uint32_t first, uint32_t block, float time) {
  for (uint32_t k = 3; k < sheet.particle_count; k += 11) {
    const float x = spacing * static_cast<float>(k % sheet.columns) + 0.002f * time;
    const float y = -spacing * static_cast<float>(k / sheet.columns);
    set(element(arenas, block, first + k), x, y, 0.003f * time, k % 2 ? 0.1f : 0.0f);
  }
}

void set_separation(Arenas& arenas, const Sheet& sheet, uint32_t first, uint32_t block, float time) {
  for (uint32_t k = 5; k < sheet.particle_count; k += 13) {
    const float x = spacing * static_cast<float>(k % sheet.columns) + 0.001f * time;
    const float y = -spacing * static_cast<float>(k / sheet.columns);
    set(element(arenas, block, first + k), x, y, -0.05f + 0.001f * time, k % 2 ? 0.06f : 0.0f);
  }
}

// Moves both frames, turns the second one in most updates, and occasionally makes one jump.
void set_frame(GroupFrame& placed, uint32_t slot, int frame) {
  const auto pose = [&](float time, float* target) {
    const float half = slot == 0 || frame % 30 > 20 ? 0.0f : 0.01f * time + 0.0004f * time * time;
    target[0] = 0.02f * time;
    target[1] = 0.001f * time * time;
    target[2] = -0.01f * time;
    target[3] = 0.6f * half;
    target[4] = 0.8f * half;
    target[5] = 0.0f;
    target[6] = std::sqrt(1.0f - half * half);
  };
  const auto time = static_cast<float>(frame % 30);
  pose(time, &placed.start_x);
  pose(time + 1.0f, &placed.target_x);
  placed.flags = frame % 9 == 2 ? frame_keep_velocity : frame % 9 == 3 ? frame_clear_inertia : 0u;
  if (frame % 7 == 3) placed.flags |= frame_skip_interpolation;
  placed.wakes = static_cast<uint32_t>(frame / 25);
}

// Fills the values that the write_channel kernels apply: most are near the particles and some must be rejected.
void fill_incoming(const Scene& scene, Arenas& arenas) {
  Sequence random;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (size_t slot = 0; slot < scene.sheets.size(); ++slot) {
    for (uint32_t k = 0; k < scene.sheets[slot].particle_count; ++k) {
      const uint32_t i = arenas.records[slot].settings.first_particle + k;
      const float* p = element(arenas, arenas.frame.position, i);
      float* v = element(arenas, arenas.frame.exchange, i);
      const float shift[] = {random.next(0, 0.002f), random.next(0, 0.002f)};
      set(v, p[0] + shift[0], p[1], p[2] + shift[1], p[3]);
      if (k % 13 == 7) v[k % 3] = k % 2 ? infinity : std::numeric_limits<float>::quiet_NaN();
      if (k % 17 == 5) v[3] = -1.0f;
      // A phase. As a coordinate, which it is too, it is too small and becomes 0.
      const uint32_t phase = phase_self_collide + 2;
      if (k == 42) std::memcpy(v, &phase, sizeof(phase));
    }
  }
}

// Some particles are inactive at the end of every tenth frame. Tethers and triangles, which groups do not have, know no
// inactive particles, so all are active again when the next frame begins.
bool deactivates(int frame) { return frame % 10 == 1; }
bool reactivates(int frame) { return frame % 10 == 2; }
// Whether channels are set.
bool receives(int frame) { return frame % 10 == 3; }

void set_active_flags(Arenas& arenas, const GroupSettings& settings, int frame) {
  for (uint32_t k = 0; k < settings.padded_count; ++k)
    arenas.tables[settings.active_flags + k] = deactivates(frame) && k % 9 == 5 ? 0 : 1;
}

struct JobList {
  std::vector<Job> jobs;
  uint32_t cloth = 0;
  void add(Kernel kernel, uint32_t begin, uint32_t end, uint32_t argument = 0) {
    jobs.push_back({number_of(kernel), cloth, begin, end, argument});
  }
};

void add_accepted(JobList& list, const GroupSettings& settings, const Sheet& sheet) {
  const uint32_t end = sheet.particle_count - 21;
  list.add(Kernel::write_channel_position, 16, end, write_at_rest);
  list.add(Kernel::write_channel_position, 0, 37, write_keep_w);
  list.add(Kernel::write_channel_previous, 16, end);
  for (const OptionalChannel& channel : optional_channels) {
    if (settings.*channel.block == 0) continue;
    list.add(channel.write, channel.is_sphere ? 48 : 32, channel.is_sphere ? 53 : 71);
  }
}

void add_collisions(JobList& list, const GroupSettings& settings, const Sheet& sheet) {
  const uint32_t all = sheet.padded_count;
  if (settings.collision_mass_scale > 0) list.add(Kernel::restore_masses, 0, all);
  list.add(Kernel::save_for_report, 0, all);
  list.add(Kernel::collide_convexes, 0, all);
  list.add(Kernel::collide_triangles, 0, all);
  list.add(Kernel::collide_sdfs, 0, all);
  const bool continuously = (settings.collision_flags & collision_continuous) != 0;
  list.add(continuously ? Kernel::collide_curved_continuously : Kernel::collide_curved, 0, all);
  for (const Range& colour : sheet.virtual_colours) {
    list.add(Kernel::collide_virtual, colour.begin, colour.end,
             settings.constraint_records + virtual_record * constraint_words);
  }
}

// Particles without accelerations of their own may be integrated in the lattice.
void add_iteration(JobList& list, const Scene& scene, const GroupSettings& settings, const Sheet& sheet,
                   bool stays_in_lattice, bool in_crowd) {
  const uint32_t all = sheet.padded_count;
  list.add(Kernel::begin_iteration, list.cloth, list.cloth + 1);
  add_placing(scene, settings, list.cloth, list.jobs);
  if (stays_in_lattice) {
    add_stages_in_lattice(sheet, settings, list.cloth, list.jobs);
  } else {
    list.add(Kernel::integrate, 0, all);
  }
  list.add(Kernel::wind_impulses, 0, sheet.wind_place_count);
  list.add(Kernel::apply_wind, 0, all);
  list.add(Kernel::constrain_motion, 0, all);
  list.add(Kernel::constrain_tethers, 0, sheet.tether_count,
           settings.constraint_records + tether_record * constraint_words);
  add_correction(sheet, settings, list.cloth, list.jobs);
  for (const Colour& colour : sheet.colours) {
    list.add(colour.kernel, colour.begin, colour.end, settings.constraint_records + colour.record * constraint_words);
  }
  if (stays_in_lattice) add_lattice_jobs(sheet, settings, list.cloth, list.jobs);
  if (in_crowd) add_crowd_jobs(sheet, settings, list.cloth, list.jobs);
  list.add(Kernel::constrain_separation, 0, all);
  add_collisions(list, settings, sheet);
  add_self_collision(settings, list.cloth, list.jobs);
  list.add(Kernel::test_sleep, 0, all);
}

}  // namespace

void prepare_frame(const Scene& scene, Arenas& arenas, int frame) {
  const auto time = static_cast<float>(frame);
  arenas.frame.dt = frame % 20 == 9 ? 0.03f : 1.0f / 60.0f;
  arenas.records[0].settings.friction = frame % 3 != 0 ? 0.2f : 0.0f;
  arenas.records[0].settings.friction_smoothing = frame % 3 == 2 ? 0.0003f : 0.0f;
  move_shapes(scene, arenas, frame);
  for (uint32_t slot = 0; slot < scene.sheets.size(); ++slot) {
    const Sheet& sheet = scene.sheets[slot];
    const GroupSettings& settings = arenas.records[slot].settings;
    set_motion(arenas, sheet, settings.first_particle, settings.motion_start_block, time);
    set_motion(arenas, sheet, settings.first_particle, settings.motion_target_block, time + 1);
    set_separation(arenas, sheet, settings.first_particle, settings.separation_start_block, time);
    set_separation(arenas, sheet, settings.first_particle, settings.separation_target_block, time + 1);
    set_frame(arenas.records[slot].frame, slot, frame);
    set_report(arenas, settings);
    set_active_flags(arenas, settings, frame);
  }
  set_collision_particles(scene, arenas, frame);
  if (receives(frame)) fill_incoming(scene, arenas);
}

std::vector<Job> jobs_of_frame(const Scene& scene, int frame, uint32_t iterations) {
  JobList list;
  list.jobs = triangle_bvh_jobs(scene, frame);
  for (list.cloth = 0; list.cloth < scene.sheets.size(); ++list.cloth) {
    const Sheet& sheet = scene.sheets[list.cloth];
    const uint32_t own = list.cloth;
    const uint32_t all = sheet.padded_count;
    const GroupSettings& settings = scene.arenas.records[own].settings;
    if (reactivates(frame)) list.add(Kernel::write_active, 0, all);
    if (receives(frame)) add_accepted(list, settings, sheet);
    list.add(Kernel::begin_group, own, own + 1);
    add_pins(sheet, settings, own, list.jobs);
    if (frame % 10 == 0 || receives(frame)) list.add(Kernel::apply_velocity, 0, all);
    add_bounding(settings, own, list.jobs);
    list.add(Kernel::save_for_sleep, 0, all);
    for (uint32_t k = 0; k < iterations; ++k)
      add_iteration(list, scene, settings, sheet, (static_cast<uint32_t>(frame) + own + k) % 4 == 0,
                    (static_cast<uint32_t>(frame) + own + k) % 4 == 3);
    add_reporting(settings, own, list.jobs);
    if (deactivates(frame)) list.add(Kernel::write_active, 0, all);
    const auto read = [&](Kernel kernel) {
      const uint32_t first = settings.first_particle;
      list.add(kernel, 0, all, read_bias + first);
      list.add(kernel, 16, 80, read_vertices | (read_bias + first - 16));
    };
    read(Kernel::read_channel_position);
    read(Kernel::read_channel_previous);
    for (const OptionalChannel& channel : optional_channels) {
      if (settings.*channel.block != 0) read(channel.read);
    }
    read(Kernel::read_channel_normal);
    read(Kernel::read_channel_tangent);
    add_counting(scene.arenas, own, list.jobs);
    read(Kernel::read_channel_intersections);
  }
  add_inter_collision_jobs(scene, list.jobs);
  for (list.cloth = 0; list.cloth < scene.sheets.size(); ++list.cloth) {
    const uint32_t own = list.cloth;
    const GroupSettings& settings = scene.arenas.records[own].settings;
    list.add(Kernel::reduce_bounds, 0, settings.reduction_lanes);
    list.add(Kernel::reduce_statistics, 0, settings.reduction_lanes);
    for_each_combined_level(settings.padded_count, [&](uint32_t level, uint32_t, uint32_t combining) {
      list.add(Kernel::combine_results, 0, scratch_words * combining, level);
    });
    list.add(Kernel::end_group, own, own + 1);
    list.add(Kernel::reduce_hash, 0, settings.reduction_lanes);
    for_each_combined_level(settings.padded_count, [&](uint32_t level, uint32_t, uint32_t combining) {
      list.add(Kernel::combine_hash, 0, combining, level);
    });
    list.add(Kernel::end_hash, own, own + 1);
  }
  return list.jobs;
}

}  // namespace clothc::probes
