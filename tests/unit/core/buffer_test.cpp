// buffer_test.cpp - who may use a buffer's memory at the same time: calls that queue work, the work, and the host.
#include "core/objects/buffer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/base/structs.h"
#include "unit/core/host_backend.h"

namespace clothc::buffer_test {

using test::make_host_device;
using test::Recording;

namespace {

// A stream whose work ends when the test says so.
class ManualStream final : public Stream {
 public:
  void close() override {}
  uint64_t submit(CommandList&) override { return 0; }
  uint64_t completed() const override { return completed_; }
  void check() const override {}
  StreamCounters counters() const override { return {}; }
  bool wait(uint64_t value, uint64_t) override {
    while (completed_ < value) std::this_thread::yield();
    return true;
  }
  void complete(uint64_t value) { completed_ = value; }

 private:
  std::atomic<uint64_t> completed_{0};
};

struct World {
  std::vector<Recording> recordings;
  std::shared_ptr<Device> device = make_host_device(recordings);
  std::shared_ptr<ManualStream> stream = std::make_shared<ManualStream>();
  std::shared_ptr<Buffer> buffer = make();

  std::shared_ptr<Buffer> make() const {
    auto desc = make_default<clothc_buffer_desc>();
    desc.count = 4;
    return create_buffer(device, desc);
  }
};

// Whether a map that does not wait gets the memory; if so, it is unmapped again.
bool is_free(Buffer& buffer) {
  void* pointer = nullptr;
  if (!buffer.map(CLOTHC_MAP_READ | CLOTHC_MAP_NO_WAIT, &pointer)) return false;
  buffer.unmap();
  return true;
}

// Calls a function on another thread, and says whether it has returned.
class Running {
 public:
  template <class Function>
  explicit Running(Function function)
      : thread_([this, function] {
          function();
          ended_ = true;
        }) {}
  ~Running() {
    if (thread_.joinable()) thread_.join();
  }
  bool ends_by_itself() {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return ended_;
  }
  void join() { thread_.join(); }

 private:
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

TEST(BufferUses, a_buffer_is_busy_from_the_begin_of_the_call_to_the_end_of_the_work) {
  World world;
  EXPECT_TRUE(is_free(*world.buffer));
  {
    BufferUse use(world.buffer, world.stream);
    EXPECT_TRUE(world.buffer->is_busy());
    EXPECT_FALSE(is_free(*world.buffer));
    use.queued(1);
    EXPECT_FALSE(is_free(*world.buffer));
  }
  world.stream->complete(1);
  EXPECT_FALSE(world.buffer->is_busy());
  EXPECT_TRUE(is_free(*world.buffer));
}

TEST(BufferUses, a_call_that_queues_nothing_takes_its_use_back) {
  World world;
  {
    BufferUse first(world.buffer, world.stream);
    first.queued(1);
    const BufferUse second(world.buffer, world.stream);
    world.stream->complete(1);
    EXPECT_FALSE(is_free(*world.buffer));
  }
  EXPECT_TRUE(is_free(*world.buffer));
}

TEST(BufferUses, map_read_and_end_wait_for_calls_that_are_queuing_work) {
  World world;
  auto use = std::make_unique<BufferUse>(world.buffer, world.stream);
  float value = 0;
  Running reading([&] { world.buffer->read(0, 4, &value); });
  EXPECT_FALSE(reading.ends_by_itself());
  use.reset();
  reading.join();

  use = std::make_unique<BufferUse>(world.buffer, world.stream);
  Running mapping([&] {
    void* pointer = nullptr;
    world.buffer->map(CLOTHC_MAP_READ, &pointer);
    world.buffer->unmap();
  });
  EXPECT_FALSE(mapping.ends_by_itself());
  use->queued(1);
  EXPECT_FALSE(mapping.ends_by_itself());
  world.stream->complete(1);
  mapping.join();

  use = std::make_unique<BufferUse>(world.buffer, world.stream);
  Running ending([&] { world.buffer->end_uses(); });
  EXPECT_FALSE(ending.ends_by_itself());
  use.reset();
  ending.join();
  EXPECT_THROW(BufferUse(world.buffer, world.stream), Failure);
}

TEST(BufferUses, calls_that_queue_work_wait_for_copies_by_the_host) {
  World world;
  auto access = std::make_unique<HostAccess>(*world.buffer);
  Running queuing([&] { BufferUse(world.buffer, world.stream).queued(1); });
  EXPECT_FALSE(queuing.ends_by_itself());
  access.reset();
  queuing.join();
  EXPECT_TRUE(world.buffer->is_busy());
  world.stream->complete(1);

  access = std::make_unique<HostAccess>(*world.buffer);
  Running mapping([&] {
    void* pointer = nullptr;
    world.buffer->map(CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD, &pointer);
  });
  EXPECT_FALSE(mapping.ends_by_itself());
  access.reset();
  mapping.join();
  EXPECT_THROW(HostAccess(*world.buffer), Failure);
  EXPECT_THROW(BufferUse(world.buffer, world.stream), Failure);
}

TEST(BufferUses, discarding_while_work_is_being_queued_gives_other_memory) {
  World world;
  BufferUse use(world.buffer, world.stream);
  void* first = use.memory()->host_pointer();
  void* pointer = nullptr;
  ASSERT_TRUE(world.buffer->map(CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD, &pointer));
  EXPECT_NE(pointer, first);
  world.buffer->unmap();
  use.queued(1);
  // The use was of the memory that was there before.
  EXPECT_TRUE(is_free(*world.buffer));
  void* second = pointer;
  BufferUse other(world.buffer, world.stream);
  other.queued(2);
  ASSERT_TRUE(world.buffer->map(CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD, &pointer));
  EXPECT_NE(pointer, first);
  EXPECT_NE(pointer, second);
  world.buffer->unmap();
  world.stream->complete(1);
  BufferUse(world.buffer, world.stream).queued(3);
  ASSERT_TRUE(world.buffer->map(CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD, &pointer));
  EXPECT_EQ(pointer, first) << "its work has ended, so it is taken again";
}

}  // namespace
}  // namespace clothc::buffer_test
