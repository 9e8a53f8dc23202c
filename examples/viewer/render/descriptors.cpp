// descriptors.cpp - the descriptor sets of a frame, which live as long as it.
#include "render/recording.h"

namespace clothc_renderer {
namespace {

VkWriteDescriptorSet write_of(VkDescriptorSet set, uint32_t binding, VkDescriptorType type) {
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = set;
  write.dstBinding = binding;
  write.descriptorCount = 1;
  write.descriptorType = type;
  return write;
}

}  // namespace

VkDescriptorSet Recording::make_view_set(const ViewUniforms& view) {
  const VkDescriptorSet set = frame_.allocate_set(state_.pipelines.view_set);
  const BufferRange uniforms = frame_.put(&view, sizeof view);
  const VkDescriptorBufferInfo infos[] = {{uniforms.buffer, uniforms.offset, uniforms.size},
                                          {state_.extent.buffer(), 0, EXTENT_SIZE}};
  VkWriteDescriptorSet writes[] = {write_of(set, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER),
                                   write_of(set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)};
  writes[0].pBufferInfo = &infos[0];
  writes[1].pBufferInfo = &infos[1];
  vk_.UpdateDescriptorSets(state_.graphics.device(), 2, writes, 0, nullptr);
  return set;
}

VkDescriptorSet Recording::make_image_set(const std::vector<VkImageView>& views) {
  const bool is_one = views.size() == 1;
  const VkDescriptorSet set =
      frame_.allocate_set(is_one ? state_.pipelines.image_set : state_.pipelines.visibility_set);
  for (uint32_t binding = 0; binding < views.size(); ++binding) {
    const bool is_depth =
        views[binding] == state_.shadow.depths.view() || views[binding] == state_.images->depths.view();
    const VkDescriptorImageInfo info = {
        state_.sampler, views[binding],
        is_depth ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkWriteDescriptorSet write = write_of(set, binding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
    write.pImageInfo = &info;
    vk_.UpdateDescriptorSets(state_.graphics.device(), 1, &write, 0, nullptr);
  }
  return set;
}

VkDescriptorSet Recording::make_buffer_set(const std::array<BufferRange, 3>& ranges,
                                           std::array<uint32_t, 3>& word_offsets) {
  const VkDescriptorSet set = frame_.allocate_set(state_.pipelines.buffer_set);
  for (uint32_t binding = 0; binding < ranges.size(); ++binding) {
    const BufferRange& range = ranges[binding];
    const VkDeviceSize excess = range.offset % ALIGNMENT;
    word_offsets[binding] = static_cast<uint32_t>(excess / 4);
    const VkDescriptorBufferInfo info = {range.buffer, range.offset - excess, range.size + excess};
    VkWriteDescriptorSet write = write_of(set, binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
    write.pBufferInfo = &info;
    vk_.UpdateDescriptorSets(state_.graphics.device(), 1, &write, 0, nullptr);
  }
  return set;
}

}  // namespace clothc_renderer
