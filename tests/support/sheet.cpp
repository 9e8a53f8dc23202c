// sheet.cpp - builds the square sheet that world.h declares.
#include <cmath>

#include "support/world.h"

namespace physics {

Plan sheet(const SheetPlan& wanted) {
  const uint32_t n = wanted.n;
  const float spacing = wanted.width / static_cast<float>(n - 1);
  Plan plan;
  plan.phases.resize(wanted.constrained ? 3 : 0);
  std::vector<float> masses(size_t{n} * n, 0.0f);
  for (uint32_t i = 0; i < n * n; ++i) {
    const uint32_t column = i % n, row = i / n;
    const auto along = [&](uint32_t k) { return static_cast<float>(k) * spacing - wanted.width / 2; };
    plan.points.push_back({along(column), 0, along(row), 0});
    if (column + 1 < n && row + 1 < n) {
      const uint32_t corners[6] = {i, i + n, i + 1, i + 1, i + n, i + n + 1};
      plan.triangles.insert(plan.triangles.end(), corners, corners + 6);
      for (const uint32_t corner : corners) masses[corner] += wanted.density * spacing * spacing / 6;
    }
    if (!wanted.constrained) continue;
    if (column + 1 < n) plan.phases[0].push_back({i, i + 1, spacing});
    if (row + 1 < n) plan.phases[1].push_back({i, i + n, spacing});
    if (column + 1 < n && row + 1 < n) {
      plan.phases[2].push_back({i, i + n + 1, spacing * std::sqrt(2.0f)});
      plan.phases[2].push_back({i + 1, i + n, spacing * std::sqrt(2.0f)});
    }
  }
  for (size_t i = 0; i < masses.size(); ++i) plan.points[i].w = 1 / masses[i];
  return plan;
}

}  // namespace physics
