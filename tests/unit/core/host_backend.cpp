// host_backend.cpp - see host_backend.h.
#include "unit/core/host_backend.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <utility>

#include "backend_cpu/isa/kernel_table.h"
#include "backend_cpu/memory.h"
#include "core/base/structs.h"

namespace clothc::test {
namespace {

uint8_t* bytes_of(const MemoryPointer& memory) { return static_cast<uint8_t*>(memory->host_pointer()); }

std::vector<uint8_t> contents_of(const MemoryPointer& memory) {
  return {bytes_of(memory), bytes_of(memory) + memory->size()};
}

class HostStream final : public Stream {
 public:
  explicit HostStream(std::vector<Recording>& recordings) : recordings_(recordings) {}

  void close() override {}
  void write(const MemoryPointer& memory, uint64_t offset, const void* data, uint64_t size) override {
    std::memcpy(bytes_of(memory) + offset, data, size);
  }
  void copy(const Copy& copy) override {
    for (uint64_t k = 0; k < copy.count; ++k) {
      std::memmove(bytes_of(copy.target) + copy.target_offset + k * copy.target_stride,
                   bytes_of(copy.source) + copy.source_offset + k * copy.source_stride, copy.element_size);
    }
  }
  void fill(const MemoryPointer& memory, uint64_t offset, uint64_t size, const uint32_t pattern[4]) override {
    for (uint64_t k = 0; k < size; k += 16) std::memcpy(bytes_of(memory) + offset + k, pattern, 16);
  }
  void run(const Dispatch& dispatch) override {
    // The tests are about passes, so programs are not supported.
    if (!dispatch.schedule->programs.empty()) std::abort();
    recordings_.push_back({dispatch, save(dispatch)});
    for (const uint32_t k : unroll(*dispatch.schedule, dispatch.repeat_count)) {
      const Pass& pass = dispatch.schedule->passes[k];
      for (uint32_t w = 0; w < pass.job_count; ++w) {
        run_job(dispatch, k, dispatch.schedule->jobs[pass.first_job + w]);
      }
    }
  }
  void sort_pairs(const MemoryPointer& keys, const MemoryPointer& values, const MemoryPointer&, const MemoryPointer&,
                  uint64_t count) override {
    auto* key = reinterpret_cast<uint32_t*>(bytes_of(keys));
    auto* value = reinterpret_cast<uint32_t*>(bytes_of(values));
    std::vector<std::pair<uint32_t, uint32_t>> pairs(count);
    for (size_t k = 0; k < count; ++k) pairs[k] = {key[k], value[k]};
    std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t k = 0; k < count; ++k) std::tie(key[k], value[k]) = pairs[k];
  }
  void exclusive_scan(const MemoryPointer&, uint64_t) override { std::abort(); }
  void wait_for(const std::shared_ptr<Timeline>&, uint64_t) override { std::abort(); }
  void signal(const std::shared_ptr<Timeline>& timeline, uint64_t value) override { timeline->signal(value); }
  uint64_t mark() override { return ++marked_; }
  void keep() override {}
  void discard() override {}
  uint64_t completed() const override { return marked_; }
  void check() const override {}
  StreamCounters counters() const override { return {}; }
  bool wait(uint64_t, uint64_t) override { return true; }

 private:
  std::vector<Recording>& recordings_;
  uint64_t marked_ = 0;
};

class HostBackend final : public Backend {
 public:
  HostBackend(std::vector<Recording>& recordings, uint32_t particles_in_cache)
      : recordings_(recordings), particles_in_cache_(particles_in_cache) {}
  const clothc_device_info& info() const override { return info_; }
  uint32_t worker_count() const override { return 2; }
  uint32_t lanes_per_worker() const override { return 1; }
  uint32_t particles_in_cache() const override { return particles_in_cache_; }
  MemoryPointer allocate(uint64_t size, MemoryVisibility) override {
    ++allocation_count_;
    return cpu::allocate_memory({}, size);
  }
  MemoryPointer wrap(void* memory, uint64_t size) override { return cpu::wrap_memory(memory, size); }
  uint64_t allocation_count() const override { return allocation_count_; }
  std::shared_ptr<Stream> create_stream() override { return std::make_shared<HostStream>(recordings_); }

 private:
  std::vector<Recording>& recordings_;
  uint32_t particles_in_cache_;
  clothc_device_info info_ = make_default<clothc_device_info>();
  uint64_t allocation_count_ = 0;
};

}  // namespace

State save(const Dispatch& dispatch) {
  const Arenas& arenas = dispatch.arenas;
  return {contents_of(arenas.particles), contents_of(arenas.cloths), contents_of(arenas.tables)};
}

void restore(const Dispatch& dispatch, const State& state) {
  std::memcpy(bytes_of(dispatch.arenas.particles), state.particles.data(), state.particles.size());
  std::memcpy(bytes_of(dispatch.arenas.cloths), state.cloths.data(), state.cloths.size());
  std::memcpy(bytes_of(dispatch.arenas.tables), state.tables.data(), state.tables.size());
}

std::vector<uint32_t> unroll(const Schedule& schedule, uint32_t repeat_count) {
  std::vector<uint32_t> order;
  for (uint32_t k = 0; k < schedule.repeat_begin; ++k) order.push_back(k);
  for (uint32_t r = 0; r < repeat_count; ++r) {
    for (uint32_t k = schedule.repeat_begin; k < schedule.repeat_end; ++k) order.push_back(k);
  }
  for (uint32_t k = schedule.repeat_end; k < schedule.passes.size(); ++k) order.push_back(k);
  return order;
}

bool is_repeated(const Schedule& schedule, uint32_t pass) {
  return pass >= schedule.repeat_begin && pass < schedule.repeat_end;
}

void run_job(const Dispatch& dispatch, uint32_t pass, const Job& job) {
  cpu::KernelContext context;
  context.particles = static_cast<float*>(dispatch.arenas.particles->host_pointer());
  context.fabric = static_cast<const uint32_t*>(dispatch.arenas.fabric->host_pointer());
  context.tables = static_cast<uint32_t*>(dispatch.arenas.tables->host_pointer());
  context.cloths = static_cast<ClothRecord*>(dispatch.arenas.cloths->host_pointer());
  context.frame = dispatch.frame;
  const bool may_be_skipped =
      is_repeated(*dispatch.schedule, pass) && !runs_always(info_of(static_cast<Kernel>(job.kernel)).domain);
  if (may_be_skipped && context.cloths[job.cloth].step.running == 0) return;
  cpu::scalar_kernels.functions[job.kernel](context, job);
}

std::shared_ptr<Device> make_host_device(std::vector<Recording>& recordings, uint32_t particles_in_cache) {
  auto backend = std::make_unique<HostBackend>(recordings, particles_in_cache);
  const clothc_device_info info = backend->info();
  return std::make_shared<Device>(std::move(backend), info, MessageSink{});
}

}  // namespace clothc::test
