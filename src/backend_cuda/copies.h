// copies.h - turns the copies of a stream into operations. A large copy between the host's memory and the device's goes
// through a slot of device memory, so that the lane of the kernels does only the part between the slot and the device's
// memory, at the speed of the latter, while uploads and downloads have lanes of their own for the other part: uploads
// run ahead of the kernels that read them, and kernels that write the same memory again do not wait for downloads.
#pragma once

#include "backend_cuda/host_accesses.h"
#include "backend_cuda/recording.h"
#include "backend_cuda/staging.h"
#include "backend_cuda/work_queue.h"

namespace clothc::cuda {

class Copies {
 public:
  Copies(GpuPointer gpu, std::shared_ptr<Functions> functions, WorkQueue& work);

  // Begins the list with this value of the stream's timeline. The lists up to completed have ended. The context must be
  // current, here and below.
  void begin_list(uint64_t value, uint64_t completed);
  // Tells that the operations added since begin_list are dropped.
  void drop_list() { accesses_.forget_waits(); }

  // Adds a copy. Throws Failure.
  void add(const Copy& copy, OperationList& operations);
  // Lets uploads that are added from now on come after all that was added to Lane::work. Throws Failure.
  void hold_uploads(OperationList& operations);
  // Must be called before an operation is added to Lane::work that accesses memory, whether the host can access this
  // memory or not.
  void before(const MemoryPointer& memory, uint64_t offset, uint64_t size, bool writes, OperationList& operations);

 private:
  // Returns null device memory if there is none to spare.
  Staging::Slice take_slot(uint64_t size);
  void download(const Elements& target, const Elements& source, const Elements& slot, OperationList& operations);
  void upload(const Elements& target, const Elements& source, const Elements& slot, OperationList& operations);
  // Adds a copy between the host's memory and the device's to another lane.
  static void transfer(Lane lane, const Elements& target, const Elements& source, OperationList& operations);
  void wait(Lane lane, Lane awaited, OperationList& operations);
  // Lets the lane wait for what it must not overtake, and notes the access.
  void access(Lane lane, const HostAccess& access, OperationList& operations);

  GpuPointer gpu_;
  std::shared_ptr<Functions> functions_;
  WorkQueue& work_;
  HostAccesses accesses_;
  Staging slots_;
  uint64_t value_ = 0;
  uint64_t completed_ = 0;
};

}  // namespace clothc::cuda
