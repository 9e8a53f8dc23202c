// operations.h - calls of the driver as data: what a stream is to do, prepared so far that calling the driver needs no
// memory of the host.
#pragma once

#include <array>
#include <vector>

#include "backend_cuda/gpu.h"

namespace clothc::cuda {

class Semaphore;

// A CUDA stream of those that do a list's work beside each other. Kernels run on work, copies from the host's memory to
// the device's on uploads, and copies back on downloads; work does short copies itself.
enum class Lane : uint8_t { work, uploads, downloads };
constexpr size_t lane_count = 3;

struct Lanes {
  std::array<CUstream, lane_count> streams{};
  // With which one of them waits for another.
  CUevent event = nullptr;

  CUstream of(Lane lane) const { return streams[static_cast<size_t>(lane)]; }
  // Makes waiting come after all that has been handed to awaited so far. The context must be current.
  CUresult wait(const Driver& driver, CUstream waiting, Lane awaited) const;
};

struct Operation {
  enum class Kind : uint8_t { copy, copy_rows, fill, launch, graph, event, wait, semaphore_signal, semaphore_wait };
  Kind kind = Kind::copy;
  Lane lane = Lane::work;

  // copy: size bytes. copy_rows: rows of size bytes, whose beginnings are that many bytes apart. fill: size bytes, a
  // multiple of 4, with copies of value.
  CUdeviceptr target = 0;
  CUdeviceptr source = 0;
  uint64_t size = 0;
  uint64_t rows = 0;
  uint64_t target_pitch = 0;
  uint64_t source_pitch = 0;
  uint32_t value = 0;

  // launch: a kernel with one parameter, which begins at that index in the words of the list.
  CUfunction function = nullptr;
  uint32_t grid_x = 0;
  uint32_t grid_y = 0;
  uint32_t threads = 0;
  uint32_t shared_size = 0;
  size_t parameter = 0;
  size_t parameter_words = 0;
  // Number of calls of separate before it.
  uint32_t level = 0;

  // graph: launches it once.
  CUgraphExec graph = nullptr;
  // event: records it.
  CUevent event = nullptr;
  // wait: the lane waits for all that this one has been given so far.
  Lane awaited = Lane::work;
  // semaphore_signal: raises it to `size`. semaphore_wait: waits until it has that value.
  Semaphore* semaphore = nullptr;
};

class OperationList {
 public:
  void reserve(size_t count) { operations_.reserve(count); }
  void copy(Lane lane, CUdeviceptr target, CUdeviceptr source, uint64_t size);
  // Copies between memory of the host and of the device. The pitches are at least size and at most most_pitch.
  void copy_rows(Lane lane, CUdeviceptr target, uint64_t target_pitch, CUdeviceptr source, uint64_t source_pitch,
                 uint64_t size, uint64_t rows);
  static constexpr uint64_t most_pitch = INT32_MAX;
  void wait(Lane lane, Lane awaited);
  void fill(CUdeviceptr target, uint64_t size, uint32_t value);
  void graph(CUgraphExec graph);
  void event(CUevent event);
  void signal(Semaphore& semaphore, uint64_t value);
  void wait_for(Semaphore& semaphore, uint64_t value);
  // The launches after this wait for those before it. Those of a stream do so anyway; those of a graph only here.
  void separate() { ++level_; }
  // Parameter: the struct that is the kernel's parameter.
  template <class Parameter>
  void launch(CUfunction function, uint32_t grid_x, uint32_t grid_y, uint32_t threads, uint32_t shared_size,
              const Parameter& parameter) {
    static_assert(sizeof(Parameter) % sizeof(uint64_t) == 0, "words hold it");
    launch(function, grid_x, grid_y, threads, shared_size, &parameter, sizeof(Parameter) / sizeof(uint64_t));
  }

  // Adds the operations of another list.
  void append(const OperationList& other);
  const std::vector<Operation>& operations() const { return operations_; }
  // Returns the parameter of a launch.
  void* parameter_of(const Operation& launch) { return words_.data() + launch.parameter; }
  bool is_empty() const { return operations_.empty(); }
  // Whether something runs on downloads, for which no other lane need wait.
  bool has_downloads() const { return has_downloads_; }
  // Drops all operations, but keeps their memory for the next ones.
  void clear();
  // Tells the semaphores what the operations will wait for.
  void announce_waits() const;
  // Calls the driver for each operation. The context must be current. Returns the first error.
  CUresult issue(const Driver& driver, const Lanes& lanes);

 private:
  void use(Operation::Kind kind, Semaphore& semaphore, uint64_t value);
  void launch(CUfunction function, uint32_t grid_x, uint32_t grid_y, uint32_t threads, uint32_t shared_size,
              const void* parameter, size_t parameter_words);

  std::vector<Operation> operations_;
  std::vector<uint64_t> words_;
  uint32_t level_ = 0;
  bool has_downloads_ = false;
};

}  // namespace clothc::cuda
