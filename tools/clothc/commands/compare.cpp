// compare.cpp - `clothc compare`: prints state hashes of scenes on several configurations and where they first differ.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/case.h"
#include "commands/commands.h"
#include "compare/run.h"
#include "cli/device_options.h"
#include "cli/errors.h"
#include "cli/interrupt.h"
#include "cli/progress.h"

namespace clothc_tool {
namespace {

struct CompareOptions {
  std::vector<std::string> scenes;
  ConfigurationChoice choice;
  // 0 = as many as the scene has
  uint32_t frame_count = 0;

  bool json = false;
};

nlohmann::ordered_json difference_json(const Difference& difference) {
  nlohmann::ordered_json json;
  json["reference"] = difference.reference;
  json["configuration"] = difference.configuration;
  json["frame"] = difference.frame;
  if (!difference.particle) {
    json["cloth"] = nullptr;
    json["particle"] = nullptr;
    json["note"] = difference.note;
    return json;
  }
  const Difference::Particle& particle = *difference.particle;
  json["cloth"] = particle.cloth;
  json["particle"] = particle.particle;
  json["channel"] = particle.channel;
  json["reference_value"] = particle.reference;
  json["value"] = particle.value;
  return json;
}

nlohmann::ordered_json comparison_json(const std::string& name, const Comparison& comparison) {
  nlohmann::ordered_json json;
  json["name"] = name;
  json["frames"] = comparison.frame_count;
  json["hashes"] = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < comparison.names.size(); ++i)
    json["hashes"][comparison.names[i]] = hash_text(comparison.hashes[i]);
  json["equal"] = comparison.differences.empty();
  json["first_difference"] =
      comparison.differences.empty() ? nlohmann::ordered_json() : difference_json(comparison.differences.front());
  return json;
}

void print_difference(const Difference& difference) {
  std::printf("  %s differs from %s first in frame %u", difference.configuration.c_str(), difference.reference.c_str(),
              difference.frame);
  if (!difference.particle) {
    std::printf(" (%s)\n", difference.note.c_str());
    return;
  }
  const Difference::Particle& p = *difference.particle;
  std::printf(", cloth %u, particle %u, %s: (%.9g %.9g %.9g %.9g) instead of (%.9g %.9g %.9g %.9g)\n", p.cloth,
              p.particle, p.channel.c_str(), double{p.value[0]}, double{p.value[1]}, double{p.value[2]},
              double{p.value[3]}, double{p.reference[0]}, double{p.reference[1]}, double{p.reference[2]},
              double{p.reference[3]});
}

void print_comparison(const std::string& name, const Comparison& comparison) {
  std::printf("%s: %u frames on %zu configurations, %s\n", name.c_str(), comparison.frame_count,
              comparison.names.size(), comparison.differences.empty() ? "equal" : "NOT EQUAL");
  if (comparison.differences.empty()) {
    std::printf("  %s  %s\n", hash_text(comparison.hashes.front()).c_str(), comparison.names.front().c_str());
    return;
  }
  for (std::size_t i = 0; i < comparison.names.size(); ++i)
    std::printf("  %s  %s\n", hash_text(comparison.hashes[i]).c_str(), comparison.names[i].c_str());
  for (const Difference& difference : comparison.differences) print_difference(difference);
}

Comparison compare_one(const CompareOptions& options, const Scene& scene,
                       const std::vector<Configuration>& configurations) {
  const uint32_t frame_count = options.frame_count != 0 ? options.frame_count : scene.frame_count;
  Progress progress(scene.name, frame_count * static_cast<uint32_t>(configurations.size()));
  uint32_t done = 0;
  return compare_scene(scene, frame_count, configurations, [&] {
    progress.show(++done);
    return !InterruptGuard::interrupted();
  });
}

int run_compare(const CompareOptions& options) {
  const std::vector<Configuration> configurations = configurations_of(options.choice);
  const InterruptGuard guard;
  nlohmann::ordered_json json;
  json["scenes"] = nlohmann::ordered_json::array();
  bool equal = true;
  for (const std::string& name : options.scenes) {
    const Scene scene = scene_named(name);
    const Comparison comparison = compare_one(options, scene, configurations);
    if (InterruptGuard::interrupted()) {
      std::fprintf(stderr, "clothc: interrupted in %s; the comparison is not complete\n", name.c_str());
      return EXIT_CODE_CHECK_FAILED;
    }
    equal = equal && comparison.differences.empty();
    json["scenes"].push_back(comparison_json(scene.name, comparison));
    if (!options.json) print_comparison(scene.name, comparison);
  }
  json["equal"] = equal;
  if (options.json) std::printf("%s\n", json.dump(1).c_str());
  return equal ? EXIT_CODE_OK : EXIT_CODE_CHECK_FAILED;
}

}  // namespace

void register_compare(CLI::App& application, Invocation& invocation) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = application.add_subcommand("compare", "Compares state hashes of scenes across configurations");
  command->add_option("scenes", options->scenes, "Scene files, mesh files, or names of benchmark cases")->required();
  command->add_option("--backends", options->choice.backends, "Backends to compare; vulkan:1 for another device")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command->add_option("--isas", options->choice.isas, "Instruction sets (default: all this machine runs)")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--schedules", options->choice.schedules, "Schedules")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command->add_option("--threads", options->choice.threads, "Numbers of CPU threads")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_option("--frames", options->frame_count, "Frames to run (default: the scene's own)")
      ->check(CLI::Range(1, 1000000));
  command->add_flag("--json", options->json, "Print one JSON document on stdout");
  command->callback([options, &invocation] { invocation.run = [options] { return run_compare(*options); }; });
}

}  // namespace clothc_tool
