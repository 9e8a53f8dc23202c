// The table of benchmark cases and the scenes behind it.
#include "bench_case.h"

#include <algorithm>

#include "bench_cloth.h"
#include "bench_draped.h"
#include "bench_mesh.h"
#include "bench_mixed.h"

namespace clothc_tool {
namespace {

// A sheet hung by two corners, level at first.
template <uint32_t count, uint32_t tethers_per_particle = 0>
Scene sheet() {
  std::vector<SceneCloth> cloths;
  cloths.push_back(bench_cloth(sheet_mesh(count, count, 1.0f / static_cast<float>(count - 1), {}), {0, count - 1},
                               tethers_per_particle));
  return scene_of_cloths(std::move(cloths));
}

Scene windy_sheet() {
  Scene scene = sheet<50>();
  clothc_cloth_parameters& parameters = scene.cloths.front().parameters;
  parameters.drag_coefficient = 0.5f;
  parameters.lift_coefficient = 0.3f;
  parameters.fluid_density = 0.02f;  // such coefficients are far above those of cloth
  parameters.wind_velocity[0] = 5;
  parameters.wind_velocity[2] = 2;
  return scene;
}

// distance: of self-collision, in parts of the spacing.
template <uint32_t count>
Scene self_colliding(float distance, bool ignores_neighbours) {
  Scene scene = sheet<count>();
  SceneCloth& cloth = scene.cloths.front();
  cloth.parameters.self_collision_distance = distance / static_cast<float>(count - 1);
  cloth.ignores_neighbours = ignores_neighbours;
  return scene;
}

template <uint32_t count>
Scene self_sheet() {
  return self_colliding<count>(0.8f, false);
}

template <uint32_t count>
Scene self_sheet_with_rest() {
  return self_colliding<count>(1.5f, true);
}

// Two sheets as in sheet50, one 1.5 spacings above the other and a bit askew, so that they swing into each other.
Scene layers() {
  constexpr uint32_t count = 50;
  constexpr float spacing = 1.0f / (count - 1);
  std::vector<SceneCloth> cloths;
  for (const float height : {0.0f, 1.5f * spacing}) {
    cloths.push_back(
        bench_cloth(sheet_mesh(count, count, spacing, {0.3f * height, height, 0.2f * height}), {0, count - 1}, 0));
    cloths.back().parameters.inter_collision_distance = 0.8f * spacing;
  }
  return scene_of_cloths(std::move(cloths));
}

template <bool continuous = false, uint32_t virtual_particles_per_triangle = 0>
Scene capsules() {
  return sheet_on_capsules({continuous, virtual_particles_per_triangle});
}

template <uint32_t sectors, uint32_t rings>
Scene triangles() {
  return sheet_on_triangles(sectors, rings);
}

// count cloths of columns x rows, 1 m long, side by side.
template <uint32_t count, uint32_t columns = 25, uint32_t rows = 40>
Scene many_cloths() {
  std::vector<SceneCloth> cloths;
  for (uint32_t i = 0; i < count; ++i)
    cloths.push_back(
        bench_cloth(sheet_mesh(columns, rows, 1.0f / (rows - 1), {static_cast<float>(i), 0, 0}), {0, columns - 1}, 0));
  return scene_of_cloths(std::move(cloths));
}

Scene garment() {
  GarmentMesh garment = garment_mesh();
  std::vector<SceneCloth> cloths;
  cloths.push_back(bench_cloth(std::move(garment.mesh), std::move(garment.top_vertices), 1));
  return scene_of_cloths(std::move(cloths));
}

}  // namespace

const std::vector<BenchCase>& bench_cases() {
  static const std::vector<BenchCase> kCases = {
      // name, description, warm-up frames, frames, edge solve alone, by default, build
      {"sheet50", "50 x 50 sheet", 30, 100, false, true, sheet<50>},
      {"sheet100", "100 x 100 sheet", 20, 40, false, false, sheet<100>},
      {"sheet250", "250 x 250 sheet", 10, 20, false, true, sheet<250>},
      {"sheet1000", "1000 x 1000 sheet", 4, 8, false, false, sheet<1000>},
      {"garment5k", "irregular, shuffled garment of 5,000 particles with tethers", 20, 50, false, false, garment},
      {"tether50", "50 x 50 sheet with two geodesic tethers per particle", 30, 100, false, true, sheet<50, 2>},
      {"wind50", "50 x 50 sheet in wind, with drag and lift", 30, 100, false, true, windy_sheet},
      {"capsules50", "2 m sheet draped on a sphere and 5 tapered capsules", 300, 100, false, false, capsules<>},
      {"capsules50_ccd", "the same with continuous collision", 300, 100, false, false, capsules<true>},
      {"virtual50", "the same with a virtual particle per triangle", 300, 100, false, false, capsules<false, 1>},
      {"convex50", "2 m sheet on 2 convexes of 8 planes and the ground", 300, 100, false, false, sheet_on_convexes},
      {"triangles50_450", "2 m sheet on 450 triangles that move", 300, 100, false, false, triangles<25, 10>},
      {"triangles50_10000", "2 m sheet on 10,000 triangles that move", 300, 40, false, false, triangles<100, 51>},
      {"self50", "50 x 50 sheet that collides with itself, distance 0.8 of the spacing", 30, 100, false, false,
       self_sheet<50>},
      {"self50_rest", "the same, distance 1.5 of the spacing, with rest positions", 30, 100, false, false,
       self_sheet_with_rest<50>},
      {"self250", "250 x 250 sheet that collides with itself, distance 0.8 of the spacing", 10, 20, false, false,
       self_sheet<250>},
      {"layers2x2500", "two 50 x 50 sheets that collide with each other", 30, 100, false, false, layers},
      {"many64x1000", "64 cloths of 25 x 40", 10, 20, false, false, many_cloths<64>},
      {"many1000x1000", "1000 cloths of 25 x 40", 4, 8, false, false, many_cloths<1000>},
      {"many64x100", "64 cloths of 10 x 10", 20, 40, false, false, many_cloths<64, 10, 10>},
      {"many1000x100", "1000 cloths of 10 x 10", 10, 20, false, false, many_cloths<1000, 10, 10>},
      {"mixed200", "200 cloths that differ in everything, see bench_mixed.h", 10, 40, false, false, mixed_scene},
      {"edges250", "the edge solve of a 250 x 250 sheet alone", 10, 20, true, true, sheet<250>},
  };
  return kCases;
}

const BenchCase* find_bench_case(const std::string& name) {
  const std::vector<BenchCase>& cases = bench_cases();
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const BenchCase& c) { return name == c.name; });
  return found == cases.end() ? nullptr : &*found;
}

std::string bench_case_names() {
  std::string names;
  for (const BenchCase& entry : bench_cases()) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

}  // namespace clothc_tool
