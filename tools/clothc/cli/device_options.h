// device_options.h - the options --backend, --device, --threads, --isa and --schedule, the same in every command.
#pragma once

#include <cstdint>
#include <string>

#include "cli/api.h"

namespace CLI {
class App;
}

namespace clothc_tool {

struct DeviceOptions {
  std::string backend = "auto";
  std::string device = "0";  // an index, or a UUID
  uint32_t thread_count = 0;
  std::string isa = "auto";
  std::string schedule = "auto";
};

// Adds the five options to a command; CLI11 rejects names it does not know.
void add_device_options(CLI::App& command, DeviceOptions& options);

// Creates the device that the options name.
Device create_device(const DeviceOptions& options);

// Sets the device of a desc by what the command line calls it: an index among the backend's devices, or a UUID of 32
// hexadecimal digits, dashes allowed. Throws InputError.
void choose_device(clothc_device_desc& desc, const std::string& device);

// The schedule that the options name.
clothc_schedule schedule_of(const DeviceOptions& options);

// Names as the command line and the JSON spell them ("cpu", "avx2", "pass"), and back; unknown ones throw InputError.
const char* backend_name(clothc_backend backend);
const char* isa_name(clothc_isa isa);
const char* schedule_name(clothc_schedule schedule);
clothc_backend backend_of(const std::string& name);
clothc_isa isa_of(const std::string& name);
clothc_schedule schedule_of(const std::string& name);

// A 64-bit hash as the 16 hexadecimal digits all reports use.
std::string hash_text(uint64_t hash);

}  // namespace clothc_tool
