// golden.cpp - runs every scene in many configurations and compares the state hashes with the committed ones.
// Exit code: 0 if all are equal, 1 if one differs, 2 if the library or the command line failed, 77 if none of the
// requested backends is available.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>

#include "parity/golden/flush_to_zero.h"
#include "parity/golden/plans.h"
#include "parity/golden/scenes.h"

namespace golden {
namespace {

const char usage[] =
    "usage: clothc_golden FILE [--update] [--quick] [--backend cpu|cuda|vulkan] [--threads N] [--schedule "
    "auto|cloth|pass]\n"
    "                     [--isa NAME] [--scene NAME] [--handovers]\n"
    "FILE holds the committed hashes; --update (or CLOTHC_UPDATE_GOLDEN in the environment) rewrites it.\n"
    "Without --threads, --schedule and --isa all of 1, 2, 7, 16 threads, both schedules and every instruction set run, "
    "an\n"
    "application scheduler with one worker, and a host that flushes denormals. On every GPU both schedules run, alone "
    "and with\n"
    "a change from and to the processor. --quick takes a few of all these, every second one for a scene;\n"
    "--backend leaves out all others; --handovers runs only changes from one kind of GPU backend to another.\n";

struct Options {
  std::string file;
  bool update = std::getenv("CLOTHC_UPDATE_GOLDEN") != nullptr;
  PlanChoice plans;
  std::string scene;
};

using Hashes = std::map<std::string, std::vector<uint64_t>>;

Options parse(int count, char** arguments) {
  Options options;
  for (int k = 1; k < count; ++k) {
    const std::string argument = arguments[k];
    std::string* value = argument == "--backend"    ? &options.plans.backend
                         : argument == "--threads"  ? &options.plans.threads
                         : argument == "--schedule" ? &options.plans.schedule
                         : argument == "--isa"      ? &options.plans.isa
                         : argument == "--scene"    ? &options.scene
                                                    : nullptr;
    if (value != nullptr && k + 1 < count) {
      *value = arguments[++k];
    } else if (argument == "--update") {
      options.update = true;
    } else if (argument == "--handovers") {
      options.plans.handovers = true;
    } else if (argument == "--quick") {
      options.plans.quick = true;
    } else if (argument[0] != '-' && options.file.empty()) {
      options.file = argument;
    } else {
      std::fprintf(stderr, "unexpected %s\n%s", argument.c_str(), usage);
      std::exit(2);
    }
  }
  if (options.file.empty()) {
    std::fputs(usage, stderr);
    std::exit(2);
  }
  return options;
}

Hashes read(const std::string& path) {
  Hashes hashes;
  std::FILE* file = std::fopen(path.c_str(), "r");
  if (file == nullptr) return hashes;
  char scene[64];
  int frame = 0;
  uint64_t hash = 0;
  while (std::fscanf(file, "%63s %d %" SCNx64, scene, &frame, &hash) == 3) hashes[scene].push_back(hash);
  std::fclose(file);
  return hashes;
}

void write(const std::string& path, const Hashes& hashes) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) {
    std::fprintf(stderr, "cannot write %s\n", path.c_str());
    std::exit(2);
  }
  for (const Scene& scene : all_scenes()) {
    for (size_t k = 0; k < std::size(hashed_frames); ++k) {
      std::fprintf(file, "%s %d %016" PRIx64 "\n", scene.name, hashed_frames[k], hashes.at(scene.name)[k]);
    }
  }
  std::fclose(file);
  std::printf("wrote %s\n", path.c_str());
}

// Prints the first hash that differs. A scene that the file does not contain counts as different.
bool is_equal(const Scene& scene, const std::string& where, const std::vector<uint64_t>& expected,
              const std::vector<uint64_t>& found) {
  for (size_t k = 0; k < found.size(); ++k) {
    const uint64_t wanted = k < expected.size() ? expected[k] : 0;
    if (found[k] == wanted) continue;
    std::printf("%s differs by frame %d with %s: %016" PRIx64 ", golden %016" PRIx64 "\n", scene.name, hashed_frames[k],
                where.c_str(), found[k], wanted);
    return false;
  }
  return true;
}

std::vector<uint64_t> run_scene(const Scene& scene, const Plan& plan) {
  const FlushToZero mode(plan.begin.flush_to_zero);
  Session session(plan.begin, plan.end ? &*plan.end : nullptr);
  return scene.run(session);
}

int run(const Options& options) {
  Hashes hashes = options.update ? Hashes() : read(options.file);
  const std::vector<Plan> plans = list_plans(options.plans);
  if (plans.empty()) return 77;
  size_t differences = 0, runs = 0, turn = 0;
  for (const Scene& scene : all_scenes()) {
    // In the quick form each scene has every second plan.
    const size_t stride = options.plans.quick ? std::min<size_t>(2, plans.size()) : 1;
    const size_t first = turn++ % stride;
    if (!options.scene.empty() && options.scene != scene.name) continue;
    for (size_t k = first; k < plans.size(); k += stride) {
      const Plan& plan = plans[k];
      const std::vector<uint64_t> found = run_scene(scene, plan);
      if (options.update) hashes.emplace(scene.name, found);
      if (!is_equal(scene, describe(plan), hashes[scene.name], found)) ++differences;
      ++runs;
    }
  }
  std::printf("%zu runs in %zu configurations, %zu differ\n", runs, plans.size(), differences);
  if (options.update && differences == 0) write(options.file, hashes);
  return differences == 0 && runs > 0 ? 0 : 1;
}

}  // namespace
}  // namespace golden

int main(int count, char** arguments) {
  const golden::Options options = golden::parse(count, arguments);
  try {
    return golden::run(options);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
