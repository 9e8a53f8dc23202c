// gltf_output.h - writes a .glb file with an animation of all cloths of a scene: one mesh per cloth, one morph target
// for every frame after the first, and weights that show the frames one after another, with linear interpolation.
// Invariant: frames are written as they are added, so that memory does not grow with their data.
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

  // Particle of each vertex. Vertices of the same particle share a normal.
  const std::vector<uint32_t>& vertex_map;

  // Linear.
  Vector3 colour;
};

// Returns an upper bound on the size of a file with this number of frames, in bytes.
uint64_t gltf_size(const std::vector<GltfCloth>& cloths, uint64_t frame_count);

class GltfOutput {
 public:
  // Throws InputError if a file with this number of frames would exceed the format's limit of 4 GiB.
  GltfOutput(const std::string& path, std::vector<GltfCloth> cloths, uint32_t frame_capacity);

  // particles: positions of each cloth's particles. seconds: must ascend from frame to frame.
  void add_frame(float seconds, const std::vector<std::vector<Vector3>>& particles);

  // Writes the JSON description and gives the file its final name.
  void commit();

  const std::string& path() const { return file_.path(); }

 private:
  using Json = nlohmann::ordered_json;
  struct ClothState {  // NOLINT(bugprone-exception-escape): moving Json throws nothing, whatever it asserts
    // Indices of vertices.
    std::vector<uint32_t> triangles;

    // Vertices of the first frame.
    std::vector<Vector3> positions, normals;

    Json primitive;
  };

  void begin(const std::vector<std::vector<Vector3>>& particles);
  void add_cloth(size_t index, const std::vector<Vector3>& particles);

  // These functions return the offset of the data, or the index of the new view or accessor.
  size_t add_data(const void* data, size_t size);
  size_t add_view(size_t offset, size_t size, uint32_t target, uint32_t stride);
  size_t add_accessor(size_t view, size_t offset, uint32_t component_type, size_t count, const char* type);
  size_t add_vertex_data(const std::vector<Vector3>& vectors, bool has_bounds);

  void end_frames();
  void add_animation();

  FileOutput file_;
  std::vector<GltfCloth> cloths_;
  std::vector<ClothState> states_;

  // Size in bytes reserved for the JSON description.
  uint64_t description_size_;

  size_t data_size_ = 0;

  // Offset at which the vertices of all frames begin.
  size_t frames_offset_ = 0;

  std::vector<float> times_;
  Json document_;
};

}  // namespace clothc_tool
