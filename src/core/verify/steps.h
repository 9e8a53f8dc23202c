// steps.h - divides a dispatch into steps, each with the jobs of one kernel or with one operation on tables, as schedules
// that can be run by themselves.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/backend/dispatch.h"
#include "core/backend/limits.h"

namespace clothc {

struct Step {
  // The kernel; Kernel::count for an operation on tables.
  Kernel kernel = Kernel::count;
  TableOperation::Kind operation = TableOperation::Kind::copy;
  // A pass with the jobs, or with the operation.
  Dispatch pass;
  // Whether a cloth's program may have the jobs, as those of the main schedule of an update.
  bool may_be_in_programs = false;
  bool is_kernel() const { return kernel != Kernel::count; }
};

// Returns the steps in an order in which they may run. The dispatch has no programs.
std::vector<Step> steps_of(const Dispatch& dispatch);

// Returns the same jobs as programs of the given size, one for each group that does not skip them, or nothing if no
// program can hold them. records: those of the dispatch, as they are before it.
std::shared_ptr<const Schedule> as_programs(const Step& step, ProgramFeature feature, const DeviceLimits& limits,
                                            const GroupRecord* records);

}  // namespace clothc
