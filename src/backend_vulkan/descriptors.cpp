// descriptors.cpp - implements the cache of descriptor sets. Sets are allocated from pools and are never freed singly.
#include "backend_vulkan/descriptors.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace clothc::vulkan {
namespace {

constexpr uint32_t sets_per_pool = 32;

// What is bound as texels, in the order of their bindings, and the number of words of a texel, as in glsl.h.
struct Texels {
  const Window& window;
  uint32_t words;
};
std::array<Texels, texel_bindings> texels_of(const Bindings& bindings) {
  const Window* const arenas = bindings.buffers;
  return {{{bindings.jobs, 4}, {arenas[0], 4}, {arenas[1], 1}, {arenas[2], 1}, {arenas[3], 1}}};
}

}  // namespace

Descriptors::~Descriptors() {
  for (const Entry& entry : entries_) destroy(entry.views);
  for (const VkDescriptorPool pool : pools_) gpu_->destroy(gpu_->DestroyDescriptorPool, pool);
}

Descriptors::Key Descriptors::key_of(const Bindings& bindings) {
  Key key{};
  uint64_t* word = key.words;
  const auto add = [&](const Window& window) {
    *word++ = window.block == nullptr ? 0 : window.block->number();
    *word++ = window.offset;
    *word++ = window.size;
  };
  for (const Window& window : bindings.buffers) add(window);
  add(bindings.jobs);
  return key;
}

void Descriptors::add_pool() {
  const VkDescriptorPoolSize sizes[] = {
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, sets_per_pool * storage_bindings},
      {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, sets_per_pool * texel_bindings},
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
  gpu_->check(gpu_->CreateDescriptorPool(gpu_->handle(), &info, gpu_->allocator(), &pool), "vkCreateDescriptorPool");
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

Descriptors::Views Descriptors::make_views(const Bindings& bindings) const {
  Views views{};
  if (bindings.jobs.block == nullptr) return views;
  const Adapter& adapter = gpu_->adapter();
  VkBufferView* view = views.handles;
  for (const Texels& texels : texels_of(bindings)) {
    VkBufferViewCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
    info.buffer = texels.window.block->buffer();
    info.format = texels.words == 4 ? VK_FORMAT_R32G32B32A32_UINT : VK_FORMAT_R32_UINT;
    info.offset = texels.window.offset;
    info.range = std::min(texel_view_size(texels.window.size),
                          uint64_t{adapter.limits.maxTexelBufferElements} * texels.words * 4);
    VkBufferView made = VK_NULL_HANDLE;
    const VkResult result = gpu_->CreateBufferView(gpu_->handle(), &info, gpu_->allocator(), &made);
    if (result != VK_SUCCESS) destroy(views);
    gpu_->check(result, "vkCreateBufferView");
    *view++ = made;
    if (!adapter.reads_texels) break;
  }
  return views;
}

void Descriptors::destroy(const Views& views) const {
  for (const VkBufferView view : views.handles) gpu_->destroy(gpu_->DestroyBufferView, view);
}

void Descriptors::write(VkDescriptorSet set, const Bindings& bindings, const Views& views) const {
  VkDescriptorBufferInfo buffers[storage_bindings];
  VkWriteDescriptorSet writes[storage_bindings + 1]{};
  uint32_t count = 0;
  for (uint32_t k = 0; k < storage_bindings; ++k) {
    const Window& window = bindings.buffers[k];
    if (window.block == nullptr) continue;
    buffers[k] = {window.block->buffer(), window.offset, window.size};
    writes[count].dstBinding = k;
    writes[count].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    writes[count].descriptorCount = 1;
    writes[count++].pBufferInfo = &buffers[k];
  }
  // Where arenas are not read as texels, something has to be bound nevertheless.
  VkBufferView texels[texel_bindings];
  for (uint32_t k = 0; k < texel_bindings; ++k) texels[k] = views.handles[gpu_->adapter().reads_texels ? k : 0];
  if (has_texels(views)) {
    // The write continues in the bindings after the first.
    writes[count].dstBinding = first_texel_binding;
    writes[count].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    writes[count].descriptorCount = texel_bindings;
    writes[count++].pTexelBufferView = texels;
  }
  for (uint32_t k = 0; k < count; ++k) {
    writes[k].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[k].dstSet = set;
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
  // ended. It must have the same bindings: one that is not written anew would keep a view that has been destroyed since,
  // and lavapipe, which looks at all bindings of a set, would crash.
  Entry* oldest = nullptr;
  for (Entry& entry : entries_) {
    const bool is_alike = has_texels(entry.views) == (bindings.jobs.block != nullptr);
    if (is_alike && (oldest == nullptr || entry.last_use < oldest->last_use)) oldest = &entry;
  }
  if (unused_.empty() && oldest != nullptr && oldest->last_use <= completed) {
    const Views views = make_views(bindings);
    write(oldest->set, bindings, views);
    destroy(oldest->views);
    *oldest = {key, oldest->set, views, use};
    return oldest->set;
  }
  if (unused_.empty()) add_pool();
  const VkDescriptorSet set = unused_.back();
  const Views views = make_views(bindings);
  write(set, bindings, views);
  unused_.pop_back();
  entries_.push_back({key, set, views, use});
  return set;
}

}  // namespace clothc::vulkan
