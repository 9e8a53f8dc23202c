// device_options.cpp - the names of backends, instruction sets and schedules, and the device options that use them.
#include "cli/device_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <vector>

#include "cli/errors.h"

namespace clothc_tool {
namespace {

struct Name {
  uint32_t value;
  const char* text;
};
constexpr Name BACKENDS[] = {{CLOTHC_BACKEND_AUTO, "auto"},
                             {CLOTHC_BACKEND_CPU, "cpu"},
                             {CLOTHC_BACKEND_CUDA, "cuda"},
                             {CLOTHC_BACKEND_VULKAN, "vulkan"}};
constexpr Name ISAS[] = {{CLOTHC_ISA_AUTO, "auto"}, {CLOTHC_ISA_SCALAR, "scalar"}, {CLOTHC_ISA_SSE4_1, "sse4.1"},
                         {CLOTHC_ISA_AVX2, "avx2"}, {CLOTHC_ISA_AVX512, "avx512"}, {CLOTHC_ISA_NEON, "neon"}};
constexpr Name SCHEDULES[] = {
    {CLOTHC_SCHEDULE_AUTO, "auto"}, {CLOTHC_SCHEDULE_CLOTH, "cloth"}, {CLOTHC_SCHEDULE_PASS, "pass"}};

template <size_t N>
std::vector<std::string> texts(const Name (&names)[N]) {
  std::vector<std::string> result;
  for (const Name& name : names) result.push_back(name.text);
  return result;
}

template <size_t N>
const char* text_of(const Name (&names)[N], uint32_t value) {
  for (const Name& name : names) {
    if (name.value == value) return name.text;
  }
  return "unknown";
}

template <size_t N>
uint32_t value_of(const Name (&names)[N], const char* what, const std::string& text) {
  std::string known;
  for (const Name& name : names) {
    if (name.text == text) return name.value;
    known += (known.empty() ? "" : ", ") + std::string(name.text);
  }
  throw InputError(std::string(what) + " '" + text + "' is not known; use one of " + known);
}

// Parses a number in the given base. Returns false unless the number extends over the whole text.
template <typename T>
bool parse(const std::string& text, int base, T& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  return error == std::errc() && stop == end;
}

// Parses a UUID of 32 hexadecimal digits and any number of dashes. Returns false and leaves uuid unchanged for other
// texts.
bool parse_uuid(std::string text, uint8_t (&uuid)[16]) {
  text.erase(std::remove(text.begin(), text.end(), '-'), text.end());
  if (text.size() != 2 * sizeof uuid || text.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
    return false;
  for (size_t i = 0; i < sizeof uuid; ++i) parse(text.substr(2 * i, 2), 16, uuid[i]);
  return true;
}

}  // namespace

void add_device_options(CLI::App& command, DeviceOptions& options) {
  command.add_option("--backend", options.backend, "What runs the simulation")
      ->check(CLI::IsMember(texts(BACKENDS)))
      ->capture_default_str();
  command.add_option("--device", options.device, "Which device of the backend: its index or its UUID, see info")
      ->capture_default_str();
  command.add_option("--threads", options.thread_count, "CPU threads, 0 = as many as the machine has")
      ->check(CLI::Range(0, 256))
      ->capture_default_str();
  command.add_option("--isa", options.isa, "Instruction set of the CPU backend")
      ->check(CLI::IsMember(texts(ISAS)))
      ->capture_default_str();
  command.add_option("--schedule", options.schedule, "How work is spread over threads; never changes results")
      ->check(CLI::IsMember(texts(SCHEDULES)))
      ->capture_default_str();
}

clothc::Device create_device(const DeviceOptions& options) {
  auto desc = clothc::initialised<clothc_device_desc>();
  desc.backend = backend_of(options.backend);
  choose_device(desc, options.device);
  desc.worker_count = options.thread_count;
  desc.isa = isa_of(options.isa);
  return clothc::Device::create(desc).value();
}

void choose_device(clothc_device_desc& desc, const std::string& device) {
  // The library takes a UUID of zeros as "none", so a text of zeros is an index.
  const bool zero = device.find_first_not_of("0-") == std::string::npos;
  if (parse_uuid(device, desc.uuid) && !zero) return;
  if (device.size() > 10 || !parse(device, 10, desc.device_index))
    throw InputError("device '" + device + "' is not known; use an index or a UUID that 'clothc info' prints");
}

clothc_schedule schedule_of(const DeviceOptions& options) { return schedule_of(options.schedule); }

const char* backend_name(clothc_backend backend) { return text_of(BACKENDS, backend); }
const char* isa_name(clothc_isa isa) { return text_of(ISAS, isa); }
const char* schedule_name(clothc_schedule schedule) { return text_of(SCHEDULES, schedule); }
clothc_backend backend_of(const std::string& name) { return value_of(BACKENDS, "backend", name); }
clothc_isa isa_of(const std::string& name) { return value_of(ISAS, "instruction set", name); }
clothc_schedule schedule_of(const std::string& name) { return value_of(SCHEDULES, "schedule", name); }

std::string hash_text(uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016" PRIx64, hash);
  return text;
}

}  // namespace clothc_tool
