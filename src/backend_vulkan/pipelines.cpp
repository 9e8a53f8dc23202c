// pipelines.cpp - creates the layouts, the pipelines and the caches.
#include "backend_vulkan/pipelines.h"

namespace clothc::vulkan {

Pipelines::Pipelines(GpuPointer gpu) : gpu_(std::move(gpu)) {
  try {
    create_layouts();
    add_compiled_code(nullptr, 0);
  } catch (...) {
    release();
    throw;
  }
}

Pipelines::~Pipelines() { release(); }

void Pipelines::release() {
  for (const Entry& entry : entries_) gpu_->destroy(gpu_->DestroyPipeline, entry.pipeline.load());
  for (const VkPipelineCache cache : caches_) gpu_->destroy(gpu_->DestroyPipelineCache, cache);
  gpu_->destroy(gpu_->DestroyPipelineLayout, layout_);
  gpu_->destroy(gpu_->DestroyDescriptorSetLayout, set_layout_);
}

void Pipelines::create_layouts() {
  constexpr uint32_t binding_count = storage_bindings + texel_bindings;
  VkDescriptorSetLayoutBinding bindings[binding_count]{};
  for (uint32_t k = 0; k < binding_count; ++k) {
    const VkDescriptorType type =
        k < first_texel_binding ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    bindings[k] = {k, type, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  }
  VkDescriptorSetLayoutCreateInfo set{};
  set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  set.bindingCount = binding_count;
  set.pBindings = bindings;
  gpu_->check(gpu_->CreateDescriptorSetLayout(gpu_->handle(), &set, gpu_->allocator(), &set_layout_),
              "vkCreateDescriptorSetLayout");
  const VkPushConstantRange constants = {VK_SHADER_STAGE_COMPUTE_BIT, 0, push_constant_bytes};
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.setLayoutCount = 1;
  info.pSetLayouts = &set_layout_;
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &constants;
  gpu_->check(gpu_->CreatePipelineLayout(gpu_->handle(), &info, gpu_->allocator(), &layout_), "vkCreatePipelineLayout");
}

VkPipeline Pipelines::of(Shader shader) {
  Entry& entry = entries_[static_cast<uint32_t>(shader)];
  const VkPipeline made = entry.pipeline.load(std::memory_order_acquire);
  if (made != VK_NULL_HANDLE) return made;
  const std::lock_guard<std::mutex> lock(entry.mutex);
  if (entry.pipeline == VK_NULL_HANDLE) {
    entry.pipeline = create(shader);
    created_count_.fetch_add(1, std::memory_order_acq_rel);
  }
  return entry.pipeline;
}

VkPipelineCache Pipelines::create_cache(const uint8_t* data, uint64_t size) {
  VkPipelineCacheCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
  info.initialDataSize = size;
  info.pInitialData = data;
  VkPipelineCache cache = VK_NULL_HANDLE;
  gpu_->check(gpu_->CreatePipelineCache(gpu_->handle(), &info, gpu_->allocator(), &cache), "vkCreatePipelineCache");
  return cache;
}

void Pipelines::add_compiled_code(const uint8_t* data, uint64_t size) {
  const std::lock_guard<std::mutex> lock(caches_mutex_);
  caches_.reserve(caches_.size() + 1);
  caches_.push_back(create_cache(data, size));
}

VkPipelineCache Pipelines::newest_cache() {
  const std::lock_guard<std::mutex> lock(caches_mutex_);
  return caches_.back();
}

std::vector<uint8_t> Pipelines::compiled_code() {
  const std::lock_guard<std::mutex> lock(caches_mutex_);
  const VkPipelineCache merged = create_cache(nullptr, 0);
  std::vector<uint8_t> data;
  VkResult result =
      gpu_->MergePipelineCaches(gpu_->handle(), merged, static_cast<uint32_t>(caches_.size()), caches_.data());
  size_t size = 0;
  if (result == VK_SUCCESS) result = gpu_->GetPipelineCacheData(gpu_->handle(), merged, &size, nullptr);
  if (result == VK_SUCCESS) {
    try {
      data.resize(size);
      result = gpu_->GetPipelineCacheData(gpu_->handle(), merged, &size, data.data());
    } catch (const std::bad_alloc&) {
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
  }
  gpu_->destroy(gpu_->DestroyPipelineCache, merged);
  gpu_->check(result, "vkGetPipelineCacheData");
  data.resize(size);
  return data;
}

VkPipeline Pipelines::create(Shader shader) {
  const std::vector<uint32_t> words = module_words(shader, gpu_->adapter());
  VkShaderModuleCreateInfo module_info{};
  module_info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  module_info.codeSize = words.size() * sizeof(uint32_t);
  module_info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  gpu_->check(gpu_->CreateShaderModule(gpu_->handle(), &module_info, gpu_->allocator(), &module),
              "vkCreateShaderModule");
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = layout_;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result =
      gpu_->CreateComputePipelines(gpu_->handle(), newest_cache(), 1, &info, gpu_->allocator(), &pipeline);
  gpu_->destroy(gpu_->DestroyShaderModule, module);
  gpu_->check(result, "vkCreateComputePipelines");
  return pipeline;
}

}  // namespace clothc::vulkan
