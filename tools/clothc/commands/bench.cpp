// bench.cpp - `clothc bench`: runs benchmark cases with their yardsticks and prints a table or JSON.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "bench/measure.h"
#include "commands/bench_start.h"
#include "commands/commands.h"
#include "cli/device_options.h"
#include "cli/errors.h"
#include "cli/interrupt.h"
#include "bench/processors.h"
#include "cli/timers.h"

namespace clothc_tool {
namespace {

struct BenchOptions {
  DeviceOptions device;
  std::vector<std::string> names;
  BenchSettings settings;
  bool has_start = false;
  StartOptions start;
  bool json = false;
};

struct Yardsticks {
  EdgeYardstick edge;

  // E when the command started.
  std::optional<double> edge_ns;

  double triad = 0, add = 0;
};

std::vector<BenchCase> chosen_cases(const std::vector<std::string>& names) {
  std::vector<BenchCase> chosen;
  for (const BenchCase& entry : bench_cases())
    if (names.empty() && entry.by_default) chosen.push_back(entry);
  for (const std::string& name : names) {
    std::optional<BenchCase> entry = find_bench_case(name);
    if (!entry) throw InputError("case '" + name + "' is not known; use any of " + bench_case_names());
    chosen.push_back(*std::move(entry));
  }
  return chosen;
}

nlohmann::ordered_json optional_json(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

// Threads and instruction set are properties of the CPU backend; these values are null on a GPU.
bool is_gpu(const clothc_device_info& info) { return info.backend != CLOTHC_BACKEND_CPU; }
nlohmann::ordered_json isa_json(const clothc_device_info& info) {
  return is_gpu(info) ? nlohmann::ordered_json() : nlohmann::ordered_json(isa_name(info.isa));
}
nlohmann::ordered_json threads_json(const clothc_device_info& info) {
  return is_gpu(info) ? nlohmann::ordered_json() : nlohmann::ordered_json(info.worker_count);
}

nlohmann::ordered_json machine_json(const clothc_device_info& info) {
  nlohmann::ordered_json json;
  json["name"] = info.name;
  json["hardware_threads"] = std::thread::hardware_concurrency();
  json["isa"] = isa_json(info);
  json["compiler"] = __VERSION__;
  json["clothc"] = clothc::library_version();
  return json;
}

nlohmann::ordered_json yardsticks_json(const Yardsticks& yardsticks) {
  nlohmann::ordered_json json;
  json["edge_ns"] = optional_json(yardsticks.edge_ns);
  if (!yardsticks.edge.available()) json["edge_reason"] = yardsticks.edge.reason();
  json["triad_gb_per_s"] = yardsticks.triad;
  json["add_ns"] = yardsticks.add;
  return json;
}

nlohmann::ordered_json result_json(const BenchResult& result, const clothc_device_info& info,
                                   clothc_schedule schedule) {
  nlohmann::ordered_json json;
  json["case"] = result.name;
  json["backend"] = backend_name(info.backend);
  json["threads"] = threads_json(info);
  json["isa"] = isa_json(info);
  json["schedule"] = schedule_name(schedule);
  json["cloths"] = result.cloths;
  json["particles"] = result.particles;
  json["constraints"] = result.constraints;
  json["iterations"] = result.iterations;
  json["repetitions"] = result.repetitions;
  json["frames_per_repetition"] = result.frames;
  json["ms_per_frame"] = result.ms_per_frame;
  json["ms_per_frame_quartiles"] = {result.ms_per_frame_low, result.ms_per_frame_high};
  json["cpu_ms_per_frame"] = result.cpu_ms_per_frame;
  json["us_in_call"] = optional_json(result.us_in_call);
  json["ns_per_particle_iteration"] = optional_json(result.ns_per_particle_iteration());
  json["ns_per_constraint"] = optional_json(result.ns_per_constraint());
  json["edge_ns"] = optional_json(result.edge_ns);
  json["particle_iteration_in_e"] = optional_json(result.particle_iteration_in_e);
  json["constraint_in_e"] = optional_json(result.constraint_in_e);
  if (result.gpu) {
    json["submissions_per_update"] = result.gpu->submissions;
    json["dispatches_per_update"] = result.gpu->dispatches;
    json["uploaded_bytes_per_update"] = result.gpu->uploaded_bytes;
    json["allocations_while_measured"] = result.gpu->allocations;
  }
  json["bytes_per_particle"] = optional_json(result.bytes_per_particle);
  json["fabric_bytes_per_particle"] = optional_json(result.fabric_bytes_per_particle);
  if (result.timers) json["timers"] = timers_json(*result.timers);
  json["max_stretch"] = result.max_stretch;
  json["hash"] = hash_text(result.hash);
  json["hash_frame"] = result.hash_frame;
  return json;
}

void print_heading(const clothc_device_info& info, const Yardsticks& yardsticks, const BenchSettings& settings) {
  std::string processor;
  if (!is_gpu(info))
    processor = std::string(", isa ") + isa_name(info.isa) + ", " + std::to_string(info.worker_count) +
                (info.worker_count == 1 ? " thread" : " threads");
  std::printf("%s, %s%s, schedule %s, medians of %u repetitions%s\n", info.name, backend_name(info.backend),
              processor.c_str(), schedule_name(settings.schedule), settings.repetitions,
              settings.waits ? ", each frame waited for" : "");
  if (yardsticks.edge_ns)
    std::printf("yardsticks: E %.2f ns per constraint", *yardsticks.edge_ns);
  else
    std::printf("yardsticks: E not measured (%s)", yardsticks.edge.reason().c_str());
  std::printf(", triad %.1f GB/s, scalar add %.2f ns\n\n", yardsticks.triad, yardsticks.add);
  std::printf("%-17s %9s %11s %5s %9s %9s %15s %8s %13s %8s %11s %8s %8s  %-16s %-8s%s\n", "case", "particles",
              "constraints", "iter.", "ms/frame", "cpu ms", "ns/part./iter.", "in E", "ns/constraint", "in E",
              "bytes/part.", "+ fabric", "stretch", "hash", "at frame",
              is_gpu(info) ? "  submissions, dispatches, bytes uploaded per update; allocations" : "");
}

std::string number_text(const std::optional<double>& value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value.value_or(0));
  return value ? text : "-";
}

void print_result(const BenchResult& r) {
  std::printf("%-17s %9llu %11llu %5u %9.4f %9.4f %15s %8s %13s %8s %11s %8s %7.1f%%  %s %-8u", r.name.c_str(),
              static_cast<unsigned long long>(r.particles), static_cast<unsigned long long>(r.constraints),
              r.iterations, r.ms_per_frame, r.cpu_ms_per_frame, number_text(r.ns_per_particle_iteration()).c_str(),
              number_text(r.particle_iteration_in_e).c_str(), number_text(r.ns_per_constraint()).c_str(),
              number_text(r.constraint_in_e).c_str(), number_text(r.bytes_per_particle).c_str(),
              number_text(r.fabric_bytes_per_particle).c_str(), 100 * r.max_stretch, hash_text(r.hash).c_str(),
              r.hash_frame);
  if (r.gpu)
    std::printf("  %11llu %11llu %15llu %23llu", static_cast<unsigned long long>(r.gpu->submissions),
                static_cast<unsigned long long>(r.gpu->dispatches),
                static_cast<unsigned long long>(r.gpu->uploaded_bytes),
                static_cast<unsigned long long>(r.gpu->allocations));
  std::printf("\n");
  if (r.us_in_call) std::printf("  %.1f us in the calls that start a frame\n", *r.us_in_call);
  if (r.timers) std::printf("%s", timers_text(*r.timers).c_str());
  std::fflush(stdout);
}

int run_bench(BenchOptions options) {
  if (options.has_start) {
    options.start.device = options.device;
    if (options.settings.frames != 0) options.start.frames = options.settings.frames;
    return run_bench_start(options.start, options.names, options.json);
  }
  const std::vector<BenchCase> cases = chosen_cases(options.names);
  options.settings.schedule = schedule_of(options.device);
  // If there are processors left for the main thread, the workers are restricted to their own ones. Otherwise the
  // device is created without a restriction, and its workers use all processors.
  const Processors processors = divide_processors(options.device.thread_count);
  const clothc::Device device = [&] {
    const OnProcessors of_workers(processors.others.empty() ? std::vector<uint32_t>() : processors.of_workers);
    return create_device(options.device);
  }();
  const OnProcessors apart(processors.others);
  const clothc_device_info info = device.info().value();
  Yardsticks yardsticks{EdgeYardstick(processors.of_workers), {}, 0, 0};
  if (yardsticks.edge.available()) yardsticks.edge_ns = yardsticks.edge.measure();
  yardsticks.triad = measure_triad();
  yardsticks.add = measure_add_chain();

  if (!options.json) print_heading(info, yardsticks, options.settings);
  nlohmann::ordered_json json = {{"machine", machine_json(info)}, {"yardsticks", yardsticks_json(yardsticks)}};
  json["results"] = nlohmann::ordered_json::array();
  const InterruptGuard guard;
  for (const BenchCase& entry : cases) {
    if (InterruptGuard::interrupted()) break;
    const BenchResult result = measure_case(device, entry, options.settings, yardsticks.edge);
    json["results"].push_back(result_json(result, info, options.settings.schedule));
    if (!options.json) print_result(result);
  }
  if (options.json) std::printf("%s\n", json.dump(1).c_str());
  return EXIT_CODE_OK;
}

// others: options that say nothing to the first use.
void add_start_options(CLI::App& command, BenchOptions& options, const std::vector<CLI::Option*>& others) {
  CLI::Option* const start =
      command.add_flag("--start", options.has_start,
                       "Measure the first use instead: from the creation of a device to the end of the first frame, "
                       "and the frames after it. Cases may be scene files, too");
  for (CLI::Option* other : others) start->excludes(other);
  command
      .add_flag("--prepare", options.start.prepares,
                "With --start: compile everything on the device before the scene is made")
      ->needs(start);
  command
      .add_option("--cache", options.start.cache,
                  "With --start: load what the driver has compiled from this file if there is one, and save it there")
      ->needs(start);
}

}  // namespace

void register_bench(CLI::App& application, Invocation& invocation) {
  auto options = std::make_shared<BenchOptions>();
  options->device.thread_count = 1;
  CLI::App* command = application.add_subcommand("bench", "Measures benchmark cases, with yardsticks");
  command->add_option("cases", options->names, "Any of " + bench_case_names());
  CLI::Option* repetitions =
      command->add_option("--repetitions", options->settings.repetitions, "Timed repetitions of each case")
          ->check(CLI::Range(5, 10000))
          ->capture_default_str();
  command
      ->add_option(
          "--frames", options->settings.frames,
          "Frames per repetition (default: the case's own), or after the first one with --start (default: 300)")
      ->check(CLI::Range(kMinimumBenchFrames, 1000000u));
  CLI::Option* timers = command->add_flag("--timers", options->settings.timers, "Measure updates by part and stage");
  CLI::Option* waits = command->add_flag("--wait", options->settings.waits,
                                         "Wait for each frame before the next one, and time its calls");
  add_start_options(*command, *options, {repetitions, timers, waits});
  command->add_flag("--json", options->json, "Print one JSON document on stdout");
  add_device_options(*command, options->device);
  command->callback([options, &invocation] { invocation.run = [options] { return run_bench(*options); }; });
}

}  // namespace clothc_tool
