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
  uint64_t submit(CommandList& list) override {
    for (const Command& command : list.commands()) std::visit([&](const auto& each) { execute(list, each); }, command);
    list.clear();
    return ++submitted_;
  }
  uint64_t completed() const override { return submitted_; }
  void check() const override {}
  StreamCounters counters() const override { return {}; }
  bool wait(uint64_t, uint64_t) override { return true; }

 private:
  static void execute(const CommandList& list, const Write& write) {
    std::memcpy(bytes_of(write.target) + write.offset, list.data_of(write), write.size);
  }
  static void execute(const CommandList&, const Copy& copy) {
    for (uint64_t k = 0; k < copy.count; ++k) {
      std::memmove(bytes_of(copy.target) + copy.target_offset + k * copy.target_stride,
                   bytes_of(copy.source) + copy.source_offset + k * copy.source_stride, copy.element_size);
    }
  }
  static void execute(const CommandList&, const Fill& fill) {
    for (uint64_t k = 0; k < fill.size; k += 16)
      std::memcpy(bytes_of(fill.target) + fill.offset + k, fill.pattern.data(), 16);
  }
  void execute(const CommandList&, const Dispatch& dispatch) {
    // The tests are about passes, so programs are not supported.
    if (!dispatch.schedule->programs.empty()) std::abort();
    recordings_.push_back({dispatch, save(dispatch)});
    for (const uint32_t k : unroll(*dispatch.schedule, dispatch.repeat_count)) {
      const Pass& pass = dispatch.schedule->passes[k];
      if (pass.operation != no_operation) run_operation(dispatch, dispatch.schedule->operations[pass.operation]);
      for (uint32_t w = 0; w < pass.job_count; ++w) {
        run_job(dispatch, k, dispatch.schedule->jobs[pass.first_job + w]);
      }
    }
  }
  static void execute(const CommandList&, const Wait&) { std::abort(); }
  static void execute(const CommandList&, const Mark&) {}
  static void execute(const CommandList&, const Signal& signal) { signal.timeline->signal(signal.value); }

  std::vector<Recording>& recordings_;
  uint64_t submitted_ = 0;
};

DeviceLimits limits_of(uint32_t particles_in_cache, uint32_t lattice_batch_cost) {
  DeviceLimits limits;
  limits.worker_count = 2;
  limits.particles_in_cache = particles_in_cache;
  limits.lattice_batch_cost = lattice_batch_cost;
  return limits;
}

class HostBackend final : public Backend {
 public:
  HostBackend(std::vector<Recording>& recordings, const DeviceLimits& limits)
      : Backend(make_default<clothc_device_info>(), limits), recordings_(recordings) {}
  MemoryPointer allocate(uint64_t size, MemoryVisibility) override {
    ++allocation_count_;
    return cpu::allocate_memory({}, size);
  }
  MemoryPointer wrap(void* memory, uint64_t size) override { return cpu::wrap_memory(memory, size); }
  uint64_t allocation_count() const override { return allocation_count_; }
  std::shared_ptr<Stream> create_stream() override { return std::make_shared<HostStream>(recordings_); }

 private:
  std::vector<Recording>& recordings_;
  uint64_t allocation_count_ = 0;
};

}  // namespace

State save(const Dispatch& dispatch) {
  const Arenas& arenas = dispatch.arenas;
  return {contents_of(arenas.particles), contents_of(arenas.records), contents_of(arenas.tables)};
}

void restore(const Dispatch& dispatch, const State& state) {
  std::memcpy(bytes_of(dispatch.arenas.particles), state.particles.data(), state.particles.size());
  std::memcpy(bytes_of(dispatch.arenas.records), state.cloths.data(), state.cloths.size());
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
  context.topology = static_cast<const uint32_t*>(dispatch.arenas.topology->host_pointer());
  context.tables = static_cast<uint32_t*>(dispatch.arenas.tables->host_pointer());
  context.records = static_cast<GroupRecord*>(dispatch.arenas.records->host_pointer());
  context.frame = dispatch.frame;
  const bool may_be_skipped =
      is_repeated(*dispatch.schedule, pass) && is_predicated(info_of(static_cast<Kernel>(job.kernel)));
  if (may_be_skipped && CLOTHC_PREDICATE(context.records[job.record]) == 0) return;
  cpu::scalar_kernels.functions[job.kernel](context, job);
}

void run_operation(const Dispatch& dispatch, const TableOperation& operation) {
  if (operation.kind != TableOperation::Kind::sort) std::abort();
  auto* key = reinterpret_cast<uint32_t*>(bytes_of(dispatch.arenas.tables)) + operation.first;
  auto* word = reinterpret_cast<uint32_t*>(bytes_of(dispatch.arenas.tables)) + operation.second;
  std::vector<std::pair<uint32_t, uint32_t>> pairs(operation.count);
  for (size_t k = 0; k < pairs.size(); ++k) pairs[k] = {key[k], word[k]};
  std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t k = 0; k < pairs.size(); ++k) std::tie(key[k], word[k]) = pairs[k];
}

std::shared_ptr<Device> make_host_device(std::vector<Recording>& recordings, uint32_t particles_in_cache,
                                         uint32_t lattice_batch_cost) {
  auto backend = std::make_unique<HostBackend>(recordings, limits_of(particles_in_cache, lattice_batch_cost));
  const clothc_device_info info = backend->info();
  return std::make_shared<Device>(std::move(backend), info, MessageSink{});
}

}  // namespace clothc::test
