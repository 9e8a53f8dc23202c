// phase_passes.cpp - owns how phases are solved: colour by colour, block by block, or in the lattice of the fabric. The
// results are the same.
#include "core/schedule/phase_passes.h"

#include <algorithm>

#include "cook/layout/lattice.h"
#include "core/schedule/lattice_passes.h"

namespace clothc {
namespace {

// In phases of type LONG_RANGE, edges are long-range constraints.
ConstraintKernels kernels_for(const Cloth& cloth, const clothc_phase_config& config) {
  const ConstraintType type = cloth.set_of(config).type;
  const bool is_distance = type == ConstraintType::distance || type == ConstraintType::stiff_distance;
  if (is_distance && cloth.layout().phase_types[config.phase] == CLOTHC_PHASE_LONG_RANGE)
    return kernels_of(ConstraintType::long_range);
  return kernels_of(type);
}

bool has_soft_zone(const clothc_phase_config& config) {
  return config.stiffness_multiplier < 1 && (config.compression_limit < 1 || config.stretch_limit > 1);
}

// Approximate number of loop iterations per ring.
constexpr uint32_t loops_per_ring = 2;

// The solution of one colour of a phase. argument: the constraint record of the phase.
struct Solve {
  Kernel kernel;
  uint32_t colour;
  uint32_t argument;
  // Approximate number of loop iterations per item.
  uint32_t loop_count;
};

Solve solve_of(const Cloth& cloth, uint32_t phase, uint32_t colour) {
  const clothc_phase_config& config = cloth.phases[phase];
  const bool is_limited = has_soft_zone(config);
  if (cloth.layout().colours[colour].of_rings) {
    const Kernel kernel = is_limited ? Kernel::solve_rings_with_limits : Kernel::solve_rings;
    return {kernel, colour, cloth.record(phase), loops_per_ring};
  }
  const ConstraintKernels kernels = kernels_for(cloth, config);
  return {is_limited ? kernels.limited : kernels.plain, colour, cloth.record(phase), 1};
}

// phases: indices of phase configs.
std::vector<Solve> colours_to_solve(const Cloth& cloth, const std::vector<uint32_t>& phases) {
  std::vector<Solve> solves;
  for (const uint32_t phase : phases) {
    const Range colours = cloth.set_of(cloth.phases[phase]).colours;
    for (uint32_t colour = colours.begin; colour < colours.end; ++colour)
      solves.push_back(solve_of(cloth, phase, colour));
  }
  return solves;
}

// Solves the colours block by block, all colours at the same time. In each pass, a colour solves the block two behind
// that of the colour before it, since closer blocks may share particles.
void add_solves_by_block(const ParticleBlocks& blocks, const std::vector<Solve>& solves, PassList& passes) {
  constexpr uint32_t lag = 2;
  const auto count = static_cast<uint32_t>(solves.size());
  for (uint32_t front = 0; front < blocks.count + lag * (count - 1); ++front) {
    for (uint32_t k = 0; k < count; ++k) {
      if (front < lag * k || front - lag * k >= blocks.count) continue;
      const Solve& solve = solves[k];
      passes.add_to_shared_pass(solve.kernel, blocks.part(solve.colour, front - lag * k), solve.argument,
                                solve.loop_count);
    }
    passes.end_pass();
  }
}

void add_solves_by_colour(const Cloth& cloth, const std::vector<Solve>& solves, PassList& passes) {
  for (size_t k = 0; k < solves.size(); ++k) {
    const Solve& solve = solves[k];
    passes.add_to_shared_pass(solve.kernel, cloth.layout().colours[solve.colour].items, solve.argument,
                              solve.loop_count);
    if (k + 1 == solves.size() || !cloth.layout().colours[solves[k + 1].colour].joins_previous) passes.end_pass();
  }
}

bool is_in_lattice(const Cloth& cloth, uint32_t phase) {
  if (!cloth.topology->has_lattice() || kernels_for(cloth, cloth.phases[phase]).plain != Kernel::solve_edges)
    return false;
  const Range colours = cloth.set_of(cloth.phases[phase]).lattice_colours;
  return colours.begin < colours.end;
}

// Whether the lattice is cheaper for these phases, with the way there and back.
bool is_worth_lattice(const Cloth& cloth, const std::vector<uint32_t>& phases) {
  std::vector<uint32_t> sets;
  for (const uint32_t phase : phases) sets.push_back(cloth.layout().phase_sets[cloth.phases[phase].phase]);
  return cook::is_worth_lattice(cloth.layout(), sets, cloth.topology->lattice_batch_cost);
}

void add_solves_in_lattice(const Cloth& cloth, const std::vector<uint32_t>& phases, PassList& passes) {
  passes.add(Kernel::enter_lattice, slots_of(cloth), cloth.lattice_record());
  for (const uint32_t phase : phases) {
    const bool is_limited = has_soft_zone(cloth.phases[phase]);
    const Kernel kernel = is_limited ? Kernel::solve_lattice_with_limits : Kernel::solve_lattice;
    const Range colours = cloth.set_of(cloth.phases[phase]).lattice_colours;
    for (uint32_t colour = colours.begin; colour < colours.end; ++colour)
      passes.add(kernel, cloth.layout().lattice_colours[colour], cloth.record(phase), loops_per_ring);
  }
  passes.add(Kernel::leave_lattice, slots_of(cloth), cloth.lattice_record());
}

}  // namespace

ConstraintKernels kernels_of(ConstraintType type) {
  constexpr ConstraintKernels kernels[] = {
#define CLOTHC_CONSTRAINT_TYPE(name, number, particles, moved, stage, kernel, limited_kernel) \
  {Kernel::kernel, Kernel::limited_kernel},
#define CLOTHC_CONSTRAINT_PARAMETER(type, name, least, most, storage)
#include "kernels/constraint_types.def"
#undef CLOTHC_CONSTRAINT_TYPE
#undef CLOTHC_CONSTRAINT_PARAMETER
  };
  return kernels[static_cast<uint32_t>(type) - 1];
}

void add_phases(const Cloth& cloth, PassList& passes) {
  std::vector<uint32_t> phases;
  for (uint32_t k = 0; k < cloth.phases.size(); ++k) {
    if (cloth.phases[k].stiffness > 0) phases.push_back(k);
  }
  const std::vector<Solve> solves = colours_to_solve(cloth, phases);
  if (solves.size() > 1 && cloth.topology->blocks.count > 0) {
    add_solves_by_block(cloth.topology->blocks, solves, passes);
    return;
  }
  // Phases that follow one another and are all in the lattice, or all not.
  for (auto begin = phases.begin(); begin != phases.end();) {
    const bool in_lattice = is_in_lattice(cloth, *begin);
    const auto end =
        std::find_if(begin, phases.end(), [&](uint32_t phase) { return is_in_lattice(cloth, phase) != in_lattice; });
    const std::vector<uint32_t> run(begin, end);
    if (in_lattice && is_worth_lattice(cloth, run)) {
      add_solves_in_lattice(cloth, run, passes);
    } else {
      add_solves_by_colour(cloth, colours_to_solve(cloth, run), passes);
    }
    begin = end;
  }
}

}  // namespace clothc
