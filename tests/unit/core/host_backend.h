// host_backend.h - a backend for tests: the processor with scalar kernels, which runs everything at once, and which records
// each run with the state at its start, so that a test can repeat it in another order.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/backend/backend.h"
#include "core/objects/device.h"

namespace clothc::test {

// The bytes that kernels may change.
struct State {
  std::vector<uint8_t> particles;
  std::vector<uint8_t> cloths;
  std::vector<uint8_t> tables;
  bool operator==(const State& other) const {
    return particles == other.particles && cloths == other.cloths && tables == other.tables;
  }
};

State save(const Dispatch& dispatch);
void restore(const Dispatch& dispatch, const State& state);

struct Recording {
  Dispatch dispatch;
  State before;
};

// Returns the indices of a schedule's passes in the order in which they run.
std::vector<uint32_t> unroll(const Schedule& schedule, uint32_t repeat_count);

bool is_repeated(const Schedule& schedule, uint32_t pass);

// Runs a job of a pass as every backend does: skips it if the cloth's iterations are done.
void run_job(const Dispatch& dispatch, uint32_t pass, const Job& job);

// Runs an operation, which must be a sort.
void run_operation(const Dispatch& dispatch, const TableOperation& operation);

// Makes a device on such a backend. recordings must outlive it.
std::shared_ptr<Device> make_host_device(std::vector<Recording>& recordings, uint32_t particles_in_cache = UINT32_MAX,
                                         uint32_t lattice_batch_cost = UINT32_MAX);

}  // namespace clothc::test
