// descriptors.cpp - implements the cache of descriptor sets. Sets are allocated from pools and are never freed singly.
#include "backend_vulkan/descriptors.h"

#include <algorithm>
#include <cstring>

namespace clothc::vulkan {
namespace {

constexpr uint32_t sets_per_pool = 32;

}  // namespace

Descriptors::~Descriptors() {
  for (const VkDescriptorPool pool : pools_) gpu_->DestroyDescriptorPool(gpu_->handle(), pool, nullptr);
}

Descriptors::Key Descriptors::key_of(const Bindings& bindings) {
  Key key{};
  uint64_t* word = key.words;
  for (const Window& window : bindings.buffers) {
    *word++ = window.block == nullptr ? 0 : window.block->number();
    *word++ = window.offset;
    *word++ = window.size;
  }
  *word = bindings.texels == nullptr ? 0 : bindings.texels->number();
  return key;
}

void Descriptors::add_pool() {
  const VkDescriptorPoolSize sizes[] = {
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, sets_per_pool * storage_bindings},
      {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, sets_per_pool},
  };
  VkDescriptorPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  info.maxSets = sets_per_pool;
  info.poolSizeCount = 2;
  info.pPoolSizes = sizes;
  pools_.reserve(pools_.size() + 1);
  unused_.reserve((pools_.size() + 1) * sets_per_pool);
  entries_.reserve((pools_.size() + 1) * sets_per_pool);
  VkDescriptorPool pool = VK_NULL_HANDLE;
  gpu_->check(gpu_->CreateDescriptorPool(gpu_->handle(), &info, nullptr, &pool), "vkCreateDescriptorPool");
  pools_.push_back(pool);
  VkDescriptorSetLayout layouts[sets_per_pool];
  std::fill(std::begin(layouts), std::end(layouts), layout_);
  VkDescriptorSet sets[sets_per_pool];
  VkDescriptorSetAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocate.descriptorPool = pool;
  allocate.descriptorSetCount = sets_per_pool;
  allocate.pSetLayouts = layouts;
  gpu_->check(gpu_->AllocateDescriptorSets(gpu_->handle(), &allocate, sets), "vkAllocateDescriptorSets");
  unused_.insert(unused_.end(), std::begin(sets), std::end(sets));
}

void Descriptors::write(VkDescriptorSet set, const Bindings& bindings) const {
  VkDescriptorBufferInfo buffers[storage_bindings];
  VkWriteDescriptorSet writes[storage_bindings + 1]{};
  uint32_t count = 0;
  for (uint32_t k = 0; k < storage_bindings; ++k) {
    const Window& window = bindings.buffers[k];
    if (window.block == nullptr) continue;
    buffers[k] = {window.block->buffer(), window.offset, window.size};
    writes[count].dstBinding = k;
    writes[count].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    writes[count++].pBufferInfo = &buffers[k];
  }
  const VkBufferView view = bindings.texels == nullptr ? VkBufferView{} : bindings.texels->handle();
  if (bindings.texels != nullptr) {
    writes[count].dstBinding = texel_binding;
    writes[count].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    writes[count++].pTexelBufferView = &view;
  }
  for (uint32_t k = 0; k < count; ++k) {
    writes[k].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[k].dstSet = set;
    writes[k].descriptorCount = 1;
  }
  gpu_->UpdateDescriptorSets(gpu_->handle(), count, writes, 0, nullptr);
}

VkDescriptorSet Descriptors::set_for(const Bindings& bindings, uint64_t use, uint64_t completed) {
  const Key key = key_of(bindings);
  for (Entry& entry : entries_) {
    if (std::memcmp(&entry.key, &key, sizeof(key)) != 0) continue;
    entry.last_use = use;
    return entry.set;
  }
  // If the pools have no unused set, the least recently used set is rewritten, provided that the work that uses it has
  // ended.
  const auto oldest = std::min_element(entries_.begin(), entries_.end(),
                                       [](const Entry& a, const Entry& b) { return a.last_use < b.last_use; });
  if (unused_.empty() && oldest != entries_.end() && oldest->last_use <= completed) {
    write(oldest->set, bindings);
    *oldest = {key, oldest->set, use};
    return oldest->set;
  }
  if (unused_.empty()) add_pool();
  const VkDescriptorSet set = unused_.back();
  write(set, bindings);
  unused_.pop_back();
  entries_.push_back({key, set, use});
  return set;
}

}  // namespace clothc::vulkan
