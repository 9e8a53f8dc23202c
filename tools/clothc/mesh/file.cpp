// file.cpp - selects the reader by the file's extension and checks the properties that every mesh must have.
#include "mesh/file.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include "cli/errors.h"
#include "mesh/gltf.h"
#include "mesh/obj.h"
#include "mesh/ply.h"

namespace clothc_tool {
namespace {

using MeshReader = Mesh (*)(const std::string& path);
constexpr std::pair<const char*, MeshReader> READERS[] = {
    {"obj", read_obj}, {"ply", read_ply}, {"gltf", read_gltf}, {"glb", read_gltf}};

MeshReader reader_of(const std::string& path) {
  const std::string ending = ending_of(path);
  for (const auto& [name, reader] : READERS) {
    if (ending == name) return reader;
  }
  return nullptr;
}

std::string text_of(Vector3 p) {
  return "(" + std::to_string(p.x) + ", " + std::to_string(p.y) + ", " + std::to_string(p.z) + ")";
}

void check_mesh(const std::string& path, const Mesh& mesh) {
  if (mesh.triangles.empty() && mesh.quads.empty()) {
    throw InputError(path + ": no face in this file; a mesh needs triangles, quads or larger polygons");
  }
  for (size_t i = 0; i < mesh.positions.size(); ++i) {
    const Vector3 p = mesh.positions[i];
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
      throw InputError(path + ": vertex " + std::to_string(i) + " (counted from 0) is at " + text_of(p) +
                       "; want finite coordinates");
    }
  }
  for (size_t i = 0; i < mesh.uvs.size(); ++i) {
    if (!std::isfinite(mesh.uvs[i])) {
      throw InputError(path + ": vertex " + std::to_string(i / 2) + " (counted from 0) has the texture coordinate " +
                       std::to_string(mesh.uvs[i]) + "; want finite ones");
    }
  }
}

}  // namespace

std::string ending_of(const std::string& path) {
  const size_t dot = path.find_last_of("./");
  if (dot == std::string::npos || path[dot] == '/') return "";
  std::string ending = path.substr(dot + 1);
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return ending;
}

bool is_mesh_file(const std::string& path) { return reader_of(path) != nullptr; }

Mesh read_mesh(const std::string& path) {
  const MeshReader reader = reader_of(path);
  if (!reader) throw InputError("'" + path + "' is not a mesh file this tool reads; use " + MESH_ENDINGS);
  Mesh mesh = reader(path);
  check_mesh(path, mesh);
  return mesh;
}

}  // namespace clothc_tool
