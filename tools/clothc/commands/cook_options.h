// cook_options.h - the options of `clothc cook` that concern cooking: each changes one thing of what a mesh file gets.
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
  std::string pins = "highest:0.02";   // or "none"
  std::optional<float> weld_distance;  // none = as scene_of_mesh has it
  float areal_density = 0.2f;          // kg/m2
  uint32_t tethers_per_particle = 1;
  uint32_t virtual_particles_per_triangle = 0;
  std::vector<uint32_t> long_range_edges;
  std::vector<float> gravity_hint;  // of three numbers, or empty
  bool uses_texture_coordinates = false;
  bool quadify = false, keep_order = false, no_shear = false, no_bend = false;
};

// Adds the options to the command or a group of it; values out of range are refused as the command line is read.
void add_cook_options(CLI::App& command, CookOptions& options);

// Reads a mesh file and applies the options. Throws InputError.
SceneCloth cloth_to_cook(const std::string& path, const CookOptions& options);

}  // namespace clothc_tool
