// first_run.h - runs shaders once with nothing to do. Some drivers compile a shader only when it runs for the first time.
#pragma once

#include "backend_vulkan/descriptors.h"
#include "backend_vulkan/immediate_commands.h"
#include "backend_vulkan/memory_pool.h"

namespace clothc::vulkan {

// One thread at a time may use it.
class FirstRun {
 public:
  FirstRun(const GpuPointer& gpu, std::shared_ptr<Pipelines> pipelines, std::shared_ptr<MemoryPool> memory)
      : gpu_(gpu), pipelines_(std::move(pipelines)), memory_(std::move(memory)) {}

  // Runs a shader and waits for it. Throws Failure.
  void run(Shader shader);

 private:
  // What a submission needs, which is made for the first one.
  struct Resources {
    Resources(const GpuPointer& gpu, const Pipelines& pipelines, MemoryPool& memory);
    MemoryPointer arena;
    Descriptors descriptors;
    VkDescriptorSet set;
    ImmediateCommands commands;
  };

  GpuPointer gpu_;
  std::shared_ptr<Pipelines> pipelines_;
  std::shared_ptr<MemoryPool> memory_;
  std::optional<Resources> resources_;
};

}  // namespace clothc::vulkan
