// case.cpp - the table of benchmark cases and the scenes of its rows.
#include "bench/case.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <utility>

#include "bench/calls.h"
#include "bench/cloth.h"
#include "bench/draped.h"
#include "bench/dressed.h"
#include "bench/many.h"
#include "bench/mesh.h"
#include "bench/mixed.h"
#include "bench/pattern.h"

namespace clothc_tool {
namespace {

Scene windy_sheet() {
  Scene scene = hanging_sheet(50, 0);
  clothc_cloth_parameters& parameters = scene.cloths.front().parameters;
  parameters.drag_coefficient = 0.5f;
  parameters.lift_coefficient = 0.3f;
  // The density is low because these coefficients are far above those of real cloth.
  parameters.fluid_density = 0.02f;
  parameters.wind_velocity[0] = 5;
  parameters.wind_velocity[2] = 2;
  return scene;
}

// distance: the self-collision distance as a multiple of the particle spacing.
Scene self_colliding(uint32_t count, float distance, bool ignores_neighbours) {
  Scene scene = hanging_sheet(count, 0);
  SceneCloth& cloth = scene.cloths.front();
  cloth.parameters.self_collision_distance = distance / static_cast<float>(count - 1);
  cloth.ignores_neighbours = ignores_neighbours;
  return scene;
}

// Every particle stays in a sphere of 0.1 m around where it began.
Scene limited_sheet(bool moves_in_every_frame) {
  Scene scene = hanging_sheet(50, 0);
  MotionLimits& limits = scene.cloths.front().limits.emplace();
  limits.radius = 0.1f;
  // Any keyframes make the tool set all spheres in every frame.
  if (moves_in_every_frame) limits.translation = {{0, {}}, {1000, {0, 0.1f, 0}}};
  return scene;
}

// Two sheets like that of sheet50, one 1.5 spacings above the other and slightly displaced, so that they swing into
// each other.
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

// The 2 m sheet of the stretch table in docs/validation.md, whose top row is pinned, with tethers.
Scene taut_sheet(Mesh mesh, uint32_t iterations, std::vector<uint32_t> long_range_edges) {
  std::vector<uint32_t> top(64);
  std::iota(top.begin(), top.end(), 0u);
  std::vector<SceneCloth> cloths;
  cloths.push_back(bench_cloth(std::move(mesh), std::move(top), 1));
  SceneCloth& cloth = cloths.back();
  cloth.long_range_edges = std::move(long_range_edges);
  cloth.parameters.solver_frequency = 60.0f * static_cast<float>(iterations);
  std::fill_n(cloth.parameters.damping, 3, 0.5f);
  return scene_of_cloths(std::move(cloths));
}
Mesh taut_quads() { return sheet_mesh(64, 64, 2.0f / 63, {}); }
Mesh taut_triangles() { return triangle_mesh(64, 2.0f / 63); }

Scene garment(uint32_t tethers_per_particle) {
  GarmentMesh garment = garment_mesh();
  std::vector<SceneCloth> cloths;
  cloths.push_back(bench_cloth(std::move(garment.mesh), std::move(garment.top_vertices), tethers_per_particle));
  return scene_of_cloths(std::move(cloths));
}

// Returns a row of the table.
BenchCase row(const char* name, const char* description, uint32_t warm_up_frames, uint32_t frames,
              std::function<Scene()> build) {
  return {name, description, warm_up_frames, frames, false, false, std::move(build), {}};
}
BenchCase by_default(BenchCase bench_case) {
  bench_case.by_default = true;
  return bench_case;
}
BenchCase timing_calls(BenchCase bench_case, std::function<std::function<void()>(const SceneSimulation&)> calls) {
  bench_case.calls = std::move(calls);
  return bench_case;
}
BenchCase edge_solve_of(BenchCase bench_case) {
  bench_case.edge_solve_alone = true;
  return bench_case;
}

}  // namespace

const std::vector<BenchCase>& bench_cases() {
  static const std::vector<BenchCase> kCases = {
      // name, description, warm-up frames, frames per repetition, scene
      by_default(row("sheet50", "50 x 50 sheet", 30, 100, [] { return hanging_sheet(50, 0); })),
      row("sheet100", "100 x 100 sheet", 20, 40, [] { return hanging_sheet(100, 0); }),
      by_default(row("sheet250", "250 x 250 sheet", 10, 20, [] { return hanging_sheet(250, 0); })),
      row("sheet1000", "1000 x 1000 sheet", 4, 8, [] { return hanging_sheet(1000, 0); }),
      row("garment5k", "irregular, shuffled garment of 5,000 particles with tethers", 20, 50,
          [] { return garment(1); }),
      by_default(row("tether50", "50 x 50 sheet with two geodesic tethers per particle", 30, 100,
                     [] { return hanging_sheet(50, 2); })),
      by_default(row("taut50", "50 x 50 sheet with coarse levels", 180, 100,
                     [] { return with_hierarchy(hanging_sheet(50, 0)); })),
      row("taut250", "250 x 250 sheet with coarse levels", 180, 20,
          [] { return with_hierarchy(hanging_sheet(250, 0)); }),
      row("taut100_triangles", "100 x 100 sheet of irregular triangles with coarse levels", 180, 40,
          [] { return with_hierarchy(hanging_triangles(100)); }),
      row("triangles100", "the same without coarse levels", 180, 40, [] { return hanging_triangles(100); }),
      row("taut64", "2 m sheet of 64 x 64 that stretches 1 % at most: tethers, 12 iterations", 30, 100,
          [] { return taut_sheet(taut_quads(), 12, {}); }),
      row("taut64_long_range", "the same with long-range constraints of 12 and 4 edges, 6 iterations", 30, 100,
          [] {
            return taut_sheet(taut_quads(), 6, {12, 4});
          }),
      row("taut64_triangles", "the same of irregular triangles, with tethers and coarse levels, 4 iterations", 30, 100,
          [] { return with_hierarchy(taut_sheet(taut_triangles(), 4, {})); }),
      by_default(row("wind50", "50 x 50 sheet in wind, with drag and lift", 30, 100, windy_sheet)),
      row("motion50", "50 x 50 sheet with motion constraints, set once", 30, 100, [] { return limited_sheet(false); }),
      row("motion50_written", "the same, set in every frame", 30, 100, [] { return limited_sheet(true); }),
      row("capsules50", "2 m sheet draped on a sphere and 5 tapered capsules", 300, 100,
          [] {
            return sheet_on_capsules({false, 0});
          }),
      row("capsules50_ccd", "the same with continuous collision", 300, 100,
          [] {
            return sheet_on_capsules({true, 0});
          }),
      row("virtual50", "the same with a virtual particle per triangle", 300, 100,
          [] {
            return sheet_on_capsules({false, 1});
          }),
      row("convex50", "2 m sheet on 2 convexes of 8 planes and the ground", 300, 100, sheet_on_convexes),
      row("every50", "2 m sheet on shapes of every kind, with tethers, coarse levels, wind and self-collision", 300, 40,
          sheet_on_everything),
      row("triangles50_450", "2 m sheet on 450 triangles that move", 300, 100,
          [] { return sheet_on_triangles(25, 10); }),
      row("triangles50_10000", "2 m sheet on 10,000 triangles that move", 300, 40,
          [] { return sheet_on_triangles(100, 51); }),
      row("garment_on_body", "tight suit on a body of 26,912 triangles, with continuous collision", 120, 40,
          [] { return garment_on_body(0); }),
      row("garment_on_body_sway", "the same on a body that sways gently", 120, 40,
          [] { return garment_on_body(0.004f); }),
      row("self50", "50 x 50 sheet that collides with itself, distance 0.8 of the spacing", 30, 100,
          [] { return self_colliding(50, 0.8f, false); }),
      row("self50_rest", "the same, distance 1.5 of the spacing, with rest positions", 30, 100,
          [] { return self_colliding(50, 1.5f, true); }),
      row("self250", "250 x 250 sheet that collides with itself, distance 0.8 of the spacing", 10, 20,
          [] { return self_colliding(250, 0.8f, false); }),
      row("layers2x2500", "two 50 x 50 sheets that collide with each other", 30, 100, layers),
      row("many64x1000", "64 cloths of 25 x 40", 10, 20,
          [] {
            return many_cloths(64, {25, 40});
          }),
      row("shared64x1000", "64 cloths of 25 x 40 that share a fabric", 10, 20,
          [] {
            return repeated_cloth(64, {25, 40});
          }),
      row("many1000x1000", "1000 cloths of 25 x 40", 4, 8,
          [] {
            return many_cloths(1000, {25, 40});
          }),
      row("many10000x1000", "10,000 cloths of 25 x 40 that share a fabric, each with 15 capsules", 40, 8,
          [] { return capes(10000); }),
      row("many64x100", "64 cloths of 10 x 10", 20, 40,
          [] {
            return many_cloths(64, {10, 10});
          }),
      row("many1000x100", "1000 cloths of 10 x 10", 10, 20,
          [] {
            return many_cloths(1000, {10, 10});
          }),
      row("mixed200", "200 cloths that differ in everything, see bench/mixed.h", 10, 40, mixed_scene),
      timing_calls(row("set_one_of_10", "set and take in one of 10 cloths of 4 x 4", 2, 2000,
                       [] {
                         return repeated_cloth(10, {4, 4});
                       }),
                   set_one_cloth),
      timing_calls(row("set_one_of_10000", "set and take in one of 10,000 cloths of 4 x 4", 2, 2000,
                       [] {
                         return repeated_cloth(10000, {4, 4});
                       }),
                   set_one_cloth),
      timing_calls(row("add_remove_10000", "remove one of 10,000 cloths of 4 x 4 and add another", 2, 20,
                       [] {
                         return repeated_cloth(10000, {4, 4});
                       }),
                   remove_and_add_cloth),
      by_default(edge_solve_of(
          row("edges250", "the edge solve of a 250 x 250 sheet alone", 10, 20, [] { return hanging_sheet(250, 0); }))),
      edge_solve_of(
          row("edges5k", "the edge solve of garment5k alone, without its tethers", 20, 50, [] { return garment(0); })),
  };
  return kCases;
}

std::optional<BenchCase> find_bench_case(const std::string& name) {
  for (const BenchCase& entry : bench_cases())
    if (entry.name == name) return entry;
  return find_bench_pattern(name);
}

Scene scene_named(const std::string& name) {
  if (std::filesystem::exists(name)) return load_scene(name);
  const std::optional<BenchCase> bench_case = find_bench_case(name);
  if (!bench_case) return load_scene(name);
  Scene scene = bench_case->build();
  scene.name = name;
  return scene;
}

std::string bench_case_names() {
  std::string names;
  for (const BenchCase& entry : bench_cases()) names += (names.empty() ? "" : ", ") + entry.name;
  return names + ", " + kBenchPatterns;
}

}  // namespace clothc_tool
