// cook_options.h - the options of `clothc cook` that change how a mesh is cooked. Each overrides one setting of the
// default scene that a mesh file gets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace CLI {
class App;
}

namespace clothc_tool {

struct CookOptions {
  MeshSceneOptions mesh;

  // "highest:PART" or "none"
  std::string pins = "highest:0.02";

  // None = the weld distance that scene_of_mesh chooses.
  std::optional<float> weld_distance;

  // kg/m2
  float areal_density = 0.2f;

  uint32_t tethers_per_particle = 1;
  uint32_t virtual_particles_per_triangle = 0;
  std::vector<uint32_t> long_range_edges;

  // Three numbers, or empty.
  std::vector<float> gravity_hint;

  bool uses_texture_coordinates = false;
  bool quadify = false, keep_order = false, no_shear = false, no_bend = false;
};

// Adds the options to a command or to one of its option groups. The parser rejects values that are out of range.
void add_cook_options(CLI::App& command, CookOptions& options);

// Reads a mesh file and applies the options. Throws InputError.
SceneCloth cloth_to_cook(const std::string& path, const CookOptions& options);

}  // namespace clothc_tool
