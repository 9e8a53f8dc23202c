// shared_meshes.h - garments and bodies of the shared assets, which are beside the project and not part of it.
#pragma once

#include <optional>
#include <string>

#include "support/world.h"

namespace physics {

struct SharedMesh {
  std::vector<Vertex> vertices;  // m
  std::vector<uint32_t> quads;   // four vertices each
  std::vector<uint32_t> triangles;
  // Quads as two triangles each.
  std::vector<uint32_t> all_triangles() const;
};

// Empty, with the reason printed, where the assets are not there. name: without folder and ending.
std::optional<SharedMesh> load_shared_mesh(const std::string& name);

}  // namespace physics
