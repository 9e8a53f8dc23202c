// copies.cpp - see copies.h.
#include "cuda/device/driver/copies.h"

#include <cstring>

#include "cuda/device/driver/blocks.h"
#include "cuda/device/driver/capture.h"
#include "cuda/device/driver/scheduler.h"

namespace clothc::cuda_device {
namespace {

// Number of bytes from the first to the last one that rows have.
uint64_t extent(const Rows& rows, const CopyShape& shape) { return rows.pitch * (shape.height - 1) + shape.width; }

void check_rows(ptx::Checker& checker, const Rows& rows, const CopyShape& shape, bool writes) {
  if (rows.pitch == shape.width) return checker.access_range(rows.address, shape.width * shape.height, writes);
  for (uint64_t row = 0; row < shape.height; ++row) {
    checker.access_range(rows.address + row * rows.pitch, shape.width, writes);
  }
}

void copy_rows(const Rows& target, const Rows& source, const CopyShape& shape) {
  for (uint64_t row = 0; row < shape.height; ++row) {
    std::memcpy(reinterpret_cast<void*>(target.address + row * target.pitch),
                reinterpret_cast<const void*>(source.address + row * source.pitch), shape.width);
  }
}

class CopyTask : public Task {
 public:
  CopyTask(const Rows& target, const Rows& source, const CopyShape& shape, Transfer transfer)
      : Task("a copy of " + std::to_string(shape.width * shape.height) + " bytes"),
        target_(target),
        source_(source),
        shape_(shape),
        transfer_(transfer) {}

  // Copies the source now and reads it from the copy later.
  void stage() {
    staged_.resize(shape_.width * shape_.height);
    const Rows staged{reinterpret_cast<uint64_t>(staged_.data()), shape_.width};
    const OutsideDevice outside;
    copy_rows(staged, source_, shape_);
    source_ = staged;
    checks_source_ = false;
  }
  void leave_target_unchecked() { checks_target_ = false; }
  Transfer transfer() const override { return transfer_; }

  void run(const Turn& turn) const override {
    ptx::Checker checker(turn.context.space, turn.operation, turn.manner.finds_races);
    if (checks_source_) check_rows(checker, source_, shape_, false);
    if (checks_target_) check_rows(checker, target_, shape_, true);
    copy_rows(target_, source_, shape_);
  }

 private:
  const Rows target_;
  Rows source_;
  const CopyShape shape_;
  const Transfer transfer_;
  bool checks_source_ = true;
  bool checks_target_ = true;
  std::vector<char> staged_;
};

class FillTask : public Task {
 public:
  FillTask(uint64_t address, uint32_t value, uint64_t count)
      : Task("a fill of " + std::to_string(count) + " words"), address_(address), value_(value), count_(count) {}

  void run(const Turn& turn) const override {
    ptx::Checker checker(turn.context.space, turn.operation, turn.manner.finds_races);
    checker.access_range(address_, count_ * sizeof value_, true);
    std::fill_n(reinterpret_cast<uint32_t*>(address_), count_, value_);
  }

 private:
  const uint64_t address_;
  const uint32_t value_;
  const uint64_t count_;
};

// Returns whether rows are pageable memory of the host. Rows in memory that was freed are not: the device finds that
// when it accesses them, and so does a copy.
bool is_pageable(const Call& call, const Rows& rows, const CopyShape& shape) {
  const uint64_t size = extent(rows, shape);
  if (find_block(rows.address)) {
    require_block(call.context, rows.address, size);
    return false;
  }
  if (was_freed(rows.address)) return false;
  require(rows.address != 0 && is_mapped(rows.address, rows.address + size), CUDA_ERROR_INVALID_VALUE);
  require(!overlaps_block(rows.address, rows.address + size), CUDA_ERROR_INVALID_VALUE);
  return true;
}

bool is_of_host(const Rows& rows) {
  const BlockPointer block = find_block(rows.address);
  return block && block->is_host();
}

bool overlap(const Rows& left, const Rows& right, const CopyShape& shape) {
  return left.address < right.address + extent(right, shape) && right.address < left.address + extent(left, shape) &&
         (left.pitch != right.pitch || shape.height == 1 || left.pitch == shape.width);
}

void require_range(const Rows& rows, const CopyShape& shape) {
  uint64_t last = 0;
  uint64_t end = 0;
  require(!__builtin_mul_overflow(rows.pitch, shape.height - 1, &last) &&
              !__builtin_add_overflow(last, shape.width, &last) && !__builtin_add_overflow(rows.address, last, &end),
          CUDA_ERROR_INVALID_VALUE);
}

}  // namespace

void submit_copy(Call& call, const StreamPointer& stream, const Rows& target, const Rows& source,
                 const CopyShape& shape) {
  if (shape.width == 0 || shape.height == 0) return;
  require_range(target, shape);
  require_range(source, shape);
  require(!overlap(target, source, shape), CUDA_ERROR_INVALID_VALUE);
  const bool from_pageable = is_pageable(call, source, shape);
  const bool to_pageable = is_pageable(call, target, shape);
  if (from_pageable || to_pageable) require_not_capturing(*stream);
  const bool from_host = from_pageable || is_of_host(source);
  const bool to_host = to_pageable || is_of_host(target);
  const Transfer transfer = from_host == to_host ? Transfer::none : to_host ? Transfer::to_host : Transfer::from_host;
  const std::shared_ptr<CopyTask> task = std::make_shared<CopyTask>(target, source, shape, transfer);
  if (from_pageable) task->stage();
  if (to_pageable) task->leave_target_unchecked();
  const OperationPointer operation = submit(call, stream, task);
  ++state().counts.copies;
  state().counts.copied_size += shape.width * shape.height;
  state().counts.pageable_copies += from_pageable || to_pageable;
  // Copies between memory of the host, pinned or not, have ended when the call returns.
  if (to_pageable || (from_host && to_host && !stream->capture)) wait_for(call, {operation});
}

}  // namespace clothc::cuda_device

using namespace clothc::cuda_device;

CUresult cuMemcpyAsync(CUdeviceptr target, CUdeviceptr source, size_t size, CUstream stream) {
  return perform(Function::MemcpyAsync, Needs::working_context, [&](Call& call) {
    submit_copy(call, find_stream(call, stream), {target, size}, {source, size}, {size, 1});
  });
}

CUresult cuMemsetD32Async(CUdeviceptr target, unsigned value, size_t count, CUstream handle) {
  return perform(Function::MemsetD32Async, Needs::working_context, [&](Call& call) {
    const StreamPointer stream = find_stream(call, handle);
    require(target % sizeof value == 0 && count <= UINT64_MAX / sizeof value, CUDA_ERROR_INVALID_VALUE);
    if (count == 0) return;
    if (!was_freed(target)) require_block(call.context, target, count * sizeof value);
    submit(call, stream, std::make_shared<FillTask>(target, value, count));
  });
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr target, const void* source, size_t size) {
  return perform(Function::MemcpyHtoD, Needs::working_context, [&](Call& call) {
    const StreamPointer stream = call.context->legacy;
    submit_copy(call, stream, {target, size}, {reinterpret_cast<uint64_t>(source), size}, {size, 1});
    if (stream->last) wait_for(call, {stream->last});
  });
}

CUresult cuMemcpyDtoH_v2(void* target, CUdeviceptr source, size_t size) {
  return perform(Function::MemcpyDtoH, Needs::working_context, [&](Call& call) {
    const StreamPointer stream = call.context->legacy;
    submit_copy(call, stream, {reinterpret_cast<uint64_t>(target), size}, {source, size}, {size, 1});
    if (stream->last) wait_for(call, {stream->last});
  });
}
