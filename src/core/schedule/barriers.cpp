// barriers.cpp - goes through the passes in order and collects the data accessed since the last barrier.
#include "core/schedule/barriers.h"

namespace clothc {
namespace {

// The data that some jobs read and write, as bits of Access.
struct AccessedData {
  uint32_t reads = 0;
  uint32_t writes = 0;
  void add(const AccessedData& other) {
    reads |= other.reads;
    writes |= other.writes;
  }
  bool conflicts_with(const AccessedData& later) const {
    return (writes & (later.reads | later.writes)) != 0 || (reads & later.writes) != 0;
  }
  bool operator==(const AccessedData& other) const { return reads == other.reads && writes == other.writes; }
};

AccessedData data_accessed_by(const Schedule& schedule, const Pass& pass) {
  AccessedData accessed;
  if (pass.operation != no_operation) {
    const uint32_t access = schedule.operations[pass.operation].access;
    accessed.add({access, access});
  }
  for (uint32_t k = pass.first_job; k < pass.first_job + pass.job_count; ++k) {
    const KernelInfo& kernel = info_of(static_cast<Kernel>(schedule.jobs[k].kernel));
    accessed.add({kernel.reads, kernel.writes});
  }
  return accessed;
}

// Sets the barriers of passes [begin, end). Takes and returns the data accessed since the last barrier.
AccessedData walk(Schedule& schedule, uint32_t begin, uint32_t end, AccessedData since_barrier) {
  for (uint32_t k = begin; k < end; ++k) {
    const AccessedData accessed = data_accessed_by(schedule, schedule.passes[k]);
    schedule.passes[k].barrier = since_barrier.conflicts_with(accessed);
    if (schedule.passes[k].barrier) since_barrier = {};
    since_barrier.add(accessed);
  }
  return since_barrier;
}

}  // namespace

void derive_barriers(Schedule& schedule) {
  const AccessedData before = walk(schedule, 0, schedule.repeat_begin, {});
  // The repeated range is entered either from the passes before it or from its own end. What is accessed at its end
  // depends on the barriers inside, so this repeats until the data accessed on entry no longer grows.
  AccessedData at_begin = before;
  AccessedData at_end;
  while (true) {
    at_end = walk(schedule, schedule.repeat_begin, schedule.repeat_end, at_begin);
    AccessedData next = at_end;
    next.add(at_begin);
    if (next == at_begin) break;
    at_begin = next;
  }
  walk(schedule, schedule.repeat_end, static_cast<uint32_t>(schedule.passes.size()), at_end);
}

}  // namespace clothc
