// gltf_accessor.cpp - reads accessors with bounds checks, which tinygltf leaves to its caller. Source: Khronos Group,
// "glTF 2.0 Specification", 3.6.2 Accessors.
#include "mesh/gltf_accessor.h"

#include <tiny_gltf.h>

#include <algorithm>
#include <cstring>

#include "cli/errors.h"

namespace clothc_tool {
namespace {

// Location and type of an accessor's elements, already checked. first is null if there are no elements.
struct Elements {
  const unsigned char* first = nullptr;
  size_t count = 0, stride = 0, component_count = 0;
  int component_type = 0;
  bool is_normalised = false;
};

template <typename T>
double load(const unsigned char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

double load_component(const Elements& elements, size_t element, size_t component) {
  const size_t size =
      static_cast<size_t>(tinygltf::GetComponentSizeInBytes(static_cast<uint32_t>(elements.component_type)));
  const unsigned char* bytes = elements.first + element * elements.stride + component * size;
  double value = 0, largest = 1;
  switch (elements.component_type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
      value = load<int8_t>(bytes), largest = 127;
      break;
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      value = load<uint8_t>(bytes), largest = 255;
      break;
    case TINYGLTF_COMPONENT_TYPE_SHORT:
      value = load<int16_t>(bytes), largest = 32767;
      break;
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      value = load<uint16_t>(bytes), largest = 65535;
      break;
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
      return load<uint32_t>(bytes);
    default:
      return load<float>(bytes);
  }
  return elements.is_normalised ? std::max(value / largest, -1.0) : value;
}

bool is_known(int component_type) {
  switch (component_type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
    case TINYGLTF_COMPONENT_TYPE_SHORT:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
    case TINYGLTF_COMPONENT_TYPE_FLOAT:
      return true;
    default:
      return false;
  }
}

template <typename T>
const T* element_of(const std::vector<T>& list, int index) {
  return index >= 0 && static_cast<size_t>(index) < list.size() ? &list[static_cast<size_t>(index)] : nullptr;
}

// Fills elements and returns null, or returns what is wrong with the accessor.
const char* find_elements(const tinygltf::Model& model, int index, Elements& elements) {
  const tinygltf::Accessor* accessor = element_of(model.accessors, index);
  if (!accessor) return "does not exist";
  if (accessor->sparse.isSparse) return "is sparse, which is not read; export without sparse accessors";
  const tinygltf::BufferView* view = element_of(model.bufferViews, accessor->bufferView);
  if (!view) return "names a buffer view that does not exist";
  const tinygltf::Buffer* buffer = element_of(model.buffers, view->buffer);
  if (!buffer) return "names a buffer that does not exist";
  const int component_count = tinygltf::GetNumComponentsInType(static_cast<uint32_t>(accessor->type));
  if (!is_known(accessor->componentType) || component_count <= 0) return "has a type that is not known";
  const size_t component_size =
      static_cast<size_t>(tinygltf::GetComponentSizeInBytes(static_cast<uint32_t>(accessor->componentType)));
  const size_t size = component_size * static_cast<size_t>(component_count);
  elements.stride = view->byteStride == 0 ? size : view->byteStride;
  elements.count = accessor->count;
  elements.component_count = static_cast<size_t>(component_count);
  elements.component_type = accessor->componentType;
  elements.is_normalised = accessor->normalized;
  if (view->byteOffset > buffer->data.size() || view->byteLength > buffer->data.size() - view->byteOffset) {
    return "names a buffer view that ends behind its buffer; the file is truncated or damaged";
  }
  if (elements.stride < size) return "overlaps itself: its stride is less than its elements";
  if (elements.count == 0) return nullptr;
  if (accessor->byteOffset > view->byteLength || size > view->byteLength - accessor->byteOffset ||
      elements.count - 1 > (view->byteLength - accessor->byteOffset - size) / elements.stride) {
    return "ends behind its buffer view; the file is truncated or damaged";
  }
  elements.first = buffer->data.data() + view->byteOffset + accessor->byteOffset;
  return nullptr;
}

}  // namespace

std::vector<float> GltfAccessors::vectors(int accessor, size_t component_count) const {
  Elements elements;
  if (const char* fault = find_elements(model_, accessor, elements)) {
    fail("accessor " + std::to_string(accessor) + " " + fault);
  }
  if (elements.component_count != component_count) {
    fail("accessor " + std::to_string(accessor) + " has vectors of " + std::to_string(elements.component_count) +
         " components; want " + std::to_string(component_count));
  }
  std::vector<float> values;
  values.reserve(elements.count * component_count);
  for (size_t i = 0; i < elements.count; ++i) {
    for (size_t k = 0; k < component_count; ++k) values.push_back(static_cast<float>(load_component(elements, i, k)));
  }
  return values;
}

std::vector<uint32_t> GltfAccessors::indices(int accessor) const {
  Elements elements;
  if (const char* fault = find_elements(model_, accessor, elements)) {
    fail("accessor " + std::to_string(accessor) + " " + fault);
  }
  const int type = elements.component_type;
  if (elements.component_count != 1 || elements.is_normalised ||
      (type != TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE && type != TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT &&
       type != TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT)) {
    fail("accessor " + std::to_string(accessor) + " is used for indices; want unsigned integers");
  }
  std::vector<uint32_t> values;
  values.reserve(elements.count);
  for (size_t i = 0; i < elements.count; ++i) values.push_back(static_cast<uint32_t>(load_component(elements, i, 0)));
  return values;
}

void GltfAccessors::fail(const std::string& what) const { throw InputError(path_ + ": " + what); }

}  // namespace clothc_tool
