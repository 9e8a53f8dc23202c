// backend_overheads_test.cpp - the cost of an update besides its work, counted by the software device: no allocation
// and no wait of the host in a steady state, no uploads of unchanged data, as many launches for many cloths as for few,
// graphs that are updated where only their parameters change, and no module that is loaded once a device is prepared.
#include "cuda/backend_fixture.h"
#include "support/busy_scene.h"

using namespace clothc_test;

namespace backend_overheads_test {
namespace {

class CudaOverheads : public testing::WithParamInterface<clothc_schedule>, public OnCuda {};
INSTANTIATE_TEST_SUITE_P(Schedule, CudaOverheads, testing::Values(CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS),
                         [](const auto& instance) {
                           return instance.param == CLOTHC_SCHEDULE_CLOTH ? "cloth" : "pass";
                         });

const char* const steady_functions[] = {"cuMemAlloc",          "cuMemFree",
                                        "cuMemHostAlloc",      "cuMemFreeHost",
                                        "cuModuleLoadDataEx",  "cuStreamCreate",
                                        "cuEventCreate",       "cuGraphCreate",
                                        "cuGraphInstantiate",  "cuGraphExecKernelNodeSetParams",
                                        "cuStreamSynchronize", "cuEventSynchronize"};

SceneOptions options_of(clothc_schedule schedule, uint32_t cloths = 8) {
  SceneOptions options(CLOTHC_BACKEND_CUDA);
  options.solver.schedule = schedule;
  options.solver.cloth_capacity = cloths;
  options.solver.particle_capacity = 64 * cloths;
  return options;
}

uint64_t launches() {
  return software_device().calls_of("cuLaunchKernel") + software_device().calls_of("cuGraphLaunch");
}

TEST_P(CudaOverheads, a_steady_update_takes_and_sends_nothing) {
  software_device().set("races=off");
  Scene scene(options_of(GetParam()));
  scene.step(5);
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  const uint64_t blocks = scene.info().device_allocation_count;
  const uint64_t uploaded = scene.info().uploaded_byte_count;
  software_device().reset_counts();
  const clothc_cuda_device_counts before = software_device().counts();
  for (int k = 0; k < 100; ++k) {
    scene.step();
    EXPECT_EQ(scene.info().last_update_upload, 0u);
    EXPECT_EQ(scene.info().last_update_submissions, 1u);
  }
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  for (const char* function : steady_functions) EXPECT_EQ(software_device().calls_of(function), 0u) << function;
  EXPECT_EQ(software_device().counts().waits, before.waits);
  EXPECT_EQ(scene.info().device_allocation_count, blocks);
  EXPECT_EQ(scene.info().uploaded_byte_count, uploaded);
  std::printf("%.2f launches, %.2f calls of the driver per update\n", static_cast<double>(launches()) / 100,
              static_cast<double>(software_device().counts().calls - before.calls) / 100);
}

TEST_P(CudaOverheads, sets_and_gets_of_every_frame_take_nothing) {
  software_device().set("races=off");
  Scene scene(options_of(GetParam()));
  const clothc_buffer in = scene.buffer(30), out = scene.buffer(30);
  const clothc_fence fence = scene.fence();
  clothc_update update = initialised<clothc_update>();
  update.signal_fence = fence;
  const auto frame = [&] {
    ++update.signal_value;
    EXPECT_OK(clothc_solver_set(scene.solver, CLOTHC_CHANNEL_ACCELERATION, in, nullptr, nullptr, 0, 0));
    EXPECT_OK(clothc_solver_update(scene.solver, &update, nullptr));
    EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, out, nullptr, nullptr, 0, 0));
    EXPECT_OK(clothc_fence_wait(fence, update.signal_value, CLOTHC_WAIT_FOREVER));
  };
  for (int k = 0; k < 10; ++k) frame();
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  software_device().reset_counts();
  for (int k = 0; k < 100; ++k) {
    frame();
    EXPECT_EQ(scene.info().last_update_upload, 0u);
  }
  for (const char* function : steady_functions) EXPECT_EQ(software_device().calls_of(function), 0u) << function;
}

// Programs built with an older header have shorter records, whose sizes the host writes into the host's memory. A driver
// copies between two places there while the call waits.
TEST_P(CudaOverheads, statuses_of_any_size_are_got_without_a_wait) {
  software_device().set("races=off");
  Scene scene(options_of(GetParam()));
  const auto size = static_cast<uint32_t>(offsetof(clothc_cloth_status, kinetic_energy));
  const clothc_buffer buffer = scene.buffer(1, CLOTHC_FORMAT_RECORD, size);
  const auto get = [&] {
    EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_CLOTH_STATUS, buffer, nullptr, nullptr, 0, 0));
  };
  scene.step(2);
  get();
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  const uint64_t waits = software_device().counts().waits;
  scene.step();
  get();
  EXPECT_EQ(software_device().counts().waits, waits);
  uint32_t written = 0;
  EXPECT_OK(clothc_buffer_read(buffer, 0, sizeof(written), &written));
  EXPECT_EQ(written, size);
}

// The application is up to three frames ahead.
TEST_P(CudaOverheads, large_sets_and_gets_of_every_frame_take_nothing) {
  software_device().set("races=off");
  SceneOptions options = options_of(GetParam());
  constexpr uint32_t elements = 8192;
  options.solver.particle_capacity = elements;
  options.solver.updates_in_flight = 6;
  Scene scene(options);
  const clothc_buffer in = scene.buffer(elements), out = scene.buffer(elements);
  const clothc_buffer vertices = scene.buffer(elements, CLOTHC_FORMAT_RECORD, 32);
  clothc_view view = initialised<clothc_view>();
  view.format = CLOTHC_FORMAT_FLOAT3;
  const clothc_fence fence = scene.fence(), gate = scene.fence();
  clothc_update update = initialised<clothc_update>();
  update.signal_fence = fence;
  const auto frame = [&] {
    ++update.signal_value;
    EXPECT_OK(clothc_solver_set(scene.solver, CLOTHC_CHANNEL_ACCELERATION, in, nullptr, nullptr, 0, 0));
    EXPECT_OK(clothc_solver_set(scene.solver, CLOTHC_CHANNEL_VELOCITY, vertices, &view, nullptr, 0, 0));
    EXPECT_OK(clothc_solver_update(scene.solver, &update, nullptr));
    EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, out, nullptr, nullptr, 0, 0));
    EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_VELOCITY, vertices, &view, nullptr, 0, 0));
  };
  frame();
  // As far ahead as it will ever be.
  scene.block_behind(gate);
  for (int k = 0; k < 4; ++k) frame();
  EXPECT_OK(clothc_fence_signal(gate, 1));
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  software_device().reset_counts();
  const clothc_cuda_device_counts before = software_device().counts();
  for (int k = 0; k < 100; ++k) {
    frame();
    EXPECT_OK(clothc_fence_wait(fence, update.signal_value - 2, CLOTHC_WAIT_FOREVER));
  }
  EXPECT_EQ(software_device().calls_of("cuMemcpy2DAsync"), 200u);
  for (const char* function : steady_functions) EXPECT_EQ(software_device().calls_of(function), 0u) << function;
  EXPECT_EQ(software_device().counts().waits, before.waits);
  std::printf("%.2f calls of the driver per frame\n",
              static_cast<double>(software_device().counts().calls - before.calls) / 100);
}

TEST_P(CudaOverheads, many_cloths_take_no_more_launches_than_few) {
  std::vector<uint64_t> counts;
  software_device().set("races=off");
  for (const uint32_t cloths : {4u, 40u, 400u}) {
    Scene scene(options_of(GetParam(), 400));
    for (uint32_t k = 1; k < cloths; ++k) scene.add();
    scene.step(2);
    scene.step();
    counts.push_back(scene.info().last_update_dispatches);
    EXPECT_GT(counts.back(), 0u);
  }
  std::printf("%llu launches per update\n", static_cast<unsigned long long>(counts[0]));
  EXPECT_EQ(counts[1], counts[0]);
  EXPECT_EQ(counts[2], counts[0]);
}

// Returns the number of threads in the blocks of the plain program for so many cloths of a thousand particles.
uint64_t program_threads(uint32_t cloths) {
  SceneOptions options = options_of(CLOTHC_SCHEDULE_CLOTH, cloths);
  options.columns = 25;
  options.rows = 40;
  options.solver.particle_capacity = 1024 * cloths;
  Scene scene(options);
  for (uint32_t k = 1; k < cloths; ++k) scene.add();
  scene.step(2);
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  software_device().reset_counts();
  scene.step();
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  const std::string counts = software_device().kernel_counts();
  const size_t found = counts.find("kernel clothc_program_plain ");
  unsigned long long launches = 0, blocks = 0, threads = 0;
  if (found == std::string::npos ||
      std::sscanf(counts.c_str() + found, "kernel %*s %llu %llu %llu", &launches, &blocks, &threads) != 3) {
    ADD_FAILURE() << counts;
    return 0;
  }
  EXPECT_EQ(launches, 1u);
  EXPECT_EQ(blocks, cloths);
  return threads / blocks;
}

TEST_F(CudaOverheads, few_programs_get_more_threads_each) {
  // A device of 4 multiprocessors.
  software_device().set("races=off,counts=on,attribute:16=4");
  EXPECT_EQ(program_threads(1), 512u);
  EXPECT_EQ(program_threads(4), 512u);
  EXPECT_EQ(program_threads(5), 256u);
  EXPECT_EQ(program_threads(8), 256u);
  EXPECT_EQ(program_threads(9), 128u);
}

// The software device prefers passes, so that only who names all stages gets programs.
TEST_P(CudaOverheads, nothing_loads_a_module_on_a_prepared_device) {
  software_device().set("races=off");
  const clothc_device device = create_device(cuda_desc());
  const uint32_t stages = GetParam() == CLOTHC_SCHEDULE_CLOTH ? (1u << CLOTHC_STAGE_COUNT) - 1 : 0;
  ASSERT_OK(clothc_device_prepare(device, stages));
  uint32_t done = 0, total = 0;
  ASSERT_OK(clothc_device_wait(device, longest_work, &done, &total));
  EXPECT_EQ(done, total);
  EXPECT_GE(software_device().calls_of("cuModuleLoadDataEx"), total) << "each kernel and program has a module";
  software_device().reset_counts();
  const uint64_t expected = play_busy_scene(CLOTHC_BACKEND_CPU, GetParam());
  EXPECT_EQ(play_busy_scene(CLOTHC_BACKEND_CUDA, GetParam(), device), expected);
  EXPECT_EQ(software_device().calls_of("cuModuleLoadDataEx"), 0u);
  EXPECT_GT(launches(), 0u);
  EXPECT_OK(clothc_device_destroy(device));
  std::printf("%u modules\n", total);
}

// Another cloth of the same fabric needs larger launches of the same kernels.
TEST_F(CudaOverheads, graphs_are_updated_where_the_kernels_stay_the_same) {
  software_device().set("races=off");
  const auto play = [](clothc_backend backend) {
    SceneOptions options = options_of(CLOTHC_SCHEDULE_PASS);
    options.device.backend = backend;
    Scene scene(options);
    scene.step(3);
    software_device().reset_counts();
    for (int k = 0; k < 3; ++k) {
      scene.add();
      scene.step(2);
    }
    return scene.hash();
  };
  const uint64_t expected = play(CLOTHC_BACKEND_CPU);
  EXPECT_EQ(play(CLOTHC_BACKEND_CUDA), expected);
  EXPECT_EQ(software_device().calls_of("cuGraphInstantiate"), 0u);
  EXPECT_GT(software_device().calls_of("cuGraphExecKernelNodeSetParams"), 0u);
}

// A list that waits for a fence still has its graphs when another schedule follows.
TEST_F(CudaOverheads, graphs_that_wait_to_be_launched_are_not_updated) {
  software_device().set("races=off");
  const auto play = [](clothc_backend backend) {
    SceneOptions options = options_of(CLOTHC_SCHEDULE_PASS);
    options.device.backend = backend;
    Scene scene(options);
    scene.step(2);
    const clothc_fence fence = scene.fence();
    scene.block_behind(fence);
    scene.add();
    clothc_update update = initialised<clothc_update>();
    EXPECT_OK(clothc_solver_update(scene.solver, &update, nullptr));
    EXPECT_OK(clothc_fence_signal(fence, 1));
    scene.step(2);
    return scene.hash();
  };
  EXPECT_EQ(play(CLOTHC_BACKEND_CUDA), play(CLOTHC_BACKEND_CPU));
}

}  // namespace
}  // namespace backend_overheads_test
