// operations.h - calls of the driver as data: what a stream is to do, prepared so far that calling the driver needs no
// memory of the host.
#pragma once

#include <vector>

#include "backend_cuda/gpu.h"

namespace clothc::cuda {

struct Operation {
  enum class Kind : uint8_t { copy, fill, launch, graph, event, signal, wait };
  Kind kind = Kind::copy;

  // copy: size bytes. fill: size bytes, a multiple of 4, with copies of value.
  CUdeviceptr target = 0;
  CUdeviceptr source = 0;
  uint64_t size = 0;
  uint32_t value = 0;

  // launch: a kernel with one parameter, which begins at that index in the words of the list.
  CUfunction function = nullptr;
  uint32_t grid_x = 0;
  uint32_t grid_y = 0;
  uint32_t threads = 0;
  uint32_t shared_size = 0;
  size_t parameter = 0;
  size_t parameter_words = 0;
  // Number of calls of separate before it.
  uint32_t level = 0;

  // graph: launches it once.
  CUgraphExec graph = nullptr;
  // event: records it.
  CUevent event = nullptr;
  // signal: raises it to `size`. wait: waits until it has that value.
  CUexternalSemaphore semaphore = nullptr;
};

class OperationList {
 public:
  void reserve(size_t count) { operations_.reserve(count); }
  void copy(CUdeviceptr target, CUdeviceptr source, uint64_t size);
  void fill(CUdeviceptr target, uint64_t size, uint32_t value);
  void graph(CUgraphExec graph);
  void event(CUevent event);
  void signal(CUexternalSemaphore semaphore, uint64_t value);
  void wait(CUexternalSemaphore semaphore, uint64_t value);
  // The launches after this wait for those before it. Those of a stream do so anyway; those of a graph only here.
  void separate() { ++level_; }
  // Parameter: the struct that is the kernel's parameter.
  template <class Parameter>
  void launch(CUfunction function, uint32_t grid_x, uint32_t grid_y, uint32_t threads, uint32_t shared_size,
              const Parameter& parameter) {
    static_assert(sizeof(Parameter) % sizeof(uint64_t) == 0, "words hold it");
    launch(function, grid_x, grid_y, threads, shared_size, &parameter, sizeof(Parameter) / sizeof(uint64_t));
  }

  // Adds the operations of another list.
  void append(const OperationList& other);
  const std::vector<Operation>& operations() const { return operations_; }
  // Returns the parameter of a launch.
  void* parameter_of(const Operation& launch) { return words_.data() + launch.parameter; }
  bool is_empty() const { return operations_.empty(); }
  // Drops all operations, but keeps their memory for the next ones.
  void clear();
  // Calls the driver for each operation. The context must be current. Returns the first error.
  CUresult issue(const Driver& driver, CUstream stream);

 private:
  void use(Operation::Kind kind, CUexternalSemaphore semaphore, uint64_t value);
  void launch(CUfunction function, uint32_t grid_x, uint32_t grid_y, uint32_t threads, uint32_t shared_size,
              const void* parameter, size_t parameter_words);

  std::vector<Operation> operations_;
  std::vector<uint64_t> words_;
  uint32_t level_ = 0;
};

}  // namespace clothc::cuda
