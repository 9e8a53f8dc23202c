// shared_meshes.cpp - see shared_meshes.h.
#include "physics/shared_meshes.h"

#include <cstdio>
#include <fstream>
#include <sstream>

#include "support/given_path.h"

namespace physics {

std::vector<uint32_t> SharedMesh::all_triangles() const {
  std::vector<uint32_t> all = triangles;
  for (size_t k = 0; k < quads.size(); k += 4) {
    const uint32_t* q = &quads[k];
    all.insert(all.end(), {q[0], q[1], q[2], q[0], q[2], q[3]});
  }
  return all;
}

std::optional<SharedMesh> load_shared_mesh(const std::string& name) {
  const std::string folder = clothc_test::given_path("CLOTHC_TEST_MESHES", CLOTHC_SOURCE_DIR "/../shared/assets");
  const std::string path = folder + "/" + name + ".obj";
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "skipping: no mesh in %s\n", path.c_str());
    return std::nullopt;
  }
  SharedMesh mesh;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "v") {
      // Coordinates in dm.
      double x = 0, y = 0, z = 0;
      words >> x >> y >> z;
      mesh.vertices.push_back({static_cast<float>(x / 10), static_cast<float>(y / 10), static_cast<float>(z / 10)});
    } else if (kind == "f") {
      std::vector<uint32_t> face;
      for (std::string corner; words >> corner;) face.push_back(static_cast<uint32_t>(std::stoul(corner)) - 1);
      std::vector<uint32_t>& faces = face.size() == 4 ? mesh.quads : mesh.triangles;
      faces.insert(faces.end(), face.begin(), face.end());
    }
  }
  return mesh;
}

}  // namespace physics
