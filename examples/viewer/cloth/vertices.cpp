// vertices.cpp - see vertices.h. This is what a renderer does to show cloths without a copy: a VkBuffer, clothc's view of
// it, and two bindings.
#include "cloth/vertices.h"

#include <clothc_vulkan.hpp>
#include <cstring>
#include <glm/gtc/quaternion.hpp>

namespace clothc_viewer {
namespace {

using clothc_renderer::DeviceBuffer;

uint64_t number_of(VkBuffer buffer) {
  uint64_t number = 0;
  static_assert(sizeof(VkBuffer) == sizeof(number));
  std::memcpy(&number, &buffer, sizeof(number));
  return number;
}

clothc_buffer_desc vertices_desc(uint32_t count, clothc_buffer_kind kind) {
  auto desc = clothc::initialised<clothc_buffer_desc>();
  desc.kind = kind;
  desc.format = CLOTHC_FORMAT_RECORD;
  desc.stride = sizeof(Vertex);
  desc.count = count;
  return desc;
}

// Three floats in each vertex.
clothc_view view_of(size_t byte_offset, uint32_t flags) {
  auto view = clothc::initialised<clothc_view>();
  view.format = CLOTHC_FORMAT_FLOAT3;
  view.byte_offset = byte_offset;
  view.flags = flags;
  return view;
}

VkDeviceSize size_of(const SourceCloth& cloth) { return VkDeviceSize{cloth.topology->vertex_count} * sizeof(Vertex); }

}  // namespace

ClothVertices::ClothVertices(const clothc_renderer::Graphics& graphics, const Source& source, bool is_adopted)
    : is_adopted_(is_adopted) {
  VkDeviceSize size = 0;
  for (const SourceCloth& cloth : source.cloths()) {
    offsets_.push_back(size);
    size += (size_of(cloth) + clothc_renderer::ALIGNMENT - 1) / clothc_renderer::ALIGNMENT * clothc_renderer::ALIGNMENT;
  }
  if (is_adopted) memory_ = DeviceBuffer::on_device(graphics, size);
  for (size_t i = 0; i < source.cloths().size(); ++i) {
    const uint32_t count = source.cloths()[i].topology->vertex_count;
    const clothc_device device = source.cloths()[i].device;
    if (!is_adopted) {
      buffers_.push_back(clothc::Buffer::create(device, vertices_desc(count, CLOTHC_BUFFER_HOST)).value());
      continue;
    }
    auto vulkan = clothc::initialised<clothc_vulkan_buffer_desc>();
    vulkan.buffer = number_of(memory_.buffer());
    vulkan.offset = offsets_[i];
    vulkan.size = memory_.size();
    const clothc_buffer_desc desc = vertices_desc(count, CLOTHC_BUFFER_WRAPPED_DEVICE);
    buffers_.push_back(clothc::create_vulkan_buffer(device, desc, vulkan).value());
  }
}

void ClothVertices::bind(const Source& source) const {
  const clothc_view position = view_of(offsetof(Vertex, position), CLOTHC_VIEW_WORLD),
                    normal = view_of(offsetof(Vertex, normal), CLOTHC_VIEW_WORLD);
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const clothc::Cloth& cloth = source.cloths()[i].cloth;
    cloth.bind(CLOTHC_CHANNEL_POSITION, buffers_[i], &position).check();
    cloth.bind(CLOTHC_CHANNEL_NORMAL, buffers_[i], &normal).check();
  }
}

void ClothVertices::get(const Source& source) const {
  const clothc_view position = view_of(offsetof(Vertex, position), 0), normal = view_of(offsetof(Vertex, normal), 0);
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const SourceCloth& cloth = source.cloths()[i];
    const clothc_region region = {cloth.info.first_particle, 0, cloth.info.particle_count};
    const clothc_solver solver = cloth.cloth.solver();
    clothc::check(clothc_solver_get(solver, CLOTHC_CHANNEL_POSITION, buffers_[i], &position, &region, 1, 0));
    if (cloth.topology->triangles.empty()) continue;
    clothc::check(clothc_solver_get(solver, CLOTHC_CHANNEL_NORMAL, buffers_[i], &normal, &region, 1, 0));
  }
}

clothc_renderer::Vertices ClothVertices::in_frame(const SourceCloth& cloth, size_t index, bool is_bound,
                                                  clothc_renderer::Frame& frame, uint64_t& host_copied_bytes) const {
  clothc_renderer::Vertices vertices;
  vertices.count = cloth.topology->vertex_count;
  vertices.stride = sizeof(Vertex);
  vertices.position_offset = offsetof(Vertex, position);
  vertices.normal_offset = offsetof(Vertex, normal);
  // Bound vertices are in the world's coordinates.
  if (!is_bound) vertices.transform = world_of(cloth.cloth);
  if (is_adopted_) {
    vertices.range = {memory_.buffer(), offsets_[index], size_of(cloth)};
    return vertices;
  }
  std::byte* data = nullptr;
  vertices.range = frame.reserve(size_of(cloth), &data);
  const auto mapped = buffers_[index].map<const Vertex>().value();
  std::memcpy(data, mapped.data(), size_of(cloth));
  host_copied_bytes += size_of(cloth);
  return vertices;
}

glm::mat4 world_of(const clothc::Cloth& cloth) {
  const clothc_cloth_frame frame = cloth.frame().value();
  const float *t = frame.translation, *q = frame.rotation;
  glm::mat4 world = glm::mat4_cast(glm::quat(q[3], q[0], q[1], q[2]));
  world[3] = {t[0], t[1], t[2], 1};
  return world;
}

}  // namespace clothc_viewer
