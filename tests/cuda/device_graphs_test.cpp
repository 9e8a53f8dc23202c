// device_graphs_test.cpp - graphs of the software device: order of nodes, updates, launches and missing dependencies.
#include <csignal>

#include "cuda/device/driver/fixture.h"

namespace clothc::cuda_device::device_graphs_test {
namespace {

class DeviceGraphs : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    ASSERT_EQ(cuda().GraphCreate(&graph_, 0), CUDA_SUCCESS);
  }
  void TearDown() override {
    if (executable_) cuda().GraphExecDestroy(executable_);
    if (graph_) cuda().GraphDestroy(graph_);
    DeviceTest::TearDown();
  }

  // A launch of fill or add, whose parameters it keeps.
  struct Kernel {
    CUdeviceptr words;
    uint32_t value;
    uint32_t count = word_count;
    CUfunction function = nullptr;
    void* parameters[3] = {&words, &value, &count};
    CUDA_KERNEL_NODE_PARAMS launch() { return {function, word_count / 64, 1, 1, 64, 1, 1, 0, parameters, nullptr}; }
  };

  CUgraphNode add_node(const char* name, CUdeviceptr words, uint32_t value,
                       const std::vector<CUgraphNode>& dependencies = {}) {
    Kernel kernel{words, value};
    kernel.function = function(name);
    const CUDA_KERNEL_NODE_PARAMS launch = kernel.launch();
    CUgraphNode node = nullptr;
    EXPECT_EQ(cuda().GraphAddKernelNode(&node, graph_, dependencies.data(), dependencies.size(), &launch),
              CUDA_SUCCESS);
    return node;
  }
  CUresult set_value(CUgraphNode node, const char* name, CUdeviceptr words, uint32_t value) {
    Kernel kernel{words, value};
    kernel.function = function(name);
    const CUDA_KERNEL_NODE_PARAMS launch = kernel.launch();
    return cuda().GraphExecKernelNodeSetParams(executable_, node, &launch);
  }
  void instantiate() { ASSERT_EQ(cuda().GraphInstantiate(&executable_, graph_, 0), CUDA_SUCCESS); }

  CUgraph graph_ = nullptr;
  CUgraphExec executable_ = nullptr;
};

TEST_F(DeviceGraphs, nodes_run_after_their_dependencies_in_every_order) {
  const CUdeviceptr words = allocate();
  const CUdeviceptr others = allocate();
  const CUgraphNode first = add_node("fill", words, 5);
  const CUgraphNode second = add_node("add", words, 1, {first});
  const CUgraphNode third = add_node("fill", others, 3);
  add_node("add", others, 4, {second, third});
  instantiate();
  const CUstream stream = make_stream();
  for (const char* rules : {"order=forward", "order=backward", "order=permuted,seed=3", "start=late"}) {
    ASSERT_EQ(cuda().control(rules), 0);
    ASSERT_EQ(cuda().GraphLaunch(executable_, stream), CUDA_SUCCESS);
    ASSERT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
    EXPECT_EQ(read(words), all(6)) << rules;
    EXPECT_EQ(read(others), all(7)) << rules;
  }
}

TEST_F(DeviceGraphs, a_missing_dependency_is_found_in_every_order) {
  const CUdeviceptr words = allocate();
  const CUgraphNode first = add_node("fill", allocate(), 5);
  add_node("fill", words, 5, {first});
  add_node("add", words, 1, {first});
  instantiate();
  const CUstream stream = make_stream();
  for (const char* rules : {"order=forward", "order=backward", "order=permuted"}) {
    ASSERT_EQ(cuda().control(rules), 0);
    ASSERT_EQ(cuda().GraphLaunch(executable_, stream), CUDA_SUCCESS);
    ASSERT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
    EXPECT_NE(report().find("race: "), std::string::npos) << rules;
  }
}

TEST_F(DeviceGraphs, launches_of_one_graph_follow_each_other) {
  const CUdeviceptr words = allocate();
  ASSERT_EQ(cuda().MemsetD32Async(words, 0, word_count, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cuda().CtxSynchronize(), CUDA_SUCCESS);
  add_node("add", words, 1);
  instantiate();
  for (int k = 0; k < 5; ++k) ASSERT_EQ(cuda().GraphLaunch(executable_, make_stream()), CUDA_SUCCESS);
  EXPECT_EQ(read(words), all(5));
}

TEST_F(DeviceGraphs, work_around_a_launch_is_ordered_with_its_nodes) {
  const CUdeviceptr words = allocate();
  add_node("add", words, 1);
  add_node("fill", allocate(), 1);
  instantiate();
  const CUstream stream = make_stream();
  ASSERT_EQ(launch("fill", words, 1, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().GraphLaunch(executable_, stream), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words, 1, stream), CUDA_SUCCESS);
  EXPECT_EQ(read(words), all(3));
}

TEST_F(DeviceGraphs, an_executable_graph_is_a_copy) {
  const CUdeviceptr words = allocate();
  const CUgraphNode first = add_node("fill", words, 5);
  instantiate();
  add_node("add", words, 1, {first});
  const CUstream stream = make_stream();
  ASSERT_EQ(cuda().GraphLaunch(executable_, stream), CUDA_SUCCESS);
  EXPECT_EQ(read(words), all(5));
}

TEST_F(DeviceGraphs, an_update_changes_later_launches_alone) {
  ASSERT_EQ(cuda().control("start=late"), 0);
  const CUdeviceptr words = allocate();
  const CUdeviceptr others = allocate();
  const CUgraphNode node = add_node("fill", words, 5);
  instantiate();
  const CUstream stream = make_stream();
  ASSERT_EQ(cuda().GraphLaunch(executable_, stream), CUDA_SUCCESS);
  ASSERT_EQ(set_value(node, "fill", others, 6), CUDA_SUCCESS);
  ASSERT_EQ(cuda().GraphLaunch(executable_, stream), CUDA_SUCCESS);
  EXPECT_EQ(read(words), all(5));
  EXPECT_EQ(read(others), all(6));
}

TEST_F(DeviceGraphs, an_update_is_checked) {
  const CUgraphNode node = add_node("fill", allocate(), 5);
  instantiate();
  const CUgraphNode later = add_node("fill", allocate(), 5);
  EXPECT_EQ(set_value(later, "fill", allocate(), 5), CUDA_ERROR_INVALID_VALUE);
  CUDA_KERNEL_NODE_PARAMS launch{function("fill"), 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr};
  EXPECT_EQ(cuda().GraphExecKernelNodeSetParams(executable_, node, &launch), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().GraphExecKernelNodeSetParams(executable_, node, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DeviceGraphs, nodes_are_checked) {
  Kernel kernel{allocate(), 5};
  kernel.function = function("fill");
  CUDA_KERNEL_NODE_PARAMS launch = kernel.launch();
  CUgraphNode node = nullptr;
  ASSERT_EQ(cuda().GraphAddKernelNode(&node, graph_, nullptr, 0, &launch), CUDA_SUCCESS);
  const CUgraphNode twice[] = {node, node};
  EXPECT_EQ(cuda().GraphAddKernelNode(&node, graph_, twice, 2, &launch), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().GraphAddKernelNode(&node, graph_, nullptr, 1, &launch), CUDA_ERROR_INVALID_VALUE);
  launch.blockDimX = 0;
  EXPECT_EQ(cuda().GraphAddKernelNode(&node, graph_, nullptr, 0, &launch), CUDA_ERROR_INVALID_VALUE);
  CUgraph other = nullptr;
  ASSERT_EQ(cuda().GraphCreate(&other, 0), CUDA_SUCCESS);
  launch = kernel.launch();
  EXPECT_EQ(cuda().GraphAddKernelNode(&node, other, twice, 1, &launch), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().GraphDestroy(other), CUDA_SUCCESS);
}

TEST_F(DeviceGraphs, a_graph_that_is_destroyed_while_it_runs_still_ends) {
  ASSERT_EQ(cuda().control("start=late"), 0);
  const CUdeviceptr words = allocate();
  add_node("fill", words, 5);
  instantiate();
  ASSERT_EQ(cuda().GraphLaunch(executable_, make_stream()), CUDA_SUCCESS);
  ASSERT_EQ(cuda().GraphExecDestroy(executable_), CUDA_SUCCESS);
  ASSERT_EQ(cuda().GraphDestroy(graph_), CUDA_SUCCESS);
  executable_ = nullptr;
  graph_ = nullptr;
  EXPECT_EQ(read(words), all(5));
}

TEST_F(DeviceGraphs, a_launch_needs_the_modules_of_all_nodes) {
  CUmodule module = nullptr;
  ASSERT_EQ(cuda().ModuleLoadDataEx(&module, kernels_text, 0, nullptr, nullptr), CUDA_SUCCESS);
  Kernel kernel{allocate(), 5};
  ASSERT_EQ(cuda().ModuleGetFunction(&kernel.function, module, "fill"), CUDA_SUCCESS);
  const CUDA_KERNEL_NODE_PARAMS launch = kernel.launch();
  CUgraphNode node = nullptr;
  ASSERT_EQ(cuda().GraphAddKernelNode(&node, graph_, nullptr, 0, &launch), CUDA_SUCCESS);
  instantiate();
  ASSERT_EQ(cuda().ModuleUnload(module), CUDA_SUCCESS);
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(cuda().GraphLaunch(executable_, make_stream()), testing::KilledBySignal(SIGABRT),
              "cuGraphLaunch: the module of a node was unloaded");
}

TEST_F(DeviceGraphs, a_fault_in_a_node_ends_the_context) {
  add_node("fill", allocate(16), 5);
  instantiate();
  const CUstream stream = make_stream();
  ASSERT_EQ(cuda().GraphLaunch(executable_, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cuda().GraphExecDestroy(executable_), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cuda().GraphDestroy(graph_), CUDA_ERROR_ILLEGAL_ADDRESS);
  executable_ = nullptr;
  graph_ = nullptr;
  EXPECT_NE(report().find("wrong access: fill"), std::string::npos);
}

TEST_F(DeviceGraphs, nodes_count_as_operations) {
  const CUdeviceptr words = allocate();
  const CUgraphNode first = add_node("fill", words, 5);
  add_node("add", words, 1, {first});
  instantiate();
  ASSERT_EQ(cuda().control("hang=2"), 0);
  const CUstream stream = make_stream();
  ASSERT_EQ(cuda().GraphLaunch(executable_, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamQuery(stream), CUDA_ERROR_NOT_READY);
  ASSERT_EQ(cuda().control(""), 0);
  EXPECT_EQ(read(words), all(6));
}

}  // namespace
}  // namespace clothc::cuda_device::device_graphs_test
