// graphs.cpp - the API of graphs. An executable graph is a copy of a graph at its instantiation.
#include "cuda/device/driver/graph.h"

#include <algorithm>

#include "cuda/device/driver/capture.h"
#include "cuda/device/driver/kernels.h"
#include "cuda/device/driver/scheduler.h"

namespace clothc::cuda_device {
namespace {

std::vector<size_t> find_dependencies(const Call& call, const std::shared_ptr<Graph>& graph, const CUgraphNode* handles,
                                      size_t count) {
  require(count == 0 || handles != nullptr, CUDA_ERROR_INVALID_VALUE);
  std::vector<size_t> dependencies;
  for (size_t k = 0; k < count; ++k) {
    const std::shared_ptr<NodeObject> node = find_any(call, state().nodes, handles[k], "node");
    require(node->graph.lock() == graph, CUDA_ERROR_INVALID_VALUE);
    const bool is_repeated = std::find(dependencies.begin(), dependencies.end(), node->index) != dependencies.end();
    require(!is_repeated, CUDA_ERROR_INVALID_VALUE);
    dependencies.push_back(node->index);
  }
  return dependencies;
}

// Gives each branch a lane: a node continues the lane of a dependency that no other node has continued.
std::vector<std::shared_ptr<const Lane>> find_lanes(const std::vector<Node>& nodes) {
  std::vector<std::shared_ptr<const Lane>> found(nodes.size());
  std::vector<bool> is_continued(nodes.size());
  for (size_t k = 0; k < nodes.size(); ++k) {
    for (const size_t dependency : nodes[k].dependencies) {
      if (is_continued[dependency]) continue;
      is_continued[dependency] = true;
      found[k] = found[dependency];
      break;
    }
    if (!found[k]) found[k] = std::make_shared<const Lane>(state().host_clock);
  }
  return found;
}

std::shared_ptr<ExecutableGraph> find_executable(const Call& call, CUgraphExec handle) {
  return find_here(call, state().executables, handle, "executable graph");
}

// Returns the number of a kernel's node of the graph that was instantiated.
size_t find_kernel_node(const Call& call, const ExecutableGraph& executable, CUgraphNode handle) {
  const std::shared_ptr<NodeObject> node = find_any(call, state().nodes, handle, "node");
  const std::shared_ptr<Graph> graph = node->graph.lock();
  const std::vector<Node>& nodes = executable.plan->nodes;
  require(graph && graph == executable.graph.lock() && node->index < nodes.size(), CUDA_ERROR_INVALID_VALUE);
  require(nodes[node->index].task->is_kernel(), CUDA_ERROR_INVALID_VALUE);
  return node->index;
}

}  // namespace

size_t add_node(const std::shared_ptr<Graph>& graph, TaskPointer task, std::vector<size_t> dependencies) {
  const std::shared_ptr<NodeObject> node = std::make_shared<NodeObject>();
  node->graph = graph;
  node->index = graph->nodes.size();
  graph->nodes.push_back({std::move(task), std::move(dependencies)});
  graph->handles.push_back(state().nodes.add(node));
  return node->index;
}

}  // namespace clothc::cuda_device

using namespace clothc::cuda_device;

CUresult cuGraphCreate(CUgraph* handle, unsigned flags) {
  return perform(Function::GraphCreate, Needs::working_context, [&](Call& call) {
    require(handle != nullptr && flags == 0, CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<Graph> graph = std::make_shared<Graph>();
    graph->context = call.context;
    *handle = state().graphs.add(graph);
  });
}

CUresult cuGraphDestroy(CUgraph handle) {
  return perform(Function::GraphDestroy, Needs::context, [&](Call& call) {
    const std::shared_ptr<Graph> graph = find_here(call, state().graphs, handle, "graph");
    for (const CUgraphNode node : graph->handles) state().nodes.remove(node);
    state().graphs.remove(handle);
  });
}

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph handle, const CUgraphNode* dependencies,
                              size_t dependency_count, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return perform(Function::GraphAddKernelNode, Needs::working_context, [&](Call& call) {
    require(node != nullptr && parameters != nullptr, CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<Graph> graph = find_here(call, state().graphs, handle, "graph");
    TaskPointer task = make_kernel_task(call, *parameters);
    const size_t index =
        add_node(graph, std::move(task), find_dependencies(call, graph, dependencies, dependency_count));
    *node = graph->handles[index];
  });
}

CUresult cuGraphGetNodes(CUgraph handle, CUgraphNode* nodes, size_t* count) {
  return perform(Function::GraphGetNodes, Needs::working_context, [&](Call& call) {
    require(count != nullptr, CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<Graph> graph = find_here(call, state().graphs, handle, "graph");
    const size_t written = nodes ? std::min(*count, graph->handles.size()) : graph->handles.size();
    if (nodes) std::copy_n(graph->handles.begin(), written, nodes);
    *count = written;
  });
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* handle, CUgraph graph_handle, unsigned long long flags) {
  return perform(Function::GraphInstantiate, Needs::working_context, [&](Call& call) {
    require(handle != nullptr && flags == 0, CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<Graph> graph = find_here(call, state().graphs, graph_handle, "graph");
    const std::shared_ptr<ExecutableGraph> executable = std::make_shared<ExecutableGraph>();
    executable->context = call.context;
    executable->graph = graph;
    executable->plan = std::make_shared<Plan>();
    executable->plan->nodes = graph->nodes;
    executable->plan->user_objects = graph->user_objects;
    executable->plan->lanes = find_lanes(graph->nodes);
    *handle = state().executables.add(executable);
  });
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec handle, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return perform(Function::GraphExecKernelNodeSetParams, Needs::working_context, [&](Call& call) {
    require(parameters != nullptr, CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<ExecutableGraph> executable = find_executable(call, handle);
    const size_t index = find_kernel_node(call, *executable, node);
    TaskPointer task = make_kernel_task(call, *parameters);
    // A launch that has not ended keeps the nodes that it was launched with.
    if (executable->plan.use_count() > 1) executable->plan = std::make_shared<Plan>(*executable->plan);
    executable->plan->nodes[index].task = std::move(task);
  });
}

CUresult cuGraphLaunch(CUgraphExec handle, CUstream stream_handle) {
  return perform(Function::GraphLaunch, Needs::working_context, [&](Call& call) {
    const std::shared_ptr<ExecutableGraph> executable = find_executable(call, handle);
    const StreamPointer stream = find_stream(call, stream_handle);
    for (const Node& node : executable->plan->nodes) {
      if (!node.task->is_usable()) call.end_process("the module of a node was unloaded");
    }
    if (stream->capture) return capture_plan(*stream, *executable->plan);
    executable->last_launch = submit_plan(call, stream, executable->plan, executable->last_launch);
    ++state().counts.graph_launches;
  });
}

CUresult cuGraphExecDestroy(CUgraphExec handle) {
  return perform(Function::GraphExecDestroy, Needs::context, [&](Call& call) {
    find_executable(call, handle);
    state().executables.remove(handle);
  });
}
