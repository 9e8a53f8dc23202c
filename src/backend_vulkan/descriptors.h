// descriptors.h - descriptor sets by what they bind: a set is made once and found again.
#pragma once

#include <vector>

#include "backend_vulkan/memory.h"
#include "backend_vulkan/pipelines.h"

namespace clothc::vulkan {

// A part of a block that a shader sees; nothing if block is null.
struct Window {
  const Block* block = nullptr;
  uint64_t offset = 0;
  uint64_t size = 0;
};

struct Bindings {
  Window buffers[storage_bindings];
  const TexelView* texels = nullptr;
};

// Not synchronised: belongs to a stream.
class Descriptors {
 public:
  Descriptors(GpuPointer gpu, VkDescriptorSetLayout layout) : gpu_(std::move(gpu)), layout_(layout) {}
  ~Descriptors();
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;

  // A set that binds these. It is used by work up to value use; work up to value completed has ended.
  VkDescriptorSet set_for(const Bindings& bindings, uint64_t use, uint64_t completed);

 private:
  struct Key {
    uint64_t words[3 * storage_bindings + 1];
  };
  struct Entry {
    Key key;
    VkDescriptorSet set;
    uint64_t last_use;
  };
  static Key key_of(const Bindings& bindings);
  void add_pool();
  void write(VkDescriptorSet set, const Bindings& bindings) const;

  GpuPointer gpu_;
  VkDescriptorSetLayout layout_;
  std::vector<VkDescriptorPool> pools_;
  std::vector<VkDescriptorSet> unused_;
  std::vector<Entry> entries_;
};

}  // namespace clothc::vulkan
