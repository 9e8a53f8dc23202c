// pass_list.h - collects the jobs of a cloth in the order of its update.
#pragma once

#include "core/cloth/cloth.h"

namespace clothc {

// Appends a cloth's jobs to the parts of its JobList, and numbers them so that those of different cloths that may run
// in the same pass get the same stage number.
class PassList {
 public:
  explicit PassList(const Cloth& cloth) : cloth_(cloth) {}

  // Clears a part of the JobList. The jobs that follow are appended to it.
  void begin_part(std::vector<StagedJob>& part) {
    part_ = &part;
    part.clear();
    stage_ = 0;
  }
  // Begins a stage of the update, for example the tethers. Its number is a multiple of passes_per_stage, so that
  // stages of different cloths coincide even if the stage before has fewer passes in some of them.
  void begin_stage() { stage_ = (stage_ / passes_per_stage + 1) * passes_per_stage; }

  // Appends a job as a pass of its own. loop_count: the approximate number of loop iterations per item.
  void add(Kernel kernel, Range items, uint32_t argument = 0, uint32_t loop_count = 1) {
    if (items.begin < items.end)
      part_->push_back(
          {stage_, {static_cast<uint32_t>(kernel), record_of(kernel), items.begin, items.end, argument}, loop_count});
    ++stage_;
  }
  // Appends a job to a pass that it shares with the next jobs, until end_pass ends the pass.
  void add_to_shared_pass(Kernel kernel, Range items, uint32_t argument = 0, uint32_t loop_count = 1) {
    add(kernel, items, argument, loop_count);
    --stage_;
  }
  // Ends a pass that has no job, or none but those of add_to_shared_pass.
  void end_pass() { ++stage_; }

  // The items of kernels over all particles, over the reduction lanes, and over the cloth itself.
  Range particles() const { return {0, cloth_.padded_count()}; }
  Range lanes() const { return {0, cloth_.reduction_lanes()}; }
  Range cloth_item() const { return {cloth_.slot, cloth_.slot + 1}; }

 private:
  uint32_t record_of(Kernel kernel) const { return info_of(kernel).scope == Scope::group ? cloth_.slot : 0; }

  static constexpr uint64_t passes_per_stage = 1u << 24;
  const Cloth& cloth_;
  std::vector<StagedJob>* part_ = nullptr;
  uint64_t stage_ = 0;
};

}  // namespace clothc
