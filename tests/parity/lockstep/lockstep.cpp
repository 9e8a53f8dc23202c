// lockstep.cpp - runs random scripts of calls in lockstep in several places and compares everything that comes back.
// Exit code: 0 if all is equal, 1 if something differs, 2 if the command line is wrong or no device could be made, 77 if
// there is no such device.
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "parity/lockstep/places.h"
#include "parity/lockstep/script.h"

namespace lockstep {
namespace {

const char usage[] =
    "usage: clothc_lockstep [--backend cpu|vulkan|cuda] [--seed N] [--seeds COUNT] [--seconds S] [--calls N]\n"
    "                       [--only A,B,..] [--verbose]\n"
    "Runs the scripts of COUNT seeds from N on, or of as many seeds as S seconds allow, of so many calls each. --only\n"
    "makes only the calls with these numbers. --verbose prints each call.\n";

struct Options {
  std::string backend = "cpu";
  uint64_t seed = 1, seeds = 1;
  double seconds = 0;
  size_t calls = 150;
  std::string only;
  bool is_verbose = false;
};

[[noreturn]] void refuse(const std::string& argument) {
  std::fprintf(stderr, "unexpected %s\n%s", argument.c_str(), usage);
  std::exit(2);
}

Options parse(int count, char** arguments) {
  Options options;
  for (int k = 1; k < count; ++k) {
    const std::string argument = arguments[k];
    if (argument == "--verbose") {
      options.is_verbose = true;
      continue;
    }
    if (k + 1 == count) refuse(argument);
    const std::string value = arguments[++k];
    if (argument == "--backend" && (value == "cpu" || value == "vulkan" || value == "cuda"))
      options.backend = value;
    else if (argument == "--seed")
      options.seed = std::strtoull(value.c_str(), nullptr, 10);
    else if (argument == "--seeds")
      options.seeds = std::strtoull(value.c_str(), nullptr, 10);
    else if (argument == "--seconds")
      options.seconds = std::strtod(value.c_str(), nullptr);
    else if (argument == "--calls")
      options.calls = std::strtoul(value.c_str(), nullptr, 10);
    else if (argument == "--only")
      options.only = value;
    else
      refuse(argument + " " + value);
  }
  return options;
}

Script make_script(const Options& options, uint64_t seed) {
  Script script = {seed, std::vector<bool>(options.calls, options.only.empty()), options.is_verbose};
  for (const char* at = options.only.c_str(); *at != 0;) {
    char* end = nullptr;
    const size_t number = std::strtoul(at, &end, 10);
    if (end == at || (*end != ',' && *end != 0)) refuse("--only " + options.only);
    if (number >= script.kept.size()) script.kept.resize(number + 1);
    script.kept[number] = true;
    at = *end == ',' ? end + 1 : end;
  }
  return script;
}

void report(const Script& script, const Failure& failure, const Options& options, const std::vector<Place>& places) {
  std::printf("seed %" PRIu64 " call %zu %s\n", script.seed, failure.call, failure.text.c_str());
  std::fflush(stdout);
  const Script shorter = shorten(script, failure, places, 60);
  std::string numbers;
  for (size_t k = 0; k < shorter.kept.size(); ++k) {
    if (shorter.kept[k]) numbers += (numbers.empty() ? "" : ",") + std::to_string(k);
  }
  std::printf("run clothc_lockstep --backend %s --seed %" PRIu64 " --calls %zu --only %s --verbose\n",
              options.backend.c_str(), script.seed, shorter.kept.size(), numbers.c_str());
}

int run_all(const Options& options) {
  const Places places(options.backend);
  if (!places.absence().empty()) {
    std::printf("skipping %s: %s\n", options.backend.c_str(), places.absence().c_str());
    return 77;
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  Totals totals;
  uint64_t seed = options.seed;
  while (options.seconds > 0 ? passed() < options.seconds : seed < options.seed + options.seeds) {
    const Script script = make_script(options, seed);
    const std::vector<Place> of_seed = places.of_seed(seed);
    if (const std::optional<Failure> failure = run(script, of_seed, totals)) {
      report(script, *failure, options, of_seed);
      return 1;
    }
    ++seed;
  }
  std::printf("%s: seeds %" PRIu64 " to %" PRIu64 ", %" PRIu64 " calls, %" PRIu64 " updates, %" PRIu64
              " comparisons, all equal, in %.1f s\n",
              options.backend.c_str(), options.seed, seed - 1, totals.calls, totals.updates, totals.comparisons,
              passed());
  return 0;
}

}  // namespace
}  // namespace lockstep

int main(int count, char** arguments) {
  try {
    return lockstep::run_all(lockstep::parse(count, arguments));
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
