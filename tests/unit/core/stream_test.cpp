// stream_test.cpp - what core expects of a stream, on every available backend: commands in order, marks, waits for
// timelines, sort and scan, and the destruction of a stream.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <random>
#include <thread>

#include "core/objects/fence.h"
#include "core/base/structs.h"

namespace clothc::stream_test {
namespace {

using Words = std::vector<uint32_t>;
using Bytes = std::vector<uint8_t>;

constexpr uint64_t forever = CLOTHC_WAIT_FOREVER;

// Returns the kinds of backend that work here and prints why the others do not.
std::vector<const BackendKind*> kinds_here() {
  std::vector<const BackendKind*> kinds;
  for (const BackendKind& kind : backend_kinds()) {
    std::vector<clothc_device_info> infos;
    kind.enumerate(infos);
    if (infos.front().available != 0) {
      kinds.push_back(&kind);
    } else {
      std::printf("backend %u is skipped: %s\n", kind.backend, infos.front().reason);
    }
  }
  return kinds;
}

std::string kind_name(const testing::TestParamInfo<const BackendKind*>& info) {
  const char* const names[] = {"auto", "cpu", "cuda", "vulkan"};
  return names[info.param->backend];
}

std::unique_ptr<Backend> make_backend(const BackendKind& kind, uint32_t workers = 2) {
  clothc_device_desc desc = make_default<clothc_device_desc>();
  desc.backend = kind.backend;
  desc.worker_count = workers;
  return kind.create(desc);
}

std::shared_ptr<Fence> make_fence() { return std::make_shared<Fence>(nullptr, 0); }
void finish(Stream& stream) { EXPECT_TRUE(stream.wait(stream.mark(), forever)); }

// Copy values to device memory of the same size, and back.
template <class T>
MemoryPointer upload(Backend& backend, const std::vector<T>& values) {
  MemoryPointer memory = backend.allocate(values.size() * sizeof(T), MemoryVisibility::device_only);
  memory->write(0, values.data(), values.size() * sizeof(T));
  return memory;
}
template <class T>
std::vector<T> download(const MemoryPointer& memory) {
  std::vector<T> values(memory->size() / sizeof(T));
  memory->read(0, values.data(), values.size() * sizeof(T));
  return values;
}

class StreamTest : public testing::TestWithParam<const BackendKind*> {
 protected:
  std::shared_ptr<Stream> make_stream() { return backend_->create_stream(); }
  void write(Stream& stream, uint32_t value) { stream.write(memory_, 0, &value, 4); }
  uint32_t word() const { return download<uint32_t>(memory_)[0]; }
  std::unique_ptr<Backend> backend_ = make_backend(*GetParam());
  MemoryPointer memory_ = upload(*backend_, Words{0});
};
INSTANTIATE_TEST_SUITE_P(Backend, StreamTest, testing::ValuesIn(kinds_here()), kind_name);

TEST_P(StreamTest, commands_run_in_the_order_of_the_calls) {
  std::mt19937 random(1);
  const auto below = [&](uint64_t n) { return random() % n; };
  constexpr uint64_t size = 4096;
  Bytes model[2] = {Bytes(size), Bytes(size)};
  const MemoryPointer memories[2] = {upload(*backend_, model[0]), upload(*backend_, model[1])};
  const auto owner = make_stream();
  Stream& stream = *owner;
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
        // The call has copied the values.
        std::fill(data.begin(), data.end(), uint8_t{0xee});
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
        finish(stream);
        memories[t]->read(offset, read.data(), count);
        ASSERT_EQ(std::memcmp(read.data(), model[t].data() + offset, count), 0) << "step " << step;
    }
  }
  finish(stream);
  EXPECT_EQ(download<uint8_t>(memories[0]), model[0]);
  EXPECT_EQ(download<uint8_t>(memories[1]), model[1]);
}

TEST_P(StreamTest, copies_go_from_stride_to_stride_and_leave_what_is_between_alone) {
  const auto owner = make_stream();
  Stream& stream = *owner;
  Bytes source(20000);
  std::iota(source.begin(), source.end(), uint8_t{1});
  const MemoryPointer source_memory = upload(*backend_, source);
  const MemoryPointer target = upload(*backend_, source);
  for (const uint64_t size : {4, 8, 12, 16, 20, 100}) {
    for (const uint64_t source_stride : {size, size + 4, 3 * size}) {
      for (const uint64_t target_stride : {size, size + 8}) {
        for (const uint64_t count : {0, 1, 2, 33}) {
          Bytes expected(20000, 0xee);
          target->write(0, expected.data(), expected.size());
          stream.copy({source_memory, target, 12, 8, source_stride, target_stride, size, count});
          for (uint64_t k = 0; k < count; ++k) {
            std::memcpy(&expected[8 + k * target_stride], &source[12 + k * source_stride], size);
          }
          finish(stream);
          ASSERT_EQ(download<uint8_t>(target), expected)
              << size << " " << source_stride << " " << target_stride << " " << count;
        }
      }
    }
  }
}

TEST_P(StreamTest, nothing_runs_before_a_mark_and_discarded_commands_never_do) {
  const auto owner = make_stream();
  Stream& stream = *owner;
  write(stream, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(word(), 0u);
  stream.discard();
  finish(stream);
  EXPECT_EQ(word(), 0u);
  write(stream, 2);
  stream.keep();
  for (uint32_t k = 0; k < 1000; ++k) write(stream, 3);
  stream.discard();
  stream.discard();
  finish(stream);
  EXPECT_EQ(word(), 2u) << "what was kept is not discarded";
}

TEST_P(StreamTest, marks_count_up_and_are_reached_in_order) {
  const auto owner = make_stream();
  Stream& stream = *owner;
  EXPECT_EQ(stream.completed(), 0u);
  EXPECT_TRUE(stream.wait(0, 0));
  for (uint64_t k = 1; k <= 2000; ++k) {
    if (k % 3 != 0) write(stream, static_cast<uint32_t>(k));
    ASSERT_EQ(stream.mark(), k);
    ASSERT_LE(stream.completed(), k);
    if (k % 7 != 0) continue;
    ASSERT_TRUE(stream.wait(k, forever));
    ASSERT_EQ(stream.completed(), k);
    ASSERT_EQ(word(), k % 3 != 0 ? k : k - 1);
  }
}

TEST_P(StreamTest, waits_end_with_their_time_out) {
  const auto owner = make_stream();
  Stream& stream = *owner;
  const auto fence = make_fence();
  stream.wait_for(fence, 1);
  write(stream, 1);
  const uint64_t value = stream.mark();
  EXPECT_FALSE(stream.wait(value, 0));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(stream.wait(value, 3'000'000));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(3));
  EXPECT_EQ(word(), 0u);
  fence->signal(1);
  EXPECT_TRUE(stream.wait(value, 60'000'000'000));
  EXPECT_EQ(word(), 1u);
}

TEST_P(StreamTest, a_wait_for_a_timeline_keeps_no_worker) {
  const auto one = make_backend(*GetParam(), 1);
  memory_ = upload(*one, Words{0});
  const auto owners = {one->create_stream(), one->create_stream(), one->create_stream()};
  Stream& waiting = *owners.begin()[0];
  Stream& also_waiting = *owners.begin()[1];
  Stream& working = *owners.begin()[2];
  const auto fence = make_fence();
  waiting.wait_for(fence, 2);
  also_waiting.wait_for(fence, 1);
  const uint64_t last = waiting.mark();
  also_waiting.mark();
  write(working, 5);
  finish(working);
  EXPECT_EQ(word(), 5u);
  EXPECT_EQ(waiting.completed(), 0u);
  working.signal(fence, 1);
  finish(working);
  EXPECT_TRUE(also_waiting.wait(1, forever));
  EXPECT_EQ(waiting.completed(), 0u);
  working.signal(fence, 2);
  finish(working);
  EXPECT_TRUE(waiting.wait(last, forever));
  // The memory must be destroyed before its backend.
  memory_ = nullptr;
}

TEST_P(StreamTest, streams_take_turns_by_timelines) {
  for (const uint32_t workers : {1u, 3u}) {
    const auto backend = make_backend(*GetParam(), workers);
    memory_ = upload(*backend, Words{0});
    const auto streams = {backend->create_stream(), backend->create_stream()};
    Stream& a = *streams.begin()[0];
    Stream& b = *streams.begin()[1];
    const auto fence = make_fence();
    for (uint32_t k = 0; k < 500; ++k) {
      Stream& stream = k % 2 == 0 ? a : b;
      stream.wait_for(fence, k);
      stream.copy({memory_, memory_, 0, 0, 0, 0, 4, 1});
      write(stream, k + 1);
      stream.signal(fence, k + 1);
      if (k % 5 == 0) stream.mark();
    }
    a.mark();
    b.mark();
    EXPECT_TRUE(fence->wait(500, forever));
    EXPECT_EQ(word(), 500u);
    // The memory must be destroyed before its backend.
    memory_ = nullptr;
  }
}

TEST_P(StreamTest, sorts_as_stable_sort_does) {
  const auto owner = make_stream();
  Stream& stream = *owner;
  std::mt19937 random(3);
  for (const size_t count : {0, 1, 2, 3, 1000, 70000}) {
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
      const MemoryPointer sorted[] = {upload(*backend_, keys), upload(*backend_, values),
                                      upload(*backend_, Words(count)), upload(*backend_, Words(count))};
      stream.sort_pairs(sorted[0], sorted[1], sorted[2], sorted[3], count);
      finish(stream);
      ASSERT_TRUE(download<uint32_t>(sorted[0]) == expected_keys && download<uint32_t>(sorted[1]) == expected)
          << count << " of kind " << kind;
    }
  }
}

TEST_P(StreamTest, scans_modulo_2_to_the_32) {
  const auto owner = make_stream();
  Stream& stream = *owner;
  std::mt19937 random(4);
  for (const size_t count : {0, 1, 2, 1000, 1024, 1025, 1100000}) {
    Words words(count + 1);
    for (uint32_t& word : words) word = static_cast<uint32_t>(random());
    Words expected = words;
    std::exclusive_scan(words.begin(), words.end() - 1, expected.begin(), 0u);
    const MemoryPointer scanned = upload(*backend_, words);
    stream.exclusive_scan(scanned, count);
    finish(stream);
    ASSERT_EQ(download<uint32_t>(scanned), expected) << "the word behind the last stays as it is";
  }
}

TEST_P(StreamTest, destroyed_it_finishes_what_was_marked_or_kept_and_drops_the_rest) {
  {
    const auto owner = make_stream();
    Stream& stream = *owner;
    for (uint32_t k = 1; k <= 1000; ++k) write(stream, k);
    stream.mark();
    for (uint32_t k = 1001; k <= 2000; ++k) write(stream, k);
    stream.keep();
    write(stream, 9999);
  }
  EXPECT_EQ(word(), 2000u);
}

TEST_P(StreamTest, destroyed_it_gives_up_its_waits_but_not_its_work) {
  const auto fence = make_fence();
  {
    const auto owner = make_stream();
    Stream& stream = *owner;
    for (uint32_t k = 1; k <= 5; ++k) {
      stream.wait_for(fence, k);
      write(stream, k);
      stream.mark();
    }
  }
  EXPECT_EQ(word(), 5u);
  // Nothing waits for the fence any more.
  fence->signal(10);
  EXPECT_EQ(fence.use_count(), 1);
}

TEST_P(StreamTest, destroyed_while_others_signal_what_it_waits_for_it_ends_all_the_same) {
  for (uint32_t round = 0; round < 300; ++round) {
    const auto fence = make_fence();
    auto stream = make_stream();
    for (uint32_t k = 1; k <= 3; ++k) stream->wait_for(fence, k);
    write(*stream, round);
    stream->mark();
    std::thread signaller([&] {
      for (uint32_t k = 1; k <= 3; ++k) fence->signal(k);
    });
    if (round % 3 == 0) std::this_thread::yield();
    stream = nullptr;
    ASSERT_EQ(word(), round);
    signaller.join();
  }
}

}  // namespace
}  // namespace clothc::stream_test
