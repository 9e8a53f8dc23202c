// pins.cpp - reads the pins of scene files: corners, rows, columns, box, highest or vertices, and their motion.
#include "scene/pins/pins.h"

#include <algorithm>

#include "scene/frames/keyframes.h"

namespace clothc_tool {
namespace {

uint32_t corner_vertex(const SceneField& name, const MeshGrid& grid) {
  const std::string text = name.text();
  if (text == "top_left") return 0;
  if (text == "top_right") return grid.columns - 1;
  if (text == "bottom_left") return grid.columns * (grid.rows - 1);
  if (text == "bottom_right") return grid.columns * grid.rows - 1;
  name.fail("want top_left, top_right, bottom_left or bottom_right");
}

// Rows and columns count from 0; negative numbers count back from the last one.
uint32_t line_index(const SceneField& field, uint32_t count) {
  const int64_t index = field.signed_integer(-int64_t{count}, int64_t{count} - 1);
  return static_cast<uint32_t>(index < 0 ? index + count : index);
}

std::vector<uint32_t> vertices_in_box(const SceneField& field, const Mesh& mesh) {
  field.only({"minimum", "maximum"});
  const Vector3 low = field.member("minimum").vector(1e9), high = field.member("maximum").vector(1e9);
  std::vector<uint32_t> vertices;
  for (uint32_t i = 0; i < mesh.positions.size(); ++i) {
    const Vector3 p = mesh.positions[i];
    if (p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z) {
      vertices.push_back(i);
    }
  }
  return vertices;
}

std::vector<uint32_t> grid_vertices(const SceneField& selection, const std::string& kind, const MeshGrid& grid) {
  if (grid.columns == 0) selection.fail("only sheets and tubes have " + kind + "; use box, highest or vertices");
  if (grid.is_closed && kind == "corners") selection.fail("a tube has no corners; use rows, columns or box");
  std::vector<uint32_t> vertices;
  for (const SceneField& element : selection.elements(1)) {
    if (kind == "corners") {
      vertices.push_back(corner_vertex(element, grid));
    } else if (kind == "rows") {
      const uint32_t row = line_index(element, grid.rows);
      for (uint32_t column = 0; column < grid.columns; ++column) vertices.push_back(row * grid.columns + column);
    } else {
      const uint32_t column = line_index(element, grid.columns);
      for (uint32_t row = 0; row < grid.rows; ++row) vertices.push_back(row * grid.columns + column);
    }
  }
  return vertices;
}

std::vector<uint32_t> select_vertices(const SceneField& field, const Mesh& mesh, const MeshGrid& grid) {
  std::vector<uint32_t> vertices;
  int selection_count = 0;
  for (const char* kind : {"corners", "rows", "columns", "box", "highest", "vertices"}) {
    const auto selection = field.find(kind);
    if (!selection) continue;
    ++selection_count;
    const std::string name = kind;
    if (name == "box") {
      vertices = vertices_in_box(*selection, mesh);
    } else if (name == "highest") {
      vertices = highest_vertices(mesh, selection->number(0, 1));
    } else if (name == "vertices") {
      const auto last = static_cast<uint32_t>(mesh.positions.size() - 1);
      for (const SceneField& element : selection->elements(1)) vertices.push_back(element.integer(0, last));
    } else {
      vertices = grid_vertices(*selection, name, grid);
    }
  }
  if (selection_count != 1) field.fail("want exactly one of corners, rows, columns, box, highest, vertices");
  if (vertices.empty()) field.fail("it selects no vertex of the mesh; make the selection larger");
  return vertices;
}

// Returns every nth vertex and the last one.
std::vector<uint32_t> thinned(const std::vector<uint32_t>& vertices, uint32_t every) {
  std::vector<uint32_t> kept;
  for (size_t i = 0; i < vertices.size(); i += every) kept.push_back(vertices[i]);
  if (kept.back() != vertices.back()) kept.push_back(vertices.back());
  return kept;
}

PinTransform read_pin_transform(const SceneField& field) {
  return {field.vector("translation", {}), field.vector("scale", {1, 1, 1})};
}

}  // namespace

std::vector<uint32_t> highest_vertices(const Mesh& mesh, float part) {
  const Box box = bounds_of(mesh.positions);
  const float threshold = box.high.y - part * (box.high.y - box.low.y);
  std::vector<uint32_t> vertices;
  for (uint32_t i = 0; i < mesh.positions.size(); ++i) {
    if (mesh.positions[i].y >= std::min(threshold, box.high.y)) vertices.push_back(i);
  }
  return vertices;
}

PinGroup read_pin_group(const SceneField& field, const Mesh& mesh, const MeshGrid& grid) {
  field.only({"corners", "rows", "columns", "box", "highest", "vertices", "every", "pivot", "motion", "frame"});
  PinGroup group;
  group.vertices = select_vertices(field, mesh, grid);
  if (const auto every = field.find("every")) group.vertices = thinned(group.vertices, every->integer(1, 1 << 24));
  group.pivot = field.vector("pivot", mesh.positions[group.vertices.front()]);
  if (const auto motion = field.find("motion")) {
    group.motion = read_keyframes<PinTransform>(*motion, {"frame", "translation", "scale"}, read_pin_transform);
  }
  return group;
}

}  // namespace clothc_tool
