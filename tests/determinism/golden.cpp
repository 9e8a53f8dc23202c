// golden.cpp - runs every scene in many configurations and compares the state hashes with the committed ones.
// Exit code: 0 equal, 1 different, 2 the library or the command line failed.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "flush_to_zero.h"
#include "scenes.h"

namespace golden {
namespace {

const char usage[] =
    "usage: clothc_golden FILE [--update] [--quick] [--threads N] [--schedule auto|cloth|pass] [--isa NAME] [--scene "
    "NAME]\n"
    "FILE holds the committed hashes; --update (or CLOTHC_UPDATE_GOLDEN in the environment) rewrites it.\n"
    "Without --threads, --schedule and --isa all of 1, 2, 7, 16 threads, both schedules and every instruction set run, "
    "an\n"
    "application scheduler with one worker, and a host that flushes denormals; --quick takes a few of these.\n";

const char* const schedule_names[] = {"auto", "cloth", "pass"};
const char* const isa_names[] = {"auto", "scalar", "sse4.1", "avx2", "avx512", "neon"};

struct Options {
  std::string file;
  bool update = std::getenv("CLOTHC_UPDATE_GOLDEN") != nullptr;
  bool quick = false;
  std::string threads, schedule, isa, scene;
};

using Hashes = std::map<std::string, std::vector<uint64_t>>;

uint32_t find(const char* const* names, uint32_t count, const std::string& name) {
  for (uint32_t k = 0; k < count; ++k) {
    if (name == names[k]) return k;
  }
  std::fprintf(stderr, "unknown name %s\n%s", name.c_str(), usage);
  std::exit(2);
}

Options parse(int count, char** arguments) {
  Options options;
  for (int k = 1; k < count; ++k) {
    const std::string argument = arguments[k];
    std::string* value = argument == "--threads"    ? &options.threads
                         : argument == "--schedule" ? &options.schedule
                         : argument == "--isa"      ? &options.isa
                         : argument == "--scene"    ? &options.scene
                                                    : nullptr;
    if (value != nullptr && k + 1 < count) {
      *value = arguments[++k];
    } else if (argument == "--update") {
      options.update = true;
    } else if (argument == "--quick") {
      options.quick = true;
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

// Instruction sets of this machine that the build has.
std::vector<clothc_isa> runnable_isas() {
  clothc_device_desc desc = initialised<clothc_device_desc>(CLOTHC_STRUCT_DEVICE_DESC);
  desc.backend = CLOTHC_BACKEND_CPU;
  clothc_device device = nullptr;
  require(clothc_device_create(&desc, &device));
  clothc_device_info info = initialised<clothc_device_info>(CLOTHC_STRUCT_DEVICE_INFO);
  require(clothc_device_get_info(device, &info));
  require(clothc_device_destroy(device));
  std::vector<clothc_isa> isas;
  for (clothc_isa isa = CLOTHC_ISA_SCALAR; isa <= CLOTHC_ISA_NEON; ++isa) {
    if ((info.isa_mask >> isa & 1) != 0)
      isas.push_back(isa);
    else
      std::printf("skipping %s: this machine does not run it\n", isa_names[isa]);
  }
  return isas;
}

std::vector<Configuration> list_configurations(const Options& options) {
  const std::vector<clothc_isa> isas = runnable_isas();
  if (!options.threads.empty() || !options.schedule.empty() || !options.isa.empty()) {
    Configuration only;
    if (!options.threads.empty()) only.threads = static_cast<uint32_t>(std::atoi(options.threads.c_str()));
    if (!options.schedule.empty()) only.schedule = find(schedule_names, 3, options.schedule);
    if (!options.isa.empty()) only.isa = find(isa_names, 6, options.isa);
    return {only};
  }
  std::vector<Configuration> list = {{1, CLOTHC_SCHEDULE_AUTO, CLOTHC_ISA_AUTO, false, false},
                                     {1, CLOTHC_SCHEDULE_PASS, CLOTHC_ISA_AUTO, true, false},
                                     {2, CLOTHC_SCHEDULE_AUTO, CLOTHC_ISA_AUTO, false, true}};
  if (options.quick) {
    list.push_back({7, CLOTHC_SCHEDULE_PASS, isas.back(), false, false});
    list.push_back({2, CLOTHC_SCHEDULE_CLOTH, CLOTHC_ISA_SCALAR, false, false});
    return list;
  }
  for (const clothc_isa isa : isas) {
    for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
      for (const uint32_t threads : {1u, 2u, 7u, 16u}) list.push_back({threads, schedule, isa, false, false});
    }
  }
  return list;
}

std::string describe(const Configuration& configuration) {
  return std::to_string(configuration.threads) + " threads, schedule " + schedule_names[configuration.schedule] + ", " +
         isa_names[configuration.isa] + (configuration.application_scheduler ? ", application scheduler" : "") +
         (configuration.flush_to_zero ? ", flush to zero" : "");
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

// Prints the first hash that differs; a scene the file does not know differs too.
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

std::vector<uint64_t> run_scene(const Scene& scene, const Configuration& configuration) {
  const FlushToZero mode(configuration.flush_to_zero);
  Session session(configuration);
  return scene.run(session);
}

int run(const Options& options) {
  Hashes hashes = options.update ? Hashes() : read(options.file);
  const std::vector<Configuration> configurations = list_configurations(options);
  size_t differences = 0, runs = 0;
  for (const Scene& scene : all_scenes()) {
    if (!options.scene.empty() && options.scene != scene.name) continue;
    for (const Configuration& configuration : configurations) {
      const std::vector<uint64_t> found = run_scene(scene, configuration);
      if (options.update) hashes.emplace(scene.name, found);
      if (!is_equal(scene, describe(configuration), hashes[scene.name], found)) ++differences;
      ++runs;
    }
  }
  std::printf("%zu runs in %zu configurations, %zu differ\n", runs, configurations.size(), differences);
  if (options.update && differences == 0) write(options.file, hashes);
  return differences == 0 && runs > 0 ? 0 : 1;
}

}  // namespace
}  // namespace golden

int main(int count, char** arguments) { return golden::run(golden::parse(count, arguments)); }
