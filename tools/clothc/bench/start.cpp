// start.cpp - times what a program does, step by step, until its first update has ended.
#include "bench/start.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "scene/simulation.h"

namespace clothc_tool {
namespace {

// Returns how long a function took in ms.
template <typename Function>
double ms_of(const Function& function) {
  const auto begin = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void measure_next_frames(SceneSimulation& simulation, uint32_t frames, StartResult& result) {
  std::vector<double> times;
  for (uint32_t frame = 0; frame < frames; ++frame) {
    times.push_back(ms_of([&] {
      simulation.step();
      simulation.wait();
    }));
  }
  const auto worst = std::max_element(times.begin(), times.end());
  result.worst_ms = *worst;
  result.worst_frame = static_cast<uint32_t>(worst - times.begin()) + 2;
  result.median_ms = median_of(times);
}

}  // namespace

double StartResult::ready_ms() const {
  double sum = 0;
  for (const StartStep& step : steps) sum += step.ms;
  return sum;
}

// A step that a program may take in order to wait less later, such as compiling shaders beforehand, belongs between two
// of these.
StartResult measure_start(const DeviceOptions& options, const Scene& scene, uint32_t frames) {
  StartResult result;
  const auto take = [&](const char* name, const auto& function) { result.steps.push_back({name, ms_of(function)}); };
  std::optional<clothc::Device> device;
  std::optional<SceneSimulation> simulation;
  take("device", [&] { device.emplace(create_device(options)); });
  take("scene", [&] { simulation.emplace(*device, scene, schedule_of(options)); });
  take("first frame", [&] {
    simulation->step();
    simulation->wait();
  });
  result.device = device->info().value();
  measure_next_frames(*simulation, frames, result);
  result.hash = simulation->hash();
  return result;
}

}  // namespace clothc_tool
