// play.cpp - `clothc play`: replays a capture and tells where its state hashes or results first differ.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "capture/player.h"
#include "cli/device_options.h"
#include "cli/file_input.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "commands/commands.h"

namespace clothc_tool {
namespace {

using nlohmann::ordered_json;

struct PlayOptions {
  std::string capture;
  DeviceOptions device;
  // 0 = all
  uint32_t update_count = 0;
  bool json = false;
};

struct PlayResult {
  double seconds = 0;
  std::string backend;
  std::string device;
  // What is wrong with the capture; empty if nothing is.
  std::string damage;
  bool is_complete = false;
  bool is_interrupted = false;
};

const char* name_of(Function function) { return FUNCTION_NAMES[static_cast<size_t>(function)]; }

// Plays as many updates as are wanted, and then what follows them if all are.
PlayResult play(CapturePlayer& player, const PlayOptions& options) {
  const uint32_t most = options.update_count != 0 ? options.update_count : UINT32_MAX;
  const InterruptGuard guard;
  Progress progress(options.capture, count_updates(player.reader(), most));
  PlayResult result;
  const auto begin = std::chrono::steady_clock::now();
  try {
    while (player.report().update_count < most && !InterruptGuard::interrupted() && player.next_update()) {
      progress.show(static_cast<uint32_t>(player.report().update_count));
    }
  } catch (const DamagedCapture& damaged) {
    result.damage = damaged.what();
  }
  player.wait();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.is_interrupted = InterruptGuard::interrupted();
  result.is_complete = player.reader().is_complete();
  if (const auto& info = player.device_info()) {
    result.backend = backend_name(info->backend);
    result.device = info->name;
  }
  return result;
}

double milliseconds_per_update(const PlayReport& report, const PlayResult& result) {
  return report.update_count ? 1000 * result.seconds / static_cast<double>(report.update_count) : 0;
}

ordered_json hash_difference_json(const HashDifference& difference) {
  return {{"solver", difference.solver},
          {"update", difference.update},
          {"cloths", difference.cloth_count},
          {"replayed_cloths", difference.replayed_cloth_count},
          {"recorded", hash_text(difference.recorded)},
          {"replayed", hash_text(difference.replayed)}};
}

ordered_json call_difference_json(const CallDifference& difference) {
  return {{"call", difference.call},
          {"function", name_of(difference.function)},
          {"recorded", clothc_result_name(difference.recorded)},
          {"replayed", clothc_result_name(difference.replayed)},
          {"message", difference.message}};
}

ordered_json failures_json(const PlayReport& report) {
  ordered_json failures = ordered_json::array();
  for (const RecordedFailure& failure : report.failures) {
    failures.push_back({{"call", failure.call ? ordered_json(failure.call) : ordered_json()},
                        {"function", name_of(failure.function)},
                        {"result", clothc_result_name(failure.result)},
                        {"message", failure.message}});
  }
  return failures;
}

void print_json(const CapturePlayer& player, const PlayOptions& options, const PlayResult& result) {
  const PlayReport& report = player.report();
  ordered_json json;
  json["capture"] = options.capture;
  json["bytes"] = player.reader().size();
  json["complete"] = result.is_complete;
  json["interrupted"] = result.is_interrupted;
  json["damage"] = result.damage.empty() ? ordered_json() : ordered_json(result.damage);
  json["backend"] = result.backend;
  json["device"] = result.device;
  json["updates"] = report.update_count;
  json["devices"] = report.device_count;
  json["solvers"] = report.solver_count;
  json["cloths"] = report.cloth_count;
  json["calls"] = report.call_count;
  json["ms_per_update"] = milliseconds_per_update(report, result);
  json["hashes"] = report.hash_count;
  json["equal"] = report.is_equal();
  json["hash_difference"] = report.hash_difference ? hash_difference_json(*report.hash_difference) : ordered_json();
  json["call_difference"] = report.call_difference ? call_difference_json(*report.call_difference) : ordered_json();
  json["failed_calls"] = report.failure_count;
  json["failures"] = failures_json(report);
  json["messages"] = report.messages;
  std::printf("%s\n", json.dump(1, ' ', false, ordered_json::error_handler_t::replace).c_str());
}

void print_failures(const PlayReport& report) {
  if (report.failure_count == 0) return;
  std::printf("%llu calls failed in the recording%s:\n", static_cast<unsigned long long>(report.failure_count),
              report.failure_count > report.failures.size() ? ", first" : "");
  for (const RecordedFailure& failure : report.failures) {
    const std::string number = failure.call ? "call " + std::to_string(failure.call) + ", " : "";
    std::printf("  %s%s: %s: %s\n", number.c_str(), name_of(failure.function), clothc_result_name(failure.result),
                failure.message.c_str());
  }
}

void print_differences(const PlayReport& report) {
  if (report.is_equal() && report.hash_count == 0) {
    std::printf("all calls had the recorded results; there was no state hash to compare\n");
  } else if (report.is_equal()) {
    std::printf("equal: %llu state hashes\n", static_cast<unsigned long long>(report.hash_count));
  }
  if (report.hash_difference) {
    const HashDifference& hash = *report.hash_difference;
    std::printf("NOT EQUAL: after update %llu of solver %llu, with %u cloths, the state hash is %s; recorded was %s",
                static_cast<unsigned long long>(hash.update), static_cast<unsigned long long>(hash.solver),
                hash.replayed_cloth_count, hash_text(hash.replayed).c_str(), hash_text(hash.recorded).c_str());
    if (hash.cloth_count != hash.replayed_cloth_count) std::printf(", with %u cloths", hash.cloth_count);
    std::printf("\n");
  }
  if (report.call_difference) {
    const CallDifference& call = *report.call_difference;
    std::printf("NOT EQUAL: call %llu, %s, returned %s; recorded was %s\n", static_cast<unsigned long long>(call.call),
                name_of(call.function), clothc_result_name(call.replayed), clothc_result_name(call.recorded));
    if (!call.message.empty()) std::printf("  %s\n", call.message.c_str());
  }
}

void print_text(const CapturePlayer& player, const PlayOptions& options, const PlayResult& result) {
  const PlayReport& report = player.report();
  std::printf("%s: %llu updates, %llu solvers, %llu cloths, %llu calls, %.3f MB\n", options.capture.c_str(),
              static_cast<unsigned long long>(report.update_count),
              static_cast<unsigned long long>(report.solver_count), static_cast<unsigned long long>(report.cloth_count),
              static_cast<unsigned long long>(report.call_count), static_cast<double>(player.reader().size()) / 1e6);
  std::printf("%.3f ms per update on %s (%s)\n", milliseconds_per_update(report, result), result.backend.c_str(),
              result.device.c_str());
  print_failures(report);
  print_differences(report);
}

int run_play(const PlayOptions& options) {
  CapturePlayer player(CaptureReader(read_file(options.capture), options.capture), options.device);
  const PlayResult result = play(player, options);
  if (options.json) {
    print_json(player, options, result);
  } else {
    print_text(player, options, result);
  }
  for (const std::string& message : player.report().messages) std::fprintf(stderr, "clothc: %s\n", message.c_str());
  if (!result.damage.empty()) {
    std::fprintf(stderr, "clothc: %s\n", result.damage.c_str());
    return EXIT_CODE_BAD_INPUT;
  }
  if (result.is_interrupted) {
    std::fprintf(stderr, "clothc: interrupted after %llu updates\n",
                 static_cast<unsigned long long>(player.report().update_count));
    return EXIT_CODE_CHECK_FAILED;
  }
  if (!result.is_complete && options.update_count == 0) {
    std::fprintf(stderr, "clothc: the recorded program did not end in order; the capture has all calls up to then\n");
  }
  return player.report().is_equal() ? EXIT_CODE_OK : EXIT_CODE_CHECK_FAILED;
}

}  // namespace

void register_play(CLI::App& application, Invocation& invocation) {
  auto options = std::make_shared<PlayOptions>();
  CLI::App* command =
      application.add_subcommand("play", "Replays a capture of 'clothc record' and compares its hashes");
  command->add_option("capture", options->capture, "The file that 'clothc record' wrote")->required();
  add_device_options(*command, options->device);
  command->add_option("--updates", options->update_count, "Number of updates to replay (default: all)")
      ->check(CLI::Range(1, 2147483647));
  command->add_flag("--json", options->json, "Print one JSON document on stdout");
  command->callback([options, &invocation] { invocation.run = [options] { return run_play(*options); }; });
}

}  // namespace clothc_tool
