// graph.cpp - builds graphs of kernels: each depends on all kernels of the level before its own.
#include "backend_cuda/graph.h"

#include <algorithm>

namespace clothc::cuda {
namespace {

CUDA_KERNEL_NODE_PARAMS node_parameters(const Operation& launch, void** parameters) {
  return {launch.function,    launch.grid_x, launch.grid_y, 1, launch.threads, 1, 1,
          launch.shared_size, parameters,    nullptr};
}

// Whether a node can be changed from one launch to another: everything but the kernel and the dependencies can.
bool are_alike(const Operation& a, const Operation& b) { return a.function == b.function && a.level == b.level; }

}  // namespace

Graph::Graph(GpuPointer gpu, OperationList& launches) : gpu_(std::move(gpu)), shapes_(launches.operations()) {
  if (shapes_.empty()) return;
  try {
    create(launches);
  } catch (...) {
    release();
    throw;
  }
}

Graph::~Graph() {
  if (!gpu_->may_free() || graph_ == nullptr) return;
  const CurrentContext current(*gpu_);
  release();
}

void Graph::release() {
  if (executable_ != nullptr) gpu_->driver().GraphExecDestroy(executable_);
  if (graph_ != nullptr) gpu_->driver().GraphDestroy(graph_);
}

void Graph::create(OperationList& launches) {
  const Driver& driver = gpu_->driver();
  gpu_->check(driver.GraphCreate(&graph_, 0), "cuGraphCreate");
  nodes_.resize(shapes_.size());
  // The nodes of the level before, and of the level of the node that is added.
  size_t before = 0, begin = 0;
  for (size_t k = 0; k < shapes_.size(); ++k) {
    if (shapes_[k].level != shapes_[begin].level) {
      before = begin;
      begin = k;
    }
    void* parameters[] = {launches.parameter_of(shapes_[k])};
    const CUDA_KERNEL_NODE_PARAMS node = node_parameters(shapes_[k], parameters);
    gpu_->check(driver.GraphAddKernelNode(&nodes_[k], graph_, nodes_.data() + before, begin - before, &node),
                "cuGraphAddKernelNode");
  }
  gpu_->check(driver.GraphInstantiate(&executable_, graph_, 0), "cuGraphInstantiateWithFlags");
}

bool Graph::fits(const OperationList& launches) const {
  const std::vector<Operation>& all = launches.operations();
  return std::equal(all.begin(), all.end(), shapes_.begin(), shapes_.end(), are_alike);
}

void Graph::update(OperationList& launches) {
  const std::vector<Operation>& all = launches.operations();
  for (size_t k = 0; k < all.size(); ++k) {
    void* parameters[] = {launches.parameter_of(all[k])};
    const CUDA_KERNEL_NODE_PARAMS node = node_parameters(all[k], parameters);
    gpu_->check(gpu_->driver().GraphExecKernelNodeSetParams(executable_, nodes_[k], &node),
                "cuGraphExecKernelNodeSetParams");
  }
}

}  // namespace clothc::cuda
