// backend_capture_test.cpp - updates as part of a program's graphs: what launches do, what is sent before, what a graph
// keeps, and what cannot be captured.
#include "cuda/application.h"

using namespace clothc_test;

namespace backend_capture_test {
namespace {

constexpr float dt = 1.0f / 60;

class CudaCapture : public AsApplication {
 protected:
  void SetUp() override {
    AsApplication::SetUp();
    if (IsSkipped()) return;
    stream_ = make_stream();
    captured_ = make_stream();
  }
  World make_world(clothc_schedule schedule = CLOTHC_SCHEDULE_AUTO) {
    return populate(adopt(context_, stream_), schedule);
  }
  void begin(CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL) {
    ASSERT_CUDA(driver().StreamBeginCapture(captured_, mode));
  }
  // Ends the capture and returns the graph ready to be launched.
  CUgraphExec end() {
    CUgraph graph = nullptr;
    EXPECT_CUDA(driver().StreamEndCapture(captured_, &graph));
    CUgraphExec executable = nullptr;
    EXPECT_CUDA(driver().GraphInstantiate(&executable, graph, 0));
    graphs_.push_back(graph);
    executables_.push_back(executable);
    return executable;
  }
  CUgraphExec capture(const World& world, float time_step = dt) {
    begin();
    EXPECT_OK(clothc_cuda_capture_update(world.solver, captured_, time_step));
    return end();
  }
  void launch(CUgraphExec executable, int count) {
    for (int k = 0; k < count; ++k) ASSERT_CUDA(driver().GraphLaunch(executable, stream_));
  }
  void destroy_graphs() {
    for (const CUgraphExec executable : executables_) EXPECT_CUDA(driver().GraphExecDestroy(executable));
    for (const CUgraph graph : graphs_) EXPECT_CUDA(driver().GraphDestroy(graph));
    executables_.clear();
    graphs_.clear();
  }
  // Ends a capture to which clothc has added nothing.
  void end_empty() {
    CUgraph graph = nullptr;
    ASSERT_CUDA(driver().StreamEndCapture(captured_, &graph));
    size_t nodes = 1;
    EXPECT_CUDA(driver().GraphGetNodes(graph, nullptr, &nodes));
    EXPECT_EQ(nodes, 0u);
    EXPECT_CUDA(driver().GraphDestroy(graph));
  }

  // The adopted stream, and the one that tests capture.
  CUstream stream_ = nullptr;
  CUstream captured_ = nullptr;
};

TEST_F(CudaCapture, launches_are_updates) {
  for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
    const World world = make_world(schedule);
    world.step(2);
    const CUgraphExec executable = capture(world);
    EXPECT_EQ(world.hash(), expected_hash(2)) << "capturing runs nothing";
    launch(executable, 5);
    EXPECT_EQ(world.hash(), expected_hash(7));
    // Ordinary updates go on from there.
    world.step(2);
    launch(executable, 1);
    EXPECT_EQ(world.hash(), expected_hash(10));
  }
}

TEST_F(CudaCapture, of_a_new_solver_sends_what_it_needs_by_itself) {
  const World world = make_world();
  const CUgraphExec executable = capture(world);
  launch(executable, 3);
  EXPECT_EQ(world.hash(), expected_hash(3));
}

TEST_F(CudaCapture, in_the_adopted_stream_itself_works_if_nothing_is_left_to_send) {
  const World world = make_world();
  captured_ = stream_;
  begin();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_cuda_capture_update(world.solver, captured_, dt), "being captured",
               "another stream");
  end_empty();
  world.step(2);
  begin();
  EXPECT_OK(clothc_cuda_capture_update(world.solver, captured_, dt));
  const clothc_update update = initialised<clothc_update>();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_solver_update(world.solver, &update, nullptr), "being captured");
  const CUgraphExec executable = end();
  launch(executable, 2);
  EXPECT_EQ(world.hash(), expected_hash(4));
}

TEST_F(CudaCapture, of_other_time_steps_holds_their_numbers_of_iterations) {
  const World world = make_world(CLOTHC_SCHEDULE_PASS);
  launch(capture(world, 1.0f / 30), 3);
  EXPECT_EQ(world.hash(), expected_hash(3, CLOTHC_SCHEDULE_AUTO, 1.0f / 30));
}

TEST_F(CudaCapture, writes_bound_channels_at_every_launch) {
  const World world = make_world();
  const size_t count = size_t{world.vertices()} * 4;
  const CUdeviceptr memory = allocate(count * 4);
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.kind = CLOTHC_BUFFER_WRAPPED_DEVICE;
  desc.count = world.vertices();
  desc.memory = reinterpret_cast<void*>(memory);
  clothc_buffer buffer = nullptr;
  ASSERT_OK(clothc_buffer_create(world.device, &desc, &buffer));
  ASSERT_OK(clothc_cloth_bind(world.solver, world.cloth, CLOTHC_CHANNEL_POSITION, buffer, nullptr));
  const CUgraphExec executable = capture(world);
  std::vector<float> before;
  for (int k = 0; k < 3; ++k) {
    launch(executable, 1);
    const std::vector<float> bound = read_floats(memory, count);
    EXPECT_NE(bound, before);
    before = bound;
  }
  std::vector<float> positions = get_particles<float>(world.device, world.solver, world.cloth, CLOTHC_CHANNEL_POSITION);
  // A binding has an element per vertex, in the order of the mesh, as the channel has here, but for the inverse masses.
  for (size_t k = 3; k < positions.size(); k += 4) positions[k] = before[k];
  EXPECT_EQ(before, positions);
}

TEST_F(CudaCapture, graph_has_the_work_of_the_program_around_it) {
  const World world = make_world();
  world.step(1);
  const CUdeviceptr memory = allocate(64);
  begin();
  ASSERT_CUDA(driver().MemsetD32Async(memory, 1, 16, captured_));
  ASSERT_OK(clothc_cuda_capture_update(world.solver, captured_, dt));
  ASSERT_OK(clothc_cuda_capture_update(world.solver, captured_, dt));
  ASSERT_CUDA(driver().MemsetD32Async(memory, 2, 16, captured_));
  launch(end(), 2);
  EXPECT_EQ(world.hash(), expected_hash(5));
}

TEST_F(CudaCapture, graph_keeps_what_it_uses_until_it_is_destroyed) {
  const World world = make_world(CLOTHC_SCHEDULE_PASS);
  world.step(1);
  capture(world);
  const CUgraphExec executable = executables_.back();
  // The solver grows, so that its memory is another one from now on.
  clothc_cloth_desc more = initialised<clothc_cloth_desc>();
  more.fabric = world.fabric;
  for (int k = 0; k < 4; ++k) add_cloth(world.solver, more);
  world.step(1);
  launch(executable, 2);
  ASSERT_CUDA(driver().CtxSynchronize());
  ASSERT_OK(clothc_solver_destroy(world.solver));
  launch(executable, 1);
  ASSERT_CUDA(driver().CtxSynchronize());
  EXPECT_EQ(software_device().report(), "");
}

TEST_F(CudaCapture, once_per_frame_keeps_no_memory) {
  SKIP_WITHOUT_SOFTWARE_DEVICE();
  const World world = make_world(CLOTHC_SCHEDULE_PASS);
  world.step(1);
  uint64_t allocations = 0;
  for (int frame = 0; frame < 20; ++frame) {
    launch(capture(world), 1);
    destroy_graphs();
    if (frame == 3) allocations = software_device().counts().allocations;
  }
  EXPECT_EQ(software_device().counts().allocations, allocations);
  EXPECT_EQ(world.hash(), expected_hash(21));
  EXPECT_EQ(software_device().counts().user_objects, 0u);
}

TEST_F(CudaCapture, refuses_streams_that_are_not_captured) {
  const World world = make_world();
  world.step(1);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cuda_capture_update(world.solver, nullptr, dt), "stream is null");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cuda_capture_update(world.solver, captured_, dt),
               "not being captured", "cuStreamBeginCapture");
  CUcontext other = nullptr;
  CUstream foreign = nullptr;
  ASSERT_CUDA(driver().CtxCreate(&other, 0, 0));
  ASSERT_CUDA(driver().StreamCreate(&foreign, CU_STREAM_NON_BLOCKING));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cuda_capture_update(world.solver, foreign, dt), "context");
  ASSERT_CUDA(driver().StreamDestroy(foreign));
  ASSERT_CUDA(driver().CtxDestroy(other));
  begin();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cuda_capture_update(world.solver, captured_, -1), "dt is -1");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_cuda_capture_update(nullptr, captured_, dt), "solver");
  end_empty();
  EXPECT_EQ(world.hash(), expected_hash(1));
}

TEST_F(CudaCapture, that_has_failed_is_said_to_have) {
  const World world = make_world();
  world.step(1);
  begin();
  // A call that no capture allows, by which the program spoils its own.
  EXPECT_NE(driver().StreamSynchronize(captured_), CUDA_SUCCESS);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_cuda_capture_update(world.solver, captured_, dt), "failed already");
  CUgraph graph = nullptr;
  EXPECT_EQ(driver().StreamEndCapture(captured_, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  world.step(1);
  EXPECT_EQ(world.hash(), expected_hash(2));
}

TEST_F(CudaCapture, refuses_what_a_single_update_uses_up) {
  const World world = make_world();
  world.step(1);
  begin();
  clothc_cloth_frame frame = initialised<clothc_cloth_frame>();
  frame.translation[0] = 1;
  ASSERT_OK(clothc_cloth_set_frame(world.solver, world.cloth, &frame));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_cuda_capture_update(world.solver, captured_, dt), "frame",
               "clothc_solver_update");
  world.step(1);
  ASSERT_OK(clothc_cuda_capture_update(world.solver, captured_, dt));
  std::vector<float> velocities(size_t{world.vertices()} * 4, 0.5f);
  set_particles(world.device, world.solver, world.cloth, CLOTHC_CHANNEL_VELOCITY, velocities, 0);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_cuda_capture_update(world.solver, captured_, dt), "velocities");
  world.step(1);
  set_particles(world.device, world.solver, world.cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT, velocities, 0);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_cuda_capture_update(world.solver, captured_, dt), "constraints");
  world.step(1);
  ASSERT_OK(clothc_cuda_capture_update(world.solver, captured_, dt));
  const float spheres[] = {0, 0, 0, 0.1f}, starts[] = {0, 1, 0, 0.1f};
  clothc_collider_set_id set = 0;
  ASSERT_OK(clothc_collider_set_create(world.solver, &set));
  clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
  shapes.sphere_count = 1;
  shapes.spheres = spheres;
  shapes.sphere_starts = starts;
  ASSERT_OK(clothc_collider_set_write(world.solver, set, &shapes));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_cuda_capture_update(world.solver, captured_, dt), "collider set",
               "target ahead");
  world.step(1);
  ASSERT_OK(clothc_cuda_capture_update(world.solver, captured_, dt));
  const clothc_buffer host = create_buffer(world.device, world.vertices(), CLOTHC_FORMAT_FLOAT4, 0);
  ASSERT_OK(clothc_cloth_bind(world.solver, world.cloth, CLOTHC_CHANNEL_POSITION, host, nullptr));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_cuda_capture_update(world.solver, captured_, dt), "HOST buffer",
               "WRAPPED_HOST");
  end();
}

// After frames and constraints have moved, an update has something to send and to complete, which a capture does first.
TEST_F(CudaCapture, completes_what_the_update_before_has_moved) {
  clothc_device_desc processor = initialised<clothc_device_desc>();
  processor.backend = CLOTHC_BACKEND_CPU;
  devices_.push_back(create_device(processor));
  const World expected = populate(devices_.back());
  const World world = make_world();
  for (const World* each : {&expected, &world}) {
    clothc_cloth_frame frame = initialised<clothc_cloth_frame>();
    frame.translation[1] = 0.25f;
    ASSERT_OK(clothc_cloth_set_frame(each->solver, each->cloth, &frame));
    std::vector<float> spheres = get_particles<float>(each->device, each->solver, each->cloth, CLOTHC_CHANNEL_POSITION);
    for (size_t k = 3; k < spheres.size(); k += 4) spheres[k] = 0.01f;
    set_particles(each->device, each->solver, each->cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT, spheres, 0);
    each->step(1);
  }
  launch(capture(world), 4);
  expected.step(4);
  EXPECT_EQ(world.hash(), expected.hash());
}

TEST_F(CudaCapture, on_other_devices_is_refused) {
  clothc_device_desc processor = initialised<clothc_device_desc>();
  processor.backend = CLOTHC_BACKEND_CPU;
  devices_.push_back(create_device(processor));
  const World world = populate(devices_.back());
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_cuda_capture_update(world.solver, captured_, dt), "CUDA");
}

// Each call of the driver that a capture makes fails in turn. The solver works on, and so does the next capture.
TEST_F(CudaCapture, that_the_driver_refuses_changes_nothing) {
  SKIP_WITHOUT_SOFTWARE_DEVICE();
  const World world = make_world(CLOTHC_SCHEDULE_PASS);
  world.step(1);
  int refused = 0;
  for (const char* function : {"cuStreamGetCtx", "cuStreamGetCaptureInfo", "cuUserObjectCreate",
                               "cuGraphRetainUserObject", "cuMemAlloc", "cuMemHostAlloc", "cuLaunchKernel"}) {
    for (int n = 1; n <= 3; ++n) {
      SCOPED_TRACE(function);
      begin();
      software_device().reset_counts();
      software_device().set(std::string(function) + ":" + std::to_string(n) + "=2");
      const clothc_result result = clothc_cuda_capture_update(world.solver, captured_, dt);
      software_device().set("");
      if (result != CLOTHC_SUCCESS) {
        ++refused;
        EXPECT_TRUE(result == CLOTHC_ERROR_OUT_OF_MEMORY || result == CLOTHC_ERROR_INVALID_ARGUMENT)
            << clothc_result_name(result);
      }
      end();
      destroy_graphs();
    }
  }
  EXPECT_GE(refused, 7);
  launch(capture(world), 2);
  EXPECT_EQ(world.hash(), expected_hash(3));
}

}  // namespace
}  // namespace backend_capture_test
