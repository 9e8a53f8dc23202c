// cloth.cpp - reads one cloth of a scene file: its coordinate frame, mesh, pins and parameters.
#include "scene/cloth/cloth.h"

#include "cli/errors.h"
#include "scene/frames/frames.h"
#include "scene/frames/keyframes.h"
#include "scene/meshes/file.h"
#include "scene/cloth/parameters.h"
#include "scene/cloth/phases.h"
#include "scene/pins/pins.h"
#include "scene/meshes/sheet.h"
#include "scene/meshes/tube.h"

namespace clothc_tool {
namespace {

constexpr uint32_t LARGEST_SIDE = 4096;

Sheet read_sheet(const SceneField& field) {
  field.only({"columns", "rows", "width", "height", "origin", "axis_u", "axis_v", "folds"});
  Sheet sheet;
  sheet.columns = field.member("columns").integer(2, LARGEST_SIDE);
  sheet.rows = field.member("rows").integer(2, LARGEST_SIDE);
  sheet.width = field.member("width").number(1e-3, 1e5);
  sheet.height = field.member("height").number(1e-3, 1e5);
  sheet.origin = field.vector("origin", {});
  if (const auto axis = field.find("axis_u")) sheet.axis_u = axis->direction();
  if (const auto axis = field.find("axis_v")) sheet.axis_v = axis->direction();
  if (length(cross(sheet.axis_u, sheet.axis_v)) < 1e-3f) field.fail("axis_u and axis_v must not be parallel");
  if (const auto folds = field.find("folds")) {
    folds->only({"count", "depth"});
    sheet.fold_count = folds->member("count").number(0, 1000);
    sheet.fold_depth = folds->member("depth").number(0, 1e5);
  }
  return sheet;
}

Tube read_tube(const SceneField& field) {
  field.only({"columns", "rows", "radii", "length", "origin", "axis", "folds"});
  Tube tube;
  tube.columns = field.member("columns").integer(3, LARGEST_SIDE);
  tube.rows = field.member("rows").integer(2, LARGEST_SIDE);
  const SceneField radii = field.member("radii");
  const std::vector<SceneField> ends = radii.elements();
  if (ends.size() != 2) radii.fail("want two radii, of the first and of the last row");
  tube.first_radius = ends[0].number(1e-3, 1e5);
  tube.last_radius = ends[1].number(1e-3, 1e5);
  tube.length = field.member("length").number(1e-3, 1e5);
  tube.origin = field.vector("origin", {});
  if (const auto axis = field.find("axis")) tube.axis = axis->direction();
  if (const auto folds = field.find("folds")) {
    folds->only({"count", "depth"});
    tube.fold_count = static_cast<float>(folds->member("count").integer(0, 1000));
    const SceneField depth = folds->member("depth");
    tube.fold_depth = depth.number(0, 1e5);
    if (!(tube.fold_depth < tube.last_radius)) depth.fail("want less than the last row's radius");
  }
  return tube;
}

// Reads the mesh into cloth and returns its rows and columns, which pins may refer to.
MeshGrid read_mesh(const SceneField& field, const std::string& folder, SceneCloth& cloth) {
  field.only({"sheet", "tube", "file", "scale", "rotation", "translation"});
  if (field.has("sheet") + field.has("tube") + field.has("file") != 1) field.fail("want either sheet or tube or file");
  if (const auto sheet_field = field.find("sheet")) {
    field.only({"sheet"});
    const Sheet sheet = read_sheet(*sheet_field);
    cloth.mesh = make_sheet(sheet);
    return {sheet.columns, sheet.rows, false};
  }
  if (const auto tube_field = field.find("tube")) {
    field.only({"tube"});
    const Tube tube = read_tube(*tube_field);
    cloth.mesh = make_tube(tube);
    return {tube.columns, tube.rows, true};
  }
  cloth.mesh = read_mesh_file(field, folder);
  return {};
}

uint32_t read_parts_per_triangle(const SceneField& field) {
  const uint32_t count = field.integer(0, 64);
  uint32_t root = 0;
  while (root * root < count) ++root;
  if (root * root != count) field.fail("want a square number: 0, 1, 4, 9, 16, 25, 36, 49 or 64");
  return count;
}

std::vector<uint32_t> read_long_range_edges(const SceneField& field) {
  std::vector<uint32_t> edges;
  for (const SceneField& element : field.elements()) edges.push_back(element.integer(2, 64));
  if (edges.size() > 4) field.fail("want at most four lengths");
  return edges;
}

std::vector<uint32_t> read_teleports(const SceneField& field, const SceneCloth& cloth) {
  if (cloth.frame == SCENE_FRAME) field.fail("only a cloth in a coordinate frame jumps; add \"frame\"");
  std::vector<uint32_t> updates;
  for (const SceneField& element : field.elements())
    updates.push_back(element.integer(1, static_cast<uint32_t>(LAST_FRAME)));
  return updates;
}

}  // namespace

SceneCloth read_cloth(const SceneField& field, const std::string& folder, const std::vector<SceneFrame>& frames) {
  field.only({"name", "mesh", "pins", "areal_density", "weld_distance", "tethers", "parameters", "gravity_keyframes",
              "gravity_hint", "texture_coordinates", "quadify", "phases", "frame", "virtual_particles_per_triangle",
              "long_range_edges", "teleports", "colour", "ignore_neighbours"});
  SceneCloth cloth;
  const auto name = field.find("name");
  cloth.name = name ? read_plain_name(*name, ", because files are named after it") : "cloth";
  cloth.frame = read_attachment(field, frames, SCENE_FRAME);
  if (const auto teleports = field.find("teleports")) cloth.teleports = read_teleports(*teleports, cloth);
  const MeshGrid grid = read_mesh(field.member("mesh"), folder, cloth);
  if (const auto pins = field.find("pins")) {
    for (const SceneField& pin : pins->elements()) {
      cloth.pins.push_back(read_pin_group(pin, cloth.mesh, grid));
      cloth.pins.back().frame = read_attachment(pin, frames, cloth.frame);
    }
  }
  cloth.areal_density = field.number("areal_density", 1e-6, 1e6, cloth.areal_density);
  cloth.weld_distance = field.number("weld_distance", -1, 1e6, cloth.weld_distance);
  cloth.tethers_per_particle = field.integer("tethers", 0, 4, cloth.tethers_per_particle);
  if (const auto count = field.find("virtual_particles_per_triangle"))
    cloth.virtual_particles_per_triangle = read_parts_per_triangle(*count);
  if (const auto edges = field.find("long_range_edges")) cloth.long_range_edges = read_long_range_edges(*edges);
  cloth.parameters = clothc::initialised<clothc_cloth_parameters>();
  if (const auto parameters = field.find("parameters")) read_parameters(*parameters, cloth.parameters);
  if (const auto keys = field.find("gravity_keyframes")) {
    cloth.gravity = read_keyframes<Vector3>(*keys, {"frame", "gravity"},
                                            [](const SceneField& key) { return key.member("gravity").vector(); });
  }
  if (const auto ignores = field.find("ignore_neighbours")) cloth.ignores_neighbours = ignores->boolean();
  read_phases(field, cloth);
  if (const auto colour = field.find("colour")) cloth.colour = colour->vector_between(0, 1);
  return cloth;
}

}  // namespace clothc_tool
