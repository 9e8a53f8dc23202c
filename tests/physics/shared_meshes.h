// shared_meshes.h - garments and bodies of the shared assets, which lie beside the project and are not part of it.
#pragma once

#include <optional>
#include <string>

#include "support/world.h"

namespace physics {

struct SharedMesh {
  // Positions in m.
  std::vector<Vertex> vertices;

  // Four vertices for each quad.
  std::vector<uint32_t> quads;
  std::vector<uint32_t> triangles;
  // Returns all triangles, including two for each quad.
  std::vector<uint32_t> all_triangles() const;
};

// Returns nothing, after printing the reason, if the assets are missing. name: the file's name without folder and
// extension.
std::optional<SharedMesh> load_shared_mesh(const std::string& name);

}  // namespace physics
