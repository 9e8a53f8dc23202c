// cook_options.cpp - adds the cooking options to the command line and applies them to the cloth of a mesh file.
#include "commands/cook_options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "cli/errors.h"
#include "scene/pins/pins.h"

namespace clothc_tool {
namespace {

const std::string HIGHEST = "highest:";

// Returns the part of the height that "highest:PART" pins, -1 for "none", and nothing for other texts.
std::optional<float> pinned_part(const std::string& text) {
  if (text == "none") return -1.0f;
  if (text.compare(0, HIGHEST.size(), HIGHEST) != 0 || text.size() == HIGHEST.size()) return std::nullopt;
  char* end = nullptr;
  const float part = std::strtof(text.c_str() + HIGHEST.size(), &end);
  if (*end != '\0' || !(part >= 0 && part <= 1)) return std::nullopt;
  return part;
}

std::string check_pins(const std::string& text) {
  return pinned_part(text) ? "" : "'" + text + "' is no way to pin; use highest:PART with PART in 0 .. 1, or none";
}

void pin(const std::string& text, SceneCloth& cloth) {
  cloth.pins.clear();
  const float part = pinned_part(text).value_or(-1);
  if (part < 0) return;
  cloth.pins.emplace_back();
  cloth.pins.back().vertices = highest_vertices(cloth.mesh, part);
}

}  // namespace

void add_cook_options(CLI::App& command, CookOptions& options) {
  command.add_option("--unit", options.mesh.metres_per_unit, "Metres per unit of length in the file")
      ->check(CLI::Range(1e-4, 1e4))
      ->capture_default_str();
  command
      .add_option("--weld", options.weld_distance,
                  "Vertices this close, in the file's units, become one particle; 0 = only identical ones, -1 = never; "
                  "default: 1e-5 of the bounding box's diagonal")
      ->check(CLI::Range(-1.0, 1e6));
  command.add_option("--pin", options.pins, "highest:PART: the vertices in that part of the height; or none")
      ->check(CLI::Validator(check_pins, "highest:PART|none"))
      ->capture_default_str();
  command.add_option("--density", options.areal_density, "Areal density in kg/m2")
      ->check(CLI::Range(1e-6, 1e6))
      ->capture_default_str();
  command.add_option("--tethers", options.tethers_per_particle, "Geodesic tethers per particle, 0 .. 4")
      ->check(CLI::Range(0, 4))
      ->capture_default_str();
  command
      .add_option("--virtual-particles", options.virtual_particles_per_triangle,
                  "Points of each triangle that collide too: 0 for none, 1, 4, 9, 16, 25, 36, 49 or 64")
      ->check(CLI::IsMember({0, 1, 4, 9, 16, 25, 36, 49, 64}))
      ->capture_default_str();
  command
      .add_option("--long-range", options.long_range_edges,
                  "Long-range constraints of so many edges, 2 .. 64, up to four lengths, the longest first: 12 4")
      ->expected(1, 4)
      ->check(CLI::Range(2, 64));
  CLI::Option* hint = command.add_option("--gravity-hint", options.gravity_hint,
                                         "Direction X Y Z: edges are vertical or horizontal to it");
  hint->expected(3)->check(CLI::Range(-1e6, 1e6));
  command
      .add_flag("--uv", options.uses_texture_coordinates, "Edges are warp or weft by the mesh's texture coordinates")
      ->excludes(hint);
  command.add_flag("--quadify", options.quadify, "Merge pairs of triangles that make a good quad");
  command.add_flag("--keep-order", options.keep_order, "Keep particles in the mesh's order where another is faster");
  command.add_flag("--no-shear", options.no_shear, "Leave out the shear phase");
  command.add_flag("--no-bend", options.no_bend, "Leave out the bend phase");
}

SceneCloth cloth_to_cook(const std::string& path, const CookOptions& options) {
  SceneCloth cloth = std::move(scene_of_mesh(path, options.mesh).cloths[0]);
  pin(options.pins, cloth);
  if (options.weld_distance) cloth.weld_distance = *options.weld_distance;
  cloth.areal_density = options.areal_density * options.mesh.metres_per_unit * options.mesh.metres_per_unit;
  cloth.tethers_per_particle = options.tethers_per_particle;
  cloth.virtual_particles_per_triangle = options.virtual_particles_per_triangle;
  cloth.long_range_edges = options.long_range_edges;
  if (!options.gravity_hint.empty()) {
    const std::vector<float>& hint = options.gravity_hint;
    cloth.gravity_hint = {hint[0], hint[1], hint[2]};
    if (!(length(cloth.gravity_hint) > 1e-6f)) throw InputError("--gravity-hint is 0 0 0; want a direction");
  }
  cloth.uses_texture_coordinates = options.uses_texture_coordinates;
  if (cloth.uses_texture_coordinates && cloth.mesh.uvs.empty()) {
    throw InputError(path +
                     ": the mesh has no texture coordinates, or its corners do not agree on them; leave out --uv");
  }
  cloth.quadify = options.quadify;
  cloth.keeps_order = options.keep_order;
  if (options.no_shear) cloth.shear.stiffness = 0;
  if (options.no_bend) cloth.bend.stiffness = 0;
  return cloth;
}

}  // namespace clothc_tool
