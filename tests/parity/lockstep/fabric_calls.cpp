// fabric_calls.cpp - fabrics: meshes that are cooked, and what is done with fabrics as a whole.
#include "parity/lockstep/calls.h"
#include "parity/lockstep/meshes.h"

namespace lockstep {
namespace {

void cook(World& world, Random& random, Log& log) {
  const Mesh mesh = draw_mesh(random);
  auto desc = initialised<clothc_mesh_desc>();
  desc.flags = random.one_in(3) ? 0 : random.below(64);
  desc.vertex_count = mesh.inverse_masses.size();
  desc.positions = mesh.positions.data();
  if (!random.one_in(6)) desc.inverse_masses = mesh.inverse_masses.data();
  desc.quad_count = mesh.quads.size() / 4;
  desc.quads = mesh.quads.data();
  desc.triangle_count = mesh.triangles.size() / 3;
  desc.triangles = mesh.triangles.data();
  if (random.one_in(6)) desc.weld_distance = random.real(-0.05f, 0.1f);
  if (random.one_in(4)) desc.areal_density = random.real(0, 2);
  desc.tethers_per_particle = random.one_in(3) ? random.between(1, 4) : 1;
  std::vector<float> stiffness;
  for (size_t k = 0; k < desc.vertex_count; ++k) stiffness.push_back(random.one_in(4) ? random.real(0, 1) : 1);
  if (random.one_in(5)) desc.stiffness = stiffness.data();
  if (random.one_in(4)) desc.texture_coordinates = mesh.texture_coordinates.data();
  if (random.one_in(4)) desc.gravity_hint[random.below(3)] = random.real(-1, 1);
  const uint32_t points[] = {0, 0, 0, 1, 4, 9};
  desc.virtual_particles_per_triangle = points[random.below(6)];
  for (int k = 0; k < 4 && random.one_in(3); ++k) desc.long_range_edges[k] = random.between(2, 6);
  spoil_size(random, desc);
  log.note("%llu vertices, flags %u, %llu quads, %llu triangles", static_cast<unsigned long long>(desc.vertex_count),
           desc.flags, static_cast<unsigned long long>(desc.quad_count),
           static_cast<unsigned long long>(desc.triangle_count));
  clothc_fabric fabric = nullptr;
  const clothc_result result = clothc_fabric_cook(world.place.device, &desc, &fabric);
  if (log.result("clothc_fabric_cook", result)) world.keep_fabric(fabric, random, log);
}

void load(World& world, Random& random, Log& log) {
  if (world.fabrics.empty()) return;
  const Fabric& source = random.pick(world.fabrics);
  std::vector<uint8_t> blob = source.blob;
  if (random.one_in(3)) blob[random.below(static_cast<uint32_t>(blob.size()))] ^= 1u << random.below(8);
  if (random.one_in(6)) blob.resize(random.below(static_cast<uint32_t>(blob.size())));
  clothc_fabric fabric = nullptr;
  const clothc_result result = clothc_fabric_load(world.place.device, blob.data(), blob.size(), &fabric);
  if (log.result("clothc_fabric_load", result)) world.keep_fabric(fabric, random, log);
}

void read(World& world, Random& random, Log& log) {
  const clothc_fabric fabric = world.pick_fabric(random);
  clothc_result result = CLOTHC_SUCCESS;
  for (clothc_fabric_array array = 1; result == CLOTHC_SUCCESS; ++array) {
    uint64_t size = 0;
    result = clothc_fabric_read(fabric, array, nullptr, &size);
    std::vector<uint32_t> words(size / 4);
    if (result == CLOTHC_SUCCESS && size > 0) result = clothc_fabric_read(fabric, array, words.data(), &size);
    log.values("clothc_fabric_read array " + std::to_string(array), words);
  }
  log.result("clothc_fabric_read", result);
}

}  // namespace

std::vector<Call> fabric_calls() {
  return {{"fabric_cook", 5, Nature::queues, cook},
          {"fabric_create", 5, Nature::queues, create_raw_fabric},
          {"fabric_load", 1, Nature::queues, load},
          {"fabric_read", 1, Nature::asks, read}};
}

}  // namespace lockstep
