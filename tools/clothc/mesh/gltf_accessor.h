// gltf_accessor.h - the numbers that a glTF accessor names, after checking that they lie within its buffer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tinygltf {
class Model;
}

namespace clothc_tool {

class GltfAccessors {
 public:
  // path is for messages; both must outlive this.
  GltfAccessors(const std::string& path, const tinygltf::Model& model) : path_(path), model_(model) {}

  // The elements of an accessor of vectors of that many components, integers normalised if the accessor says so.
  std::vector<float> vectors(int accessor, size_t component_count) const;

  // The elements of an accessor of unsigned integers.
  std::vector<uint32_t> indices(int accessor) const;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  const std::string& path_;
  const tinygltf::Model& model_;
};

}  // namespace clothc_tool
