// descriptors.h - a cache of descriptor sets, keyed by the resources that they bind: a set is written once and then
// found again. A set owns the views of the texels that it binds.
#pragma once

#include <vector>

#include "backend_vulkan/memory.h"
#include "backend_vulkan/pipelines.h"

namespace clothc::vulkan {

// A range of bytes of a block that is bound to a shader. If block is null, nothing is bound.
struct Window {
  const Block* block = nullptr;
  uint64_t offset = 0;
  uint64_t size = 0;
};

struct Bindings {
  Window buffers[storage_bindings];

  // The texels of jobs. If they are bound, the buffers are arenas, which are bound as texels too if shaders read them so.
  Window jobs;
};

// The cache is not synchronised: each belongs to one stream or recording.
class Descriptors {
 public:
  Descriptors(GpuPointer gpu, VkDescriptorSetLayout layout) : gpu_(std::move(gpu)), layout_(layout) {}
  ~Descriptors();
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;

  // Returns a set with these bindings. Both values are those of the owner's timeline: the set will be in use until use
  // is reached, and completed has been reached already.
  VkDescriptorSet set_for(const Bindings& bindings, uint64_t use, uint64_t completed);

 private:
  struct Key {
    uint64_t words[3 * (storage_bindings + 1)];
  };
  struct Views {
    VkBufferView handles[texel_bindings];
  };
  struct Entry {
    Key key;
    VkDescriptorSet set;
    Views views;
    uint64_t last_use;
  };
  static Key key_of(const Bindings& bindings);
  void add_pool();
  Views make_views(const Bindings& bindings) const;
  void destroy(const Views& views) const;
  static bool has_texels(const Views& views) { return views.handles[0] != VK_NULL_HANDLE; }
  void write(VkDescriptorSet set, const Bindings& bindings, const Views& views) const;

  GpuPointer gpu_;
  VkDescriptorSetLayout layout_;
  std::vector<VkDescriptorPool> pools_;
  std::vector<VkDescriptorSet> unused_;
  std::vector<Entry> entries_;
};

}  // namespace clothc::vulkan
