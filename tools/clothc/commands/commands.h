// commands.h - the tool's commands: each register_<command> adds one subcommand, and main.cpp calls them all.
//
// A command parses its options into a struct that it shares with the subcommand's callback. The callback stores the
// action in Invocation::run; main runs it after parsing and returns its exit code:
//
//   void register_bench(CLI::App& application, Invocation& invocation) {
//     auto options = std::make_shared<BenchOptions>();
//     CLI::App* command = application.add_subcommand("bench", "Measures benchmark cases");
//     command->add_flag("--json", options->json, "Print one JSON document on stdout");
//     add_device_options(*command, options->device);
//     command->callback([options, &invocation] { invocation.run = [options] { return run_bench(*options); }; });
//   }
//
// Commands throw InputError (errors.h) for bad input and do not catch clothc::Error: main prints the message to
// stderr as "clothc: ..." and returns the exit code. stdout is for results only, and with --json for exactly one
// document.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace clothc_tool {

// Exit codes of every command.
enum ExitCode : int {
  EXIT_CODE_OK = 0,
  // The command ran, but the property that it checks does not hold.
  EXIT_CODE_CHECK_FAILED = 1,
  // The options, files or values cannot be used.
  EXIT_CODE_BAD_INPUT = 2
};

// The action that the parsed command line selects.
struct Invocation {
  std::function<int()> run;
};

void register_info(CLI::App& application, Invocation& invocation);
void register_cook(CLI::App& application, Invocation& invocation);
void register_sim(CLI::App& application, Invocation& invocation);
void register_replay(CLI::App& application, Invocation& invocation);
void register_compare(CLI::App& application, Invocation& invocation);
void register_bench(CLI::App& application, Invocation& invocation);
void register_record(CLI::App& application, Invocation& invocation);
void register_play(CLI::App& application, Invocation& invocation);

}  // namespace clothc_tool
