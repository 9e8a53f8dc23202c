// capture.h - commands as part of graphs of the application, and what these graphs use until they are destroyed.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "backend_cuda/recording.h"

namespace clothc::cuda {

class Captures {
 public:
  Captures(GpuPointer gpu, std::shared_ptr<Functions> functions, std::shared_ptr<MemoryPool> memory)
      : gpu_(std::move(gpu)), functions_(std::move(functions)), memory_(std::move(memory)) {}

  // Adds the commands to the graph that the application is capturing in its stream. What they use stays until that graph
  // and its executable graphs are destroyed, or this object is. The context must be current. Throws Failure, after
  // which the graph may have a part of the commands.
  void add(const CommandList& list, CUstream stream);

 private:
  // The words of a schedule in device memory.
  struct Words {
    std::shared_ptr<const Schedule> schedule;
    MemoryPointer memory;
  };
  // What one graph uses.
  struct Part {
    OperationList operations;
    std::vector<MemoryPointer> memories;
    std::vector<Words> words;
    // Set when the last graph that has these operations is destroyed.
    std::shared_ptr<std::atomic<bool>> is_destroyed = std::make_shared<std::atomic<bool>>(false);
  };

  CUgraph graph_of(CUstream stream);
  // Lets the graph tell when it and its executable graphs are destroyed.
  void retain(CUgraph graph, const Part& part);
  // Returns memory of the part, which the host can write and the device can read.
  MemoryPointer keep(Part& part, uint64_t size);
  // Returns the address of a schedule's words, which the part keeps.
  CUdeviceptr words_of(Part& part, const std::shared_ptr<const Schedule>& schedule);

  void record(Part& part, const CommandList& list, const Write& write);
  void record(Part& part, const CommandList& list, const Copy& copy);
  void record(Part& part, const CommandList& list, const Fill& fill);
  void record(Part& part, const CommandList& list, const Dispatch& dispatch);
  // These are not for graphs.
  void record(Part& part, const CommandList& list, const Wait& wait);
  void record(Part& part, const CommandList& list, const Signal& signal);
  void record(Part& part, const CommandList& list, const Mark& mark);

  GpuPointer gpu_;
  std::shared_ptr<Functions> functions_;
  std::shared_ptr<MemoryPool> memory_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Part>> parts_;
  // Those of the last capture, since the next one most likely needs the same.
  std::vector<Words> latest_words_;
};

}  // namespace clothc::cuda
