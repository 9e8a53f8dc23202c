// operations.cpp - see operations.h.
#include "backend_cuda/operations.h"

#include <cstring>

#include "backend_cuda/semaphore.h"

namespace clothc::cuda {
namespace {

CUresult issue_rows(const Driver& driver, const Operation& operation, CUstream stream) {
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = operation.source;
  copy.srcPitch = operation.source_pitch;
  copy.dstDevice = operation.target;
  copy.dstPitch = operation.target_pitch;
  copy.WidthInBytes = operation.size;
  copy.Height = operation.rows;
  return driver.Memcpy2DAsync(&copy, stream);
}

}  // namespace

CUresult Lanes::wait(const Driver& driver, CUstream waiting, Lane awaited) const {
  const CUresult recorded = driver.EventRecord(event, of(awaited));
  return recorded == CUDA_SUCCESS ? driver.StreamWaitEvent(waiting, event, 0) : recorded;
}

void OperationList::copy(Lane lane, CUdeviceptr target, CUdeviceptr source, uint64_t size) {
  Operation operation;
  operation.kind = Operation::Kind::copy;
  operation.lane = lane;
  operation.target = target;
  operation.source = source;
  operation.size = size;
  operations_.push_back(operation);
  has_downloads_ = has_downloads_ || lane == Lane::downloads;
}

void OperationList::copy_rows(Lane lane, CUdeviceptr target, uint64_t target_pitch, CUdeviceptr source,
                              uint64_t source_pitch, uint64_t size, uint64_t rows) {
  copy(lane, target, source, size);
  Operation& operation = operations_.back();
  operation.kind = Operation::Kind::copy_rows;
  operation.rows = rows;
  operation.target_pitch = target_pitch;
  operation.source_pitch = source_pitch;
}

void OperationList::wait(Lane lane, Lane awaited) {
  Operation operation;
  operation.kind = Operation::Kind::wait;
  operation.lane = lane;
  operation.awaited = awaited;
  operations_.push_back(operation);
}

void OperationList::fill(CUdeviceptr target, uint64_t size, uint32_t value) {
  Operation operation;
  operation.kind = Operation::Kind::fill;
  operation.target = target;
  operation.size = size;
  operation.value = value;
  operations_.push_back(operation);
}

void OperationList::graph(CUgraphExec graph) {
  Operation operation;
  operation.kind = Operation::Kind::graph;
  operation.graph = graph;
  operations_.push_back(operation);
}

void OperationList::event(CUevent event) {
  Operation operation;
  operation.kind = Operation::Kind::event;
  operation.event = event;
  operations_.push_back(operation);
}

void OperationList::signal(Semaphore& semaphore, uint64_t value) {
  use(Operation::Kind::semaphore_signal, semaphore, value);
}

void OperationList::wait_for(Semaphore& semaphore, uint64_t value) {
  use(Operation::Kind::semaphore_wait, semaphore, value);
}

void OperationList::use(Operation::Kind kind, Semaphore& semaphore, uint64_t value) {
  Operation operation;
  operation.kind = kind;
  operation.semaphore = &semaphore;
  operation.size = value;
  operations_.push_back(operation);
}

void OperationList::launch(CUfunction function, uint32_t grid_x, uint32_t grid_y, uint32_t threads,
                           uint32_t shared_size, const void* parameter, size_t parameter_words) {
  Operation operation;
  operation.kind = Operation::Kind::launch;
  operation.function = function;
  operation.grid_x = grid_x;
  operation.grid_y = grid_y;
  operation.threads = threads;
  operation.shared_size = shared_size;
  operation.parameter = words_.size();
  operation.parameter_words = parameter_words;
  operation.level = level_;
  const auto* words = static_cast<const uint64_t*>(parameter);
  words_.insert(words_.end(), words, words + parameter_words);
  operations_.push_back(operation);
}

void OperationList::append(const OperationList& other) {
  const size_t words = words_.size();
  words_.insert(words_.end(), other.words_.begin(), other.words_.end());
  for (Operation operation : other.operations_) {
    operation.parameter += words;
    operation.level += level_;
    operations_.push_back(operation);
  }
  level_ += other.level_;
  has_downloads_ = has_downloads_ || other.has_downloads_;
}

void OperationList::clear() {
  operations_.clear();
  words_.clear();
  level_ = 0;
  has_downloads_ = false;
}

void OperationList::announce_waits() const {
  for (const Operation& each : operations_) {
    if (each.kind == Operation::Kind::semaphore_wait) each.semaphore->will_wait_for(each.size);
  }
}

CUresult OperationList::issue(const Driver& driver, const Lanes& lanes) {
  for (const Operation& each : operations_) {
    const CUstream stream = lanes.of(each.lane);
    CUresult result = CUDA_SUCCESS;
    switch (each.kind) {
      case Operation::Kind::copy:
        result = driver.MemcpyAsync(each.target, each.source, each.size, stream);
        break;
      case Operation::Kind::copy_rows:
        result = issue_rows(driver, each, stream);
        break;
      case Operation::Kind::fill:
        result = driver.MemsetD32Async(each.target, each.value, each.size / 4, stream);
        break;
      case Operation::Kind::launch: {
        void* parameters[] = {parameter_of(each)};
        result = driver.LaunchKernel(each.function, each.grid_x, each.grid_y, 1, each.threads, 1, 1, each.shared_size,
                                     stream, parameters, nullptr);
        break;
      }
      case Operation::Kind::graph:
        result = driver.GraphLaunch(each.graph, stream);
        break;
      case Operation::Kind::event:
        result = driver.EventRecord(each.event, stream);
        break;
      case Operation::Kind::wait:
        result = lanes.wait(driver, stream, each.awaited);
        break;
      case Operation::Kind::semaphore_signal:
        result = each.semaphore->signal_in(stream, each.size);
        break;
      case Operation::Kind::semaphore_wait:
        result = each.semaphore->wait_in(stream, each.size);
        break;
    }
    if (result != CUDA_SUCCESS) return result;
  }
  return CUDA_SUCCESS;
}

}  // namespace clothc::cuda
