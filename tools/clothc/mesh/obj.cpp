// obj.cpp - reads OBJ files through tinyobjloader's callbacks, which keep the file's order and its polygons. Also
// rejects what that library accepts: text in place of numbers and vertices that do not exist. Every message names its
// line.
#include "mesh/obj.h"

#include <tiny_obj_loader.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "cli/errors.h"
#include "cli/file_input.h"
#include "cli/file_output.h"

namespace clothc_tool {
namespace {

class ObjReader {
 public:
  explicit ObjReader(const std::string& path) : path_(path), text_(read_file(path)), stream_(text_) {}

  Mesh read() {
    tinyobj::callback_t callbacks;
    callbacks.vertex_cb = [](void* self, float x, float y, float z, float) {
      static_cast<ObjReader*>(self)->add_vertex({x, y, z});
    };
    callbacks.index_cb = [](void* self, tinyobj::index_t* indices, int count) {
      static_cast<ObjReader*>(self)->add_face(indices, static_cast<size_t>(count));
    };
    callbacks.texcoord_cb = [](void* self, float u, float v, float) {
      static_cast<ObjReader*>(self)->add_texcoord(u, v);
    };
    std::string warning, error;
    if (!tinyobj::LoadObjWithCallback(stream_, callbacks, this, nullptr, &warning, &error)) {
      throw InputError(path_ + ": " + error);
    }
    check_whole();
    keep_uvs();
    return std::move(mesh_);
  }

 private:
  void add_vertex(Vector3 p) {
    find_line();
    const char* cursor = text_.c_str() + text_.find_first_not_of(" \t", line_begin_) + 1;
    for (int axis = 0; axis < 3; ++axis) {
      char* end = nullptr;
      if (!std::isfinite(std::strtof(cursor, &end)) || end == cursor || end > text_.c_str() + line_end_) {
        fail("vertex " + std::to_string(mesh_.positions.size() + 1) +
             " needs three finite coordinates, but the line is '" + printable_line() + "'");
      }
      cursor = end;
    }
    mesh_.positions.push_back(p);
  }

  void add_face(const tinyobj::index_t* indices, size_t count) {
    find_line();
    if (count < 3) fail("a face has " + std::to_string(count) + " vertices; it needs 3 or more");
    corners_.resize(count);
    for (size_t i = 0; i < count; ++i) corners_[i] = vertex_of(indices[i].vertex_index);
    add_polygon(mesh_, corners_);
    for (size_t i = 0; i < count; ++i) {
      // Resolved like vertex indices, but an index that does not exist is no error: keep_uvs() then drops all texture
      // coordinates.
      const int index = indices[i].texcoord_index;
      uv_corners_.push_back({corners_[i], index < 0 ? texcoord_count() + index : int64_t{index} - 1});
    }
  }

  void add_texcoord(float u, float v) { texcoords_.insert(texcoords_.end(), {u, v}); }
  int64_t texcoord_count() const { return static_cast<int64_t>(texcoords_.size() / 2); }

  // In OBJ, texture coordinates belong to corners, in Mesh to vertices. They are kept if every corner has some and all
  // corners of a vertex agree. Otherwise the mesh has none, because splitting vertices would change the cloth.
  void keep_uvs() {
    std::vector<float> uvs(2 * mesh_.positions.size(), 0);
    std::vector<bool> is_known(mesh_.positions.size(), false);
    for (const auto& [vertex, texcoord] : uv_corners_) {
      if (texcoord < 0 || texcoord >= texcoord_count()) return;
      const float *source = &texcoords_[2 * static_cast<size_t>(texcoord)], *end = source + 2;
      float* target = &uvs[size_t{2} * vertex];
      if (!std::all_of(source, end, [](float x) { return std::isfinite(x); })) return;
      if (is_known[vertex] && !std::equal(source, end, target)) return;
      std::copy(source, end, target);
      is_known[vertex] = true;
    }
    mesh_.uvs = std::move(uvs);
  }

  // Indices count from 1; negative ones count back from the last vertex so far.
  uint32_t vertex_of(int index) {
    const auto count = static_cast<int64_t>(mesh_.positions.size());
    const int64_t vertex = index < 0 ? count + index : int64_t{index} - 1;
    if (index == 0 || vertex < 0) {
      fail("a face names vertex " + std::to_string(index) + "; the file has " + std::to_string(count) +
           " vertices before it, counted from 1");
    }
    if (vertex > last_named_) {
      last_named_ = vertex;
      last_named_line_ = line_;
    }
    return static_cast<uint32_t>(vertex);
  }

  void check_whole() {
    if (last_named_ >= static_cast<int64_t>(mesh_.positions.size())) {
      line_ = last_named_line_;
      fail("a face names vertex " + std::to_string(last_named_ + 1) + "; the file has only " +
           std::to_string(mesh_.positions.size()));
    }
    if (mesh_.triangles.empty() && mesh_.quads.empty()) {
      throw InputError(path_ + ": no face in this file; a mesh needs lines 'v x y z' and 'f a b c'");
    }
  }

  // Updates the current line to the one that tinyobjloader has just read, which ends at the position of the stream.
  void find_line() {
    const auto position = stream_.rdbuf()->pubseekoff(0, std::ios::cur, std::ios::in);
    const size_t end = static_cast<size_t>(position);
    while (next_line_ < end) {
      line_begin_ = next_line_;
      line_end_ = std::min(text_.find_first_of("\r\n", line_begin_), text_.size());
      const bool two_characters = text_.compare(line_end_, 2, "\r\n") == 0;
      next_line_ = line_end_ + (two_characters ? 2 : 1);
      ++line_;
    }
  }

  std::string printable_line() const {
    std::string line = text_.substr(line_begin_, std::min<size_t>(line_end_ - line_begin_, 60));
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return line;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(path_ + ":" + std::to_string(line_) + ": " + what);
  }

  std::string path_, text_;
  std::istringstream stream_;
  Mesh mesh_;
  std::vector<uint32_t> corners_;
  std::vector<float> texcoords_;
  // Vertex and index of the texture coordinates of every corner.
  std::vector<std::pair<uint32_t, int64_t>> uv_corners_;

  size_t line_begin_ = 0, line_end_ = 0, next_line_ = 0;
  size_t line_ = 0, last_named_line_ = 0;
  int64_t last_named_ = -1;
};

void append_face(std::string& text, const uint32_t* vertices, int count, bool has_uvs) {
  text += 'f';
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(vertices[i] + 1);
    text += ' ' + number;
    if (has_uvs) text += '/' + number;
  }
  text += '\n';
}

}  // namespace

Mesh read_obj(const std::string& path) { return ObjReader(path).read(); }

void write_obj(const std::string& path, const Mesh& mesh, const std::vector<Vector3>& positions) {
  std::string text = "# clothc\n";
  char line[96];
  for (const Vector3& p : positions) {
    std::snprintf(line, sizeof line, "v %.9g %.9g %.9g\n", static_cast<double>(p.x), static_cast<double>(p.y),
                  static_cast<double>(p.z));
    text += line;
  }
  for (size_t i = 0; i + 1 < mesh.uvs.size(); i += 2) {
    std::snprintf(line, sizeof line, "vt %.9g %.9g\n", static_cast<double>(mesh.uvs[i]),
                  static_cast<double>(mesh.uvs[i + 1]));
    text += line;
  }
  const bool has_uvs = !mesh.uvs.empty();
  for (size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) append_face(text, &mesh.triangles[i], 3, has_uvs);
  for (size_t i = 0; i + 3 < mesh.quads.size(); i += 4) append_face(text, &mesh.quads[i], 4, has_uvs);
  FileOutput file(path);
  file.write(text);
  file.commit();
}

}  // namespace clothc_tool
