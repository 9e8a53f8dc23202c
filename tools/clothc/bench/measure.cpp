// measure.cpp - times benchmark cases in a steady state: after a warm-up, with the queue of updates kept full during
// each repetition, or with a wait for each frame.
#include "bench/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>

#include "bench/memory.h"
#include "bench/processors.h"
#include "scene/simulation.h"
#include "simulation/summary.h"

namespace clothc_tool {
namespace {

// Number of frames that fill the queue of updates; they are not timed.
constexpr uint32_t kFillingFrames = 4;
static_assert(kFillingFrames < kMinimumBenchFrames);

// Seconds per frame: wall-clock time, and processor time of the whole process.
struct FrameCost {
  double elapsed, processor;
};

struct Repetition {
  FrameCost cost;
  std::optional<double> edge_ns;

  // Change of E during the repetition, relative to its mean.
  double drift = 0;
};

// Returns a quantile, linearly interpolated between the sorted values; part = 0.5 gives the median.
double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  const double position = part * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(position);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (values[high] - values[low]) * (position - static_cast<double>(low));
}

// Runs frames and waits for them. Returns whether the last update was complete when its call returned.
bool run_frames(SceneSimulation& simulation, uint32_t frames) {
  for (uint32_t frame = 0; frame < frames; ++frame) simulation.step();
  const bool is_done = simulation.solver().poll() == CLOTHC_SUCCESS;
  simulation.wait();
  return is_done;
}

FrameCost now() {
  const auto elapsed = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration<double>(elapsed).count(), static_cast<double>(std::clock()) / CLOCKS_PER_SEC};
}

// step: what a frame does. It waits for the frame, or it returns whenever an update ends once the queue is full, so the
// times at which it returns measure the workers. The median over windows of a millisecond drops windows in which the system ran something else.
FrameCost measure_frames(const SceneSimulation& simulation, const std::function<void()>& step, uint32_t frames) {
  constexpr double kWindow = 1e-3;
  std::vector<double> elapsed;
  const double processor_before = now().processor;
  for (uint32_t frame = 0; frame < kFillingFrames; ++frame) step();
  FrameCost begin = now();
  uint32_t frames_in_window = 0;
  for (uint32_t frame = kFillingFrames; frame < frames; ++frame) {
    step();
    ++frames_in_window;
    const FrameCost end = now();
    if (end.elapsed - begin.elapsed < kWindow && !(elapsed.empty() && frame + 1 == frames)) continue;
    elapsed.push_back((end.elapsed - begin.elapsed) / frames_in_window);
    frames_in_window = 0;
    begin = end;
  }
  simulation.wait();
  // The system may count processor time in ticks of several milliseconds, so only the whole repetition is long enough
  // to measure it. It begins and ends with an empty queue, so its processor time is that of all its frames.
  return {quantile(elapsed, 0.5), (now().processor - processor_before) / frames};
}

// Returns what a frame does if it is waited for. in_calls: receives the microseconds that the frame's calls took, unless
// it is null.
std::function<void()> waiting(const SceneSimulation& simulation, const std::function<void()>& step,
                              std::vector<double>* in_calls) {
  return [&simulation, step, in_calls] {
    const auto begin = std::chrono::steady_clock::now();
    step();
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
    if (in_calls != nullptr) in_calls->push_back(taken.count());
    simulation.wait();
  };
}

// Turns off all phases and leaves everything else unchanged.
void stop_solving_phases(const SceneSimulation& simulation) {
  for (const SimulatedCloth& simulated : simulation.cloths()) {
    auto config = clothc::initialised<clothc_phase_config>();
    config.stiffness = 0;
    simulated.cloth.set_phases({&config, 1}).check();
  }
}

// What a case measures: frames of a simulation, less those of another one if there is a baseline.
struct Measured {
  SceneSimulation& simulation;
  std::function<void()> step;
  SceneSimulation* baseline;
  std::function<void()> baseline_step;
};

Repetition measure_repetition(const Measured& measured, uint32_t frames, EdgeYardstick& yardstick) {
  Repetition repetition;
  const double before = yardstick.available() ? yardstick.measure() : 0;
  repetition.cost = measure_frames(measured.simulation, measured.step, frames);
  if (SceneSimulation* baseline = measured.baseline) {
    const FrameCost cost = measure_frames(*baseline, measured.baseline_step, frames);
    repetition.cost.elapsed -= cost.elapsed;
    repetition.cost.processor -= cost.processor;
  }
  if (yardstick.available()) {
    const double after = yardstick.measure();
    repetition.edge_ns = (before + after) / 2;
    repetition.drift = std::abs(after - before) / *repetition.edge_ns;
  }
  return repetition;
}

// The ratio to E is meaningless for a repetition during which the machine's speed changes. Such repetitions are done
// again, in total at most twice as often as there are repetitions.
void repeat_unsteady(const Measured& measured, uint32_t frames, EdgeYardstick& yardstick,
                     std::vector<Repetition>& repetitions) {
  constexpr double kSteady = 0.05;
  for (size_t attempt = 0; attempt < 2 * repetitions.size(); ++attempt) {
    const auto worst = std::max_element(repetitions.begin(), repetitions.end(),
                                        [](const Repetition& a, const Repetition& b) { return a.drift < b.drift; });
    if (worst->drift <= kSteady) return;
    *worst = measure_repetition(measured, frames, yardstick);
  }
}

void summarise_times(const std::vector<Repetition>& repetitions, BenchResult& result) {
  // ratios: time of a frame divided by E
  std::vector<double> elapsed, processor, edges, ratios;
  for (const Repetition& repetition : repetitions) {
    elapsed.push_back(repetition.cost.elapsed * 1e3);
    processor.push_back(repetition.cost.processor * 1e3);
    if (!repetition.edge_ns) continue;
    edges.push_back(*repetition.edge_ns);
    ratios.push_back(elapsed.back() * 1e6 / *repetition.edge_ns);
  }
  result.ms_per_frame = quantile(elapsed, 0.5);
  result.ms_per_frame_low = quantile(elapsed, 0.25);
  result.ms_per_frame_high = quantile(elapsed, 0.75);
  result.cpu_ms_per_frame = quantile(processor, 0.5);
  if (edges.empty()) return;
  result.edge_ns = quantile(edges, 0.5);
  const double frame_in_e = quantile(ratios, 0.5);
  if (result.particle_iterations == 0) return;
  result.particle_iteration_in_e = frame_in_e / static_cast<double>(result.particle_iterations);
  result.constraint_in_e = frame_in_e / static_cast<double>(result.constraint_iterations);
}

void summarise_size(const SceneSimulation& simulation, BenchResult& result) {
  result.cloths = simulation.cloths().size();
  for (const SimulatedCloth& cloth : simulation.cloths()) {
    result.particles += cloth.report.info.particle_count;
    result.constraints += cloth.report.info.constraint_count;
  }
}

void summarise_state(const SceneSimulation& simulation, BenchResult& result) {
  const SimulationSummary summary = summarise(simulation);
  for (size_t i = 0; i < simulation.cloths().size(); ++i) {
    const clothc_fabric_info& info = simulation.cloths()[i].report.info;
    const uint32_t iterations = summary.cloths[i].iteration_count;
    result.iterations = std::max(result.iterations, iterations);
    result.particle_iterations += uint64_t{info.particle_count} * iterations;
    result.constraint_iterations += info.constraint_count * iterations;
  }
  result.max_stretch = summary.max_stretch;
}

GpuCounters counters(const clothc_solver_info& before, const clothc_solver_info& after) {
  return {after.last_update_submissions, after.last_update_dispatches, after.last_update_upload,
          after.device_allocation_count - before.device_allocation_count};
}

// Destroys the fabrics and then the solver, and notes what each of them frees.
void measure_memory(const clothc::Device& device, SceneSimulation& simulation, BenchResult& result) {
  if (device.info().value().backend != CLOTHC_BACKEND_CPU) return;
  simulation.wait();
  const std::optional<uint64_t> all = bytes_in_use();
  simulation.destroy_fabrics();
  const std::optional<uint64_t> without_fabrics = bytes_in_use();
  simulation.destroy_solver();
  const std::optional<uint64_t> rest = bytes_in_use();
  if (!all) return;
  const auto particles = static_cast<double>(result.particles);
  result.fabric_bytes_per_particle = static_cast<double>(*all - *without_fabrics) / particles;
  result.bytes_per_particle = static_cast<double>(*without_fabrics - *rest) / particles;
}

}  // namespace

BenchResult measure_case(const clothc::Device& device, const BenchCase& bench_case, const BenchSettings& settings,
                         EdgeYardstick& yardstick) {
  const Scene scene = bench_case.build();
  SceneSimulation simulation(device, scene, settings.schedule);
  std::unique_ptr<SceneSimulation> baseline;
  if (bench_case.edge_solve_alone) {
    baseline = std::make_unique<SceneSimulation>(device, scene, settings.schedule);
    stop_solving_phases(*baseline);
  }
  simulation.set_timers(settings.timers);
  BenchResult result;
  result.name = bench_case.name;
  result.repetitions = settings.repetitions;
  result.frames = settings.frames != 0 ? settings.frames : bench_case.frames;
  const bool is_done_in_calls = run_frames(simulation, bench_case.warm_up_frames);
  const OnProcessors of_yardstick(is_done_in_calls ? yardstick.processors() : std::vector<uint32_t>());
  if (baseline) run_frames(*baseline, bench_case.warm_up_frames);
  Measured measured{simulation, [&] { simulation.step(); }, baseline.get(), [&] { baseline->step(); }};
  if (bench_case.calls) measured.step = bench_case.calls(simulation);
  std::vector<double> in_calls;
  if (settings.waits) {
    measured.step = waiting(simulation, measured.step, &in_calls);
    if (baseline) measured.baseline_step = waiting(*baseline, measured.baseline_step, nullptr);
  }
  const clothc_solver_info before = simulation.solver().info().value();
  std::vector<Repetition> repetitions;
  for (uint32_t i = 0; i < settings.repetitions; ++i)
    repetitions.push_back(measure_repetition(measured, result.frames, yardstick));
  if (device.info().value().backend != CLOTHC_BACKEND_CPU)
    result.gpu = counters(before, simulation.solver().info().value());
  // The state is summarised here because the number of frames so far is fixed; unsteady repetitions add more.
  summarise_size(simulation, result);
  if (!bench_case.calls) summarise_state(simulation, result);
  if (settings.timers) result.timers = simulation.solver().timers().value();
  result.hash = simulation.hash();
  result.hash_frame = simulation.frame();
  repeat_unsteady(measured, result.frames, yardstick, repetitions);
  summarise_times(repetitions, result);
  if (settings.waits) result.us_in_call = quantile(in_calls, 0.5);
  measure_memory(device, simulation, result);
  return result;
}

}  // namespace clothc_tool
