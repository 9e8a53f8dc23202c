// gltf_accessor.h - reads the numbers that a glTF accessor refers to, after checking that they lie within its buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tinygltf {
class Model;
}

namespace clothc_tool {

class GltfAccessors {
 public:
  // path is used in messages. Both arguments must outlive this object.
  GltfAccessors(const std::string& path, const tinygltf::Model& model) : path_(path), model_(model) {}

  // Returns the elements of an accessor of vectors with the given number of components. Integers are normalised if the
  // accessor is marked so.
  std::vector<float> vectors(int accessor, size_t component_count) const;

  // Returns the elements of an accessor of unsigned integers.
  std::vector<uint32_t> indices(int accessor) const;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  const std::string& path_;
  const tinygltf::Model& model_;
};

}  // namespace clothc_tool
