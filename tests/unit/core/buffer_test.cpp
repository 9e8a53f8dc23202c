// buffer_test.cpp - who may use a buffer's memory at the same time: calls that queue work, the work, and the host.
#include "core/objects/buffer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/base/structs.h"
#include "core/objects/fence.h"
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
  bool runs_by_itself() const override { return runs_by_itself_; }
  void complete(uint64_t value) { completed_ = value; }
  // Makes its work need threads of the program.
  void need_program() { runs_by_itself_ = false; }

 private:
  std::atomic<uint64_t> completed_{0};
  bool runs_by_itself_ = true;
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

// A copy on another thread that waits for a list of the world's stream, which it queues.
class WaitingCopy {
 public:
  explicit WaitingCopy(World& world, uint64_t list = 1)
      : world_(world), list_(list), copying_([&world, list] {
          BufferUse(world.buffer, world.stream).queued(list);
          float value = 0;
          world.buffer->read(0, 4, &value);
        }) {
    while (Buffer::waiting_copies() == 0) std::this_thread::yield();
  }
  // Expects that a call which queues work now waits until the copy has had its turn.
  void goes_before_other_work() {
    EXPECT_FALSE(world_.buffer->give_way(false));
    Running queuing([this] {
      world_.buffer->give_way(true);
      BufferUse(world_.buffer, world_.stream).queued(list_ + 1);
    });
    EXPECT_FALSE(queuing.ends_by_itself());
    world_.stream->complete(list_);
    queuing.join();
    // Ends although the other work does not.
    copying_.join();
    EXPECT_TRUE(world_.buffer->is_busy());
  }
  // Expects that a call which queues work now does not wait, and lets the copy end.
  void goes_behind_other_work() {
    EXPECT_TRUE(world_.buffer->give_way(false));
    world_.buffer->give_way(true);
    BufferUse(world_.buffer, world_.stream).queued(list_ + 1);
    world_.stream->complete(list_);
    EXPECT_FALSE(copying_.ends_by_itself());
    world_.stream->complete(list_ + 1);
    copying_.join();
  }

 private:
  World& world_;
  uint64_t list_;
  Running copying_;
};

TEST(BufferUses, calls_that_queue_work_give_way_to_a_copy_that_waits) {
  World world;
  EXPECT_TRUE(world.buffer->give_way(false));
  BufferUse(world.buffer, world.stream).queued(1);
  EXPECT_TRUE(world.buffer->give_way(false));
  WaitingCopy(world).goes_before_other_work();
  EXPECT_TRUE(world.buffer->give_way(false));
}

TEST(BufferUses, all_copies_that_wait_have_the_same_turn) {
  World world;
  BufferUse(world.buffer, world.stream).queued(1);
  std::atomic<int> ended{0};
  std::vector<std::thread> copying;
  for (int k = 0; k < 4; ++k) {
    copying.emplace_back([&] {
      float value = 0;
      world.buffer->read(0, 4, &value);
      ++ended;
    });
  }
  while (Buffer::waiting_copies() < copying.size()) std::this_thread::yield();
  Running queuing([&] {
    world.buffer->give_way(true);
    BufferUse(world.buffer, world.stream).queued(2);
  });
  EXPECT_FALSE(queuing.ends_by_itself());
  world.stream->complete(1);
  for (std::thread& thread : copying) thread.join();
  queuing.join();
  EXPECT_EQ(ended, 4);
  EXPECT_TRUE(world.buffer->is_busy());
}

TEST(BufferUses, work_does_not_give_way_to_a_copy_that_waits_for_a_fence) {
  World world;
  const auto fence = std::make_shared<Fence>(nullptr, 0);
  world.stream->pending_waits().reserve(1);
  world.stream->pending_waits().add(1, fence, 3);
  WaitingCopy(world).goes_behind_other_work();
  world.stream->pending_waits().add(3, fence, 3);
  fence->signal(3);
  WaitingCopy(world, 3).goes_before_other_work();
}

TEST(BufferUses, work_does_not_give_way_to_a_copy_that_waits_for_work_of_the_program) {
  World world;
  world.stream->need_program();
  WaitingCopy(world).goes_behind_other_work();
}

TEST(BufferUses, calls_give_way_no_longer_once_a_copy_waits_for_a_fence) {
  World world;
  const auto fence = std::make_shared<Fence>(nullptr, 0);
  const auto other = std::make_shared<ManualStream>();
  other->pending_waits().reserve(1);
  BufferUse early(world.buffer, other);
  BufferUse(world.buffer, world.stream).queued(1);
  Running copying([&] {
    float value = 0;
    world.buffer->read(0, 4, &value);
  });
  while (Buffer::waiting_copies() == 0) std::this_thread::yield();
  Running giving_way([&] { world.buffer->give_way(true); });
  EXPECT_FALSE(giving_way.ends_by_itself());
  other->pending_waits().add(1, fence, 1);
  early.queued(1);
  giving_way.join();
  world.stream->complete(1);
  EXPECT_FALSE(copying.ends_by_itself());
  other->complete(1);
  copying.join();
}

TEST(BufferUses, work_on_new_memory_does_not_give_way_to_a_copy_that_waits_for_a_fence_and_the_old_memory) {
  World world;
  const auto fence = std::make_shared<Fence>(nullptr, 0);
  world.stream->pending_waits().reserve(1);
  world.stream->pending_waits().add(1, fence, 1);
  WaitingCopy copy(world);
  void* pointer = nullptr;
  ASSERT_TRUE(world.buffer->map(CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD, &pointer));
  world.buffer->unmap();
  copy.goes_behind_other_work();
}

TEST(BufferUses, a_copy_of_a_buffer_that_was_mapped_meanwhile_fails_and_lets_calls_go_on) {
  World world;
  BufferUse(world.buffer, world.stream).queued(1);
  Running copying([&] {
    float value = 0;
    EXPECT_THROW(world.buffer->read(0, 4, &value), Failure);
  });
  while (Buffer::waiting_copies() == 0) std::this_thread::yield();
  void* pointer = nullptr;
  Running mapping([&] { world.buffer->map(CLOTHC_MAP_READ, &pointer); });
  EXPECT_FALSE(mapping.ends_by_itself());
  world.buffer->give_way(true);
  EXPECT_THROW(BufferUse(world.buffer, world.stream), Failure);
  world.stream->complete(1);
  mapping.join();
  copying.join();
  world.buffer->unmap();
  EXPECT_TRUE(world.buffer->give_way(false));
  EXPECT_TRUE(is_free(*world.buffer));
}

}  // namespace
}  // namespace clothc::buffer_test
