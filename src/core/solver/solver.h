// solver.h - the object behind clothc_solver: the parts of contents.h, and the queue that runs their work. The caller
// must serialise calls on one solver, except for wait and poll, which may come from any thread.
#pragma once

#include "core/fabric/fabric.h"
#include "core/objects/fence.h"
#include "core/solver/contents.h"
#include "core/solver/timers.h"

namespace clothc {

// A checked clothc_update, with the objects of its handles, which may be null.
struct UpdateArguments {
  clothc_update update;
  std::shared_ptr<Fence> wait;
  std::shared_ptr<Fence> signal;
};

class Solver final : public Object {
 public:
  static constexpr ObjectKind object_kind = ObjectKind::solver;

  Solver(std::shared_ptr<Device> device, const clothc_solver_desc& desc);
  ~Solver() override;

  // Makes the queued work end soon, whatever it waits for. May be called from any thread.
  void close() override { queue_.stream().close(); }
  clothc_solver_info info() const;
  clothc_timers timers() { return timers_.latest(); }

  Cloths& cloths() { return contents_->cloths; }
  const Cloths& cloths() const { return contents_->cloths; }
  Groups& groups() { return contents_->groups; }
  Colliders& colliders() { return contents_->colliders; }
  const Colliders& colliders() const { return contents_->colliders; }
  Transfers& transfers() { return contents_->transfers; }
  const Transfers& transfers() const { return contents_->transfers; }
  Bindings& bindings() { return contents_->bindings; }
  void remove_cloth(Cloth& cloth);

  // Queues an update. Returns false if the flags ask not to wait, but updates_in_flight updates are already queued, or
  // the update would have to give way to copies of a bound buffer.
  bool update(const UpdateArguments& arguments, uint64_t* value);
  // Adds an update to the graph that the application is capturing in its stream: see Stream::capture.
  void capture_update(float dt, void* native_stream);
  // Queues an update, unless it is null, and records everything that is queued: see Stream::record_into. Returns false
  // if updates_in_flight updates are already queued.
  bool record_update(const UpdateArguments* arguments, void* native_commands, NativeSignal& recorded);
  uint64_t timeline_value() const { return queue_.timeline_value(); }
  uint64_t completed_value() const { return queue_.stream().completed(); }
  // Throws Failure if the device is lost.
  void check() const { queue_.stream().check(); }
  bool wait(uint64_t value, uint64_t timeout_ns) { return queue_.stream().wait(value, timeout_ns); }

  // Draws one cloth, or all cloths if it is null. desc: checked.
  std::vector<clothc_debug_line> debug_lines(Cloth* cloth, const clothc_debug_desc& desc);
  uint64_t state_hash();
  std::vector<uint8_t> snapshot();
  void restore(const uint8_t* data, uint64_t size, const std::vector<std::shared_ptr<Fabric>>& fabrics);

 private:
  // Queues what has changed since the last update.
  void queue_uploads();
  // Queues an update behind its uploads, and returns the number of passes that it runs.
  uint64_t queue_steps(float dt, const std::vector<BoundBuffer>& bound, UpdateTimer timer);
  // Queues an update and returns the number of passes that it runs.
  uint64_t queue_update(const UpdateArguments& arguments, const std::vector<BoundBuffer>& bound, UpdateTimer timer);

  clothc_solver_desc desc_;
  CommandQueue queue_;
  std::unique_ptr<SolverContents> contents_;
  Timers timers_;

  // Timeline values of the last updates, as a ring buffer of updates_in_flight elements.
  std::vector<uint64_t> updates_;
  uint64_t update_count_ = 0;
  uint64_t last_update_upload_ = 0;
  uint64_t last_update_passes_ = 0;
  StreamCounters last_update_work_;
};

}  // namespace clothc
