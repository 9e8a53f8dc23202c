// gltf_output.h - a .glb file with the animation of all cloths of a scene: a mesh each, a morph target for every frame
// after the first, and weights that show frame after frame, linear between them.
// Invariant: frames are written as they come, so memory does not grow with their size.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/file_output.h"
#include "mesh/mesh.h"

namespace clothc_tool {

struct GltfCloth {
  std::string name;
  const Mesh& mesh;
  const std::vector<uint32_t>& vertex_map;  // particle of each vertex; vertices of one particle share a normal
  Vector3 colour;                           // linear
};

// The most bytes that a file of so many frames can have.
uint64_t gltf_size(const std::vector<GltfCloth>& cloths, uint64_t frame_count);

class GltfOutput {
 public:
  // Throws InputError if so many frames would outgrow the format's 4 GiB.
  GltfOutput(const std::string& path, std::vector<GltfCloth> cloths, uint32_t frame_capacity);

  // particles: positions of each cloth's particles. Times ascend.
  void add_frame(float seconds, const std::vector<std::vector<Vector3>>& particles);
  void commit();  // writes the description and makes the file appear

  const std::string& path() const { return file_.path(); }

 private:
  using Json = nlohmann::ordered_json;
  struct ClothState {  // NOLINT(bugprone-exception-escape): moving Json throws nothing, whatever it asserts
    std::vector<uint32_t> triangles;          // of vertices
    std::vector<Vector3> positions, normals;  // of the first frame's vertices
    Json primitive;
  };

  void begin(const std::vector<std::vector<Vector3>>& particles);
  void add_cloth(size_t index, const std::vector<Vector3>& particles);
  size_t add_data(const void* data, size_t size);  // returns its offset
  size_t add_view(size_t offset, size_t size, uint32_t target, uint32_t stride);
  size_t add_accessor(size_t view, size_t offset, uint32_t component_type, size_t count, const char* type);
  size_t add_vertex_data(const std::vector<Vector3>& vectors, bool has_bounds);
  void end_frames();
  void add_animation();

  FileOutput file_;
  std::vector<GltfCloth> cloths_;
  std::vector<ClothState> states_;
  uint64_t description_size_;  // room kept for it
  size_t data_size_ = 0;
  size_t frames_offset_ = 0;  // where the vertices of all frames begin
  std::vector<float> times_;
  Json document_;
};

}  // namespace clothc_tool
