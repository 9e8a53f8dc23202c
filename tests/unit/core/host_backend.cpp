// host_backend.cpp - see host_backend.h.
#include "unit/core/host_backend.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <utility>

#include "backend_cpu/isa/kernel_table.h"
#include "core/base/structs.h"
#include "core/verify/observed_backend.h"

namespace clothc::test {
namespace {

uint8_t* bytes_of(const MemoryPointer& memory) { return static_cast<uint8_t*>(memory->host_pointer()); }

std::vector<uint8_t> contents_of(const MemoryPointer& memory) {
  return {bytes_of(memory), bytes_of(memory) + memory->size()};
}

DeviceLimits limits_of(uint32_t particles_in_cache, uint32_t lattice_batch_cost) {
  DeviceLimits limits;
  limits.worker_count = 2;
  limits.particles_in_cache = particles_in_cache;
  limits.lattice_batch_cost = lattice_batch_cost;
  return limits;
}

// The processor with scalar code, for all host devices.
Backend& scalar_processor() {
  static const std::unique_ptr<Backend> backend = [] {
    clothc_device_desc desc = make_default<clothc_device_desc>();
    desc.isa = CLOTHC_ISA_SCALAR;
    desc.worker_count = 1;
    const auto& kinds = backend_kinds();
    return std::find_if(kinds.begin(), kinds.end(),
                        [](const BackendKind& kind) { return kind.backend == CLOTHC_BACKEND_CPU; })
        ->create(desc);
  }();
  return *backend;
}

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
  const auto record = [&recordings](const Dispatch& dispatch, Stream& below) {
    // The tests are about passes, so programs are not supported.
    if (!dispatch.schedule->programs.empty()) std::abort();
    recordings.push_back({dispatch, save(dispatch)});
    run_and_wait(below, dispatch);
  };
  auto backend =
      std::make_unique<ObservedBackend>(scalar_processor(), limits_of(particles_in_cache, lattice_batch_cost), record);
  const clothc_device_info info = backend->info();
  return std::make_shared<Device>(std::move(backend), info, MessageSink{});
}

}  // namespace clothc::test
