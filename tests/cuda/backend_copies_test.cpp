// backend_copies_test.cpp - large sets and gets, which the backend runs beside the kernels: the same bytes as without,
// in every order; kernels that do not wait for them, nor uploads for downloads; and the memory that they go through.
#include <thread>

#include "cuda/backend_fixture.h"

using namespace clothc_test;

namespace backend_copies_test {
namespace {

class CudaCopies : public OnAnyCuda {};
// Tests that hold copies up, count calls or let calls fail.
class CudaCopyLanes : public OnCuda {};

// Enough elements that a set or get of all of them is large in every format.
constexpr uint32_t elements = 8192;
// Bytes of an interleaved vertex, and where its position or velocity is.
constexpr uint32_t vertex_size = 32, vertex_offset = 8;

// Most particles are those of the cloth.
SceneOptions options_of(clothc_backend backend) {
  SceneOptions options(backend);
  options.solver.particle_capacity = elements;
  options.columns = 90;
  options.rows = 65;
  return options;
}

// A scene with one small cloth, whose updates are quick.
SceneOptions quick_options(clothc_backend backend = CLOTHC_BACKEND_CUDA) {
  SceneOptions options(backend);
  options.solver.particle_capacity = elements;
  return options;
}

clothc_view vertex_view() {
  clothc_view view = initialised<clothc_view>();
  view.format = CLOTHC_FORMAT_FLOAT3;
  view.byte_offset = vertex_offset;
  return view;
}

void set(const Scene& scene, clothc_channel channel, clothc_buffer buffer, const clothc_view* view = nullptr) {
  EXPECT_OK(clothc_solver_set(scene.solver, channel, buffer, view, nullptr, 0, 0));
}
void get(const Scene& scene, clothc_channel channel, clothc_buffer buffer, const clothc_view* view = nullptr) {
  EXPECT_OK(clothc_solver_get(scene.solver, channel, buffer, view, nullptr, 0, 0));
}
void wait(const Scene& scene) { EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER)); }

std::vector<uint8_t> bytes_of(clothc_buffer buffer, uint64_t size) {
  std::vector<uint8_t> bytes(size);
  EXPECT_OK(clothc_buffer_read(buffer, 0, size, bytes.data()));
  return bytes;
}

// A buffer of floats from -1 to 1 that differ from element to element.
clothc_buffer filled(const Scene& scene, uint64_t floats, clothc_format format, uint32_t stride) {
  std::vector<float> values(floats);
  for (size_t k = 0; k < floats; ++k) values[k] = static_cast<float>(k * 37 % 1001) / 500 - 1;
  const clothc_buffer buffer = scene.buffer(floats * 4 / stride, format, stride);
  EXPECT_OK(clothc_buffer_write(buffer, 0, floats * 4, values.data()));
  return buffer;
}
clothc_buffer filled_dense(const Scene& scene) { return filled(scene, elements * 4, CLOTHC_FORMAT_FLOAT4, 16); }
clothc_buffer filled_vertices(const Scene& scene) {
  return filled(scene, elements * vertex_size / 4, CLOTHC_FORMAT_RECORD, vertex_size);
}

struct Outcome {
  std::vector<uint8_t> dense, vertices;
  uint64_t hash = 0;
  bool operator==(const Outcome& other) const {
    return dense == other.dense && vertices == other.vertices && hash == other.hash;
  }
};

// Sets and gets everything from and to dense and interleaved buffers, in regions of at most that many elements.
Outcome set_and_get(clothc_backend backend, uint32_t region_size) {
  Scene scene(options_of(backend));
  const clothc_buffer dense = filled_dense(scene), vertices = filled_vertices(scene);
  std::vector<clothc_region> regions;
  for (uint32_t first = 0; first < elements; first += region_size) regions.push_back({first, first, region_size});
  const auto count = static_cast<uint32_t>(regions.size());
  const clothc_view view = vertex_view();
  EXPECT_OK(clothc_solver_set(scene.solver, CLOTHC_CHANNEL_ACCELERATION, dense, nullptr, regions.data(), count, 0));
  EXPECT_OK(clothc_solver_set(scene.solver, CLOTHC_CHANNEL_VELOCITY, vertices, &view, regions.data(), count, 0));
  scene.step();
  EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, dense, nullptr, regions.data(), count, 0));
  EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_VELOCITY, vertices, &view, regions.data(), count, 0));
  return {bytes_of(dense, elements * 16), bytes_of(vertices, elements * vertex_size), scene.hash()};
}

TEST_F(CudaCopies, large_ones_give_the_same_bytes_as_small_ones) {
  if (software_device().is_here()) software_device().set("races=off");
  const Outcome expected = set_and_get(CLOTHC_BACKEND_CPU, elements);
  const Outcome small = set_and_get(CLOTHC_BACKEND_CUDA, elements / 8);
  software_device().expect_calls("cuMemcpy2DAsync", 0);
  const Outcome large = set_and_get(CLOTHC_BACKEND_CUDA, elements);
  // Of strided sides of the host, one up and one down.
  software_device().expect_calls("cuMemcpy2DAsync", 2);
  EXPECT_EQ(small, expected);
  EXPECT_EQ(large, expected);
  EXPECT_EQ(software_device().report(), "");
}

// Sets and gets of the same buffers, large ones and small ones, dense ones and strided ones, each of which must see what
// the one before has left, with nothing between them that waits. prepared is called before the first.
Outcome take_turns(
    clothc_backend backend, int rounds, const std::function<void()>& prepared = [] {}) {
  Scene scene(quick_options(backend));
  const clothc_buffer dense = filled_dense(scene), vertices = filled_vertices(scene);
  const clothc_buffer other = scene.buffer(elements);
  const clothc_view view = vertex_view();
  const clothc_region few[] = {{5, 3, 20}};
  const auto set_few = [&](clothc_channel channel, clothc_buffer buffer, const clothc_view* as) {
    EXPECT_OK(clothc_solver_set(scene.solver, channel, buffer, as, few, 1, 0));
  };
  const auto get_few = [&](clothc_channel channel, clothc_buffer buffer, const clothc_view* as) {
    EXPECT_OK(clothc_solver_get(scene.solver, channel, buffer, as, few, 1, 0));
  };
  prepared();
  for (int k = 0; k < rounds; ++k) {
    // Read, then written.
    set(scene, CLOTHC_CHANNEL_ACCELERATION, dense);
    get(scene, CLOTHC_CHANNEL_POSITION, dense);
    scene.step();
    // Written, then read, then written by a small one, then read by a large one.
    get(scene, CLOTHC_CHANNEL_POSITION, vertices, &view);
    set(scene, CLOTHC_CHANNEL_ACCELERATION, vertices, &view);
    get_few(CLOTHC_CHANNEL_VELOCITY, vertices, &view);
    set(scene, CLOTHC_CHANNEL_VELOCITY, vertices, &view);
    scene.step();
    // Written by a large one, then read and written by small ones.
    get(scene, CLOTHC_CHANNEL_VELOCITY, dense);
    set_few(CLOTHC_CHANNEL_ACCELERATION, dense, nullptr);
    get(scene, CLOTHC_CHANNEL_POSITION, dense);
    get_few(CLOTHC_CHANNEL_VELOCITY, dense, nullptr);
    // Read by a large one, then written by a small one.
    set(scene, CLOTHC_CHANNEL_VELOCITY, dense);
    get_few(CLOTHC_CHANNEL_POSITION, dense, nullptr);
    // Another buffer, which has nothing to do with these.
    get_few(CLOTHC_CHANNEL_POSITION, other, nullptr);
    scene.step();
  }
  EXPECT_EQ(scene.status(scene.cloth).non_finite_count, 0u);
  return {bytes_of(dense, elements * 16), bytes_of(vertices, elements * vertex_size), scene.hash()};
}

TEST_F(CudaCopies, of_the_same_buffer_take_turns_in_every_order) {
  const Outcome expected = take_turns(CLOTHC_BACKEND_CPU, 3);
  for (const char* rules : {"", "start=early", "order=permuted,seed=3", "stores=delayed"}) {
    // Another driver runs them in an order of its own.
    if (software_device().is_here()) software_device().set(rules);
    EXPECT_EQ(take_turns(CLOTHC_BACKEND_CUDA, 3), expected) << rules;
    EXPECT_EQ(software_device().report(), "") << rules;
  }
}

// The host waits for host functions, of which the device does not know, so that each wait takes half a second.
TEST_F(CudaCopies, of_the_same_buffer_take_turns_when_they_start_late) {
  SKIP_WITHOUT_SOFTWARE_DEVICE();
  const Outcome expected = take_turns(CLOTHC_BACKEND_CPU, 1);
  software_device().set("start=late");
  EXPECT_EQ(take_turns(CLOTHC_BACKEND_CUDA, 1), expected);
  EXPECT_EQ(software_device().report(), "");
}

// Updates write a bound channel through the same block of memory that gets use.
TEST_F(CudaCopies, of_bound_channels_are_complete_when_the_update_has_ended) {
  const auto play = [](clothc_backend backend) {
    Scene scene(options_of(backend));
    const clothc_buffer vertices = filled_vertices(scene), dense = filled_dense(scene);
    const clothc_view view = vertex_view();
    EXPECT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, vertices, &view));
    EXPECT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_VELOCITY, dense, nullptr));
    scene.step(2);
    get(scene, CLOTHC_CHANNEL_POSITION, dense);
    scene.step();
    return Outcome{bytes_of(dense, elements * 16), bytes_of(vertices, elements * vertex_size), scene.hash()};
  };
  const Outcome expected = play(CLOTHC_BACKEND_CPU);
  EXPECT_EQ(play(CLOTHC_BACKEND_CUDA), expected);
  EXPECT_EQ(software_device().report(), "");
}

// Waits until that many kernels have ended since the counts before. Returns false if that takes far too long.
bool reach_kernels(const clothc_cuda_device_counts& before, uint64_t count) {
  const Stopwatch watch;
  while (software_device().counts().ended_kernels < before.ended_kernels + count) {
    if (watch.seconds() > 20) return false;
    std::this_thread::yield();
  }
  return true;
}

uint64_t kernels_of(const Scene& scene, const std::function<void()>& call) {
  wait(scene);
  const uint64_t before = software_device().counts().ended_kernels;
  call();
  wait(scene);
  return software_device().counts().ended_kernels - before;
}

uint64_t completed(const Scene& scene) {
  uint64_t value = 0;
  EXPECT_OK(clothc_solver_poll(scene.solver, 0, &value));
  return value;
}

// While downloads hang, later updates run, and uploads with them.
TEST_F(CudaCopyLanes, do_not_hold_up_kernels) {
  Scene scene(quick_options());
  const clothc_buffer in = filled_dense(scene), vertices = filled_vertices(scene), out = filled_dense(scene);
  const clothc_view view = vertex_view();
  const auto frame = [&] {
    set(scene, CLOTHC_CHANNEL_ACCELERATION, in);
    scene.step();
    get(scene, CLOTHC_CHANNEL_POSITION, out);
    get(scene, CLOTHC_CHANNEL_VELOCITY, vertices, &view);
  };
  frame();
  const uint64_t kernels = kernels_of(scene, frame);
  const uint64_t value = completed(scene);
  const clothc_cuda_device_counts before = software_device().counts();
  software_device().set("hang=to_host");
  frame();
  const uint64_t value_of_update = value + 2;
  frame();
  frame();
  EXPECT_TRUE(reach_kernels(before, 3 * kernels)) << "the kernels wait for a download";
  // The first get hangs, and nothing behind it counts as ended.
  EXPECT_LE(completed(scene), value_of_update);
  software_device().set("");
  wait(scene);
  EXPECT_EQ(software_device().report(), "");
}

// A small get and a download wait for nothing but what they must.
TEST_F(CudaCopyLanes, of_other_buffers_do_not_wait_for_each_other) {
  Scene scene(quick_options());
  const clothc_buffer out = filled_dense(scene), other = scene.buffer(30);
  const auto get_other = [&] { get(scene, CLOTHC_CHANNEL_POSITION, other); };
  get_other();
  const uint64_t kernels = kernels_of(scene, get_other);
  const uint64_t kernels_of_large = kernels_of(scene, [&] { get(scene, CLOTHC_CHANNEL_POSITION, out); });
  const clothc_cuda_device_counts before = software_device().counts();
  software_device().set("hang=to_host");
  get(scene, CLOTHC_CHANNEL_POSITION, out);
  get_other();
  set(scene, CLOTHC_CHANNEL_POSITION, filled_dense(scene));
  EXPECT_TRUE(reach_kernels(before, kernels_of_large + kernels));
  software_device().set("");
  wait(scene);
}

// An upload runs before kernels that do not need it have ended.
TEST_F(CudaCopyLanes, upload_while_earlier_kernels_run) {
  Scene scene(quick_options());
  const clothc_buffer in = filled_dense(scene);
  const auto frame = [&] {
    scene.step();
    set(scene, CLOTHC_CHANNEL_ACCELERATION, in);
  };
  frame();
  frame();
  wait(scene);
  software_device().set("hang=1");
  const uint64_t before = software_device().counts().ended_operations;
  frame();
  const Stopwatch watch;
  while (software_device().counts().ended_operations == before && watch.seconds() < 20) std::this_thread::yield();
  EXPECT_GT(software_device().counts().ended_operations, before);
  software_device().set("");
  wait(scene);
  EXPECT_EQ(software_device().report(), "");
}

// What one huge get took is given back when many others have followed.
TEST_F(CudaCopyLanes, give_back_what_a_huge_one_took) {
  software_device().set("races=off");
  SceneOptions options(CLOTHC_BACKEND_CUDA);
  options.solver.particle_capacity = 1 << 18;
  Scene scene(options);
  const clothc_buffer huge = scene.buffer(1 << 18), few = scene.buffer(30), large = filled_dense(scene);
  get(scene, CLOTHC_CHANNEL_POSITION, large);
  wait(scene);
  const uint64_t before = software_device().counts().device_blocks;
  get(scene, CLOTHC_CHANNEL_POSITION, huge);
  wait(scene);
  EXPECT_EQ(software_device().counts().device_blocks, before + 1);
  for (int k = 0; k < 1100; ++k) {
    get(scene, CLOTHC_CHANNEL_POSITION, few);
    // Does not take the huge one's place.
    if (k % 64 == 0) get(scene, CLOTHC_CHANNEL_POSITION, large);
    if (k % 16 == 0) wait(scene);
  }
  EXPECT_EQ(software_device().counts().device_blocks, before);
}

// 17 gets of 16 MiB that wait for a fence would need more than they may take.
TEST_F(CudaCopyLanes, take_limited_memory) {
  software_device().set("races=off");
  SceneOptions options(CLOTHC_BACKEND_CUDA);
  options.solver.particle_capacity = 1 << 20;
  Scene scene(options);
  const clothc_buffer huge = scene.buffer(1 << 20);
  const uint64_t before = software_device().counts().device_blocks;
  const clothc_fence fence = scene.fence();
  scene.block_behind(fence);
  for (int k = 0; k < 17; ++k) get(scene, CLOTHC_CHANNEL_PREVIOUS_POSITION, huge);
  EXPECT_EQ(software_device().counts().device_blocks, before + 16);
  EXPECT_OK(clothc_fence_signal(fence, 1));
  const std::vector<float> expected = scene.get(CLOTHC_CHANNEL_PREVIOUS_POSITION, scene.cloth);
  const std::vector<uint8_t> bytes = bytes_of(huge, expected.size() * 4);
  EXPECT_EQ(std::memcmp(bytes.data(), expected.data(), bytes.size()), 0);
}

// Copies go straight where the device has no memory for a slot.
TEST_F(CudaCopyLanes, work_without_device_memory_to_spare) {
  const Outcome expected = take_turns(CLOTHC_BACKEND_CPU, 2);
  software_device().set("");
  const auto spare_nothing = [] {
    software_device().reset_counts();
    software_device().set("cuMemAlloc:1+=2");
  };
  EXPECT_EQ(take_turns(CLOTHC_BACKEND_CUDA, 2, spare_nothing), expected);
  EXPECT_GT(software_device().calls_of("cuMemAlloc"), 0u);
  EXPECT_EQ(software_device().calls_of("cuMemcpy2DAsync"), 0u);
  EXPECT_EQ(software_device().report(), "");
}

// The first large copy makes the streams.
TEST_F(CudaCopyLanes, for_which_no_stream_can_be_made_are_refused_and_change_nothing) {
  for (const char* stream : {"1", "2"}) {
    Scene scene(quick_options());
    const clothc_buffer buffer = filled_dense(scene);
    const uint64_t hash = scene.hash();
    software_device().set("cuStreamCreate:" + std::string(stream) + "=2");
    EXPECT_FAILS(CLOTHC_ERROR_OUT_OF_MEMORY,
                 clothc_solver_set(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0),
                 "cuStreamCreate");
    EXPECT_EQ(scene.hash(), hash);
    set(scene, CLOTHC_CHANNEL_POSITION, buffer);
    EXPECT_NE(scene.hash(), hash);
  }
}

}  // namespace
}  // namespace backend_copies_test
