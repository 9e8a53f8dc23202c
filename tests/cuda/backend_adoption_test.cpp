// backend_adoption_test.cpp - devices that work in the context and the stream of a program: order with the program's own
// work, memory of both sides, errors, and what stays the program's.
#include <thread>

#include "cuda/application.h"

using namespace clothc_test;

namespace backend_adoption_test {
namespace {

class CudaAdoption : public AsApplication {};

TEST_F(CudaAdoption, of_nothing_makes_an_ordinary_device) {
  const clothc_device_desc desc = initialised<clothc_device_desc>();
  clothc_device device = nullptr;
  ASSERT_OK(clothc_cuda_device_create(&desc, nullptr, &device));
  devices_.push_back(device);
  clothc_device_info info = initialised<clothc_device_info>();
  ASSERT_OK(clothc_device_get_info(device, &info));
  EXPECT_EQ(info.backend, uint32_t{CLOTHC_BACKEND_CUDA});
  software_device().expect_calls("cuDevicePrimaryCtxRetain", 1);
}

TEST_F(CudaAdoption, of_a_context_works_in_that_context_alone) {
  const World world = populate(adopt(context_, nullptr));
  world.step(4);
  EXPECT_EQ(world.hash(), expected_hash(4));
  software_device().expect_calls("cuDevicePrimaryCtxRetain", 0);
  software_device().expect_calls("cuCtxCreate", 1);
}

TEST_F(CudaAdoption, of_a_stream_takes_its_context) {
  const World world = populate(adopt(nullptr, make_stream()));
  world.step(4);
  EXPECT_EQ(world.hash(), expected_hash(4));
  software_device().expect_calls("cuDevicePrimaryCtxRetain", 0);
}

TEST_F(CudaAdoption, of_the_legacy_default_stream_works_with_its_context) {
  const World world = populate(adopt(context_, stream_legacy()));
  world.step(3);
  EXPECT_EQ(world.hash(), expected_hash(3));
}

TEST_F(CudaAdoption, works_from_a_thread_without_a_context_and_leaves_none_there) {
  const World world = populate(adopt(context_, make_stream()));
  std::thread([&] {
    world.step(2);
    CUcontext current = context_;
    EXPECT_CUDA(driver().CtxGetCurrent(&current));
    EXPECT_EQ(current, nullptr);
  }).join();
  EXPECT_EQ(world.hash(), expected_hash(2));
}

// A get into memory of the program, a copy by the program, and a set from its copy, with nothing but the stream's order.
TEST_F(CudaAdoption, orders_updates_and_work_of_the_program_as_they_are_called) {
  for (const char* start : {"start=late", "start=early"}) {
    if (software_device().is_here()) software_device().set(start);
    const CUstream stream = make_stream();
    const World world = populate(adopt(context_, stream));
    const size_t size = size_t{world.vertices()} * 16;
    const CUdeviceptr first = allocate(size), second = allocate(size);
    clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
    desc.kind = CLOTHC_BUFFER_WRAPPED_DEVICE;
    desc.count = world.vertices();
    desc.memory = reinterpret_cast<void*>(first);
    clothc_buffer out = nullptr, in = nullptr;
    ASSERT_OK(clothc_buffer_create(world.device, &desc, &out));
    desc.memory = reinterpret_cast<void*>(second);
    ASSERT_OK(clothc_buffer_create(world.device, &desc, &in));
    world.step(2);
    ASSERT_OK(clothc_solver_get(world.solver, CLOTHC_CHANNEL_POSITION, out, nullptr, nullptr, 0, 0));
    ASSERT_CUDA(driver().MemcpyAsync(second, first, size, stream));
    world.step(2);
    ASSERT_OK(clothc_solver_set(world.solver, CLOTHC_CHANNEL_POSITION, in, nullptr, nullptr, 0, CLOTHC_SET_AT_REST));
    ASSERT_CUDA(driver().MemsetD32Async(second, 0, size / 4, stream));
    clothc_solver_get(world.solver, CLOTHC_CHANNEL_POSITION, out, nullptr, nullptr, 0, 0);
    const std::vector<float> positions = read_floats(first, size / 4);
    EXPECT_EQ(positions, get_particles<float>(world.device, world.solver, world.cloth, CLOTHC_CHANNEL_POSITION));
    EXPECT_NE(positions, std::vector<float>(size / 4));
  }
}

TEST_F(CudaAdoption, of_one_stream_runs_several_solvers_there) {
  const clothc_device device = adopt(context_, make_stream());
  software_device().reset_counts();
  const World one = populate(device), other = populate(device);
  // Each solver has a stream for notifications and none for work.
  software_device().expect_calls("cuStreamCreate", 2);
  one.step(3);
  other.step(3);
  EXPECT_EQ(one.hash(), other.hash());
}

TEST_F(CudaAdoption, leaves_a_stream_usable_that_its_device_has_used) {
  const CUstream stream = make_stream();
  const CUdeviceptr memory = allocate(64);
  populate(adopt(nullptr, stream)).step(2);
  ASSERT_OK(clothc_device_destroy(devices_.back()));
  devices_.clear();
  EXPECT_CUDA(driver().MemsetD32Async(memory, 1, 16, stream));
  EXPECT_CUDA(driver().StreamSynchronize(stream));
}

// Nothing but the solver's own work is waited for: the program's, behind it, ends only when the test lets it. Allocating
// and freeing memory are another matter, since the driver may wait for everything then.
TEST_F(CudaAdoption, does_not_wait_for_later_work_of_the_program) {
  SKIP_WITHOUT_SOFTWARE_DEVICE();
  const CUstream stream = make_stream();
  const World world = populate(adopt(nullptr, stream));
  world.step(1);
  ASSERT_OK(clothc_solver_wait(world.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  std::atomic<bool> may_end{false};
  ASSERT_CUDA(driver().LaunchHostFunc(
      stream,
      [](void* flag) {
        while (!*static_cast<std::atomic<bool>*>(flag)) std::this_thread::yield();
      },
      &may_end));
  const uint64_t waits = software_device().counts().waits;
  const clothc_buffer buffer = create_buffer(world.device, 4, CLOTHC_FORMAT_FLOAT4, 0);
  void* pointer = nullptr;
  EXPECT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_WRITE, &pointer));
  EXPECT_EQ(software_device().counts().waits, waits);
  EXPECT_OK(clothc_solver_wait(world.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  may_end = true;
  EXPECT_CUDA(driver().StreamSynchronize(stream));
}

TEST_F(CudaAdoption, refuses_what_it_cannot_adopt_and_says_why) {
  const CUstream stream = make_stream();
  CUcontext other = nullptr;
  ASSERT_CUDA(driver().CtxCreate(&other, 0, 0));
  ASSERT_CUDA(driver().CtxPopCurrent(nullptr));
  const clothc_device_desc desc = initialised<clothc_device_desc>();
  clothc_device device = nullptr;
  clothc_cuda_device_desc cuda = adoption(other, stream);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cuda_device_create(&desc, &cuda, &device), "stream", "context");
  cuda = adoption(nullptr, stream_legacy());
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cuda_device_create(&desc, &cuda, &device), "legacy", "context");
  cuda = adoption(context_, reinterpret_cast<CUstream>(size_t{2}));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cuda_device_create(&desc, &cuda, &device), "each thread");
  cuda = adoption(context_, nullptr);
  cuda.reserved = 3;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cuda_device_create(&desc, &cuda, &device), "reserved is 3");
  cuda.struct_size = 4;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STRUCT, clothc_cuda_device_create(&desc, &cuda, &device),
               "clothc_cuda_device_desc");
  cuda = adoption(context_, nullptr);
  clothc_device_desc wrong = desc;
  wrong.backend = CLOTHC_BACKEND_CPU;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cuda_device_create(&wrong, &cuda, &device), "backend is 1");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cuda_device_create(&desc, &cuda, nullptr), "device");
  ASSERT_CUDA(driver().CtxDestroy(other));
  EXPECT_EQ(device, nullptr);
}

TEST_F(CudaAdoption, of_a_stream_whose_capture_has_failed_is_refused_until_that_has_ended) {
  const CUstream stream = make_stream();
  ASSERT_CUDA(driver().StreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  EXPECT_NE(driver().StreamSynchronize(stream), CUDA_SUCCESS);
  const clothc_device_desc desc = initialised<clothc_device_desc>();
  const clothc_cuda_device_desc cuda = adoption(nullptr, stream);
  clothc_device device = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_cuda_device_create(&desc, &cuda, &device), "capture has failed",
               "end it");
  CUgraph graph = nullptr;
  EXPECT_EQ(driver().StreamEndCapture(stream, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  const World world = populate(adopt(nullptr, stream));
  world.step(2);
  EXPECT_EQ(world.hash(), expected_hash(2));
}

TEST_F(CudaAdoption, refuses_an_update_that_would_be_overtaken) {
  const World world = populate(adopt(context_, make_stream()));
  clothc_fence fence = nullptr;
  ASSERT_OK(clothc_fence_create(world.device, 0, &fence));
  clothc_update update = initialised<clothc_update>();
  update.wait_fence = fence;
  update.wait_value = 1;
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_solver_update(world.solver, &update, nullptr), "reached 1",
               "cuStreamWaitEvent");
  ASSERT_OK(clothc_fence_signal(fence, 1));
  update.dt = 1.0f / 60;
  EXPECT_OK(clothc_solver_update(world.solver, &update, nullptr));
  EXPECT_EQ(world.hash(), expected_hash(1));
}

// Unlike the handle of a context that was destroyed, that of a primary context may still be used, and the driver tells
// that the context has ended.
TEST_F(CudaAdoption, of_a_primary_context_loses_the_device_when_the_program_resets_it) {
  SKIP_WITHOUT_SOFTWARE_DEVICE();
  CUcontext primary = nullptr;
  ASSERT_CUDA(driver().DevicePrimaryCtxRetain(&primary, 0));
  const World world = populate(adopt(primary, nullptr));
  world.step(1);
  ASSERT_OK(clothc_solver_wait(world.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  ASSERT_CUDA(driver().DevicePrimaryCtxReset(0));
  const clothc_update update = initialised<clothc_update>();
  EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_solver_update(world.solver, &update, nullptr), "context");
  // What has ended before stays ended.
  EXPECT_OK(clothc_solver_wait(world.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  ASSERT_OK(clothc_device_destroy(world.device));
  devices_.clear();
  software_device().report();
}

// The stack of contexts has the adopted one at its bottom and another one of the program on top.
TEST_F(CudaAdoption, leaves_the_current_context_after_every_call) {
  CUcontext other = nullptr;
  ASSERT_CUDA(driver().CtxCreate(&other, 0, 0));
  const auto expect_kept = [&](const char* call) {
    SCOPED_TRACE(call);
    expect_current({other, context_});
  };
  for (const bool is_adopted : {true, false}) {
    const clothc_device device = is_adopted ? adopt(context_, nullptr) : create_device(cuda_desc());
    expect_kept("clothc_device_create");
    const World world = populate(device);
    expect_kept("clothc_cloth_add");
    world.step(2);
    expect_kept("clothc_solver_update");
    world.hash();
    expect_kept("clothc_solver_state_hash");
    const clothc_buffer buffer = create_buffer(device, world.vertices(), CLOTHC_FORMAT_FLOAT4, 0);
    expect_kept("clothc_buffer_create");
    EXPECT_OK(clothc_solver_get(world.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
    expect_kept("clothc_solver_get");
    void* mapped = nullptr;
    EXPECT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_READ, &mapped));
    expect_kept("clothc_buffer_map");
    EXPECT_OK(clothc_buffer_unmap(buffer));
    expect_kept("clothc_buffer_unmap");
    uint64_t address = 0;
    EXPECT_OK(clothc_cuda_buffer_get_pointer(buffer, &address));
    expect_kept("clothc_cuda_buffer_get_pointer");
    EXPECT_OK(clothc_solver_set(world.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
    expect_kept("clothc_solver_set");
    EXPECT_OK(clothc_buffer_destroy(buffer));
    expect_kept("clothc_buffer_destroy");
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cuda_capture_update(world.solver, nullptr, 1.0f / 60), "null");
    expect_kept("clothc_cuda_capture_update");
    clothc_cuda_device_desc wrong = adoption(context_, reinterpret_cast<CUstream>(size_t{2}));
    const clothc_device_desc desc = initialised<clothc_device_desc>();
    clothc_device refused = nullptr;
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cuda_device_create(&desc, &wrong, &refused), "thread");
    expect_kept("clothc_cuda_device_create");
    EXPECT_OK(clothc_solver_destroy(world.solver));
    expect_kept("clothc_solver_destroy");
    EXPECT_OK(clothc_device_destroy(device));
    expect_kept("clothc_device_destroy");
  }
  devices_.clear();
  EXPECT_CUDA(driver().CtxDestroy(other));
}

// Whatever the driver says to the exchange of the mode, the thread has the mode afterwards that it had before.
TEST_F(CudaAdoption, leaves_the_capture_mode_of_a_thread_where_the_driver_refuses_another) {
  SKIP_WITHOUT_SOFTWARE_DEVICE();
  const World world = populate(adopt(context_, nullptr));
  for (const char* call : {"1", "2", "3"}) {
    software_device().reset_counts();
    software_device().set("cuThreadExchangeStreamCaptureMode:" + std::string(call) + "=2");
    world.step(1);
    software_device().set("");
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    ASSERT_CUDA(driver().ThreadExchangeStreamCaptureMode(&mode));
    EXPECT_EQ(mode, CU_STREAM_CAPTURE_MODE_GLOBAL) << "the exchange failed at call " << call;
  }
  EXPECT_EQ(world.hash(), expected_hash(3));
}

// The legacy default stream takes no work while a stream that waits for it is captured. Work that is sent there would
// spoil the capture.
TEST_F(CudaAdoption, of_the_legacy_default_stream_refuses_updates_while_a_stream_that_waits_for_it_is_captured) {
  const World world = populate(adopt(context_, stream_legacy()));
  world.step(1);
  const CUdeviceptr memory = allocate(64);
  CUstream blocking = nullptr;
  ASSERT_CUDA(driver().StreamCreate(&blocking, CU_STREAM_DEFAULT));
  streams_.push_back(blocking);
  ASSERT_CUDA(driver().StreamBeginCapture(blocking, CU_STREAM_CAPTURE_MODE_RELAXED));
  const clothc_update update = initialised<clothc_update>();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_solver_update(world.solver, &update, nullptr), "captured");
  ASSERT_CUDA(driver().MemsetD32Async(memory, 7, 16, blocking));
  CUgraph graph = nullptr;
  ASSERT_CUDA(driver().StreamEndCapture(blocking, &graph));
  graphs_.push_back(graph);
  world.step(1);
  EXPECT_EQ(world.hash(), expected_hash(2));
}

// A program that captures in the strictest mode may call clothc meanwhile, in this thread and in others.
TEST_F(CudaAdoption, disturbs_no_capture_of_the_program) {
  for (const CUstreamCaptureMode mode : {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL}) {
    const CUstream captured = make_stream();
    const CUdeviceptr memory = allocate(64);
    ASSERT_CUDA(driver().StreamBeginCapture(captured, mode));
    const World world = populate(adopt(context_, make_stream()));
    world.step(2);
    EXPECT_EQ(world.hash(), expected_hash(2));
    std::thread([&] { world.step(1); }).join();
    EXPECT_EQ(world.hash(), expected_hash(3));
    ASSERT_OK(clothc_device_destroy(world.device));
    devices_.clear();
    ASSERT_CUDA(driver().MemsetD32Async(memory, 7, 16, captured));
    CUgraph graph = nullptr;
    ASSERT_CUDA(driver().StreamEndCapture(captured, &graph));
    graphs_.push_back(graph);
    size_t nodes = 0;
    ASSERT_CUDA(driver().GraphGetNodes(graph, nullptr, &nodes));
    EXPECT_EQ(nodes, 1u) << "the graph has work that is not the program's";
  }
}

}  // namespace
}  // namespace backend_adoption_test
