// bench_start.cpp - prints the first use of scenes as a table or JSON.
#include "commands/bench_start.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "bench/case.h"
#include "cli/interrupt.h"
#include "commands/commands.h"

namespace clothc_tool {
namespace {

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

void print_start_heading(const StartResult& result, const StartOptions& options) {
  std::printf("%s, %s, schedule %s, the first frame and %u more, all times in ms\n\n%-24s", result.device.name,
              backend_name(result.device.backend), options.device.schedule.c_str(), options.frames, "scene");
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

int run_bench_start(const StartOptions& options, const std::vector<std::string>& names, bool json) {
  const std::vector<std::string> chosen = names.empty() ? std::vector<std::string>{"sheet50", "every50"} : names;
  nlohmann::ordered_json document = {{"starts", nlohmann::ordered_json::array()}};
  const InterruptGuard guard;
  // The first of several cases has no cache to load.
  size_t steps_of_heading = 0;
  for (const std::string& name : chosen) {
    if (InterruptGuard::interrupted()) break;
    const Scene scene = scene_named(name);
    const StartResult result = measure_start(options, scene);
    if (!result.cache_error.empty())
      std::fprintf(stderr, "clothc: %s: %s\n", options.cache.c_str(), result.cache_error.c_str());
    document["starts"].push_back(start_json(scene.name, result, options.frames));
    if (json) continue;
    if (result.steps.size() != steps_of_heading) print_start_heading(result, options);
    steps_of_heading = result.steps.size();
    print_start(scene.name, result);
  }
  if (json) std::printf("%s\n", document.dump(1).c_str());
  return EXIT_CODE_OK;
}

}  // namespace clothc_tool
