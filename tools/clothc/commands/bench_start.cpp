// bench_start.cpp - prints the first use of scenes as a table or JSON.
#include "commands/bench_start.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "bench/case.h"
#include "bench/start.h"
#include "cli/interrupt.h"
#include "commands/commands.h"

namespace clothc_tool {
namespace {

constexpr uint32_t kNextFrames = 300;

nlohmann::ordered_json start_json(const std::string& name, const StartResult& result, uint32_t frames) {
  nlohmann::ordered_json json;
  json["scene"] = name;
  json["device"] = result.device.name;
  json["backend"] = backend_name(result.device.backend);
  json["steps_ms"] = nlohmann::ordered_json::object();
  for (const StartStep& step : result.steps) json["steps_ms"][step.name] = step.ms;
  json["ready_ms"] = result.ready_ms();
  json["next_frames"] = frames;
  json["worst_ms"] = result.worst_ms;
  json["worst_frame"] = result.worst_frame;
  json["median_ms"] = result.median_ms;
  json["hash"] = hash_text(result.hash);
  return json;
}

void print_start_heading(const StartResult& result, const DeviceOptions& device, uint32_t frames) {
  std::printf("%s, %s, schedule %s, the first frame and %u more, all times in ms\n\n%-24s", result.device.name,
              backend_name(result.device.backend), device.schedule.c_str(), frames, "scene");
  for (const StartStep& step : result.steps) std::printf(" %12s", step.name.c_str());
  std::printf(" %12s %12s %9s %12s  %s\n", "ready after", "worst later", "at frame", "median", "hash");
}

void print_start(const std::string& name, const StartResult& result) {
  std::printf("%-24s", name.c_str());
  for (const StartStep& step : result.steps) std::printf(" %12.1f", step.ms);
  std::printf(" %12.1f %12.2f %9u %12.3f  %s\n", result.ready_ms(), result.worst_ms, result.worst_frame,
              result.median_ms, hash_text(result.hash).c_str());
  std::fflush(stdout);
}

}  // namespace

int run_bench_start(const DeviceOptions& device, const std::vector<std::string>& names, uint32_t frames, bool json) {
  const uint32_t next_frames = frames != 0 ? frames : kNextFrames;
  const std::vector<std::string> chosen = names.empty() ? std::vector<std::string>{"sheet50", "every50"} : names;
  nlohmann::ordered_json document = {{"starts", nlohmann::ordered_json::array()}};
  const InterruptGuard guard;
  bool has_heading = false;
  for (const std::string& name : chosen) {
    if (InterruptGuard::interrupted()) break;
    const Scene scene = scene_named(name);
    const StartResult result = measure_start(device, scene, next_frames);
    document["starts"].push_back(start_json(scene.name, result, next_frames));
    if (json) continue;
    if (!has_heading) print_start_heading(result, device, next_frames);
    has_heading = true;
    print_start(scene.name, result);
  }
  if (json) std::printf("%s\n", document.dump(1).c_str());
  return EXIT_CODE_OK;
}

}  // namespace clothc_tool
