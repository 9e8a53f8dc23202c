// ply.cpp - converts the elements of a PLY file to a mesh and back. It uses no library, because Assimp 5.2, the only
// one in Debian, hangs or crashes on every third damaged file.
#include "mesh/ply.h"

#include <utility>

#include "cli/errors.h"
#include "cli/file_input.h"
#include "cli/file_output.h"
#include "mesh/ply_header.h"
#include "mesh/ply_values.h"

namespace clothc_tool {
namespace {

class PlyReader {
 public:
  explicit PlyReader(const std::string& path)
      : path_(path), text_(read_file(path)), header_(read_ply_header(path, text_)), values_(path, text_, header_) {}

  Mesh read() {
    bool has_vertices = false;
    for (const PlyElement& element : header_.elements) {
      values_.require(element);
      if (element.name == "vertex") {
        if (std::exchange(has_vertices, true))
          throw InputError(path_ + ": element vertex is given twice; want it once");
        read_vertices(element);
      } else if (element.name == "face") {
        read_faces(element);
      } else if (!element.properties.empty()) {
        for (uint64_t i = 0; i < element.count; ++i) read_row(element, i, -1);
      }
    }
    if (!has_vertices) throw InputError(path_ + ": no element vertex in this file; want one with x, y and z");
    for (size_t face = 0, begin = 0; face < face_ends_.size(); begin = face_ends_[face++]) add_face(face, begin);
    return std::move(mesh_);
  }

 private:
  // Reads one item of an element: its numbers into row_, and the list that is property number `list` into list_.
  void read_row(const PlyElement& element, uint64_t index, int list) {
    values_.enter(element, index);
    row_.clear();
    for (size_t i = 0; i < element.properties.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      row_.push_back(property.is_list ? 0 : values_.next(property.type));
      if (!property.is_list) continue;
      const size_t count = values_.next_count(property.count_type, property.type);
      const bool is_wanted = static_cast<int>(i) == list;
      if (is_wanted) list_.clear();
      for (size_t k = 0; k < count; ++k) {
        const double value = values_.next(property.type);
        if (is_wanted) list_.push_back(value);
      }
    }
  }

  // Returns the index of a property that is a single number, or -1.
  static int find_number(const PlyElement& element, const char* name) {
    const int index = element.find(name);
    return index >= 0 && !element.properties[static_cast<size_t>(index)].is_list ? index : -1;
  }

  void read_vertices(const PlyElement& element) {
    // Indices of the properties x y z s t.
    int property[5] = {-1, -1, -1, -1, -1};
    const char* const axes[] = {"x", "y", "z"};
    for (int axis = 0; axis < 3; ++axis) {
      property[axis] = find_number(element, axes[axis]);
      if (property[axis] < 0) {
        throw InputError(path_ + ":" + std::to_string(element.line) + ": element vertex has no property " + axes[axis] +
                         "; want x, y and z");
      }
    }
    for (const auto& [s, t] : {std::pair{"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}}) {
      if (property[4] < 0) property[3] = find_number(element, s), property[4] = find_number(element, t);
      if (property[3] < 0) property[4] = -1;
    }
    for (uint64_t i = 0; i < element.count; ++i) {
      read_row(element, i, -1);
      const auto value = [&](int k) { return static_cast<float>(row_[static_cast<size_t>(property[k])]); };
      mesh_.positions.push_back({value(0), value(1), value(2)});
      if (property[4] >= 0) mesh_.uvs.insert(mesh_.uvs.end(), {value(3), value(4)});
    }
  }

  void read_faces(const PlyElement& element) {
    int list = element.find("vertex_indices");
    if (list < 0) list = element.find("vertex_index");
    if (list < 0 || !element.properties[static_cast<size_t>(list)].is_list) {
      throw InputError(path_ + ":" + std::to_string(element.line) +
                       ": element face has no list of vertices; want 'property list uchar int vertex_indices'");
    }
    for (uint64_t i = 0; i < element.count; ++i) {
      read_row(element, i, list);
      if (list_.size() < 3) values_.fail("has " + std::to_string(list_.size()) + " vertices; it needs 3 or more");
      corners_.insert(corners_.end(), list_.begin(), list_.end());
      face_ends_.push_back(corners_.size());
    }
  }

  void add_face(size_t face, size_t begin) {
    std::vector<uint32_t> polygon;
    for (size_t i = begin; i < face_ends_[face]; ++i) {
      const double vertex = corners_[i];
      if (!(vertex >= 0 && vertex < static_cast<double>(mesh_.positions.size()))) {
        throw InputError(path_ + ": face " + std::to_string(face) + " names vertex " +
                         std::to_string(static_cast<int64_t>(vertex >= -1e9 && vertex <= 1e10 ? vertex : -1)) +
                         "; the file has " + std::to_string(mesh_.positions.size()) + " vertices, counted from 0");
      }
      polygon.push_back(static_cast<uint32_t>(vertex));
    }
    add_polygon(mesh_, polygon);
  }

  std::string path_, text_;
  PlyHeader header_;
  PlyValues values_;
  Mesh mesh_;
  std::vector<double> row_, list_, corners_;
  std::vector<size_t> face_ends_;
};

void append(std::string& bytes, const void* value, size_t size) { bytes.append(static_cast<const char*>(value), size); }

void append_faces(std::string& bytes, const std::vector<uint32_t>& corners, uint8_t corner_count) {
  for (size_t i = 0; i + corner_count <= corners.size(); i += corner_count) {
    append(bytes, &corner_count, 1);
    append(bytes, &corners[i], corner_count * sizeof corners[i]);
  }
}

}  // namespace

Mesh read_ply(const std::string& path) { return PlyReader(path).read(); }

void write_ply(const std::string& path, const Mesh& mesh, const std::vector<Vector3>& positions) {
  const size_t face_count = mesh.triangles.size() / 3 + mesh.quads.size() / 4;
  std::string bytes = "ply\nformat binary_little_endian 1.0\ncomment clothc\nelement vertex " +
                      std::to_string(positions.size()) + "\nproperty float x\nproperty float y\nproperty float z\n" +
                      (mesh.uvs.empty() ? "" : "property float s\nproperty float t\n") + "element face " +
                      std::to_string(face_count) + "\nproperty list uchar int vertex_indices\nend_header\n";
  for (size_t i = 0; i < positions.size(); ++i) {
    append(bytes, &positions[i], sizeof positions[i]);
    if (!mesh.uvs.empty()) append(bytes, &mesh.uvs[2 * i], 2 * sizeof(float));
  }
  append_faces(bytes, mesh.triangles, 3);
  append_faces(bytes, mesh.quads, 4);
  FileOutput file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace clothc_tool
