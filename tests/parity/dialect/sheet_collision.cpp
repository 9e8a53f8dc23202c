// sheet_collision.cpp - collision particles laid out by core's own code.
#include "parity/dialect/sheet_collision.h"

#include "core/collision/particle_layout.h"

namespace clothc::probes {
namespace {

void add(std::vector<Job>& jobs, Kernel kernel, uint32_t cloth, uint32_t end, uint32_t argument = 0) {
  jobs.push_back({number_of(kernel), cloth, 0, end, argument});
}

void add_boxes(std::vector<Job>& jobs, Kernel kernel, uint32_t cloth, const WideBvh& bvh, uint32_t levels) {
  for (uint32_t level = levels; level-- > 0;)
    add(jobs, kernel, cloth, (bvh.boxes(level) + node_children - 1) / node_children * node_children, level);
}

// One level more than two cloths need.
constexpr uint32_t inter_levels = 2;
constexpr uint32_t inter_nodes = 2;

// Every other cloth leaves some particles out.
bool collides(uint32_t cloth, uint32_t particle) { return cloth % 2 == 0 || particle % 5 != 3; }

}  // namespace

void add_collision_particles(Arenas& arenas, uint32_t cloth, GroupSettings& settings) {
  std::vector<uint32_t> storage_indices;
  for (uint32_t k = 0; k < settings.particle_count; ++k) {
    if (collides(cloth, k)) storage_indices.push_back(k);
  }
  const CollisionParticleLayout layout(static_cast<uint32_t>(storage_indices.size()));
  storage_indices.resize(layout.stride, settings.particle_count);
  settings.collision_particles = static_cast<uint32_t>(arenas.tables.size());
  settings.collision_particle_count = layout.count;
  settings.collision_particle_stride = layout.stride;
  settings.particle_bvh_levels = layout.bvh.levels;
  arenas.tables.resize(arenas.tables.size() + layout.words());
  std::copy(storage_indices.begin(), storage_indices.end(), arenas.tables.begin() + settings.collision_particles);
  // The first sheet has no rest positions and no phases.
  if (cloth == 0) settings.rest_block = settings.particle_phase_block = 0;
  settings.self_collision_distance = cloth == 0 ? 0.95f * spacing : 1.6f * spacing;
  settings.self_collision_stiffness = 0.8f;
  settings.self_collision_friction = cloth == 0 ? 0.0f : 0.4f;
  settings.self_collision_damping = 0.5f;
  settings.inter_collision_distance = cloth == 0 ? 0.1f : 0.08f;
  settings.inter_collision_stiffness = cloth == 0 ? 0.6f : 0.7f;
  settings.inter_collision_friction = 0.3f;
  settings.inter_collision_damping = cloth == 0 ? 0.4f : 1.0f;
  settings.inter_collision_iterations = 1;
  settings.inter_collision_group = 1u + cloth;
  settings.inter_collision_mask = 3u;
  settings.inter_index = cloth;
  settings.update_start = static_cast<uint32_t>(arenas.tables.size());
  arenas.tables.resize(arenas.tables.size() + size_t{4} * settings.padded_count);
}

void add_inter_collision(Arenas& arenas) {
  const auto count = static_cast<uint32_t>(arenas.records.size());
  const auto header = static_cast<uint32_t>(arenas.tables.size());
  const uint32_t cloths = header + inter_levels * cloth_bvh_words;
  const uint32_t order = cloths + count;
  const uint32_t keys = order + count;
  const uint32_t nodes = keys + count;
  for (uint32_t level = 0; level < inter_levels; ++level)
    arenas.tables.insert(arenas.tables.end(), {count, cloths, order, bits_of(7.5f), nodes, inter_levels, level, keys});
  for (uint32_t cloth = 0; cloth < count; ++cloth) arenas.tables.push_back(cloth);
  for (uint32_t cloth = count; cloth-- > 0;) arenas.tables.push_back(cloth);
  arenas.tables.resize(nodes);
  for (uint32_t k = 0; k < inter_nodes * node_words; ++k)
    arenas.tables.push_back(bits_of(k % node_words < node_words / 2 ? 3e38f : -3e38f));
  for (GroupRecord& cloth : arenas.records) cloth.settings.cloth_bvh = header;
}

void set_collision_particles(const Scene& scene, Arenas& arenas, int frame) {
  for (uint32_t slot = 0; slot < scene.sheets.size(); ++slot) {
    const Sheet& sheet = scene.sheets[slot];
    GroupRecord& cloth = arenas.records[slot];
    cloth.settings.inter_collision_iterations = frame % 2 == 0 ? 1u : 0u;
    const auto cloths = static_cast<uint32_t>(scene.sheets.size());
    arenas.tables[arenas.tables[cloth.settings.cloth_bvh + cloth_bvh_order] + slot] = cloths - 1 - slot;
    const bool sleeps = slot == 0 && frame % 10 == 2;
    cloth.settings.sleep_policy = sleeps ? sleep_skip : sleep_report;
    cloth.state.status.sleep_pass_count = sleeps ? cloth.settings.sleep_after_count : 0u;
    for (uint32_t k = 0; k < sheet.particle_count && cloth.settings.rest_block != 0; ++k) {
      const float x = spacing * static_cast<float>(k % sheet.columns);
      const float y = -spacing * static_cast<float>(k / sheet.columns);
      set(element(arenas, cloth.settings.rest_block, cloth.settings.first_particle + k), x, y, 0.0f,
          k % 7 == 2 ? 0.0f : 1.0f);
    }
  }
}

void add_self_collision(const GroupSettings& settings, uint32_t cloth, std::vector<Job>& jobs) {
  const CollisionParticleLayout layout(settings.collision_particle_count);
  if (settings.rest_block != 0) add(jobs, Kernel::gather_rest, cloth, layout.stride);
  if (settings.particle_phase_block != 0) add(jobs, Kernel::gather_phases, cloth, layout.stride);
  add(jobs, Kernel::gather_collision_particles, cloth, layout.stride, particles_move);
  add_boxes(jobs, Kernel::refit_particle_bvh, cloth, layout.bvh, layout.bvh.levels);
  for (uint32_t walk = 0; walk < walk_kinds; ++walk)
    add(jobs, Kernel::collide_self, cloth, layout.stride, walk << walk_shift);
}

void add_inter_collision_jobs(const Scene& scene, std::vector<Job>& jobs) {
  const auto count = static_cast<uint32_t>(scene.sheets.size());
  const uint32_t header = scene.arenas.records[0].settings.cloth_bvh;
  const auto of_all = [&](auto append) {
    for (uint32_t cloth = 0; cloth < count; ++cloth) append(cloth, scene.arenas.records[cloth].settings);
  };
  for (const uint32_t argument : {inter_in_iteration, 0u}) {
    of_all([&](uint32_t cloth, const GroupSettings& settings) {
      const CollisionParticleLayout layout(settings.collision_particle_count);
      const uint32_t of_update = argument == inter_in_iteration ? 0u : particles_of_update;
      add(jobs, Kernel::gather_collision_particles, cloth, layout.stride,
          particles_in_world | particles_move | of_update);
      add_boxes(jobs, Kernel::refit_particle_bvh, cloth, layout.bvh, layout.bvh.levels);
    });
    jobs.push_back({number_of(Kernel::refit_cloth_leaves), 0, 0, count, header});
    add(jobs, Kernel::refit_cloth_bvh, 0, node_children, header);
    for (uint32_t walk = 0; walk < walk_kinds; ++walk) {
      of_all([&](uint32_t cloth, const GroupSettings& settings) {
        add(jobs, Kernel::collide_cloths, cloth, settings.collision_particle_stride, argument | walk << walk_shift);
      });
    }
    of_all([&](uint32_t cloth, const GroupSettings& settings) {
      add(jobs, Kernel::collide_cloths, cloth, settings.collision_particle_stride, argument | inter_restless);
    });
  }
  of_all([&](uint32_t cloth, const GroupSettings& settings) {
    add(jobs, Kernel::test_sleep_of_update, cloth, settings.padded_count);
  });
  // This overwrites the order of the cloths, which the next frame lays out anew.
  jobs.push_back({number_of(Kernel::make_cloth_keys), 0, 0, count, header});
}

}  // namespace clothc::probes
