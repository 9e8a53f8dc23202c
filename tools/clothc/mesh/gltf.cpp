// gltf.cpp - walks the nodes of a glTF file. tinygltf parses the file and loads its buffers; all references from one
// part of the file to another are checked here.
#include "mesh/gltf.h"

#include <tiny_gltf.h>

#include <algorithm>
#include <map>
#include <utility>

#include "cli/errors.h"
#include "cli/file_input.h"
#include "mesh/gltf_accessor.h"
#include "mesh/gltf_transform.h"

namespace clothc_tool {
namespace {

// Even a small file can place its meshes very often, so the total number of vertices is limited.
constexpr size_t LARGEST_VERTEX_COUNT = size_t{1} << 28;

// Returns the first line of a message of tinygltf, shortened and with unprintable characters replaced.
std::string first_line(const std::string& text) {
  std::string line = text.substr(0, std::min<size_t>(text.find('\n'), 200));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return line;
}

tinygltf::Model load_model(const std::string& path) {
  const std::string bytes = read_file(path);
  if (bytes.size() >= UINT32_MAX) throw InputError(path + ": the file is too large; want less than 4 GiB");
  const std::string folder = path.find('/') == std::string::npos ? "." : path.substr(0, path.find_last_of('/') + 1);
  const auto size = static_cast<unsigned int>(bytes.size());
  tinygltf::TinyGLTF loader;
  // Images are not needed, so they are not decoded.
  loader.SetImageLoader([](tinygltf::Image*, int, std::string*, std::string*, int, int, const unsigned char*, int,
                           void*) { return true; },
                        nullptr);
  tinygltf::Model model;
  std::string error, warning;
  bool is_read = false;
  try {
    const bool is_binary = bytes.compare(0, 4, "glTF") == 0;
    is_read = is_binary
                  ? loader.LoadBinaryFromMemory(&model, &error, &warning,
                                                reinterpret_cast<const unsigned char*>(bytes.data()), size, folder)
                  : loader.LoadASCIIFromString(&model, &error, &warning, bytes.data(), size, folder);
  } catch (const std::exception& exception) {
    error = exception.what();
  }
  if (!is_read) {
    throw InputError(path + ": " + (error.empty() ? "it cannot be parsed" : first_line(error)) +
                     "; want a whole glTF 2.0 file");
  }
  return model;
}

class GltfReader {
 public:
  explicit GltfReader(const std::string& path) : path_(path), model_(load_model(path)), accessors_(path_, model_) {}

  Mesh read() {
    for (const std::string& extension : model_.extensionsRequired) {
      if (extension != "KHR_mesh_quantization" && extension.find("texture") == std::string::npos &&
          extension.find("material") == std::string::npos && extension.find("light") == std::string::npos) {
        accessors_.fail("it requires the extension " + first_line(extension) +
                        ", which is not read; export without it");
      }
    }
    visited_.assign(model_.nodes.size(), false);
    for (int root : roots()) pending_.push_back({root, {}});
    std::reverse(pending_.begin(), pending_.end());
    while (!pending_.empty()) {
      const Pending next = std::exchange(pending_.back(), {});
      pending_.pop_back();
      add_node(next.node, next.transform);
    }
    if (!all_have_uvs_) mesh_.uvs.clear();
    if (mesh_.triangles.empty() && loose_primitive_count_ > 0) {
      accessors_.fail("no face in this file, only points or lines; want triangles");
    }
    return std::move(mesh_);
  }

 private:
  struct Pending {
    int node = 0;
    GltfTransform transform;
  };
  // Vertices that a node's mesh has added: maps the accessors of positions and texture coordinates to the index of the
  // first vertex and their number.
  using VertexRanges = std::map<std::pair<int, int>, std::pair<uint32_t, uint32_t>>;

  // Returns the root nodes of the default scene, or of the first one. A file without scenes has those nodes as roots
  // that are not children of another one.
  std::vector<int> roots() const {
    if (!model_.scenes.empty()) {
      const auto scene = static_cast<size_t>(std::max(model_.defaultScene, 0));
      if (scene >= model_.scenes.size()) accessors_.fail("scene " + std::to_string(scene) + " does not exist");
      return model_.scenes[scene].nodes;
    }
    std::vector<bool> is_child(model_.nodes.size(), false);
    for (const tinygltf::Node& node : model_.nodes) {
      for (int child : node.children) {
        if (child >= 0 && static_cast<size_t>(child) < is_child.size()) is_child[static_cast<size_t>(child)] = true;
      }
    }
    std::vector<int> nodes;
    for (size_t i = 0; i < is_child.size(); ++i) {
      if (!is_child[i]) nodes.push_back(static_cast<int>(i));
    }
    return nodes;
  }

  void add_node(int index, const GltfTransform& outer) {
    if (index < 0 || static_cast<size_t>(index) >= model_.nodes.size()) {
      accessors_.fail("node " + std::to_string(index) + " does not exist");
    }
    if (visited_[static_cast<size_t>(index)]) {
      accessors_.fail("node " + std::to_string(index) + " has several parents; want a tree of nodes");
    }
    visited_[static_cast<size_t>(index)] = true;
    const tinygltf::Node& node = model_.nodes[static_cast<size_t>(index)];
    const GltfTransform transform = outer * gltf_transform(node.matrix, node.translation, node.rotation, node.scale);
    if (node.mesh >= 0) add_mesh(node.mesh, transform);
    for (size_t i = node.children.size(); i-- > 0;) pending_.push_back({node.children[i], transform});
  }

  void add_mesh(int index, const GltfTransform& transform) {
    if (static_cast<size_t>(index) >= model_.meshes.size()) {
      accessors_.fail("mesh " + std::to_string(index) + " does not exist");
    }
    VertexRanges ranges;
    for (const tinygltf::Primitive& primitive : model_.meshes[static_cast<size_t>(index)].primitives) {
      const int mode = primitive.mode < 0 ? TINYGLTF_MODE_TRIANGLES : primitive.mode;
      if (mode == TINYGLTF_MODE_TRIANGLES || mode == TINYGLTF_MODE_TRIANGLE_STRIP ||
          mode == TINYGLTF_MODE_TRIANGLE_FAN) {
        add_triangles(primitive, mode, transform, ranges);
      } else {
        ++loose_primitive_count_;
      }
    }
  }

  // Adds the vertices of a primitive and returns the index of the first one and their number. Primitives of one mesh
  // that use the same accessors share their vertices.
  std::pair<uint32_t, uint32_t> add_vertices(const tinygltf::Primitive& primitive, const GltfTransform& transform,
                                             VertexRanges& ranges) {
    const auto attribute = [&](const char* name) {
      const auto found = primitive.attributes.find(name);
      return found == primitive.attributes.end() ? -1 : found->second;
    };
    const int position_accessor = attribute("POSITION"), uv_accessor = attribute("TEXCOORD_0");
    const auto found = ranges.find({position_accessor, uv_accessor});
    if (found != ranges.end()) return found->second;
    if (position_accessor < 0) accessors_.fail("a primitive has no POSITION; want the positions of its vertices");
    const std::vector<float> positions = accessors_.vectors(position_accessor, 3);
    const std::pair<uint32_t, uint32_t> range = {static_cast<uint32_t>(mesh_.positions.size()),
                                                 static_cast<uint32_t>(positions.size() / 3)};
    if (mesh_.positions.size() + positions.size() / 3 > LARGEST_VERTEX_COUNT) {
      accessors_.fail("its nodes place more than " + std::to_string(LARGEST_VERTEX_COUNT) + " vertices; want fewer");
    }
    for (size_t i = 0; i + 2 < positions.size(); i += 3) {
      mesh_.positions.push_back(transform({positions[i], positions[i + 1], positions[i + 2]}));
    }
    all_have_uvs_ &= uv_accessor >= 0;
    if (all_have_uvs_) add_uvs(uv_accessor, range.second);
    ranges.emplace(std::pair{position_accessor, uv_accessor}, range);
    return range;
  }

  // In glTF v points downwards, in Mesh upwards.
  void add_uvs(int accessor, uint32_t vertex_count) {
    const std::vector<float> uvs = accessors_.vectors(accessor, 2);
    if (uvs.size() != size_t{2} * vertex_count) {
      accessors_.fail("accessor " + std::to_string(accessor) + " has " + std::to_string(uvs.size() / 2) +
                      " elements; want one for each of " + std::to_string(vertex_count) + " vertices");
    }
    for (size_t i = 0; i < uvs.size(); i += 2) mesh_.uvs.insert(mesh_.uvs.end(), {uvs[i], 1 - uvs[i + 1]});
  }

  void add_triangles(const tinygltf::Primitive& primitive, int mode, const GltfTransform& transform,
                     VertexRanges& ranges) {
    const auto [first, count] = add_vertices(primitive, transform, ranges);
    std::vector<uint32_t> corners;
    if (primitive.indices >= 0) {
      corners = accessors_.indices(primitive.indices);
    } else {
      for (uint32_t i = 0; i < count; ++i) corners.push_back(i);
    }
    for (size_t i = 0; i < corners.size(); ++i) {
      if (corners[i] >= count) {
        accessors_.fail("accessor " + std::to_string(primitive.indices) + " names vertex " +
                        std::to_string(corners[i]) + " at index " + std::to_string(i) + "; its mesh has " +
                        std::to_string(count) + " vertices, counted from 0");
      }
      corners[i] += first;
    }
    if (mode == TINYGLTF_MODE_TRIANGLES && corners.size() % 3 != 0) {
      accessors_.fail("a primitive of triangles has " + std::to_string(corners.size()) +
                      " corners; want a multiple of 3");
    }
    const size_t step = mode == TINYGLTF_MODE_TRIANGLES ? 3 : 1;
    for (size_t i = 0; i + 2 < corners.size(); i += step) {
      const bool is_odd = mode == TINYGLTF_MODE_TRIANGLE_STRIP && i % 2 == 1;
      uint32_t triangle[3] = {corners[mode == TINYGLTF_MODE_TRIANGLE_FAN ? 0 : i], corners[i + 1], corners[i + 2]};
      if (is_odd != transform.mirrors()) std::swap(triangle[1], triangle[2]);
      mesh_.triangles.insert(mesh_.triangles.end(), triangle, triangle + 3);
    }
  }

  std::string path_;
  tinygltf::Model model_;
  GltfAccessors accessors_;
  Mesh mesh_;
  // Stack of the nodes that are still to be added.
  std::vector<Pending> pending_;

  std::vector<bool> visited_;
  bool all_have_uvs_ = true;
  size_t loose_primitive_count_ = 0;
};

}  // namespace

Mesh read_gltf(const std::string& path) { return GltfReader(path).read(); }

}  // namespace clothc_tool
