// Times benchmark cases in a steady state: warmed up, updates queued ahead, one wait at the end of each repetition.
#include "bench_measure.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "scene_simulation.h"
#include "simulation_summary.h"

namespace clothc_tool {
namespace {

struct Repetition {
  double seconds_per_frame;
  std::optional<double> edge_ns;
};

// The value a part of the way through the sorted values.
double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  const double position = part * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(position);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (values[high] - values[low]) * (position - static_cast<double>(low));
}

double seconds_per_frame(SceneSimulation& simulation, uint32_t frames) {
  simulation.wait();
  const auto begin = std::chrono::steady_clock::now();
  for (uint32_t frame = 0; frame < frames; ++frame) simulation.step();
  simulation.wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / frames;
}

// Everything else as it was, but no phase is solved.
void stop_solving_phases(const SceneSimulation& simulation) {
  for (const SimulatedCloth& cloth : simulation.cloths()) {
    auto config = initialised<clothc_phase_config>();
    config.stiffness = 0;
    check(clothc_cloth_set_phases(simulation.solver(), cloth.id, &config, 1));
  }
}

Repetition measure_repetition(SceneSimulation& simulation, SceneSimulation* baseline, uint32_t frames,
                              EdgeYardstick& yardstick) {
  Repetition repetition;
  const double before = yardstick.available() ? yardstick.measure() : 0;
  repetition.seconds_per_frame = seconds_per_frame(simulation, frames);
  if (baseline) repetition.seconds_per_frame -= seconds_per_frame(*baseline, frames);
  if (yardstick.available()) repetition.edge_ns = (before + yardstick.measure()) / 2;
  return repetition;
}

void summarise_times(const std::vector<Repetition>& repetitions, BenchResult& result) {
  std::vector<double> milliseconds, edges, ratios;  // ratios: of a frame to E
  for (const Repetition& repetition : repetitions) {
    milliseconds.push_back(repetition.seconds_per_frame * 1e3);
    if (!repetition.edge_ns) continue;
    edges.push_back(*repetition.edge_ns);
    ratios.push_back(repetition.seconds_per_frame * 1e9 / *repetition.edge_ns);
  }
  result.ms_per_frame = quantile(milliseconds, 0.5);
  result.ms_per_frame_low = quantile(milliseconds, 0.25);
  result.ms_per_frame_high = quantile(milliseconds, 0.75);
  if (edges.empty()) return;
  result.edge_ns = quantile(edges, 0.5);
  const double frame_in_e = quantile(ratios, 0.5);
  result.particle_iteration_in_e = frame_in_e / static_cast<double>(result.particles) / result.iterations;
  result.constraint_in_e = frame_in_e / static_cast<double>(result.constraints) / result.iterations;
}

void summarise_state(const SceneSimulation& simulation, BenchResult& result) {
  for (const SimulatedCloth& cloth : simulation.cloths()) {
    result.particles += cloth.report.info.particle_count;
    result.constraints += cloth.report.info.constraint_count;
  }
  auto status = initialised<clothc_cloth_status>();
  check(clothc_cloth_get_status(simulation.solver(), simulation.cloths().front().id, &status));
  result.iterations = status.iteration_count;
  const SimulationSummary summary = summarise(simulation);
  result.max_stretch = summary.max_stretch;
  result.hash = summary.hash;
  result.hash_frame = simulation.frame();
}

}  // namespace

BenchResult measure_case(clothc_device device, const BenchCase& bench_case, const BenchSettings& settings,
                         EdgeYardstick& yardstick) {
  const Scene scene = bench_case.build();
  SceneSimulation simulation(device, scene, settings.schedule);
  std::unique_ptr<SceneSimulation> baseline;
  if (bench_case.edge_solve_alone) {
    baseline = std::make_unique<SceneSimulation>(device, scene, settings.schedule);
    stop_solving_phases(*baseline);
  }
  BenchResult result;
  result.name = bench_case.name;
  result.repetitions = settings.repetitions;
  result.frames = settings.frames != 0 ? settings.frames : bench_case.frames;
  seconds_per_frame(simulation, bench_case.warm_up_frames);
  if (baseline) seconds_per_frame(*baseline, bench_case.warm_up_frames);
  std::vector<Repetition> repetitions;
  for (uint32_t i = 0; i < settings.repetitions; ++i)
    repetitions.push_back(measure_repetition(simulation, baseline.get(), result.frames, yardstick));
  summarise_state(simulation, result);
  summarise_times(repetitions, result);
  return result;
}

}  // namespace clothc_tool
