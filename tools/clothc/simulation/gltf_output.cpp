// gltf_output.cpp - a .glb file consists of a header, the description in JSON and the data, in this order. The
// description is known only at the end, so space is reserved for it; what remains is filled with blanks, as the format
// allows. Source: Khronos Group, "glTF 2.0 Specification", 3.7.2.2 Morph targets, 3.11 Animations, 4 GLB.
#include "simulation/gltf_output.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cli/errors.h"

namespace clothc_tool {
namespace {

// Component types.
constexpr uint32_t FLOAT = 5126, UNSIGNED_INT = 5125;
constexpr uint32_t NO_TARGET = 0, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963;
constexpr uint32_t HEADER_SIZE = 12, CHUNK_HEADER_SIZE = 8;

// Index of the buffer view with the vertices of all frames.
constexpr size_t FRAMES_VIEW = 0;
// Bytes reserved for the description: for what occurs once, per cloth, and per cloth and frame, which has two accessors
// and a morph target.
constexpr uint64_t DESCRIPTION_SIZE = 4096, DESCRIPTION_SIZE_PER_CLOTH = 4096, DESCRIPTION_SIZE_PER_FRAME = 512;

uint64_t description_size(uint64_t cloth_count, uint64_t frame_count) {
  return DESCRIPTION_SIZE + cloth_count * (DESCRIPTION_SIZE_PER_CLOTH + frame_count * DESCRIPTION_SIZE_PER_FRAME);
}

std::vector<Vector3> mapped(const std::vector<Vector3>& particles, const std::vector<uint32_t>& vertex_map) {
  std::vector<Vector3> vertices;
  vertices.reserve(vertex_map.size());
  for (uint32_t particle : vertex_map) vertices.push_back(particles[particle]);
  return vertices;
}

// Returns the normals of the vertices. Vertices without a face get an upward normal, because glTF requires unit
// vectors.
std::vector<Vector3> normals_of(const GltfCloth& cloth, const std::vector<uint32_t>& triangles,
                                const std::vector<Vector3>& particles) {
  std::vector<uint32_t> corners;
  corners.reserve(triangles.size());
  for (uint32_t vertex : triangles) corners.push_back(cloth.vertex_map[vertex]);
  std::vector<Vector3> normals = smooth_normals(particles, corners);
  for (Vector3& normal : normals) {
    if (!(length(normal) > 0.5f)) normal = {0, 1, 0};
  }
  return mapped(normals, cloth.vertex_map);
}

std::vector<Vector3> differences(std::vector<Vector3> vectors, const std::vector<Vector3>& first) {
  for (size_t i = 0; i < vectors.size(); ++i) vectors[i] = vectors[i] - first[i];
  return vectors;
}

nlohmann::ordered_json json_of(Vector3 v) { return {v.x, v.y, v.z}; }

void append_number(std::string& bytes, uint64_t number) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift & 255);
}

}  // namespace

uint64_t gltf_size(const std::vector<GltfCloth>& cloths, uint64_t frame_count) {
  uint64_t size = HEADER_SIZE + 2 * CHUNK_HEADER_SIZE + description_size(cloths.size(), frame_count);
  // Times and weights.
  size += frame_count * sizeof(float) * (1 + frame_count);
  for (const GltfCloth& cloth : cloths) {
    size += frame_count * cloth.mesh.positions.size() * 2 * sizeof(Vector3) + cloth.mesh.uvs.size() * sizeof(float);
    size += (cloth.mesh.triangles.size() + cloth.mesh.quads.size() / 4 * 6) * sizeof(uint32_t);
  }
  return size;
}

GltfOutput::GltfOutput(const std::string& path, std::vector<GltfCloth> cloths, uint32_t frame_capacity)
    : file_(path),
      cloths_(std::move(cloths)),
      states_(cloths_.size()),
      description_size_(description_size(cloths_.size(), frame_capacity)) {
  const uint64_t size = gltf_size(cloths_, frame_capacity);
  if (size > UINT32_MAX) {
    throw InputError(path + ": " + std::to_string(frame_capacity) + " frames are " + std::to_string(size >> 20) +
                     " MiB, but a .glb file ends at 4096 MiB; write fewer frames with --every N, or use --format pc2");
  }
  file_.write(std::string(HEADER_SIZE + CHUNK_HEADER_SIZE + description_size_ + CHUNK_HEADER_SIZE, ' '));
  document_["asset"] = {{"version", "2.0"}, {"generator", "clothc"}};
  document_["scene"] = 0;
  for (const char* list : {"scenes", "nodes", "meshes", "materials", "accessors", "bufferViews", "buffers"}) {
    document_[list] = Json::array();
  }
}

void GltfOutput::add_frame(float seconds, const std::vector<std::vector<Vector3>>& particles) {
  if (times_.empty()) begin(particles);
  for (size_t i = 0; i < cloths_.size(); ++i) {
    ClothState& state = states_[i];
    std::vector<Vector3> positions = mapped(particles[i], cloths_[i].vertex_map);
    std::vector<Vector3> normals = normals_of(cloths_[i], state.triangles, particles[i]);
    const bool is_first = times_.empty();
    if (is_first) {
      state.positions = positions;
      state.normals = normals;
    } else {
      positions = differences(std::move(positions), state.positions);
      normals = differences(std::move(normals), state.normals);
    }
    const Json target = {{"POSITION", add_vertex_data(positions, true)}, {"NORMAL", add_vertex_data(normals, false)}};
    if (is_first) {
      state.primitive["attributes"].update(target);
    } else {
      state.primitive["targets"].push_back(target);
    }
  }
  times_.push_back(seconds);
}

// Writes the data that all frames share, then begins the buffer view of their vertices, which extends to the end of the
// last frame.
void GltfOutput::begin(const std::vector<std::vector<Vector3>>& particles) {
  add_view(0, 0, ARRAY_BUFFER, sizeof(Vector3));
  for (size_t i = 0; i < cloths_.size(); ++i) add_cloth(i, particles[i]);
  frames_offset_ = data_size_;
}

void GltfOutput::add_cloth(size_t index, const std::vector<Vector3>& particles) {
  const GltfCloth& cloth = cloths_[index];
  ClothState& state = states_[index];
  Mesh first = cloth.mesh;
  first.positions = mapped(particles, cloth.vertex_map);
  state.triangles = triangulated(first);
  state.primitive = {{"attributes", Json::object()}, {"indices", 0}, {"material", index}};
  if (!cloth.mesh.uvs.empty()) {
    std::vector<float> uvs = cloth.mesh.uvs;
    // In glTF v points downwards.
    for (size_t i = 1; i < uvs.size(); i += 2) uvs[i] = 1 - uvs[i];
    const size_t size = uvs.size() * sizeof(float), view = add_view(add_data(uvs.data(), size), size, ARRAY_BUFFER, 0);
    state.primitive["attributes"]["TEXCOORD_0"] = add_accessor(view, 0, FLOAT, uvs.size() / 2, "VEC2");
  }
  const size_t size = state.triangles.size() * sizeof(uint32_t);
  const size_t view = add_view(add_data(state.triangles.data(), size), size, ELEMENT_ARRAY_BUFFER, 0);
  state.primitive["indices"] = add_accessor(view, 0, UNSIGNED_INT, state.triangles.size(), "SCALAR");
  document_["materials"].push_back({{"name", cloth.name},
                                    {"pbrMetallicRoughness",
                                     {{"baseColorFactor", {cloth.colour.x, cloth.colour.y, cloth.colour.z, 1}},
                                      {"metallicFactor", 0},
                                      {"roughnessFactor", 0.9}}},
                                    {"doubleSided", true}});
  document_["nodes"].push_back({{"name", cloth.name}, {"mesh", index}});
}

size_t GltfOutput::add_data(const void* data, size_t size) {
  file_.write(data, size);
  return std::exchange(data_size_, data_size_ + size);
}

size_t GltfOutput::add_view(size_t offset, size_t size, uint32_t target, uint32_t stride) {
  Json view = {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", size}};
  if (stride != 0) view["byteStride"] = stride;
  if (target != NO_TARGET) view["target"] = target;
  document_["bufferViews"].push_back(view);
  return document_["bufferViews"].size() - 1;
}

size_t GltfOutput::add_accessor(size_t view, size_t offset, uint32_t component_type, size_t count, const char* type) {
  document_["accessors"].push_back({{"bufferView", view},
                                    {"byteOffset", offset},
                                    {"componentType", component_type},
                                    {"count", count},
                                    {"type", type}});
  return document_["accessors"].size() - 1;
}

size_t GltfOutput::add_vertex_data(const std::vector<Vector3>& vectors, bool has_bounds) {
  const size_t offset = add_data(vectors.data(), vectors.size() * sizeof(Vector3)) - frames_offset_;
  const size_t accessor = add_accessor(FRAMES_VIEW, offset, FLOAT, vectors.size(), "VEC3");
  if (has_bounds) {
    const Box box = bounds_of(vectors);
    document_["accessors"][accessor]["min"] = json_of(box.low);
    document_["accessors"][accessor]["max"] = json_of(box.high);
  }
  return accessor;
}

// Frame k + 1 is morph target k, whose weight is 1 at the time of that frame and 0 at the times of all others. All
// cloths share the weights.
void GltfOutput::add_animation() {
  const size_t frame_count = times_.size(), target_count = frame_count - 1;
  std::vector<float> weights(frame_count * target_count, 0);
  for (size_t target = 0; target < target_count; ++target) weights[(target + 1) * target_count + target] = 1;
  const size_t times_size = frame_count * sizeof(float), weights_size = weights.size() * sizeof(float);
  const size_t times_view = add_view(add_data(times_.data(), times_size), times_size, NO_TARGET, 0);
  const size_t weights_view = add_view(add_data(weights.data(), weights_size), weights_size, NO_TARGET, 0);
  const size_t input = add_accessor(times_view, 0, FLOAT, frame_count, "SCALAR");
  document_["accessors"][input]["min"] = Json::array({times_.front()});
  document_["accessors"][input]["max"] = Json::array({times_.back()});
  const size_t output = add_accessor(weights_view, 0, FLOAT, weights.size(), "SCALAR");
  Json animation = {{"name", "simulation"}, {"channels", Json::array()}, {"samplers", Json::array()}};
  animation["samplers"].push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
  for (size_t i = 0; i < cloths_.size(); ++i) {
    animation["channels"].push_back({{"sampler", 0}, {"target", {{"node", i}, {"path", "weights"}}}});
  }
  // push_back instead of an initialiser list: compilers interpret braces around a single object differently.
  document_["animations"].push_back(animation);
}

void GltfOutput::end_frames() {
  Json& frames = document_["bufferViews"][FRAMES_VIEW];
  frames["byteOffset"] = frames_offset_;
  frames["byteLength"] = data_size_ - frames_offset_;
  if (times_.size() > 1) add_animation();
  Json nodes = Json::array();
  for (size_t i = 0; i < cloths_.size(); ++i) {
    document_["meshes"].push_back({{"name", cloths_[i].name}, {"primitives", Json::array({states_[i].primitive})}});
    nodes.push_back(i);
  }
  document_["scenes"].push_back({{"nodes", nodes}});
  document_["buffers"].push_back({{"byteLength", data_size_}});
}

void GltfOutput::commit() {
  end_frames();
  std::string text = document_.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > description_size_) throw std::logic_error("the space reserved for a glTF description is too small");
  text.resize(description_size_, ' ');
  std::string bytes = "glTF";
  append_number(bytes, 2);
  append_number(bytes, HEADER_SIZE + 2 * CHUNK_HEADER_SIZE + description_size_ + data_size_);
  append_number(bytes, description_size_);
  bytes += "JSON" + text;
  append_number(bytes, data_size_);
  bytes += std::string("BIN\0", 4);
  file_.overwrite(0, bytes.data(), bytes.size());
  file_.commit();
}

}  // namespace clothc_tool
