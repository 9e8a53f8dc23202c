// raw_fabrics.cpp - raw fabrics with constraints of all types, which come from the library's list of them.
#include <algorithm>
#include <cmath>

#include "parity/lockstep/calls.h"
#include "parity/lockstep/meshes.h"

namespace lockstep {
namespace {

constexpr float longest_length = 4e9f;

enum class Stage { phase, tether, collision };

struct Parameter {
  clothc_constraint_type type;
  float least, most;
};

struct Type {
  clothc_constraint_type number;
  uint32_t particle_count;
  Stage stage;
};

const Type types[] = {
#define CLOTHC_CONSTRAINT_TYPE(name, number, particles, moved, stage, kernel, limited) \
  {number, particles, Stage::stage},
#define CLOTHC_CONSTRAINT_PARAMETER(type, name, least, most, storage)
#include "../src/kernels/constraint_types.def"
#undef CLOTHC_CONSTRAINT_TYPE
#undef CLOTHC_CONSTRAINT_PARAMETER
};

// The numbers of types by their names, and the ranges of their parameters.
enum TypeName : clothc_constraint_type {
#define CLOTHC_CONSTRAINT_TYPE(name, number, particles, moved, stage, kernel, limited) type_##name = number,
#define CLOTHC_CONSTRAINT_PARAMETER(type, name, least, most, storage)
#include "../src/kernels/constraint_types.def"
#undef CLOTHC_CONSTRAINT_TYPE
#undef CLOTHC_CONSTRAINT_PARAMETER
};
const Parameter parameters[] = {
#define CLOTHC_CONSTRAINT_TYPE(name, number, particles, moved, stage, kernel, limited)
#define CLOTHC_CONSTRAINT_PARAMETER(type, name, least, most, storage) {type_##type, least, most},
#include "../src/kernels/constraint_types.def"
#undef CLOTHC_CONSTRAINT_TYPE
#undef CLOTHC_CONSTRAINT_PARAMETER
};

float distance(const Mesh& mesh, uint32_t a, uint32_t b) {
  float square = 0;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const float d = mesh.positions[a * 3 + axis] - mesh.positions[b * 3 + axis];
    square += d * d;
  }
  return std::sqrt(square);
}

struct Set {
  Type type;
  std::vector<uint32_t> particles;
  std::vector<float> parameters;
};

void add_parameters(Random& random, const Mesh& mesh, const uint32_t* corners, Set& set) {
  if (set.type.stage == Stage::collision) {
    const float first = random.real(0, 1), second = random.real(0, 1 - first);
    set.parameters.insert(set.parameters.end(), {first, second, 1 - first - second});
    return;
  }
  for (const Parameter& parameter : parameters) {
    if (parameter.type != set.type.number) continue;
    const float length = distance(mesh, corners[0], corners[1]) * random.real(0.8f, 1.2f);
    const float value = parameter.most == longest_length  ? length
                        : parameter.most > longest_length ? length * length / 2
                                                          : random.real(parameter.least, parameter.most);
    set.parameters.push_back(random.one_in(200) ? parameter.most : value);
  }
}

// Constraints between neighbours of the mesh, as many as particles at most.
Set draw_set(Random& random, const Mesh& mesh, const Type& type) {
  Set set = {type, {}, {}};
  const auto count = static_cast<uint32_t>(mesh.inverse_masses.size());
  for (uint32_t k = random.below(count + 1); k > 0; --k) {
    const uint32_t first = random.below(count);
    uint32_t corners[] = {first, (first + 1) % count, (first + mesh.columns) % count,
                          (first + mesh.columns + 1) % count};
    if (random.one_in(4)) std::swap(corners[0], corners[1]);
    if (random.one_in(4)) std::swap(corners[0], corners[2]);
    // In a mesh of two columns and rows some neighbours are the same.
    if (count < 2 * mesh.columns + 2 && type.particle_count > 2) continue;
    set.particles.insert(set.particles.end(), corners, corners + type.particle_count);
    add_parameters(random, mesh, corners, set);
  }
  return set;
}

std::vector<Set> draw_sets(Random& random, const Mesh& mesh) {
  std::vector<Set> sets = {draw_set(random, mesh, types[0])};
  for (const Type& type : types) {
    if (random.one_in(2)) sets.push_back(draw_set(random, mesh, type));
  }
  return sets;
}

}  // namespace

void create_raw_fabric(World& world, Random& random, Log& log) {
  const Mesh mesh = draw_mesh(random);
  const std::vector<Set> sets = draw_sets(random, mesh);
  std::vector<clothc_constraint_set> descs;
  std::vector<uint32_t> phase_sets, phase_types;
  for (const Set& set : sets) {
    auto desc = initialised<clothc_constraint_set>();
    desc.type = set.type.number;
    desc.constraint_count = set.particles.size() / set.type.particle_count;
    desc.particles = set.particles.data();
    desc.parameters = set.parameters.data();
    descs.push_back(desc);
    if (set.type.stage != Stage::phase && !random.one_in(100)) continue;
    phase_sets.push_back(static_cast<uint32_t>(descs.size() - 1));
    phase_types.push_back(random.below(9));
  }
  std::vector<float> positions;
  for (size_t k = 0; k < mesh.inverse_masses.size(); ++k) {
    positions.insert(positions.end(), &mesh.positions[k * 3], &mesh.positions[k * 3] + 3);
    positions.push_back(mesh.inverse_masses[k]);
  }
  auto desc = initialised<clothc_fabric_desc>();
  desc.flags = random.below(4);
  desc.particle_count = static_cast<uint32_t>(mesh.inverse_masses.size());
  desc.phase_count = static_cast<uint32_t>(phase_sets.size());
  desc.phase_sets = phase_sets.data();
  desc.phase_types = random.one_in(3) ? nullptr : phase_types.data();
  desc.constraint_set_count = static_cast<uint32_t>(descs.size());
  desc.constraint_sets = descs.data();
  desc.triangle_count = random.one_in(4) ? 0 : static_cast<uint32_t>(mesh.triangles.size() / 3);
  desc.triangles = mesh.triangles.data();
  if (!random.one_in(8)) desc.positions = positions.data();
  if (random.one_in(3)) desc.texture_coordinates = mesh.texture_coordinates.data();
  spoil_size(random, desc);
  for (const Set& set : sets)
    log.note("type %u x %zu", set.type.number, set.particles.size() / set.type.particle_count);
  log.note("%u particles, %u triangles", desc.particle_count, desc.triangle_count);
  clothc_fabric fabric = nullptr;
  const clothc_result result = clothc_fabric_create(world.place.device, &desc, &fabric);
  if (log.result("clothc_fabric_create", result)) world.keep_fabric(fabric, random, log);
}

}  // namespace lockstep
