// summary.cpp - reads the final state and the fabrics' constraints and computes the measures.
#include "simulation/summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scene/cloth/phases.h"

namespace clothc_tool {
namespace {

double squared(double x) { return x * x; }

bool is_finite(const float* p) { return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]); }

double distance(const float* a, const float* b) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) sum += squared(static_cast<double>(a[axis]) - static_cast<double>(b[axis]));
  return std::sqrt(sum);
}

double kinetic_energy_of(const std::vector<float>& positions, const std::vector<float>& velocities) {
  double energy = 0;
  for (size_t i = 0; i < positions.size(); i += 4) {
    const double inverse_mass = static_cast<double>(positions[i + 3]);
    if (inverse_mass == 0) continue;
    double speed_squared = 0;
    for (size_t axis = 0; axis < 3; ++axis) speed_squared += squared(static_cast<double>(velocities[i + axis]));
    energy += 0.5 * speed_squared / inverse_mass;
  }
  return energy;
}

double max_stretch_of(const clothc::Fabric& fabric, const std::vector<float>& positions) {
  const auto sets = fabric.read<uint32_t>(CLOTHC_FABRIC_PHASE_SETS).value();
  const auto types = fabric.read<uint32_t>(CLOTHC_FABRIC_PHASE_TYPES).value();
  const auto ends = fabric.read<uint32_t>(CLOTHC_FABRIC_SET_ENDS).value();
  const auto indices = fabric.read<uint32_t>(CLOTHC_FABRIC_INDICES).value();
  const auto rest_lengths = fabric.read<float>(CLOTHC_FABRIC_REST_LENGTHS).value();
  double stretch = 0;
  for (size_t phase = 0; phase < sets.size(); ++phase) {
    if (!holds_edges(types[phase])) continue;
    const uint32_t set = sets[phase];
    for (size_t i = set == 0 ? 0 : ends[set - 1]; i < ends[set]; ++i) {
      const float *a = &positions[size_t{4} * indices[2 * i]], *b = &positions[size_t{4} * indices[2 * i + 1]];
      if (rest_lengths[i] <= 0 || (a[3] == 0 && b[3] == 0)) continue;
      stretch = std::max(stretch, distance(a, b) / static_cast<double>(rest_lengths[i]) - 1);
    }
  }
  return stretch;
}

ClothSummary summarise_cloth(const SceneSimulation& simulation, const SimulatedCloth& simulated) {
  const auto read = [&](clothc_channel channel) {
    return simulated.cloth.read<float>(simulation.device(), channel, CLOTHC_FORMAT_FLOAT4).value();
  };
  const std::vector<float> positions = read(CLOTHC_CHANNEL_POSITION), velocities = read(CLOTHC_CHANNEL_VELOCITY);
  const clothc_cloth_status status = simulated.cloth.status().value();
  ClothSummary summary;
  summary.iteration_count = status.iteration_count;
  summary.non_finite_count = status.non_finite_count;
  for (size_t i = 0; i < positions.size(); i += 4) {
    summary.non_finite_count += !is_finite(&positions[i]) || !is_finite(&velocities[i]);
  }
  summary.kinetic_energy = kinetic_energy_of(positions, velocities);
  summary.max_stretch = max_stretch_of(*simulated.fabric, positions);
  return summary;
}

}  // namespace

SimulationSummary summarise(const SceneSimulation& simulation) {
  SimulationSummary summary;
  for (const SimulatedCloth& simulated : simulation.cloths()) {
    summary.cloths.push_back(summarise_cloth(simulation, simulated));
    const ClothSummary& last = summary.cloths.back();
    summary.max_stretch = std::max(summary.max_stretch, last.max_stretch);
    summary.kinetic_energy += last.kinetic_energy;
    summary.finite &= last.non_finite_count == 0;
  }
  summary.contacts = contacts_of(simulation);
  summary.hash = simulation.hash();
  return summary;
}

std::vector<uint64_t> count_intersections(const SceneSimulation& simulation) {
  std::vector<uint64_t> intersections;
  for (const SimulatedCloth& simulated : simulation.cloths()) {
    const auto counts =
        simulated.cloth.read<uint32_t>(simulation.device(), CLOTHC_CHANNEL_INTERSECTION_COUNT, CLOTHC_FORMAT_UINT)
            .value();
    // Each intersection counts at the two ends of its edge and the three corners of its triangle.
    intersections.push_back(std::accumulate(counts.begin(), counts.end(), uint64_t{0}) / 5);
  }
  return intersections;
}

}  // namespace clothc_tool
