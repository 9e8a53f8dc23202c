// judge.cpp - computes the measures of FORMAT.md, "Judging". Trajectories are compared in the coordinates of each
// cloth's frame; distances between cloths are measured in the world.
#include "replay/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace clothc_tool {
namespace {

// Pairs closer than this part of the collision distance are counted as close.
constexpr double kClose = 0.8;

using Positions = std::vector<std::vector<float>>;

double distance_between(const float* a, const float* b) {
  const double x = double{a[0]} - b[0], y = double{a[1]} - b[1], z = double{a[2]} - b[2];
  return std::sqrt(x * x + y * y + z * z);
}

void measure_error(const Reference& reference, const Positions& positions, FrameVerdict& verdict) {
  for (std::size_t c = 0; c < positions.size(); ++c) {
    const std::vector<float>& expected = reference.cloths[c].expected.at(verdict.frame);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (i % 4 == 3) continue;
      const double difference = std::fabs(double{positions[c][i]} - expected[i]);
      const double error = std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
      if (!(error > verdict.max_error)) continue;
      verdict.max_error = error;
      verdict.cloth = static_cast<uint32_t>(c);
      verdict.particle = static_cast<uint32_t>(i / 4);
    }
  }
}

double centre_error(const Positions& positions, const double* expected) {
  double sum[3] = {0, 0, 0};
  std::size_t count = 0;
  for (const std::vector<float>& cloth : positions) {
    count += cloth.size() / 4;
    for (std::size_t i = 0; i < cloth.size(); ++i)
      if (i % 4 != 3) sum[i % 4] += cloth[i];
  }
  double squared = 0;
  for (int axis = 0; axis < 3; ++axis) squared += std::pow(sum[axis] / static_cast<double>(count) - expected[axis], 2);
  return std::sqrt(squared);
}

void count_pair(const float* a, const float* b, double distance, AggregateVerdict& verdict) {
  const double separation = distance_between(a, b) / distance;
  if (separation < 1) verdict.min_separation = std::min(verdict.min_separation, separation);
  if (separation < kClose) ++verdict.close_pairs;
}

void measure_pairs_within(const ReferenceCloth& cloth, const std::vector<float>& positions, double distance,
                          AggregateVerdict& verdict) {
  std::vector<uint32_t> listed = cloth.self_collision_indices;
  for (uint32_t i = 0; cloth.self_collision_indices.empty() && i < cloth.particle_count; ++i) listed.push_back(i);
  const std::vector<float>& rest = cloth.rest_positions;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    for (std::size_t k = i + 1; k < listed.size(); ++k) {
      const std::size_t a = listed[i] * std::size_t{4}, b = listed[k] * std::size_t{4};
      if (!rest.empty() && distance_between(&rest[a], &rest[b]) < distance) continue;
      count_pair(&positions[a], &positions[b], distance, verdict);
    }
  }
}

void measure_pairs_between(const Positions& positions, double distance, AggregateVerdict& verdict) {
  for (std::size_t c = 0; c < positions.size(); ++c)
    for (std::size_t d = c + 1; d < positions.size(); ++d)
      for (std::size_t a = 0; a < positions[c].size(); a += 4)
        for (std::size_t b = 0; b < positions[d].size(); b += 4)
          count_pair(&positions[c][a], &positions[d][b], distance, verdict);
}

// Transforms the positions of cloths from their frames to the world.
Positions in_world(const Positions& positions, const std::vector<ReferencePose>& poses) {
  Positions world = positions;
  for (std::size_t c = 0; c < world.size(); ++c) {
    const auto& q = poses[c].rotation;
    const auto& t = poses[c].translation;
    for (std::size_t i = 0; i < world[c].size(); i += 4) {
      float* p = &world[c][i];
      const double v[3] = {p[0], p[1], p[2]};
      // v + 2 w (u x v) + 2 u x (u x v), where u is the vector part of the quaternion
      const double a[3] = {q[1] * v[2] - q[2] * v[1], q[2] * v[0] - q[0] * v[2], q[0] * v[1] - q[1] * v[0]};
      const double b[3] = {q[1] * a[2] - q[2] * a[1], q[2] * a[0] - q[0] * a[2], q[0] * a[1] - q[1] * a[0]};
      for (int k = 0; k < 3; ++k)
        p[k] = static_cast<float>(v[k] + 2 * (q[3] * a[k] + b[k]) + t[static_cast<std::size_t>(k)]);
    }
  }
  return world;
}

AggregateVerdict judge_aggregate(const Reference& reference, std::size_t output_index, const Positions& positions) {
  const ReferenceAggregate& wanted = *reference.aggregate;
  AggregateVerdict verdict;
  verdict.centre_tolerance = wanted.centre_tolerance;
  verdict.centre_error = centre_error(positions, &wanted.centre[3 * output_index]);
  verdict.min_separation_limit = wanted.min_separation[output_index] - wanted.min_separation_slack;
  const double limit = wanted.close_pairs[output_index] * wanted.close_pairs_factor + wanted.close_pairs_slack;
  verdict.close_pairs_limit = limit > 0 ? static_cast<uint64_t>(std::min(limit, 1e18)) : 0;
  if (reference.inter_collision) {
    measure_pairs_between(positions, wanted.distance, verdict);
  } else {
    for (std::size_t c = 0; c < positions.size(); ++c)
      measure_pairs_within(reference.cloths[c], positions[c], wanted.distance, verdict);
  }
  verdict.pass = verdict.centre_error <= verdict.centre_tolerance &&
                 verdict.min_separation >= verdict.min_separation_limit &&
                 verdict.close_pairs <= verdict.close_pairs_limit;
  return verdict;
}

std::optional<SleepVerdict> judge_sleep(const Reference& reference, uint32_t frame,
                                        const std::vector<ReferenceSleep>& seen) {
  std::optional<SleepVerdict> verdict;
  for (std::size_t c = 0; c < seen.size(); ++c) {
    const auto expected = reference.cloths[c].expected_sleep.find(frame);
    if (expected == reference.cloths[c].expected_sleep.end()) continue;
    const bool pass = seen[c].pass_count == expected->second.pass_count && seen[c].asleep == expected->second.asleep;
    if (verdict && pass) continue;
    verdict = SleepVerdict{static_cast<uint32_t>(c), seen[c], expected->second, pass};
    if (!pass) break;
  }
  return verdict;
}

}  // namespace

FrameVerdict judge_frame(const Reference& reference, std::size_t output_index, const Positions& positions,
                         const std::vector<ReferencePose>& poses, const std::vector<ReferenceSleep>& sleep) {
  FrameVerdict verdict;
  verdict.frame = reference.output_frames[output_index];
  verdict.tolerance = reference.tolerance[output_index];
  measure_error(reference, positions, verdict);
  verdict.pass = std::isfinite(verdict.max_error) && (!verdict.tolerance || verdict.max_error <= *verdict.tolerance);
  if (reference.aggregate) {
    verdict.aggregate =
        judge_aggregate(reference, output_index, reference.inter_collision ? in_world(positions, poses) : positions);
    verdict.pass = verdict.pass && verdict.aggregate->pass;
  }
  verdict.sleep = judge_sleep(reference, verdict.frame, sleep);
  if (verdict.sleep) verdict.pass = verdict.pass && verdict.sleep->pass;
  return verdict;
}

}  // namespace clothc_tool
