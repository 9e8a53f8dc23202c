// main.cpp - the program: parses the command line, runs the chosen command, and turns exceptions into messages on
// stderr and exit codes (commands.h).
#include <CLI/CLI.hpp>
#include <clothc.hpp>
#include <cstdio>
#include <exception>

#include "commands/commands.h"
#include "cli/errors.h"

namespace clothc_tool {
namespace {

bool is_callers_mistake(clothc_result result) {
  return result != CLOTHC_ERROR_INTERNAL && result != CLOTHC_ERROR_DEVICE_LOST;
}

int complain(const char* message, int exit_code) {
  std::fprintf(stderr, "clothc: %s\n", message);
  return exit_code;
}

// Runs the command, or prints the help text or what is wrong with the command line. Returns the exit code.
int run_command_line(int argument_count, const char* const* arguments) {
  CLI::App application("clothc simulates cloth: mesh and scene files in; meshes, pictures and numbers out.", "clothc");
  application.require_subcommand(1);
  application.set_version_flag("--version", clothc::library_version);
  Invocation invocation;
  for (auto register_command : {register_info, register_cook, register_sim, register_replay, register_compare,
                                register_bench, register_record, register_play}) {
    register_command(application, invocation);
  }
  try {
    application.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> unknown = application.remaining();
    if (application.get_subcommands().empty() && !unknown.empty()) {
      throw InputError("no command '" + unknown[0] + "'; run 'clothc --help'");
    }
    return application.exit(error) == 0 ? EXIT_CODE_OK : EXIT_CODE_BAD_INPUT;
  }
  return invocation.run();
}

}  // namespace
}  // namespace clothc_tool

int main(int argument_count, char** arguments) {
  using namespace clothc_tool;
  try {
    return run_command_line(argument_count, arguments);
  } catch (const InputError& error) {
    return complain(error.what(), EXIT_CODE_BAD_INPUT);
  } catch (const clothc::Error& error) {
    return complain(error.what(), is_callers_mistake(error.result()) ? EXIT_CODE_BAD_INPUT : EXIT_CODE_CHECK_FAILED);
  } catch (const std::bad_alloc&) {
    return complain("out of memory; use a smaller mesh or fewer frames", EXIT_CODE_BAD_INPUT);
  } catch (const std::exception& error) {
    return complain(error.what(), EXIT_CODE_CHECK_FAILED);
  }
}
