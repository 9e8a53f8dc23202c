// copies.cpp - see copies.h.
#include "backend_cuda/copies.h"

namespace clothc::cuda {
namespace {

// Smaller copies take less time than a wait of one lane for another.
constexpr uint64_t least_transfer = uint64_t{64} << 10;

// Most device memory that the slots of a stream have together. Copies beyond that do not go through slots.
constexpr uint64_t most_slot_memory = uint64_t{256} << 20;
// Slots have a multiple of this size, so that a transfer that grows from frame to frame seldom needs a new one.
constexpr uint64_t slot_unit = uint64_t{1} << 20;

HostAccess access_of(const Elements& all, bool writes) {
  return {all.address, all.address + (all.count - 1) * all.stride + all.size, writes};
}

}  // namespace

Copies::Copies(GpuPointer gpu, std::shared_ptr<Functions> functions, WorkQueue& work)
    : gpu_(std::move(gpu)), functions_(std::move(functions)), work_(work) {}

void Copies::begin_list(uint64_t value, uint64_t completed) {
  value_ = value;
  completed_ = completed;
  accesses_.begin_list(value, completed);
  slots_.release_idle(value, completed);
}

void Copies::add(const Copy& copy, OperationList& operations) {
  const uint64_t size = copy.element_size, count = copy.count;
  if (size * count == 0) return;
  const Elements source = source_of(copy), target = target_of(copy);
  const bool from_host = copy.source->host_pointer() != nullptr, to_host = copy.target->host_pointer() != nullptr;
  const uint64_t host_stride = from_host ? source.stride : target.stride;
  const bool has_rows = size <= host_stride && host_stride <= OperationList::most_pitch;
  if (work_.may_copy_beside() && from_host != to_host && has_rows && size * count >= least_transfer) {
    const Staging::Slice slice = take_slot(size * count);
    if (slice.piece != nullptr) {
      const Elements slot = {address_of(slice), size, size, count};
      return to_host ? download(target, source, slot, operations) : upload(target, source, slot, operations);
    }
  }
  if (from_host) access(Lane::work, access_of(source, false), operations);
  if (to_host) access(Lane::work, access_of(target, true), operations);
  add_copy(*functions_, operations, target, source, from_host && to_host);
}

// If the device has no memory for another slot, the copy does without, like small ones.
Staging::Slice Copies::take_slot(uint64_t size) {
  work_.prepare_copy_lanes();
  return slots_.allocate(size, value_, completed_, [this](uint64_t room) -> std::unique_ptr<StagingPiece> {
    const uint64_t whole = (room + slot_unit - 1) / slot_unit * slot_unit;
    if (slots_.size() + whole > most_slot_memory) return nullptr;
    try {
      return std::make_unique<StagingPiece>(gpu_, whole, false);
    } catch (const Failure& failure) {
      if (failure.result != CLOTHC_ERROR_OUT_OF_MEMORY) throw;
      return nullptr;
    }
  });
}

void Copies::download(const Elements& target, const Elements& source, const Elements& slot, OperationList& operations) {
  add_copy(*functions_, operations, slot, source);
  wait(Lane::downloads, Lane::work, operations);
  access(Lane::downloads, access_of(target, true), operations);
  transfer(Lane::downloads, target, slot, operations);
}

void Copies::upload(const Elements& target, const Elements& source, const Elements& slot, OperationList& operations) {
  access(Lane::uploads, access_of(source, false), operations);
  transfer(Lane::uploads, slot, source, operations);
  wait(Lane::work, Lane::uploads, operations);
  add_copy(*functions_, operations, target, slot);
}

// Where the elements in the host's memory are strided, the bytes between them are not transferred.
void Copies::transfer(Lane lane, const Elements& target, const Elements& source, OperationList& operations) {
  if (target.is_dense() && source.is_dense()) {
    operations.copy(lane, target.address, source.address, source.size * source.count);
  } else {
    operations.copy_rows(lane, target.address, target.stride, source.address, source.stride, source.size, source.count);
  }
}

void Copies::before(const MemoryPointer& memory, uint64_t offset, uint64_t size, bool writes,
                    OperationList& operations) {
  if (memory->host_pointer() == nullptr) return;
  const CUdeviceptr begin = address_of(memory) + offset;
  access(Lane::work, {begin, begin + size, writes}, operations);
}

void Copies::hold_uploads(OperationList& operations) {
  if (!work_.may_copy_beside()) return;
  work_.prepare_copy_lanes();
  wait(Lane::uploads, Lane::work, operations);
}

void Copies::access(Lane lane, const HostAccess& access, OperationList& operations) {
  for (const Lane other : {Lane::work, Lane::uploads, Lane::downloads}) {
    if (other != lane && accesses_.must_wait(lane, other, access)) wait(lane, other, operations);
  }
  accesses_.add(lane, access);
}

void Copies::wait(Lane lane, Lane awaited, OperationList& operations) {
  operations.wait(lane, awaited);
  accesses_.waits(lane, awaited);
}

}  // namespace clothc::cuda
