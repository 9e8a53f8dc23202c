// lattice_passes.cpp - owns which jobs of an iteration can be done in the lattice, and by which kernels.
#include "core/schedule/lattice_passes.h"

#include <algorithm>
#include <utility>

namespace clothc {
namespace {

bool is(const StagedJob& staged, Kernel kernel) { return static_cast<Kernel>(staged.job.kernel) == kernel; }

bool is_way_there_or_back(const StagedJob& staged) {
  return is(staged, Kernel::enter_lattice) || is(staged, Kernel::leave_lattice);
}

// Whether a job accesses particles where they are outside the lattice.
bool needs_particles(const StagedJob& staged) {
  const KernelInfo& info = info_of(static_cast<Kernel>(staged.job.kernel));
  return ((info.reads | info.writes) & (access_position | access_previous)) != 0;
}

bool all_tethers_have_slots(const Cloth& cloth) {
  const FabricLayout& layout = cloth.layout();
  return std::all_of(layout.tether_sets.begin(), layout.tether_sets.end(),
                     [&](uint32_t set) { return layout.sets[set].lattice_tethers != 0; });
}

// Makes a job over particles one over slots. Returns false if there is no kernel for it, or if the cloth or its fabric lacks
// what the kernel needs.
bool make_job_over_slots(const Cloth& cloth, StagedJob& staged) {
  if (is(staged, Kernel::integrate) && !cloth.has(group_acceleration)) {
    staged.job.kernel = static_cast<uint32_t>(Kernel::integrate_in_lattice);
    staged.job.argument = cloth.lattice_record();
  } else if (is(staged, Kernel::constrain_tethers) && all_tethers_have_slots(cloth)) {
    staged.job.kernel = static_cast<uint32_t>(Kernel::constrain_tethers_in_lattice);
  } else {
    return false;
  }
  staged.job.begin = 0;
  staged.job.end = slots_of(cloth).end;
  return true;
}

}  // namespace

bool stay_in_lattice(const Cloth& cloth, std::vector<StagedJob>& iteration) {
  if (!cloth.may_stay_in_lattice(cloth.parameters) || cloth.collides_with_cloths) return false;
  // One pair, since the way back and there again is needed where other phases are between.
  if (std::count_if(iteration.begin(), iteration.end(), is_way_there_or_back) != 2) return false;
  std::vector<StagedJob> inside;
  for (StagedJob staged : iteration) {
    if (is_way_there_or_back(staged)) continue;
    if (needs_particles(staged) && !make_job_over_slots(cloth, staged)) return false;
    inside.push_back(staged);
  }
  iteration = std::move(inside);
  return true;
}

}  // namespace clothc
