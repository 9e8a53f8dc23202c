// debug.cpp - the exported function for debug drawing. It finds the objects, checks the arguments, and calls the
// solver.
#include <algorithm>

#include "core/base/structs.h"
#include "core/objects/device.h"
#include "core/solver/solver.h"

using namespace clothc;

namespace {

constexpr uint32_t all_debug_flags = 2 * CLOTHC_DEBUG_FRAMES - 1;

// Returns the cloth to draw, or null for all.
Cloth* check_debug_desc(const Solver& solver, const clothc_debug_desc& desc) {
  CLOTHC_REQUIRE((desc.flags & ~all_debug_flags) == 0, "debug_desc.flags is 0x%x; want CLOTHC_DEBUG_... only, 0x%x",
                 desc.flags, all_debug_flags);
  CLOTHC_REQUIRE(in_range(desc.full_strain, 1e-6f, 1e6f), "debug_desc.full_strain is %g; want 1e-6 to 1e6",
                 as_double(desc.full_strain));
  CLOTHC_REQUIRE(in_range(desc.size, 0, 1e6f), "debug_desc.size is %g; want 0 to 1e6 m, 0 = from the cloth's edges",
                 as_double(desc.size));
  CLOTHC_REQUIRE(in_range(desc.velocity_time, 0, 1e6f), "debug_desc.velocity_time is %g; want 0 to 1e6 s",
                 as_double(desc.velocity_time));
  if (desc.cloth == 0) return nullptr;
  Cloth& cloth = solver.cloths().get(desc.cloth);
  const size_t phase_count = cloth.layout().phase_sets.size();
  CLOTHC_REQUIRE(desc.phase == UINT32_MAX || desc.phase < phase_count,
                 "debug_desc.phase is %u; want UINT32_MAX = all, or below %zu, the number of phases of the fabric",
                 desc.phase, phase_count);
  return &cloth;
}

}  // namespace

clothc_result clothc_solver_get_debug_lines(clothc_solver solver, const clothc_debug_desc* desc,
                                            clothc_debug_line* lines, uint32_t* count) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) -> clothc_result {
    const clothc_debug_desc d = adopt(desc);
    require_output(count, "count");
    const std::vector<clothc_debug_line> drawn = s->debug_lines(check_debug_desc(*s, d), d);
    const size_t capacity = *count;
    *count = static_cast<uint32_t>(drawn.size());
    if (lines == nullptr) return CLOTHC_SUCCESS;
    std::copy_n(drawn.begin(), std::min(drawn.size(), capacity), lines);
    return drawn.size() > capacity ? CLOTHC_INCOMPLETE : CLOTHC_SUCCESS;
  });
}
