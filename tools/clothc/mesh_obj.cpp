// mesh_obj.cpp - reads OBJ with tinyobjloader's callbacks, which keep file order and polygons, and checks what it
// lets pass: numbers that are none, vertices that do not exist. Every message has its line.
#include "mesh_obj.h"

#include <tiny_obj_loader.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "errors.h"
#include "file_input.h"
#include "file_output.h"

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
    std::string warning, error;
    if (!tinyobj::LoadObjWithCallback(stream_, callbacks, this, nullptr, &warning, &error)) {
      throw InputError(path_ + ": " + error);
    }
    check_whole();
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
    if (count == 4) {
      mesh_.quads.insert(mesh_.quads.end(), corners_.begin(), corners_.end());
      return;
    }
    for (size_t i = 2; i < count; ++i) {
      for (uint32_t corner : {corners_[0], corners_[i - 1], corners_[i]}) mesh_.triangles.push_back(corner);
    }
  }

  // Indices count from 1, negative ones back from the last vertex so far.
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

  // Finds the line that tinyobjloader has just read: the stream stands behind it.
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
  size_t line_begin_ = 0, line_end_ = 0, next_line_ = 0;
  size_t line_ = 0, last_named_line_ = 0;
  int64_t last_named_ = -1;
};

void append_face(std::string& text, const uint32_t* vertices, int count) {
  text += 'f';
  for (int i = 0; i < count; ++i) text += ' ' + std::to_string(vertices[i] + 1);
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
  for (size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) append_face(text, &mesh.triangles[i], 3);
  for (size_t i = 0; i + 3 < mesh.quads.size(); i += 4) append_face(text, &mesh.quads[i], 4);
  FileOutput file(path);
  file.write(text);
  file.commit();
}

}  // namespace clothc_tool
