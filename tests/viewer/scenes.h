// scenes.h - small scenes for the tests of the viewer, built in code.
#pragma once

#include "scene/meshes/sheet.h"
#include "scene/scene.h"

namespace viewer_test {

// A cloth without pins, whose solver needs few iterations.
inline clothc_tool::SceneCloth cloth_of(clothc_tool::Mesh mesh) {
  clothc_tool::SceneCloth cloth;
  cloth.name = "cloth";
  cloth.mesh = std::move(mesh);
  cloth.parameters = clothc::initialised<clothc_cloth_parameters>();
  cloth.parameters.solver_frequency = 240;
  cloth.colour = {0.8f, 0.02f, 0.02f};
  return cloth;
}

// A sheet of 1 m x 1 m around the origin in the plane z = 0, whose front faces +z. Row 0 is its upper side.
inline clothc_tool::Sheet sheet_shape(uint32_t vertices_per_side) {
  clothc_tool::Sheet sheet;
  sheet.columns = sheet.rows = vertices_per_side;
  sheet.origin = {-0.5f, 0.5f, 0};
  return sheet;
}

// The same, pinned at its upper side.
inline clothc_tool::SceneCloth hanging_sheet(uint32_t vertices_per_side) {
  clothc_tool::SceneCloth cloth = cloth_of(make_sheet(sheet_shape(vertices_per_side)));
  clothc_tool::PinGroup& pins = cloth.pins.emplace_back();
  for (uint32_t vertex = 0; vertex < vertices_per_side; ++vertex) pins.vertices.push_back(vertex);
  return cloth;
}

// The same sheet, which lies at a height.
inline clothc_tool::SceneCloth lying_sheet(uint32_t vertices_per_side, float height) {
  clothc_tool::Sheet shape = sheet_shape(vertices_per_side);
  shape.origin = {-0.5f, height, -0.5f};
  shape.axis_v = {0, 0, 1};
  return cloth_of(make_sheet(shape));
}

inline clothc_tool::Scene scene_of(clothc_tool::SceneCloth cloth) {
  clothc_tool::Scene scene;
  scene.name = "test";
  scene.cloths.push_back(std::move(cloth));
  scene.camera = clothc_tool::SceneCamera{{0.6f, 0.3f, 3}, {0, 0, 0}, 40};
  return scene;
}

inline clothc_tool::SceneWind steady_wind(clothc_tool::Vector3 velocity) {
  clothc_tool::SceneWind wind;
  wind.velocity.push_back({0, velocity});
  return wind;
}

}  // namespace viewer_test
