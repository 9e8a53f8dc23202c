// backend_orders_test.cpp - a scene that makes the backend perform every operation has the hash of the processor in
// every order in which the software device may run blocks, threads, graph nodes and operations, without races, and
// without copies of memory that is not pinned.
#include "cuda/backend_fixture.h"
#include "support/busy_scene.h"

using namespace clothc_test;

namespace backend_orders_test {
namespace {

class CudaOrders : public OnCuda {};

uint64_t expected_hash() {
  static const uint64_t hash = play_busy_scene(CLOTHC_BACKEND_CPU, CLOTHC_SCHEDULE_CLOTH);
  return hash;
}

void expect_right(const std::string& rules) {
  for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
    software_device().set(rules);
    EXPECT_EQ(play_busy_scene(CLOTHC_BACKEND_CUDA, schedule), expected_hash()) << rules;
    EXPECT_EQ(software_device().report(), "") << rules;
  }
}

TEST_F(CudaOrders, of_threads_and_blocks_do_not_matter) {
  expect_right("order=forward");
  expect_right("order=backward");
  expect_right("order=permuted,seed=7");
}

TEST_F(CudaOrders, late_stores_do_not_matter) { expect_right("order=permuted,stores=delayed"); }

TEST_F(CudaOrders, early_starts_do_not_matter) { expect_right("start=early"); }

// The host waits for host functions, of which the device does not know, so that each wait takes half a second.
TEST_F(CudaOrders, late_starts_do_not_matter) {
  const auto play = [](clothc_backend backend) {
    Scene scene{SceneOptions(backend)};
    scene.step(3);
    const std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
    scene.set(CLOTHC_CHANNEL_POSITION, scene.cloth, positions);
    scene.step(2);
    return scene.hash();
  };
  software_device().set("start=late");
  EXPECT_EQ(play(CLOTHC_BACKEND_CUDA), play(CLOTHC_BACKEND_CPU));
  EXPECT_EQ(software_device().report(), "");
}

TEST_F(CudaOrders, all_copies_are_of_pinned_memory) {
  const uint64_t before = software_device().counts().pageable_copies;
  play_busy_scene(CLOTHC_BACKEND_CUDA, CLOTHC_SCHEDULE_PASS);
  EXPECT_EQ(software_device().counts().pageable_copies, before);
}

TEST_F(CudaOrders, nothing_of_a_destroyed_device_is_left) {
  const clothc_cuda_device_counts before = software_device().counts();
  play_busy_scene(CLOTHC_BACKEND_CUDA, CLOTHC_SCHEDULE_CLOTH);
  const clothc_cuda_device_counts after = software_device().counts();
  EXPECT_EQ(after.contexts, before.contexts);
  EXPECT_EQ(after.streams, before.streams);
  EXPECT_EQ(after.events, before.events);
  EXPECT_EQ(after.modules, before.modules);
  EXPECT_EQ(after.graphs, before.graphs);
  EXPECT_EQ(after.executable_graphs, before.executable_graphs);
  EXPECT_EQ(after.device_blocks, before.device_blocks);
  EXPECT_EQ(after.pinned_blocks, before.pinned_blocks);
}

}  // namespace
}  // namespace backend_orders_test
