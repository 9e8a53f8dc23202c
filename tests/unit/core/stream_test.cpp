// stream_test.cpp - what core expects of a stream, on every available backend: commands in order, waits for timelines,
// sort and scan, and the destruction of a stream; and what it expects of a list of commands.
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

// A stream and the list of commands that it gets next.
struct Queue {
  explicit Queue(Backend& backend) : stream(backend.create_stream()) {}
  void write(const MemoryPointer& memory, uint32_t value) { commands.write(memory, 0, &value, 4); }
  uint64_t submit() { return stream->submit(commands); }
  void finish() { EXPECT_TRUE(stream->wait(submit(), forever)); }

  std::shared_ptr<Stream> stream;
  CommandList commands;
};

// A dispatch of a schedule that only has the operation, with the memory as its tables.
Dispatch dispatch_of(const MemoryPointer& tables, const TableOperation& operation) {
  auto schedule = std::make_shared<Schedule>();
  schedule->operations = {operation};
  schedule->passes.resize(1);
  schedule->passes[0].operation = 0;
  schedule->repeat_begin = schedule->repeat_end = 1;
  Dispatch dispatch;
  dispatch.arenas = {tables, tables, tables, tables};
  dispatch.schedule = schedule;
  return dispatch;
}

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
  Queue queue(*backend_);
  for (int step = 0; step < 5000; ++step) {
    const size_t t = below(2);
    const uint64_t offset = below(64) * 16;
    const uint64_t count = 16 * (1 + below(100));
    switch (below(5)) {
      case 0: {
        Bytes data(count);
        for (uint8_t& byte : data) byte = static_cast<uint8_t>(random());
        queue.commands.write(memories[t], offset, data.data(), count);
        std::copy(data.begin(), data.end(), model[t].begin() + static_cast<long>(offset));
        // The call has copied the values.
        std::fill(data.begin(), data.end(), uint8_t{0xee});
        break;
      }
      case 1:
        queue.commands.add(Copy{memories[t], memories[1 - t], offset, 2048 - offset, 0, 0, count, 1});
        std::memcpy(model[1 - t].data() + 2048 - offset, model[t].data() + offset, count);
        break;
      case 2: {
        const std::array<uint32_t, 4> pattern = {static_cast<uint32_t>(random()), 2, 3, static_cast<uint32_t>(step)};
        queue.commands.add(Fill{memories[t], offset, count, pattern});
        for (uint64_t k = 0; k < count; k += 16) std::memcpy(model[t].data() + offset + k, pattern.data(), 16);
        break;
      }
      case 3: {
        queue.commands.add(dispatch_of(memories[t], {TableOperation::Kind::scan, 0, 0, 252, 200, 0}));
        uint32_t* words = reinterpret_cast<uint32_t*>(model[t].data());
        std::exclusive_scan(words, words + 200, words, 0u);
        // The scratch memory may have anything now.
        queue.commands.add(Fill{memories[t], 1008, 64, {}});
        std::fill(model[t].begin() + 1008, model[t].begin() + 1008 + 64, uint8_t{0});
        break;
      }
      default:
        if (below(10) == 0) queue.submit();
        if (below(50) != 0) break;
        queue.submit();
        Bytes read(count);
        queue.finish();
        memories[t]->read(offset, read.data(), count);
        ASSERT_EQ(std::memcmp(read.data(), model[t].data() + offset, count), 0) << "step " << step;
    }
  }
  queue.finish();
  EXPECT_EQ(download<uint8_t>(memories[0]), model[0]);
  EXPECT_EQ(download<uint8_t>(memories[1]), model[1]);
}

TEST_P(StreamTest, copies_go_from_stride_to_stride_and_leave_what_is_between_alone) {
  Queue queue(*backend_);
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
          queue.commands.add(Copy{source_memory, target, 12, 8, source_stride, target_stride, size, count});
          for (uint64_t k = 0; k < count; ++k) {
            std::memcpy(&expected[8 + k * target_stride], &source[12 + k * source_stride], size);
          }
          queue.finish();
          ASSERT_EQ(download<uint8_t>(target), expected)
              << size << " " << source_stride << " " << target_stride << " " << count;
        }
      }
    }
  }
}

TEST_P(StreamTest, discarded_commands_never_run) {
  Queue queue(*backend_);
  queue.write(memory_, 1);
  queue.commands.discard();
  queue.finish();
  EXPECT_EQ(word(), 0u);
  queue.write(memory_, 2);
  queue.commands.keep();
  for (uint32_t k = 0; k < 1000; ++k) queue.write(memory_, 3);
  queue.commands.discard();
  queue.commands.discard();
  queue.finish();
  EXPECT_EQ(word(), 2u) << "what was kept is not discarded";
  queue.write(memory_, 4);
  queue.commands.discard();
  EXPECT_TRUE(queue.commands.commands().empty()) << "a list that was submitted keeps nothing";
}

TEST_P(StreamTest, lists_count_up_and_end_in_order) {
  Queue queue(*backend_);
  Stream& stream = *queue.stream;
  EXPECT_EQ(stream.completed(), 0u);
  EXPECT_TRUE(stream.wait(0, 0));
  for (uint64_t k = 1; k <= 2000; ++k) {
    if (k % 3 != 0) queue.write(memory_, static_cast<uint32_t>(k));
    ASSERT_EQ(queue.submit(), k);
    ASSERT_TRUE(queue.commands.commands().empty());
    ASSERT_LE(stream.completed(), k);
    if (k % 7 != 0) continue;
    ASSERT_TRUE(stream.wait(k, forever));
    ASSERT_EQ(stream.completed(), k);
    ASSERT_EQ(word(), k % 3 != 0 ? k : k - 1);
  }
}

TEST_P(StreamTest, waits_end_with_their_time_out) {
  Queue queue(*backend_);
  Stream& stream = *queue.stream;
  const auto fence = make_fence();
  queue.commands.add(Wait{fence, 1});
  queue.write(memory_, 1);
  const uint64_t value = queue.submit();
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
  Queue waiting(*one), also_waiting(*one), working(*one);
  const auto fence = make_fence();
  waiting.commands.add(Wait{fence, 2});
  also_waiting.commands.add(Wait{fence, 1});
  const uint64_t last = waiting.submit();
  also_waiting.submit();
  working.write(memory_, 5);
  working.finish();
  EXPECT_EQ(word(), 5u);
  EXPECT_EQ(waiting.stream->completed(), 0u);
  working.commands.add(Signal{fence, 1});
  working.finish();
  EXPECT_TRUE(also_waiting.stream->wait(1, forever));
  EXPECT_EQ(waiting.stream->completed(), 0u);
  working.commands.add(Signal{fence, 2});
  working.finish();
  EXPECT_TRUE(waiting.stream->wait(last, forever));
  // The memory must be destroyed before its backend.
  memory_ = nullptr;
}

TEST_P(StreamTest, streams_take_turns_by_timelines) {
  for (const uint32_t workers : {1u, 3u}) {
    const auto backend = make_backend(*GetParam(), workers);
    memory_ = upload(*backend, Words{0});
    MemoryPointer copied = upload(*backend, Words{0});
    Queue a(*backend), b(*backend);
    const auto fence = make_fence();
    for (uint32_t k = 0; k < 500; ++k) {
      Queue& queue = k % 2 == 0 ? a : b;
      queue.commands.add(Wait{fence, k});
      queue.commands.add(Copy{memory_, copied, 0, 0, 0, 0, 4, 1});
      queue.write(memory_, k + 1);
      queue.commands.add(Signal{fence, k + 1});
      if (k % 5 == 0) queue.submit();
    }
    a.submit();
    b.submit();
    EXPECT_TRUE(fence->wait(500, forever));
    EXPECT_EQ(word(), 500u);
    // The memory must be destroyed before its backend.
    memory_ = copied = nullptr;
  }
}

TEST_P(StreamTest, sorts_as_stable_sort_does) {
  Queue queue(*backend_);
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
      // Something is in front of the arrays, and the scratch memory is as large as promised and no larger.
      const auto n = static_cast<uint32_t>(count);
      Words tables = {1, 2, 3, 4, 5};
      tables.insert(tables.end(), keys.begin(), keys.end());
      tables.insert(tables.end(), values.begin(), values.end());
      const auto scratch = static_cast<uint32_t>(tables.size());
      tables.resize(scratch + sort_scratch_words(n));
      tables.push_back(99);
      const MemoryPointer memory = upload(*backend_, tables);
      queue.commands.add(dispatch_of(memory, {TableOperation::Kind::sort, 5, 5 + n, scratch, n, 0}));
      queue.finish();
      const Words result = download<uint32_t>(memory);
      const auto part = [&](uint32_t first, uint32_t size) {
        return Words(result.begin() + first, result.begin() + first + size);
      };
      EXPECT_EQ(part(0, 5), (Words{1, 2, 3, 4, 5}));
      EXPECT_EQ(result.back(), 99u);
      ASSERT_TRUE(part(5, n) == expected_keys && part(5 + n, n) == expected) << count << " of kind " << kind;
    }
  }
}

TEST_P(StreamTest, scans_modulo_2_to_the_32) {
  Queue queue(*backend_);
  std::mt19937 random(4);
  for (const size_t count : {0, 1, 2, 1000, 1024, 1025, 1100000}) {
    const auto n = static_cast<uint32_t>(count);
    Words words(count + 1);
    for (uint32_t& word : words) word = static_cast<uint32_t>(random());
    Words expected = words;
    std::exclusive_scan(words.begin(), words.end() - 1, expected.begin(), 0u);
    words.resize(words.size() + scan_scratch_words(n));
    const MemoryPointer scanned = upload(*backend_, words);
    queue.commands.add(dispatch_of(scanned, {TableOperation::Kind::scan, 0, 0, n + 1, n, 0}));
    queue.finish();
    Words result = download<uint32_t>(scanned);
    result.resize(count + 1);
    ASSERT_EQ(result, expected) << "the word behind the last stays as it is";
  }
}

TEST_P(StreamTest, copies_words_of_tables) {
  Queue queue(*backend_);
  for (const uint32_t count : {0u, 1u, 1000u, 5000u}) {
    Words words(2 * size_t{count} + 3);
    std::iota(words.begin(), words.end(), 7u);
    const MemoryPointer copied = upload(*backend_, words);
    queue.commands.add(dispatch_of(copied, {TableOperation::Kind::copy, 1, count + 2, 0, count, 0}));
    queue.finish();
    std::copy_n(words.begin() + 1, count, words.begin() + count + 2);
    ASSERT_EQ(download<uint32_t>(copied), words);
  }
}

// The passes of a repeated range may be operations too, in their order among the others.
TEST_P(StreamTest, operations_repeat_with_the_iterations) {
  Queue queue(*backend_);
  auto schedule = std::make_shared<Schedule>();
  schedule->operations = {{TableOperation::Kind::copy, 0, 4, 0, 4, 0},
                          {TableOperation::Kind::scan, 4, 0, 8, 4, 0},
                          // An operation may have nothing to do.
                          {TableOperation::Kind::copy, 4, 0, 0, 0, 0},
                          {TableOperation::Kind::copy, 7, 0, 0, 1, 0}};
  schedule->passes.resize(4);
  for (uint32_t k = 0; k < 4; ++k) schedule->passes[k].operation = k;
  schedule->repeat_end = 4;
  Words start(16 + scan_scratch_words(4));
  std::iota(start.begin(), start.begin() + 4, 3u);
  Words expected = start;
  for (int iteration = 0; iteration < 3; ++iteration) {
    std::exclusive_scan(expected.begin(), expected.begin() + 4, expected.begin() + 4, 0u);
    expected[0] = expected[7];
  }
  Dispatch dispatch;
  const MemoryPointer tables = upload(*backend_, start);
  dispatch.arenas = {tables, tables, tables, tables};
  dispatch.schedule = schedule;
  dispatch.repeat_count = 3;
  queue.commands.add(dispatch);
  queue.finish();
  Words result = download<uint32_t>(tables);
  result.resize(8);
  expected.resize(8);
  EXPECT_EQ(result, expected);
}

TEST_P(StreamTest, destroyed_it_finishes_what_was_submitted) {
  {
    Queue queue(*backend_);
    for (uint32_t k = 1; k <= 1000; ++k) queue.write(memory_, k);
    queue.submit();
    for (uint32_t k = 1001; k <= 2000; ++k) queue.write(memory_, k);
    queue.submit();
    queue.write(memory_, 9999);
  }
  EXPECT_EQ(word(), 2000u);
}

TEST_P(StreamTest, destroyed_it_gives_up_its_waits_but_not_its_work) {
  const auto fence = make_fence();
  {
    Queue queue(*backend_);
    for (uint32_t k = 1; k <= 5; ++k) {
      queue.commands.add(Wait{fence, k});
      queue.write(memory_, k);
      queue.submit();
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
    auto queue = std::make_unique<Queue>(*backend_);
    for (uint32_t k = 1; k <= 3; ++k) queue->commands.add(Wait{fence, k});
    queue->write(memory_, round);
    queue->submit();
    std::thread signaller([&] {
      for (uint32_t k = 1; k <= 3; ++k) fence->signal(k);
    });
    if (round % 3 == 0) std::this_thread::yield();
    queue = nullptr;
    ASSERT_EQ(word(), round);
    signaller.join();
  }
}

}  // namespace
}  // namespace clothc::stream_test
