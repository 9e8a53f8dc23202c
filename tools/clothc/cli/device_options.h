// device_options.h - the command-line options --backend, --device, --threads, --isa and --schedule, which every command
// that simulates shares.
#pragma once

#include <clothc.hpp>
#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace clothc_tool {

struct DeviceOptions {
  std::string backend = "auto";

  // Index among the backend's devices, or a UUID.
  std::string device = "0";

  uint32_t thread_count = 0;
  std::string isa = "auto";
  std::string schedule = "auto";
};

// Adds the five options to a command. CLI11 rejects unknown names of backends, instruction sets and schedules.
void add_device_options(CLI::App& command, DeviceOptions& options);

// Creates the device that the options select. Throws InputError or clothc::Error.
clothc::Device create_device(const DeviceOptions& options);

// Writes the selected device into desc. The text is an index among the backend's devices or a UUID of 32 hexadecimal
// digits, with or without dashes. Throws InputError for anything else.
void choose_device(clothc_device_desc& desc, const std::string& device);

// Returns the schedule that the options select.
clothc_schedule schedule_of(const DeviceOptions& options);

// Convert between enumerators and the names that the command line and the JSON output use ("cpu", "avx2", "pass").
// Unknown names throw InputError.
const char* backend_name(clothc_backend backend);
const char* isa_name(clothc_isa isa);
const char* schedule_name(clothc_schedule schedule);
clothc_backend backend_of(const std::string& name);
clothc_isa isa_of(const std::string& name);
clothc_schedule schedule_of(const std::string& name);

// Formats a 64-bit hash as the 16 hexadecimal digits that all reports use.
std::string hash_text(uint64_t hash);

}  // namespace clothc_tool
