// start.cpp - times what a program does, step by step, until its first update has ended.
#include "bench/start.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include "cli/file_input.h"
#include "cli/file_output.h"
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

// The programs of small cloths, which devices that prefer passes leave out, are wanted where the schedule asks for them.
void prepare(const clothc::Device& device, clothc_schedule schedule) {
  device.prepare(schedule == CLOTHC_SCHEDULE_CLOTH ? (1u << CLOTHC_STAGE_COUNT) - 1 : 0).check();
  device.wait_prepared().check();
}

void save_cache(const clothc::Device& device, const std::string& path) {
  const std::vector<char> cache = device.save_cache().value();
  FileOutput file(path);
  file.write(cache.data(), cache.size());
  file.commit();
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

StartResult measure_start(const StartOptions& options, const Scene& scene) {
  StartResult result;
  const auto take = [&](const char* name, const auto& function) { result.steps.push_back({name, ms_of(function)}); };
  std::optional<clothc::Device> device;
  std::optional<SceneSimulation> simulation;
  take("device", [&] { device.emplace(create_device(options.device)); });
  if (std::filesystem::exists(options.cache)) {
    const std::string cache = read_file(options.cache);
    take("load cache", [&] {
      if (device->load_cache(cache) != CLOTHC_SUCCESS) result.cache_error = clothc_last_error_message();
    });
  }
  if (options.prepares) take("prepare", [&] { prepare(*device, schedule_of(options.device)); });
  take("scene", [&] { simulation.emplace(*device, scene, schedule_of(options.device)); });
  take("first frame", [&] {
    simulation->step();
    simulation->wait();
  });
  result.device = device->info().value();
  measure_next_frames(*simulation, options.frames, result);
  result.hash = simulation->hash();
  if (!options.cache.empty()) save_cache(*device, options.cache);
  return result;
}

}  // namespace clothc_tool
