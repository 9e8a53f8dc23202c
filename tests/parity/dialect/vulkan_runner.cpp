// vulkan_runner.cpp - runs jobs with one pipeline per kernel and one command buffer per list of jobs.
#include "parity/dialect/vulkan_runner.h"

#if __has_include(<vulkan/vulkan.h>)

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <utility>

#include "backend_vulkan/memory.h"
#include "backend_vulkan/modules.h"
#include "parity/dialect/vulkan_device.h"
#include "support/given_path.h"
#include "support/sanitized.h"

namespace clothc::probes {
namespace {

// Must equal local_size_x of kernel.comp.
constexpr uint32_t group_size = 128;
constexpr uint32_t arena_count = 4;
// The texels of jobs and of the arenas are bound behind the arenas.
constexpr uint32_t view_count = 1 + arena_count;
constexpr uint32_t binding_count = arena_count + view_count;

// Push constants of kernel.comp.
struct Launch {
  FrameConstants frame;
  uint32_t first_job;
  uint32_t job_count;
  uint32_t repeated;
};

// A job in the format that kernel.comp reads.
struct Texel {
  uint32_t kernel_and_cloth, begin, end, argument;
};

// A view reaches behind the size bytes, and no buffer's size may be a power of two; see texel_view_size.
size_t buffer_size(size_t size) { return vulkan::texel_view_size(size) + 512; }

std::string name_of(uint32_t kernel) {
  static const char* const probe_names[] = {
#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes) #name,
#include "parity/dialect/probes.def"
#undef CLOTHC_KERNEL
  };
  return kernel < kernel_count ? kernel_infos[kernel].name : probe_names[kernel - kernel_count];
}

// Returns the library's description of the device that VulkanDevice chooses.
vulkan::Adapter chosen_adapter() {
  std::string reason;
  const std::shared_ptr<vulkan::Instance> instance = vulkan::Instance::of_process(reason);
  if (instance == nullptr) throw std::runtime_error(reason);
  const std::vector<VkPhysicalDevice> devices = instance->physical_devices();
  for (const VkPhysicalDevice device : devices) {
    const vulkan::Adapter adapter = vulkan::describe_adapter(*instance, device, 0);
    if ((adapter.info.capabilities & CLOTHC_CAPABILITY_SOFTWARE_DEVICE) == 0) return adapter;
  }
  return vulkan::describe_adapter(*instance, devices.at(0), 0);
}

// Returns the description of a device like the given one on which shaders compute and read as wanted.
vulkan::Adapter with(Arithmetic arithmetic, vulkan::Adapter adapter) {
  adapter.has_exact_division = !arithmetic.strict;
  adapter.reads_texels = adapter.reads_texels && !arithmetic.strict;
  return adapter;
}

class Runner : public VulkanRunner {
 public:
  Runner(std::string shader_folder, Arithmetic how) : folder(std::move(shader_folder)), arithmetic(how) {
    create_layout();
    create_command_buffer();
  }
  ~Runner() override;
  bool divides_exactly() const override { return found.has_exact_division; }
  void run(Arenas& arenas, const std::vector<Job>& jobs) override;

 private:
  void create_layout();
  void create_command_buffer();
  void ensure_buffer(uint32_t binding, size_t size);
  void ensure_jobs(const std::vector<Job>& jobs);
  void bind(uint32_t binding, const VkDescriptorBufferInfo* range, const VkBufferView* view);
  // Binds a buffer as texels. number is that of the view.
  void bind_texels(uint32_t number, const Buffer& buffer, size_t size, VkFormat format);
  std::vector<uint32_t> module_of(uint32_t kernel) const;
  VkPipeline pipeline_of(uint32_t kernel);
  void record(const FrameConstants& frame, const Job& job, uint32_t index);

  VulkanDevice device;
  std::string folder;
  Arithmetic arithmetic;
  vulkan::Adapter found = chosen_adapter();
  vulkan::Adapter adapter = with(arithmetic, found);
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkDescriptorPool descriptor_pool = VK_NULL_HANDLE;
  VkDescriptorSet descriptor_set = VK_NULL_HANDLE;
  VkCommandPool command_pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  Buffer buffers[arena_count];
  Buffer texels;
  VkBufferView views[view_count] = {};
  std::map<uint32_t, VkPipeline> pipelines;
};

void Runner::create_layout() {
  VkDescriptorSetLayoutBinding bindings[binding_count]{};
  for (uint32_t k = 0; k < binding_count; ++k) {
    const VkDescriptorType type =
        k < arena_count ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    bindings[k] = {k, type, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  }
  VkDescriptorSetLayoutCreateInfo set_info{};
  set_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  set_info.bindingCount = binding_count;
  set_info.pBindings = bindings;
  CHECK(device.CreateDescriptorSetLayout(device.device, &set_info, nullptr, &set_layout));
  const VkPushConstantRange constants = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Launch)};
  VkPipelineLayoutCreateInfo layout_info{};
  layout_info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layout_info.setLayoutCount = 1;
  layout_info.pSetLayouts = &set_layout;
  layout_info.pushConstantRangeCount = 1;
  layout_info.pPushConstantRanges = &constants;
  CHECK(device.CreatePipelineLayout(device.device, &layout_info, nullptr, &layout));

  const VkDescriptorPoolSize pool_sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, arena_count},
                                             {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, view_count}};
  VkDescriptorPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  pool_info.maxSets = 1;
  pool_info.poolSizeCount = 2;
  pool_info.pPoolSizes = pool_sizes;
  CHECK(device.CreateDescriptorPool(device.device, &pool_info, nullptr, &descriptor_pool));
  VkDescriptorSetAllocateInfo allocate_info{};
  allocate_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocate_info.descriptorPool = descriptor_pool;
  allocate_info.descriptorSetCount = 1;
  allocate_info.pSetLayouts = &set_layout;
  CHECK(device.AllocateDescriptorSets(device.device, &allocate_info, &descriptor_set));
}

void Runner::create_command_buffer() {
  VkCommandPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  CHECK(device.CreateCommandPool(device.device, &pool_info, nullptr, &command_pool));
  VkCommandBufferAllocateInfo allocate_info{};
  allocate_info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate_info.commandPool = command_pool;
  allocate_info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate_info.commandBufferCount = 1;
  CHECK(device.AllocateCommandBuffers(device.device, &allocate_info, &commands));
}

// Either a range of a buffer or a view is bound.
void Runner::bind(uint32_t binding, const VkDescriptorBufferInfo* range, const VkBufferView* view) {
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = descriptor_set;
  write.dstBinding = binding;
  write.descriptorCount = 1;
  write.descriptorType = view == nullptr ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
  write.pBufferInfo = range;
  write.pTexelBufferView = view;
  device.UpdateDescriptorSets(device.device, 1, &write, 0, nullptr);
}

void Runner::bind_texels(uint32_t number, const Buffer& buffer, size_t size, VkFormat format) {
  VkBufferView& view = views[number];
  if (view) device.DestroyBufferView(device.device, view, nullptr);
  VkBufferViewCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
  info.buffer = buffer.buffer;
  info.format = format;
  info.range = vulkan::texel_view_size(size);
  CHECK(device.CreateBufferView(device.device, &info, nullptr, &view));
  bind(arena_count + number, nullptr, &view);
}

// Makes the buffer of a binding the given size, unless it has that size already. Buffers and views look to the driver
// like the library's, so that it finds the library's shaders in its cache.
void Runner::ensure_buffer(uint32_t binding, size_t size) {
  Buffer& buffer = buffers[binding];
  if (buffer.buffer && buffer.size == buffer_size(size)) return;
  device.release(buffer);
  buffer = device.make_buffer(buffer_size(size));
  const VkDescriptorBufferInfo range = {buffer.buffer, 0, size};
  bind(binding, &range, nullptr);
  bind_texels(1 + binding, buffer, size, binding == 0 ? VK_FORMAT_R32G32B32A32_UINT : VK_FORMAT_R32_UINT);
}

void Runner::ensure_jobs(const std::vector<Job>& jobs) {
  device.release(texels);
  const size_t size = jobs.size() * sizeof(Texel);
  texels = device.make_buffer(buffer_size(size));
  auto* texel = static_cast<Texel*>(texels.mapped);
  for (const Job& job : jobs) *texel++ = {job.kernel << 24 | job.record, job.begin, job.end, job.argument};
  bind_texels(0, texels, size, VK_FORMAT_R32G32B32A32_UINT);
}

// Returns the library's module of a kernel, or a compiled file: of a probe, or for a device with wrong arithmetic.
// Kernels that neither divide nor take roots have no wrong file.
std::vector<uint32_t> Runner::module_of(uint32_t kernel) const {
  const bool is_probe = kernel >= kernel_count;
  const std::string path = folder + (arithmetic.wrong ? "/wrong_" : "/") + name_of(kernel) + ".spv";
  if (!is_probe && !(arithmetic.wrong && std::filesystem::exists(path)))
    return vulkan::module_words(gpu::entry_of(static_cast<Kernel>(kernel)), adapter);
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("there is no " + path);
  const std::string code((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<uint32_t> words(code.size() / 4);
  std::memcpy(words.data(), code.data(), words.size() * 4);
  return vulkan::specialized(words, adapter);
}

VkPipeline Runner::pipeline_of(uint32_t kernel) {
  const auto known = pipelines.find(kernel);
  if (known != pipelines.end()) return known->second;
  const std::vector<uint32_t> words = module_of(kernel);
  VkShaderModuleCreateInfo module_info{};
  module_info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  module_info.codeSize = words.size() * 4;
  module_info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  CHECK(device.CreateShaderModule(device.device, &module_info, nullptr, &module));
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  CHECK(device.CreateComputePipelines(device.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  device.DestroyShaderModule(device.device, module, nullptr);
  pipelines[kernel] = pipeline;
  return pipeline;
}

void Runner::record(const FrameConstants& frame, const Job& job, uint32_t index) {
  const Launch launch = {frame, index, 1, 0};
  device.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_of(job.kernel));
  device.CmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof launch, &launch);
  device.CmdDispatch(commands, (job.end - job.begin + group_size - 1) / group_size, 1, 1);
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;
  device.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                            nullptr, 0, nullptr);
}

void Runner::run(Arenas& arenas, const std::vector<Job>& jobs) {
  const struct {
    void* data;
    size_t size;
  } contents[arena_count] = {{arenas.particles.data(), arenas.particles.size() * sizeof(float)},
                             {arenas.topology.data(), arenas.topology.size() * sizeof(uint32_t)},
                             {arenas.records.data(), arenas.records.size() * sizeof(GroupRecord)},
                             {arenas.tables.data(), arenas.tables.size() * sizeof(uint32_t)}};
  for (uint32_t k = 0; k < arena_count; ++k) {
    ensure_buffer(k, contents[k].size);
    std::memcpy(buffers[k].mapped, contents[k].data, contents[k].size);
  }
  ensure_jobs(jobs);
  VkCommandBufferBeginInfo begin_info{};
  begin_info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  CHECK(device.BeginCommandBuffer(commands, &begin_info));
  device.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &descriptor_set, 0, nullptr);
  for (uint32_t k = 0; k < jobs.size(); ++k) record(arenas.frame, jobs[k], k);
  CHECK(device.EndCommandBuffer(commands));
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  CHECK(device.QueueSubmit(device.queue, 1, &submit, VK_NULL_HANDLE));
  CHECK(device.QueueWaitIdle(device.queue));
  for (uint32_t k = 0; k < arena_count; ++k) std::memcpy(contents[k].data, buffers[k].mapped, contents[k].size);
}

Runner::~Runner() {
  for (const auto& entry : pipelines) device.DestroyPipeline(device.device, entry.second, nullptr);
  for (Buffer& buffer : buffers) device.release(buffer);
  for (const VkBufferView view : views) device.DestroyBufferView(device.device, view, nullptr);
  device.release(texels);
  device.DestroyCommandPool(device.device, command_pool, nullptr);
  device.DestroyDescriptorPool(device.device, descriptor_pool, nullptr);
  device.DestroyPipelineLayout(device.device, layout, nullptr);
  device.DestroyDescriptorSetLayout(device.device, set_layout, nullptr);
}

}  // namespace

std::unique_ptr<VulkanRunner> VulkanRunner::create(const std::string& shader_folder, Arithmetic arithmetic,
                                                   std::string& reason) {
  if (is_sanitized) {
    reason = "sanitizers can check neither shaders nor the driver that runs them";
    return nullptr;
  }
  const std::string folder = clothc_test::given_path("CLOTHC_SHADER_FOLDER", shader_folder);
  if (!std::filesystem::exists(folder + "/integrate.spv")) {
    reason = "the shaders are not compiled: " + folder + " (ctest -R dialect_glsl makes them)";
    return nullptr;
  }
  try {
    return std::make_unique<Runner>(folder, arithmetic);
  } catch (const std::runtime_error& error) {
    reason = error.what();
    return nullptr;
  }
}

}  // namespace clothc::probes

#else

namespace clothc::probes {

std::unique_ptr<VulkanRunner> VulkanRunner::create(const std::string&, Arithmetic, std::string& reason) {
  reason = "built without the Vulkan headers";
  return nullptr;
}

}  // namespace clothc::probes

#endif
