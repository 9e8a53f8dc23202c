// launch.cpp - starts the program with LD_PRELOAD, which Linux has.
#include "capture/launch.h"

#include "cli/errors.h"

#if defined(__linux__) && defined(CLOTHC_RECORD_LIBRARY_NAME)

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "capture/format.h"

namespace clothc_tool {
namespace {

namespace fs = std::filesystem;

// The recorder lies beside the tool where it was built, and in the folder of libraries where it was installed.
std::string recorder_path() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& candidate : {folder, folder / CLOTHC_RECORD_FROM_TOOL}) {
    const fs::path path = candidate / CLOTHC_RECORD_LIBRARY_NAME;
    if (fs::exists(path)) return fs::canonical(path).string();
  }
  throw InputError(std::string("cannot find ") + CLOTHC_RECORD_LIBRARY_NAME + " beside the tool or in '" +
                   (folder / CLOTHC_RECORD_FROM_TOOL).string() + "'; build or install clothc again");
}

// Removes a capture of the same name, and nothing else.
void make_room(const std::string& capture) {
  std::error_code error;
  if (!fs::exists(capture, error)) return;
  std::FILE* const file = std::fopen(capture.c_str(), "rb");
  char magic[sizeof CAPTURE_MAGIC] = {};
  const bool is_capture = file && std::fread(magic, 1, sizeof magic, file) == sizeof magic &&
                          std::memcmp(magic, CAPTURE_MAGIC, sizeof magic) == 0;
  if (file) std::fclose(file);
  if (!is_capture) throw InputError("'" + capture + "' exists and is not a capture; give the capture another name");
  if (!fs::remove(capture, error)) throw InputError("cannot replace '" + capture + "': " + error.message());
}

// The environment of the program: this one, with the recorder and what it reads.
std::vector<std::string> environment_of(const std::string& capture, uint32_t hash_every) {
  std::string preload = recorder_path();
  if (const char* others = std::getenv("LD_PRELOAD"); others && *others) preload += std::string(":") + others;
  const std::vector<std::string> added = {"LD_PRELOAD=" + preload,
                                          std::string(CAPTURE_FILE_VARIABLE) + "=" + fs::absolute(capture).string(),
                                          std::string(HASH_EVERY_VARIABLE) + "=" + std::to_string(hash_every)};
  std::vector<std::string> result = added;
  for (char** variable = environ; *variable; ++variable) {
    const std::string text = *variable;
    const std::string name = text.substr(0, text.find('=') + 1);
    const auto has_name = [&](const std::string& one) { return one.compare(0, name.size(), name) == 0; };
    if (std::none_of(added.begin(), added.end(), has_name)) result.push_back(text);
  }
  return result;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

volatile pid_t running_program = 0;

// Ctrl-C goes to the program too, which ends as it likes, and so does what asks the tool to end; the tool then says what
// the program left.
int wait_for_program(pid_t process) {
  running_program = process;
  const auto interrupt = std::signal(SIGINT, SIG_IGN);
  const auto terminate = std::signal(SIGTERM, [](int number) { kill(running_program, number); });
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, terminate);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

int run_recorded(const std::string& capture, uint32_t hash_every, const std::vector<std::string>& program) {
  make_room(capture);
  std::vector<std::string> environment = environment_of(capture, hash_every);
  std::vector<std::string> arguments = program;
  pid_t process = 0;
  const int error = posix_spawnp(&process, program[0].c_str(), nullptr, nullptr, pointers_to(arguments).data(),
                                 pointers_to(environment).data());
  if (error != 0) throw InputError("cannot run '" + program[0] + "': " + std::strerror(error) + "; check the path");
  return wait_for_program(process);
}

}  // namespace clothc_tool

#else

namespace clothc_tool {

int run_recorded(const std::string&, uint32_t, const std::vector<std::string>&) {
  throw InputError("programs can be recorded only on Linux; captures can be played here");
}

}  // namespace clothc_tool

#endif
