// graph.h - kernel launches as a CUDA graph, which the driver launches at the cost of a single one.
#pragma once

#include "backend_cuda/operations.h"

namespace clothc::cuda {

class Graph {
 public:
  // The list has launches only. The context must be current. Throws Failure.
  Graph(GpuPointer gpu, OperationList& launches);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // Null for a list without launches.
  CUgraphExec executable() const { return executable_; }
  size_t launch_count() const { return shapes_.size(); }
  // Returns whether the launches are of the same kernels with the same dependencies as those of the graph.
  bool fits(const OperationList& launches) const;
  // Gives the launches of the graph the sizes and parameters of these, which fit. Launches of the graph so far keep
  // theirs. The context must be current. Throws Failure, after which the graph must not be launched.
  void update(OperationList& launches);

 private:
  void create(OperationList& launches);
  void release();

  GpuPointer gpu_;
  CUgraph graph_ = nullptr;
  CUgraphExec executable_ = nullptr;
  std::vector<Operation> shapes_;
  std::vector<CUgraphNode> nodes_;
};

}  // namespace clothc::cuda
