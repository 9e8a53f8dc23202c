// stream_test.cpp - the CPU stream: commands in order, marks, waits for timelines, sort and scan, the end of a stream.
#include "backend_cpu/stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <random>
#include <thread>

#include "backend_cpu/memory.h"
#include "core/fence.h"

namespace clothc::cpu {
namespace {

using Words = std::vector<uint32_t>;
using Bytes = std::vector<uint8_t>;

constexpr uint64_t forever = CLOTHC_WAIT_FOREVER;

MemoryPointer memory_of(Words& words) { return wrap_memory(words.data(), words.size() * 4); }
MemoryPointer memory_of(Bytes& bytes) { return wrap_memory(bytes.data(), bytes.size()); }
std::shared_ptr<Fence> make_fence() { return std::make_shared<Fence>(nullptr, 0); }
void finish(Stream& stream) { EXPECT_TRUE(stream.wait(stream.mark(), forever)); }

class StreamTest : public testing::Test {
 protected:
  void write(Stream& stream, uint32_t value) { stream.write(memory_, 0, &value, 4); }
  ThreadPool pool_{2};
  Words word_ = {0};
  MemoryPointer memory_ = memory_of(word_);
};

TEST_F(StreamTest, commands_run_in_the_order_of_the_calls) {
  std::mt19937 random(1);
  const auto below = [&](uint64_t n) { return random() % n; };
  constexpr uint64_t size = 4096;
  Bytes device[2] = {Bytes(size), Bytes(size)};
  Bytes model[2] = {Bytes(size), Bytes(size)};
  const MemoryPointer memories[2] = {memory_of(device[0]), memory_of(device[1])};
  CpuStream stream(pool_, scalar_kernels);
  for (int step = 0; step < 5000; ++step) {
    const size_t t = below(2);
    const uint64_t offset = below(64) * 16;
    const uint64_t count = 16 * (1 + below(100));
    switch (below(5)) {
      case 0: {
        Bytes data(count);
        for (uint8_t& byte : data) byte = static_cast<uint8_t>(random());
        stream.write(memories[t], offset, data.data(), count);
        std::copy(data.begin(), data.end(), model[t].begin() + static_cast<long>(offset));
        std::fill(data.begin(), data.end(), uint8_t{0xee});  // the call has copied them
        break;
      }
      case 1:
        stream.copy({memories[t], memories[1 - t], offset, 2048 - offset, 0, 0, count, 1});
        std::memcpy(model[1 - t].data() + 2048 - offset, model[t].data() + offset, count);
        break;
      case 2: {
        const uint32_t pattern[4] = {static_cast<uint32_t>(random()), 2, 3, static_cast<uint32_t>(step)};
        stream.fill(memories[t], offset, count, pattern);
        for (uint64_t k = 0; k < count; k += 16) std::memcpy(model[t].data() + offset + k, pattern, 16);
        break;
      }
      case 3: {
        stream.exclusive_scan(memories[t], 200);
        uint32_t* words = reinterpret_cast<uint32_t*>(model[t].data());
        std::exclusive_scan(words, words + 200, words, 0u);
        break;
      }
      default:
        if (below(10) == 0) stream.mark();
        if (below(50) != 0) break;
        stream.mark();
        Bytes read(count);
        stream.read(memories[t], offset, read.data(), count);
        ASSERT_EQ(std::memcmp(read.data(), model[t].data() + offset, count), 0) << "step " << step;
    }
  }
  finish(stream);
  EXPECT_EQ(device[0], model[0]);
  EXPECT_EQ(device[1], model[1]);
}

TEST_F(StreamTest, copies_go_from_stride_to_stride_and_leave_what_is_between_alone) {
  CpuStream stream(pool_, scalar_kernels);
  for (const uint64_t size : {4, 8, 12, 16, 20, 100}) {
    for (const uint64_t source_stride : {size, size + 4, 3 * size}) {
      for (const uint64_t target_stride : {size, size + 8}) {
        for (const uint64_t count : {0, 1, 2, 33}) {
          Bytes source(20000);
          std::iota(source.begin(), source.end(), uint8_t{1});
          Bytes target(20000, 0xee);
          Bytes expected = target;
          stream.copy({memory_of(source), memory_of(target), 12, 8, source_stride, target_stride, size, count});
          for (uint64_t k = 0; k < count; ++k) {
            std::memcpy(&expected[8 + k * target_stride], &source[12 + k * source_stride], size);
          }
          finish(stream);
          ASSERT_EQ(target, expected) << size << " " << source_stride << " " << target_stride << " " << count;
        }
      }
    }
  }
}

TEST_F(StreamTest, nothing_runs_before_a_mark_and_discarded_commands_never_do) {
  CpuStream stream(pool_, scalar_kernels);
  write(stream, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(word_[0], 0u);
  stream.discard();
  finish(stream);
  EXPECT_EQ(word_[0], 0u);
  write(stream, 2);
  stream.keep();
  for (uint32_t k = 0; k < 1000; ++k) write(stream, 3);
  stream.discard();
  stream.discard();
  finish(stream);
  EXPECT_EQ(word_[0], 2u) << "what was kept is not discarded";
}

TEST_F(StreamTest, marks_count_up_and_are_reached_in_order) {
  CpuStream stream(pool_, scalar_kernels);
  EXPECT_EQ(stream.completed(), 0u);
  EXPECT_TRUE(stream.wait(0, 0));
  for (uint64_t k = 1; k <= 2000; ++k) {
    if (k % 3 != 0) write(stream, static_cast<uint32_t>(k));
    ASSERT_EQ(stream.mark(), k);
    ASSERT_LE(stream.completed(), k);
    if (k % 7 != 0) continue;
    ASSERT_TRUE(stream.wait(k, forever));
    ASSERT_EQ(stream.completed(), k);
    ASSERT_EQ(word_[0], k % 3 != 0 ? k : k - 1);
  }
}

TEST_F(StreamTest, waits_end_with_their_time_out) {
  CpuStream stream(pool_, scalar_kernels);
  const auto fence = make_fence();
  stream.wait_for(fence, 1);
  write(stream, 1);
  const uint64_t value = stream.mark();
  EXPECT_FALSE(stream.wait(value, 0));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(stream.wait(value, 3'000'000));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(3));
  EXPECT_EQ(word_[0], 0u);
  fence->signal(1);
  EXPECT_TRUE(stream.wait(value, 60'000'000'000));
  EXPECT_EQ(word_[0], 1u);
}

TEST_F(StreamTest, a_wait_for_a_timeline_keeps_no_worker) {
  ThreadPool one(1);
  CpuStream waiting(one, scalar_kernels);
  CpuStream also_waiting(one, scalar_kernels);
  CpuStream working(one, scalar_kernels);
  const auto fence = make_fence();
  waiting.wait_for(fence, 2);
  also_waiting.wait_for(fence, 1);
  const uint64_t last = waiting.mark();
  also_waiting.mark();
  write(working, 5);
  finish(working);
  EXPECT_EQ(word_[0], 5u);
  EXPECT_EQ(waiting.completed(), 0u);
  working.signal(fence, 1);
  finish(working);
  EXPECT_TRUE(also_waiting.wait(1, forever));
  EXPECT_EQ(waiting.completed(), 0u);
  working.signal(fence, 2);
  finish(working);
  EXPECT_TRUE(waiting.wait(last, forever));
}

TEST_F(StreamTest, streams_take_turns_by_timelines) {
  for (const uint32_t workers : {1u, 3u}) {
    ThreadPool pool(workers);
    CpuStream a(pool, scalar_kernels);
    CpuStream b(pool, scalar_kernels);
    const auto fence = make_fence();
    for (uint32_t k = 0; k < 500; ++k) {
      CpuStream& stream = k % 2 == 0 ? a : b;
      stream.wait_for(fence, k);
      stream.copy({memory_, memory_, 0, 0, 0, 0, 4, 1});
      write(stream, k + 1);
      stream.signal(fence, k + 1);
      if (k % 5 == 0) stream.mark();
    }
    a.mark();
    b.mark();
    EXPECT_TRUE(fence->wait(500, forever));
    EXPECT_EQ(word_[0], 500u);
  }
}

TEST_F(StreamTest, sorts_as_stable_sort_does) {
  CpuStream stream(pool_, scalar_kernels);
  std::mt19937 random(3);
  for (const size_t count : {0, 1, 2, 3, 1000, 100000}) {
    for (int kind = 0; kind < 5; ++kind) {
      Words keys(count);
      for (uint32_t k = 0; k < count; ++k) {
        const uint32_t any = static_cast<uint32_t>(random());
        const uint32_t choices[] = {any, any % 7 << 29, 42, k, ~k};
        keys[k] = choices[kind];
      }
      Words values(count);
      std::iota(values.begin(), values.end(), 0u);
      Words expected = values;
      std::stable_sort(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
      Words expected_keys = keys;
      std::stable_sort(expected_keys.begin(), expected_keys.end());
      Words scratch[2] = {Words(count), Words(count)};
      stream.sort_pairs(memory_of(keys), memory_of(values), memory_of(scratch[0]), memory_of(scratch[1]), count);
      finish(stream);
      ASSERT_TRUE(keys == expected_keys && values == expected) << count << " of kind " << kind;
    }
  }
}

TEST_F(StreamTest, scans_modulo_2_to_the_32) {
  CpuStream stream(pool_, scalar_kernels);
  std::mt19937 random(4);
  for (const size_t count : {0, 1, 2, 1000, 100000}) {
    Words words(count + 1);
    for (uint32_t& word : words) word = static_cast<uint32_t>(random());
    Words expected = words;
    std::exclusive_scan(words.begin(), words.end() - 1, expected.begin(), 0u);
    stream.exclusive_scan(memory_of(words), count);
    finish(stream);
    ASSERT_EQ(words, expected) << "the word behind the last stays as it is";
  }
}

TEST_F(StreamTest, destroyed_it_finishes_what_was_marked_or_kept_and_drops_the_rest) {
  {
    CpuStream stream(pool_, scalar_kernels);
    for (uint32_t k = 1; k <= 1000; ++k) write(stream, k);
    stream.mark();
    for (uint32_t k = 1001; k <= 2000; ++k) write(stream, k);
    stream.keep();
    write(stream, 9999);
  }
  EXPECT_EQ(word_[0], 2000u);
}

TEST_F(StreamTest, destroyed_it_gives_up_its_waits_but_not_its_work) {
  const auto fence = make_fence();
  {
    CpuStream stream(pool_, scalar_kernels);
    for (uint32_t k = 1; k <= 5; ++k) {
      stream.wait_for(fence, k);
      write(stream, k);
      stream.mark();
    }
  }
  EXPECT_EQ(word_[0], 5u);
  fence->signal(10);  // nobody is there any more
  EXPECT_EQ(fence.use_count(), 1);
}

TEST_F(StreamTest, destroyed_while_others_signal_what_it_waits_for_it_ends_all_the_same) {
  for (uint32_t round = 0; round < 500; ++round) {
    const auto fence = make_fence();
    auto stream = std::make_unique<CpuStream>(pool_, scalar_kernels);
    for (uint32_t k = 1; k <= 3; ++k) stream->wait_for(fence, k);
    write(*stream, round);
    stream->mark();
    std::thread signaller([&] {
      for (uint32_t k = 1; k <= 3; ++k) fence->signal(k);
    });
    if (round % 3 == 0) std::this_thread::yield();
    stream = nullptr;
    ASSERT_EQ(word_[0], round);
    signaller.join();
  }
}

}  // namespace
}  // namespace clothc::cpu
