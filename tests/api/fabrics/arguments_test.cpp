// arguments_test.cpp - both sides of every documented range of meshes and raw fabrics.
#include "support/refusals.h"

using namespace clothc_test;

namespace fabrics_arguments_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(FabricArguments);

TEST_P(FabricArguments, a_mesh_out_of_range_is_refused_naming_the_vertex_or_face) {
  using D = clothc_mesh_desc;
  Scene scene(GetParam());
  const Sheet sheet(3, 3);
  std::vector<Refusal<D>> refusals = {
      {"flags", [](D& d) { d.flags = 64; }, {"flags is 0x40"}},
      {"no vertices", [](D& d) { d.vertex_count = 0; }, {"vertex_count is 0"}},
      {"too many vertices", [](D& d) { d.vertex_count = (1u << 24) + 1; }, {"vertex_count is 16777217"}},
      {"no positions", [](D& d) { d.positions = nullptr; }, {"positions is null"}},
      {"stride odd", [](D& d) { d.position_stride = 13; }, {"position_stride is 13"}},
      {"stride below", [](D& d) { d.position_stride = 8; }, {"position_stride is 8"}},
      {"mass stride", [](D& d) { d.inverse_mass_stride = 2; }, {"inverse_mass_stride is 2"}},
      {"no quads", [](D& d) { d.quads = nullptr; }, {"quads is null", "4"}},
      {"no triangles", [](D& d) { d.triangle_count = 2; }, {"triangles is null", "2"}},
      {"absurd faces", [](D& d) { d.quad_count = uint64_t{1} << 40; }, {"quad_count is 1099511627776"}},
      {"index size", [](D& d) { d.index_size = 3; }, {"index_size is 3"}},
      {"tethers 0", [](D& d) { d.tethers_per_particle = 0; }, {"tethers_per_particle is 0"}},
      {"tethers 5", [](D& d) { d.tethers_per_particle = 5; }, {"tethers_per_particle is 5"}},
      {"long-range edges 1", [](D& d) { d.long_range_edges[0] = 1; }, {"long_range_edges[0] is 1", "2 to 64"}},
      {"long-range edges 65", [](D& d) { d.long_range_edges[3] = 65; }, {"long_range_edges[3] is 65", "0 for none"}},
  };
  for (const float bad : {not_a_number, infinity, above(1e9f)}) {
    refusals.push_back({"weld_distance", [=](D& d) { d.weld_distance = bad; }, {"weld_distance is"}});
  }
  for (const float bad : outside(0, 1e6f)) {
    refusals.push_back({"areal_density", [=](D& d) { d.areal_density = bad; }, {"areal_density is"}});
  }
  static std::vector<std::vector<float>> kept;
  kept.clear();
  kept.reserve(16);
  for (const float bad : outside(-1e9f, 1e9f)) {
    kept.push_back(sheet.positions);
    kept.back()[3 * 5 + 1] = bad;
    refusals.push_back({"position", [p = kept.back().data()](D& d) { d.positions = p; }, {"vertex 5", "coordinate"}});
  }
  for (const float bad : outside(0, 1e9f)) {
    kept.push_back(sheet.inverse_masses);
    kept.back()[7] = bad;
    refusals.push_back(
        {"mass", [p = kept.back().data()](D& d) { d.inverse_masses = p; }, {"vertex 7", "inverse mass"}});
  }
  static const uint32_t wild[16] = {0, 1, 4, 3, 1, 2, 5, 9, 3, 4, 7, 6, 4, 5, 8, 7};
  refusals.push_back({"index", [](D& d) { d.quads = wild; }, {"quad 1", "vertex index 9", "vertex_count 9"}});
  expect_refused<D, clothc_fabric>(
      sheet.desc(), refusals, [&](const D* d, clothc_fabric* out) { return clothc_fabric_cook(scene.device, d, out); });
}

TEST_P(FabricArguments, a_raw_fabric_out_of_range_is_refused_naming_the_entry) {
  Scene scene(GetParam());
  RawFabric good;
  const auto refused = [&](const char* what, const std::function<void(RawFabric&, clothc_fabric_desc&)>& change,
                           std::initializer_list<const char*> parts) {
    RawFabric raw = good;
    clothc_fabric_desc desc = raw.desc();
    change(raw, desc);
    clothc_fabric fabric = nullptr;
    expect_failure(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fabric_create(scene.device, &desc, &fabric), parts, what);
    EXPECT_EQ(fabric, nullptr);
  };
  using R = RawFabric;
  using D = clothc_fabric_desc;
  refused("particles 0", [](R&, D& d) { d.particle_count = 0; }, {"particle_count is 0"});
  refused("particles above", [](R&, D& d) { d.particle_count = (1u << 24) + 1; }, {"particle_count is 16777217"});
  refused("constraints", [](R&, D& d) { d.constraint_count = uint64_t{1} << 40; },
          {"constraint_count is 1099511627776"});
  refused("tethers", [](R&, D& d) { d.tethers_per_particle = 1025; }, {"tethers_per_particle is 1025"});
  refused("triangles", [](R&, D& d) { d.triangle_count = 1u << 30; }, {"1073741824 triangles"});
  for (const auto member : {&D::phase_sets, &D::set_ends, &D::indices, &D::tether_anchors, &D::triangles}) {
    refused("null array", [=](R&, D& d) { d.*member = nullptr; }, {"is null", "entries"});
  }
  for (const auto member : {&D::rest_lengths, &D::tether_lengths}) {
    refused("null array", [=](R&, D& d) { d.*member = nullptr; }, {"is null", "entries"});
  }
  refused("phase set", [](R& r, D&) { r.phase_sets[0] = 1; }, {"phase_sets[0] is 1", "set_count 1"});
  refused("phase type", [](R& r, D&) { r.phase_types[0] = 9; }, {"phase_types[0] is 9"});
  refused("set end", [](R& r, D&) { r.set_ends[0] = 2; }, {"set_ends ends with 2", "constraint_count 1"});
  refused("index", [](R& r, D&) { r.indices[1] = 2; }, {"indices[1] is 2", "particle_count 2"});
  refused("loop", [](R& r, D&) { r.indices[1] = 0; }, {"constraint 0", "particle 0 with itself"});
  refused("anchor", [](R& r, D&) { r.anchors[1] = 2; }, {"tether_anchors[1] is 2"});
  refused("triangle", [](R& r, D&) { r.triangles[2] = 2; }, {"triangles[2] is 2"});
  for (const float bad : outside(0, 4e9f)) {
    refused("rest", [=](R& r, D&) { r.rest_lengths[0] = bad; }, {"rest_lengths[0] is"});
    refused("length", [=](R& r, D&) { r.lengths[1] = bad; }, {"tether_lengths[1] is"});
  }
  for (const float bad : outside(0, 1e9f)) {
    refused("mass", [=](R& r, D&) { r.positions[7] = bad; }, {"particle 1", "inverse mass"});
  }
  for (const float bad : outside(0, 1))
    refused("stiffness", [=](R& r, D&) { r.stiffness_values[0] = bad; }, {"stiffness_values[0] is"});
  for (const float bad : outside(-1e9f, 1e9f))
    refused("position", [=](R& r, D&) { r.positions[5] = bad; }, {"particle 1"});
  clothc_fabric fabric = nullptr;
  const clothc_fabric_desc desc = good.desc();
  ASSERT_OK(clothc_fabric_create(scene.device, &desc, &fabric));
  // clothc_fabric_read returns the values that were passed in.
  float lengths[2] = {};
  uint64_t size = 4;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fabric_read(fabric, CLOTHC_FABRIC_TETHER_LENGTHS, lengths, &size),
               "size is 4", "8 bytes");
  EXPECT_EQ(size, 4u);
  size = 8;
  EXPECT_OK(clothc_fabric_read(fabric, CLOTHC_FABRIC_TETHER_LENGTHS, lengths, &size));
  EXPECT_EQ(lengths[1], 1);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fabric_read(fabric, 0, nullptr, &size), "array 0");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fabric_read(fabric, 20, nullptr, &size), "array 20");
}

}  // namespace
}  // namespace fabrics_arguments_test
