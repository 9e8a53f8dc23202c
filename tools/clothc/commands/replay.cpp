// replay.cpp - `clothc replay`: runs conformance references and reports each recorded frame's error and tolerance.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands/commands.h"
#include "cli/device_options.h"
#include "cli/errors.h"
#include "replay/judge.h"
#include "replay/scene.h"

namespace clothc_tool {
namespace {

struct ReplayOptions {
  DeviceOptions device;
  std::vector<std::string> paths;
  bool skip_unsupported = false;
  bool json = false;
};

struct ReplayResult {
  std::string name;
  std::vector<std::string> missing_features;
  std::vector<FrameVerdict> frames;

  // The library's message if a call failed.
  std::string error;

  bool skipped = false;
  bool pass = false;
};

std::string join(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) result += (result.empty() ? "" : ", ") + name;
  return result;
}

void run_frames(const clothc::Device& device, clothc_schedule schedule, const Reference& reference,
                ReplayResult& result) {
  ReplayScene scene(device, schedule, reference);
  uint32_t frame = 0;
  for (std::size_t output = 0; output < reference.output_frames.size(); ++output) {
    for (; frame < reference.output_frames[output]; ++frame) scene.step();
    std::vector<std::vector<float>> positions;
    std::vector<ReferencePose> poses;
    std::vector<ReferenceSleep> sleep;
    for (std::size_t cloth = 0; cloth < reference.cloths.size(); ++cloth) {
      positions.push_back(scene.positions(cloth));
      poses.push_back(scene.pose(cloth));
      sleep.push_back(scene.sleep(cloth));
    }
    result.frames.push_back(judge_frame(reference, output, positions, poses, sleep));
  }
  result.pass = std::all_of(result.frames.begin(), result.frames.end(), [](const FrameVerdict& f) { return f.pass; });
}

ReplayResult replay_one(const clothc::Device& device, const ReplayOptions& options, const std::string& path) {
  const Reference reference = load_reference(path);
  ReplayResult result;
  result.name = reference.name;
  result.missing_features = reference.missing_features;
  if (!result.missing_features.empty()) {
    result.skipped = options.skip_unsupported;
    return result;
  }
  try {
    run_frames(device, schedule_of(options.device), reference, result);
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  } catch (const clothc::Error& error) {
    // If the library rejects a value the file is wrong; any other error is a failure of the replay.
    if (error.result() == CLOTHC_ERROR_INVALID_ARGUMENT) throw InputError(path + ": " + error.what());
    result.error = error.what();
  }
  return result;
}

nlohmann::ordered_json frame_json(const FrameVerdict& frame) {
  nlohmann::ordered_json json;
  json["frame"] = frame.frame;
  json["max_error"] =
      std::isfinite(frame.max_error) ? nlohmann::ordered_json(frame.max_error) : nlohmann::ordered_json();
  json["tolerance"] = frame.tolerance ? nlohmann::ordered_json(*frame.tolerance) : nlohmann::ordered_json();
  json["cloth"] = frame.cloth;
  json["particle"] = frame.particle;
  if (frame.aggregate) {
    const AggregateVerdict& a = *frame.aggregate;
    json["aggregate"] = {{"centre_error", a.centre_error},
                         {"centre_tolerance", a.centre_tolerance},
                         {"min_separation", a.min_separation},
                         {"min_separation_limit", a.min_separation_limit},
                         {"close_pairs", a.close_pairs},
                         {"close_pairs_limit", a.close_pairs_limit},
                         {"pass", a.pass}};
  }
  if (frame.sleep) {
    json["sleep_pass_count"] = frame.sleep->seen.pass_count;
    json["asleep"] = frame.sleep->seen.asleep;
    json["sleep"] = {{"cloth", frame.sleep->cloth},
                     {"expected_pass_count", frame.sleep->expected.pass_count},
                     {"expected_asleep", frame.sleep->expected.asleep},
                     {"pass", frame.sleep->pass}};
  }
  json["pass"] = frame.pass;
  return json;
}

nlohmann::ordered_json result_json(const ReplayResult& result, const char* backend) {
  nlohmann::ordered_json json;
  json["name"] = result.name;
  json["backend"] = backend;
  json["frames"] = nlohmann::ordered_json::array();
  for (const FrameVerdict& frame : result.frames) json["frames"].push_back(frame_json(frame));
  if (!result.missing_features.empty()) {
    json["unsupported"] = result.missing_features;
    json["skipped"] = result.skipped;
  }
  if (!result.error.empty()) json["error"] = result.error;
  json["pass"] = result.pass;
  return json;
}

std::string frame_text(const FrameVerdict& frame) {
  char text[160];
  if (frame.tolerance)
    std::snprintf(text, sizeof text, "  %2u: %.1e / %.1e%s", frame.frame, frame.max_error, *frame.tolerance,
                  frame.max_error <= *frame.tolerance ? " " : "!");
  else
    std::snprintf(text, sizeof text, "  %2u: %.1e / %-8s", frame.frame, frame.max_error, "-");
  std::string result = text;
  if (frame.aggregate && !frame.aggregate->pass) result += " (aggregate!)";
  if (frame.sleep && !frame.sleep->pass) {
    const SleepVerdict& sleep = *frame.sleep;
    std::snprintf(text, sizeof text, " (sleep: %u%s, want %u%s!)", sleep.seen.pass_count,
                  sleep.seen.asleep ? " asleep" : "", sleep.expected.pass_count,
                  sleep.expected.asleep ? " asleep" : "");
    result += text;
  }
  return result;
}

void print_result(const ReplayResult& result) {
  if (!result.missing_features.empty()) {
    std::printf("%-32s %-11s  needs %s\n", result.name.c_str(), result.skipped ? "skipped" : "unsupported",
                join(result.missing_features).c_str());
    return;
  }
  std::printf("%-32s %-4s", result.name.c_str(), result.pass ? "pass" : "FAIL");
  for (const FrameVerdict& frame : result.frames) std::printf("%s", frame_text(frame).c_str());
  std::printf("%s%s\n", result.error.empty() ? "" : "  ", result.error.c_str());
}

int run_replay(const ReplayOptions& options) {
  const clothc::Device device = create_device(options.device);
  const clothc_device_info info = device.info().value();
  std::vector<ReplayResult> results;
  for (const std::string& path : options.paths) {
    results.push_back(replay_one(device, options, path));
    if (!options.json) print_result(results.back());
  }
  const auto count = [&](auto condition) { return std::count_if(results.begin(), results.end(), condition); };
  const auto passed = count([](const ReplayResult& r) { return r.pass; });
  const auto skipped = count([](const ReplayResult& r) { return r.skipped; });
  const bool pass = passed + skipped == static_cast<std::ptrdiff_t>(results.size());
  if (options.json) {
    nlohmann::ordered_json json;
    json["references"] = nlohmann::ordered_json::array();
    for (const ReplayResult& result : results)
      json["references"].push_back(result_json(result, backend_name(info.backend)));
    json["pass"] = pass;
    std::printf("%s\n", json.dump(1).c_str());
  } else {
    std::printf("%td passed, %td failed or unsupported, %td skipped (frame: largest error / tolerance, m)\n", passed,
                static_cast<std::ptrdiff_t>(results.size()) - passed - skipped, skipped);
  }
  return pass ? EXIT_CODE_OK : EXIT_CODE_CHECK_FAILED;
}

}  // namespace

void register_replay(CLI::App& application, Invocation& invocation) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = application.add_subcommand("replay", "Runs conformance references against their tolerances");
  command->add_option("references", options->paths, "Headers (.json) of clothref-1 references")->required();
  command->add_flag("--skip-unsupported", options->skip_unsupported,
                    "Skip references that need a feature the library does not have, instead of failing");
  command->add_flag("--json", options->json, "Print one JSON document on stdout");
  add_device_options(*command, options->device);
  command->callback([options, &invocation] { invocation.run = [options] { return run_replay(*options); }; });
}

}  // namespace clothc_tool
