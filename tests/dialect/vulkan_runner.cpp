// vulkan_runner.cpp - a minimal Vulkan compute host; libvulkan is opened at run time.
#include "dialect/vulkan_runner.h"

#if __has_include(<vulkan/vulkan.h>)

#define VK_NO_PROTOTYPES
#include <dlfcn.h>
#include <vulkan/vulkan.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

namespace clothc::probes {
namespace {

constexpr const char* software_driver = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json";
constexpr uint32_t group_size = 64;  // local_size_x of kernel.comp
constexpr uint32_t arena_count = 4;

// Push constants of kernel.comp.
struct Launch {
  FrameConstants frame;
  Work work;
};

struct Buffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  void* mapped = nullptr;
  size_t size = 0;
};

#define INSTANCE_FUNCTIONS(X)                                                                                   \
  X(DestroyInstance) X(EnumeratePhysicalDevices) X(GetPhysicalDeviceProperties)                                 \
  X(GetPhysicalDeviceMemoryProperties) X(CreateDevice) X(GetDeviceProcAddr)
#define DEVICE_FUNCTIONS(X)                                                                                     \
  X(DestroyDevice) X(GetDeviceQueue) X(CreateBuffer) X(DestroyBuffer) X(GetBufferMemoryRequirements)            \
  X(AllocateMemory) X(FreeMemory) X(BindBufferMemory) X(MapMemory) X(CreateShaderModule) X(DestroyShaderModule) \
  X(CreateDescriptorSetLayout) X(DestroyDescriptorSetLayout) X(CreatePipelineLayout) X(DestroyPipelineLayout)   \
  X(CreateComputePipelines) X(DestroyPipeline) X(CreateDescriptorPool) X(DestroyDescriptorPool)                 \
  X(AllocateDescriptorSets) X(UpdateDescriptorSets) X(CreateCommandPool) X(DestroyCommandPool)                  \
  X(AllocateCommandBuffers) X(BeginCommandBuffer) X(EndCommandBuffer) X(CmdBindPipeline)                        \
  X(CmdBindDescriptorSets) X(CmdPushConstants) X(CmdDispatch) X(CmdPipelineBarrier) X(QueueSubmit) X(QueueWaitIdle)

void check(VkResult result, const char* what) {
  if (result != VK_SUCCESS) throw std::runtime_error(std::string(what) + " gave " + std::to_string(result));
}
#define CHECK(call) check(call, #call)

std::string name_of(uint32_t kernel) {
  static const char* const probe_names[] = {
#define CLOTHC_KERNEL(name, domain, reads, writes) #name,
#include "dialect/probes.def"
#undef CLOTHC_KERNEL
  };
  return kernel < kernel_count ? kernel_infos[kernel].name : probe_names[kernel - kernel_count];
}

class Runner : public VulkanRunner {
 public:
  explicit Runner(std::string shader_folder) : folder(std::move(shader_folder)) {
    create_device();
    create_layout();
    create_command_buffer();
  }
  ~Runner() override;
  void run(Arenas& arenas, const std::vector<Work>& works) override;

 private:
  void create_device();
  void create_layout();
  void create_command_buffer();
  void provide(uint32_t binding, size_t size);
  void release(Buffer& buffer);
  uint32_t mapped_memory_type(uint32_t allowed) const;
  VkPipeline pipeline_of(uint32_t kernel);
  void record(const FrameConstants& frame, const Work& work);

  std::string folder;
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkDescriptorPool descriptor_pool = VK_NULL_HANDLE;
  VkDescriptorSet descriptor_set = VK_NULL_HANDLE;
  VkCommandPool command_pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  Buffer buffers[arena_count];
  std::map<uint32_t, VkPipeline> pipelines;
#define DECLARE(name) PFN_vk##name name = nullptr;
  INSTANCE_FUNCTIONS(DECLARE)
  DEVICE_FUNCTIONS(DECLARE)
#undef DECLARE
};

void Runner::create_device() {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW);
  if (!library) throw std::runtime_error("there is no libvulkan.so.1");
  const auto get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  const auto create_instance = reinterpret_cast<PFN_vkCreateInstance>(get(nullptr, "vkCreateInstance"));
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_1;
  VkInstanceCreateInfo instance_info{};
  instance_info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  instance_info.pApplicationInfo = &application;
  CHECK(create_instance(&instance_info, nullptr, &instance));
#define LOAD(name) name = reinterpret_cast<PFN_vk##name>(get(instance, "vk" #name));
  INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
  uint32_t count = 1;
  EnumeratePhysicalDevices(instance, &count, &physical_device);
  if (count == 0) throw std::runtime_error("there is no Vulkan device");

  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue_info{};
  queue_info.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  VkDeviceCreateInfo device_info{};
  device_info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  device_info.queueCreateInfoCount = 1;
  device_info.pQueueCreateInfos = &queue_info;
  CHECK(CreateDevice(physical_device, &device_info, nullptr, &device));
#define LOAD(name) name = reinterpret_cast<PFN_vk##name>(GetDeviceProcAddr(device, "vk" #name));
  DEVICE_FUNCTIONS(LOAD)
#undef LOAD
  GetDeviceQueue(device, 0, 0, &queue);
}

void Runner::create_layout() {
  VkDescriptorSetLayoutBinding bindings[arena_count]{};
  for (uint32_t k = 0; k < arena_count; ++k) {
    bindings[k] = {k, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  }
  VkDescriptorSetLayoutCreateInfo set_info{};
  set_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  set_info.bindingCount = arena_count;
  set_info.pBindings = bindings;
  CHECK(CreateDescriptorSetLayout(device, &set_info, nullptr, &set_layout));
  const VkPushConstantRange constants = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Launch)};
  VkPipelineLayoutCreateInfo layout_info{};
  layout_info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layout_info.setLayoutCount = 1;
  layout_info.pSetLayouts = &set_layout;
  layout_info.pushConstantRangeCount = 1;
  layout_info.pPushConstantRanges = &constants;
  CHECK(CreatePipelineLayout(device, &layout_info, nullptr, &layout));

  const VkDescriptorPoolSize pool_size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, arena_count};
  VkDescriptorPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  pool_info.maxSets = 1;
  pool_info.poolSizeCount = 1;
  pool_info.pPoolSizes = &pool_size;
  CHECK(CreateDescriptorPool(device, &pool_info, nullptr, &descriptor_pool));
  VkDescriptorSetAllocateInfo allocate_info{};
  allocate_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocate_info.descriptorPool = descriptor_pool;
  allocate_info.descriptorSetCount = 1;
  allocate_info.pSetLayouts = &set_layout;
  CHECK(AllocateDescriptorSets(device, &allocate_info, &descriptor_set));
}

void Runner::create_command_buffer() {
  VkCommandPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  CHECK(CreateCommandPool(device, &pool_info, nullptr, &command_pool));
  VkCommandBufferAllocateInfo allocate_info{};
  allocate_info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate_info.commandPool = command_pool;
  allocate_info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate_info.commandBufferCount = 1;
  CHECK(AllocateCommandBuffers(device, &allocate_info, &commands));
}

uint32_t Runner::mapped_memory_type(uint32_t allowed) const {
  constexpr VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkPhysicalDeviceMemoryProperties properties;
  GetPhysicalDeviceMemoryProperties(physical_device, &properties);
  for (uint32_t k = 0; k < properties.memoryTypeCount; ++k) {
    if ((allowed >> k & 1) && (properties.memoryTypes[k].propertyFlags & wanted) == wanted) return k;
  }
  throw std::runtime_error("there is no mapped and coherent memory");
}

void Runner::release(Buffer& buffer) {
  if (buffer.buffer) DestroyBuffer(device, buffer.buffer, nullptr);
  if (buffer.memory) FreeMemory(device, buffer.memory, nullptr);
  buffer = Buffer();
}

// Makes the arena of a binding so large, unless it is.
void Runner::provide(uint32_t binding, size_t size) {
  Buffer& buffer = buffers[binding];
  if (buffer.buffer && buffer.size == size) return;
  release(buffer);
  buffer.size = size;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = size;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  CHECK(CreateBuffer(device, &info, nullptr, &buffer.buffer));
  VkMemoryRequirements requirements;
  GetBufferMemoryRequirements(device, buffer.buffer, &requirements);
  VkMemoryAllocateInfo allocate_info{};
  allocate_info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate_info.allocationSize = requirements.size;
  allocate_info.memoryTypeIndex = mapped_memory_type(requirements.memoryTypeBits);
  CHECK(AllocateMemory(device, &allocate_info, nullptr, &buffer.memory));
  CHECK(BindBufferMemory(device, buffer.buffer, buffer.memory, 0));
  CHECK(MapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.mapped));

  const VkDescriptorBufferInfo range = {buffer.buffer, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = descriptor_set;
  write.dstBinding = binding;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = &range;
  UpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

VkPipeline Runner::pipeline_of(uint32_t kernel) {
  const auto known = pipelines.find(kernel);
  if (known != pipelines.end()) return known->second;
  const std::string path = folder + "/" + name_of(kernel) + ".spv";
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("there is no " + path);
  const std::string code((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<uint32_t> words(code.size() / 4);
  std::memcpy(words.data(), code.data(), words.size() * 4);
  VkShaderModuleCreateInfo module_info{};
  module_info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  module_info.codeSize = words.size() * 4;
  module_info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  CHECK(CreateShaderModule(device, &module_info, nullptr, &module));
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  CHECK(CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  DestroyShaderModule(device, module, nullptr);
  pipelines[kernel] = pipeline;
  return pipeline;
}

void Runner::record(const FrameConstants& frame, const Work& work) {
  const Launch launch = {frame, work};
  CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_of(work.kernel));
  CmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof launch, &launch);
  CmdDispatch(commands, (work.end - work.begin + group_size - 1) / group_size, 1, 1);
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;
  CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                     VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0,
                     nullptr);
}

void Runner::run(Arenas& arenas, const std::vector<Work>& works) {
  const struct {
    void* data;
    size_t size;
  } contents[arena_count] = {{arenas.particles.data(), arenas.particles.size() * sizeof(float)},
                             {arenas.fabric.data(), arenas.fabric.size() * sizeof(uint32_t)},
                             {arenas.cloths.data(), arenas.cloths.size() * sizeof(ClothRecord)},
                             {arenas.tables.data(), arenas.tables.size() * sizeof(uint32_t)}};
  for (uint32_t k = 0; k < arena_count; ++k) {
    provide(k, contents[k].size);
    std::memcpy(buffers[k].mapped, contents[k].data, contents[k].size);
  }
  VkCommandBufferBeginInfo begin_info{};
  begin_info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  CHECK(BeginCommandBuffer(commands, &begin_info));
  CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &descriptor_set, 0, nullptr);
  for (const Work& work : works) record(arenas.frame, work);
  CHECK(EndCommandBuffer(commands));
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  CHECK(QueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
  CHECK(QueueWaitIdle(queue));
  for (uint32_t k = 0; k < arena_count; ++k) std::memcpy(contents[k].data, buffers[k].mapped, contents[k].size);
}

Runner::~Runner() {
  for (const auto& entry : pipelines) DestroyPipeline(device, entry.second, nullptr);
  for (Buffer& buffer : buffers) release(buffer);
  DestroyCommandPool(device, command_pool, nullptr);
  DestroyDescriptorPool(device, descriptor_pool, nullptr);
  DestroyPipelineLayout(device, layout, nullptr);
  DestroyDescriptorSetLayout(device, set_layout, nullptr);
  DestroyDevice(device, nullptr);
  DestroyInstance(instance, nullptr);
}

}  // namespace

std::unique_ptr<VulkanRunner> VulkanRunner::create(const std::string& shader_folder, std::string& reason) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CLOTHC_THREAD_SANITIZER
#endif
#endif
#if defined(CLOTHC_THREAD_SANITIZER) || defined(__SANITIZE_THREAD__)
  reason = "ThreadSanitizer cannot see the synchronisation inside Mesa";
  return nullptr;
#endif
  if (!std::filesystem::exists(software_driver)) {
    reason = std::string("there is no software Vulkan driver: ") + software_driver;
    return nullptr;
  }
  if (!std::filesystem::exists(shader_folder + "/integrate.spv")) {
    reason = "the shaders are not compiled: " + shader_folder + " (ctest -R dialect_glsl makes them)";
    return nullptr;
  }
  setenv("VK_ICD_FILENAMES", software_driver, 1);
  try {
    return std::make_unique<Runner>(shader_folder);
  } catch (const std::runtime_error& error) {
    reason = error.what();
    return nullptr;
  }
}

}  // namespace clothc::probes

#else

namespace clothc::probes {

std::unique_ptr<VulkanRunner> VulkanRunner::create(const std::string&, std::string& reason) {
  reason = "built without the Vulkan headers";
  return nullptr;
}

}  // namespace clothc::probes

#endif
