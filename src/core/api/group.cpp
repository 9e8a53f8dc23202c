// group.cpp - the exported functions for groups of particles. They find the objects, check the arguments, and call the
// solver.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/api/cloth_arguments.h"
#include "core/base/structs.h"
#include "core/fabric/checks.h"
#include "core/fabric/springs.h"
#include "core/objects/device.h"

using namespace clothc;

namespace {

using ull = unsigned long long;

// Returns the first elements of a buffer. Waits until no set or get uses the buffer.
template <class Word>
std::vector<Word> read_words(const Solver& solver, clothc_buffer handle, clothc_format format, uint64_t count,
                             const char* name) {
  if (count == 0) return {};
  const std::shared_ptr<Buffer> buffer = resolve<Buffer>(handle);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, buffer->device() == solver.device(),
                    "the buffer of %s belongs to another device than the solver", name);
  const clothc_buffer_desc& desc = buffer->desc();
  CLOTHC_REQUIRE(desc.format == format, "the buffer of %s has format %u; want CLOTHC_FORMAT_%s (%u)", name, desc.format,
                 format == CLOTHC_FORMAT_UINT ? "UINT" : "FLOAT", format);
  CLOTHC_REQUIRE(desc.count >= count, "the buffer of %s has %llu elements; want at least %llu", name,
                 static_cast<ull>(desc.count), static_cast<ull>(count));
  std::vector<uint8_t> bytes((count - 1) * desc.stride + sizeof(Word));
  buffer->read(0, bytes.size(), bytes.data());
  std::vector<Word> words(count);
  for (uint64_t k = 0; k < count; ++k) std::memcpy(&words[k], &bytes[k * desc.stride], sizeof(Word));
  return words;
}

ClothSource read_group_desc(const Solver& solver, const clothc_group_desc& desc) {
  CLOTHC_REQUIRE(desc.particle_count >= 1 && desc.particle_count <= most_particles,
                 "group_desc.particle_count is %u; want 1 to 2^24", desc.particle_count);
  CLOTHC_REQUIRE(desc.positions != nullptr, "group_desc.positions is null; want %u positions with inverse masses",
                 desc.particle_count);
  check_particles(desc.positions, desc.particle_count);
  CLOTHC_REQUIRE(in_range(desc.radius, 0, 5e5f), "group_desc.radius is %g; want 0 to 5e5 m",
                 static_cast<double>(desc.radius));
  ClothSource source;
  source.is_group = true;
  source.fabric = make_springs(solver.device(), desc.particle_count, {});
  source.positions = desc.positions;
  source.parameters = desc.parameters != nullptr ? adopt(desc.parameters) : make_default<clothc_cloth_parameters>();
  check_parameters(source.parameters, "cloth_parameters");
  check_wind(source.parameters, source.layout(), "cloth_parameters");
  if (desc.radius > 0)
    source.parameters.self_collision_distance = source.parameters.inter_collision_distance = 2 * desc.radius;
  source.phases = default_configs(source.layout());
  source.collider_sets = read_collider_sets(solver, desc.collider_sets, desc.collider_set_count);
  return source;
}

}  // namespace

clothc_result clothc_group_add(clothc_solver solver, const clothc_group_desc* desc, clothc_group_id* group) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    const clothc_group_desc d = adopt(desc);
    require_output(group, "group");
    *group = s->cloths().add(read_group_desc(*s, d));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_group_remove(clothc_solver solver, clothc_group_id group) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    s->remove_cloth(s->groups().get(group));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_group_set_springs(clothc_solver solver, clothc_group_id group, clothc_buffer indices,
                                       clothc_buffer rest_lengths, clothc_buffer stiffness, uint32_t spring_count) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    Cloth& g = s->groups().get(group);
    CLOTHC_REQUIRE(spring_count <= most_elements, "spring_count is %u; want at most 2^28", spring_count);
    Springs springs;
    springs.indices = read_words<uint32_t>(*s, indices, CLOTHC_FORMAT_UINT, 2 * uint64_t{spring_count}, "indices");
    springs.rest_lengths = read_words<float>(*s, rest_lengths, CLOTHC_FORMAT_FLOAT, spring_count, "rest_lengths");
    springs.stiffness = stiffness == nullptr
                            ? std::vector<float>(spring_count, 1.0f)
                            : read_words<float>(*s, stiffness, CLOTHC_FORMAT_FLOAT, spring_count, "stiffness");
    s->groups().set_springs(g, make_springs(s->device(), g.particle_count(), std::move(springs)));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_group_set_active(clothc_solver solver, clothc_group_id group, clothc_buffer particles,
                                      uint32_t count) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    Cloth& g = s->groups().get(group);
    CLOTHC_REQUIRE(count <= g.particle_count(), "%u particles are to be active, but the group has %u", count,
                   g.particle_count());
    std::vector<uint32_t> read;
    if (particles != nullptr) {
      read = read_words<uint32_t>(*s, particles, CLOTHC_FORMAT_UINT, count, "particles");
    } else {
      read.resize(count);
      std::iota(read.begin(), read.end(), 0u);
    }
    s->groups().set_active(g, sorted_particles(std::move(read), g.particle_count(), "group"));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_group_get_active(clothc_solver solver, clothc_group_id group, uint32_t* particles,
                                      uint32_t* count) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) -> clothc_result {
    const std::vector<uint32_t>& active = s->groups().get(group).active_particles;
    require_output(count, "count");
    const size_t capacity = *count;
    *count = static_cast<uint32_t>(active.size());
    if (particles == nullptr) return CLOTHC_SUCCESS;
    std::copy_n(active.begin(), std::min(active.size(), capacity), particles);
    return active.size() > capacity ? CLOTHC_INCOMPLETE : CLOTHC_SUCCESS;
  });
}

clothc_result clothc_group_get_info(clothc_solver solver, clothc_group_id group, clothc_group_info* info) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    const Cloth& g = s->groups().get(group);
    const size_t size = checked_output(info);
    clothc_group_info filled = make_default<clothc_group_info>();
    filled.first_particle = g.first_particle;
    filled.particle_count = g.particle_count();
    filled.active_count = static_cast<uint32_t>(g.active_particles.size());
    filled.spring_count = static_cast<uint32_t>(g.springs->data().constraint_count());
    filled.radius = g.parameters.self_collision_distance / 2;
    put(info, size, filled);
    return CLOTHC_SUCCESS;
  });
}
