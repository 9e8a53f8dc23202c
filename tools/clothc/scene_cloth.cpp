// scene_cloth.cpp - reads one cloth of a scene file: its mesh, pins, parameters, phases and breeze.
#include "scene_cloth.h"

#include "api.h"
#include "errors.h"
#include "mesh_file.h"
#include "scene_keyframes.h"
#include "scene_pins.h"
#include "scene_sheet.h"

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

Mesh read_mesh_file(const SceneField& field, const std::string& folder) {
  const SceneField file = field.member("file");
  const std::string path = file.text();
  if (path.empty()) file.fail("want the path of a mesh file, relative to the scene file");
  Mesh mesh = read_mesh(path.front() == '/' ? path : folder + path);
  const float scale = field.number("scale", 1e-6, 1e6, 1);
  const Vector3 translation = field.vector("translation", {});
  for (Vector3& p : mesh.positions) p = p * scale + translation;
  return mesh;
}

// Reads the mesh into cloth and then, because they speak of its vertices, the pins.
void read_mesh_and_pins(const SceneField& field, const std::string& folder, SceneCloth& cloth) {
  const SceneField mesh = field.member("mesh");
  mesh.only({"sheet", "file", "scale", "translation"});
  Sheet sheet;
  if (mesh.has("sheet") == mesh.has("file")) mesh.fail("want either sheet or file");
  if (const auto sheet_field = mesh.find("sheet")) {
    mesh.only({"sheet"});
    sheet = read_sheet(*sheet_field);
    cloth.mesh = make_sheet(sheet);
  } else {
    cloth.mesh = read_mesh_file(mesh, folder);
    sheet.columns = sheet.rows = 0;
  }
  const auto pins = field.find("pins");
  if (!pins) return;
  for (const SceneField& element : pins->elements()) {
    cloth.pins.push_back(read_pin_group(element, cloth.mesh, sheet.columns, sheet.rows));
  }
}

struct FloatParameter {
  const char* name;
  float clothc_cloth_parameters::*member;
  double low, high;
};
// Ranges as in clothc.h.
constexpr FloatParameter FLOAT_PARAMETERS[] = {
    {"solver_frequency", &clothc_cloth_parameters::solver_frequency, 1, 1e5},
    {"stiffness_frequency", &clothc_cloth_parameters::stiffness_frequency, 0.01, 1e5},
    {"friction", &clothc_cloth_parameters::friction, 0, 100},
    {"friction_smoothing", &clothc_cloth_parameters::friction_smoothing, 0, 1},
    {"tether_stiffness", &clothc_cloth_parameters::tether_stiffness, 0, 1},
    {"tether_scale", &clothc_cloth_parameters::tether_scale, 0, 1000},
    {"motion_constraint_stiffness", &clothc_cloth_parameters::motion_constraint_stiffness, 0, 1},
    {"motion_constraint_scale", &clothc_cloth_parameters::motion_constraint_scale, 0, 1000},
    {"motion_constraint_bias", &clothc_cloth_parameters::motion_constraint_bias, -1e6, 1e6}};

void read_parameters(const SceneField& field, clothc_cloth_parameters& parameters) {
  field.only({"gravity", "damping", "acceleration_filter_width", "solver_frequency", "stiffness_frequency", "friction",
              "friction_smoothing", "tether_stiffness", "tether_scale", "motion_constraint_stiffness",
              "motion_constraint_scale", "motion_constraint_bias"});
  for (const FloatParameter& parameter : FLOAT_PARAMETERS) {
    float& value = parameters.*parameter.member;
    value = field.number(parameter.name, parameter.low, parameter.high, value);
  }
  parameters.acceleration_filter_width =
      field.integer("acceleration_filter_width", 1, 256, parameters.acceleration_filter_width);
  if (const auto gravity = field.find("gravity")) {
    const Vector3 g = gravity->vector();
    parameters.gravity[0] = g.x, parameters.gravity[1] = g.y, parameters.gravity[2] = g.z;
  }
  if (const auto damping = field.find("damping")) {
    const Vector3 d = damping->vector_between(0, 1);
    parameters.damping[0] = d.x, parameters.damping[1] = d.y, parameters.damping[2] = d.z;
  }
}

PhaseSettings read_phase(const SceneField& phases, const char* name) {
  PhaseSettings settings;
  const auto field = phases.find(name);
  if (!field) return settings;
  field->only({"stiffness", "stiffness_multiplier", "compression_limit", "stretch_limit"});
  settings.stiffness = field->number("stiffness", 0, 1, settings.stiffness);
  settings.stiffness_multiplier = field->number("stiffness_multiplier", 0, 1, settings.stiffness_multiplier);
  settings.compression_limit = field->number("compression_limit", 0.01, 1, settings.compression_limit);
  settings.stretch_limit = field->number("stretch_limit", 1, 100, settings.stretch_limit);
  return settings;
}

Breeze read_breeze(const SceneField& field) {
  field.only({"acceleration", "waves"});
  Breeze breeze;
  breeze.acceleration = field.vector("acceleration", {});
  const auto waves = field.find("waves");
  if (!waves) return breeze;
  for (const SceneField& wave : waves->elements()) {
    wave.only({"amplitude", "wave_vector", "frequency"});
    breeze.waves.push_back(
        {wave.member("amplitude").vector(), wave.vector("wave_vector", {}), wave.member("frequency").number(0, 1000)});
  }
  return breeze;
}

std::string read_name(const SceneField& field) {
  const auto name = field.find("name");
  if (!name) return "cloth";
  std::string text = name->text();
  const bool plain =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == std::string::npos;
  if (text.empty() || text.size() > 64 || !plain) {
    name->fail("want 1 to 64 letters, digits, '_' and '-', because files are named after it");
  }
  return text;
}

}  // namespace

SceneCloth read_cloth(const SceneField& field, const std::string& folder) {
  field.only({"name", "mesh", "pins", "areal_density", "weld_distance", "tethers", "parameters", "gravity_keyframes",
              "phases", "breeze", "colour"});
  SceneCloth cloth;
  cloth.name = read_name(field);
  read_mesh_and_pins(field, folder, cloth);
  cloth.areal_density = field.number("areal_density", 1e-6, 1e6, cloth.areal_density);
  cloth.weld_distance = field.number("weld_distance", -1, 1e6, cloth.weld_distance);
  cloth.tethers_per_particle = field.integer("tethers", 0, 4, cloth.tethers_per_particle);
  cloth.parameters = initialised<clothc_cloth_parameters>();
  if (const auto parameters = field.find("parameters")) read_parameters(*parameters, cloth.parameters);
  if (const auto keys = field.find("gravity_keyframes")) {
    cloth.gravity = read_keyframes<Vector3>(*keys, {"frame", "gravity"},
                                            [](const SceneField& key) { return key.member("gravity").vector(); });
  }
  if (const auto phases = field.find("phases")) {
    phases->only({"stretch", "shear", "bend"});
    cloth.stretch = read_phase(*phases, "stretch");
    cloth.shear = read_phase(*phases, "shear");
    cloth.bend = read_phase(*phases, "bend");
  }
  if (const auto breeze = field.find("breeze")) cloth.breeze = read_breeze(*breeze);
  if (const auto colour = field.find("colour")) cloth.colour = colour->vector_between(0, 1);
  return cloth;
}

}  // namespace clothc_tool
