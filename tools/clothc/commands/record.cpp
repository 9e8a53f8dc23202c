// record.cpp - `clothc record`: runs a program and records its calls of the library in a capture.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "capture/compress.h"
#include "capture/format.h"
#include "capture/launch.h"
#include "commands/commands.h"

namespace clothc_tool {
namespace {

struct RecordOptions {
  std::string capture;
  std::vector<std::string> program;
  uint32_t hash_every = DEFAULT_HASH_EVERY;
};

int run_record(const RecordOptions& options) {
  const int exit_code = run_recorded(options.capture, options.hash_every, options.program);
  if (exit_code > 128) {
    std::fprintf(stderr, "clothc: signal %d ended the program; the capture has its calls up to then\n",
                 exit_code - 128);
  }
  std::error_code error;
  if (!std::filesystem::exists(options.capture, error)) {
    std::fprintf(stderr,
                 "clothc: there is no capture, because '%s' made no call of libclothc.so; programs that contain the "
                 "library, rather than load it, cannot be recorded\n",
                 options.program[0].c_str());
    return exit_code != 0 ? exit_code : static_cast<int>(EXIT_CODE_CHECK_FAILED);
  }
  compress_capture(options.capture);
  const auto size = std::filesystem::file_size(options.capture, error);
  std::fprintf(stderr, "clothc: '%s' has %.3f MB; 'clothc play %s' replays it\n", options.capture.c_str(),
               static_cast<double>(size) / 1e6, options.capture.c_str());
  return exit_code;
}

}  // namespace

void register_record(CLI::App& application, Invocation& invocation) {
  auto options = std::make_shared<RecordOptions>();
  CLI::App* command = application.add_subcommand(
      "record", "Runs a program and records what it asks of the library, for 'clothc play'; returns its exit code");
  command->add_option("capture", options->capture, "The file to write")->required();
  command->add_option("program", options->program, "Behind --: the program and its arguments")->required();
  command
      ->add_option("--hash-every", options->hash_every,
                   "Record the state hash after every so many updates of a solver and at its end, which waits for the "
                   "device; 0 = never")
      ->capture_default_str();
  command->callback([options, &invocation] { invocation.run = [options] { return run_record(*options); }; });
}

}  // namespace clothc_tool
