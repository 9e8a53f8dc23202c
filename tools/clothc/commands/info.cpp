// info.cpp - `clothc info`: lists the backends and devices of this machine, and says why one is not available.
#include <CLI/CLI.hpp>
#include <clothc.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands/commands.h"
#include "cli/device_options.h"
#include "commands/info_verify.h"

namespace clothc_tool {
namespace {

using nlohmann::ordered_json;

std::vector<std::string> isas_of(const clothc_device_info& info) {
  std::vector<std::string> names;
  for (clothc_isa isa = CLOTHC_ISA_SCALAR; isa <= CLOTHC_ISA_NEON; ++isa) {
    if (info.isa_mask >> isa & 1) names.push_back(isa_name(isa));
  }
  return names;
}

struct Capability {
  uint32_t flag;
  // Name in JSON.
  const char* key;
  // Printed if the device has the capability; null = not printed.
  const char* text;
};
constexpr Capability kCapabilities[] = {
    {CLOTHC_CAPABILITY_APPLICATION_TASKS, "application_tasks", "the application's scheduler"},
    {CLOTHC_CAPABILITY_WRAPPED_HOST, "wrapped_host", "wrapped host memory"},
    {CLOTHC_CAPABILITY_EXTERNAL_MEMORY_FD, "external_memory_fd", "external memory by file descriptor"},
    {CLOTHC_CAPABILITY_EXTERNAL_SEMAPHORE_FD, "external_semaphore_fd", "external semaphores by file descriptor"},
    {CLOTHC_CAPABILITY_IMPORTED_SEMAPHORE_FD, "imported_semaphore_fd", "imported semaphores by file descriptor"},
    {CLOTHC_CAPABILITY_EXTERNAL_MEMORY_WIN32, "external_memory_win32", "external memory by NT handle"},
    {CLOTHC_CAPABILITY_EXTERNAL_SEMAPHORE_WIN32, "external_semaphore_win32", "external semaphores by NT handle"},
    {CLOTHC_CAPABILITY_IMPORTED_SEMAPHORE_WIN32, "imported_semaphore_win32", "imported semaphores by NT handle"},
    {CLOTHC_CAPABILITY_WRAPPED_DEVICE, "wrapped_device", "wrapped device memory"},
    {CLOTHC_CAPABILITY_SOFTWARE_DEVICE, "software_device", nullptr}};

bool has(const clothc_device_info& info, uint32_t capability) { return (info.capabilities & capability) != 0; }

// Formats the UUID as digits, in groups separated by dashes as in RFC 4122 if `grouped` is true.
std::string uuid_text(const clothc_device_info& info, bool grouped) {
  std::string text;
  for (size_t i = 0; i < sizeof info.uuid; ++i) {
    char digits[4];
    const bool begins_group = grouped && i >= 4 && i <= 10 && i % 2 == 0;
    std::snprintf(digits, sizeof digits, "%s%02x", begins_group ? "-" : "", info.uuid[i]);
    text += digits;
  }
  return text;
}

ordered_json describe(const clothc_device_info& info) {
  ordered_json device = {{"backend", backend_name(info.backend)},
                         {"device", info.device_index},
                         {"available", info.available != 0},
                         {"name", info.name},
                         {"reason", info.reason}};
  if (!info.available) return device;
  device["strict_parity"] = has(info, CLOTHC_CAPABILITY_STRICT_PARITY);
  for (const Capability& capability : kCapabilities) device[capability.key] = has(info, capability.flag);
  device["memory_bytes"] = info.memory_size;
  if (info.backend == CLOTHC_BACKEND_CPU) {
    device["isa"] = isa_name(info.isa);
    device["isas"] = isas_of(info);
    device["threads"] = info.worker_count;
  } else {
    device["uuid"] = uuid_text(info, false);
    device["pci"] = info.pci;
  }
  return device;
}

void print_device(const clothc_device_info& info) {
  if (!info.available) {
    std::printf("%-7s absent: %s\n", backend_name(info.backend), info.reason);
    return;
  }
  std::printf("%-7s %u: %s%s\n", backend_name(info.backend), info.device_index, info.name,
              has(info, CLOTHC_CAPABILITY_SOFTWARE_DEVICE) ? ", runs on the processor" : "");
  if (info.backend == CLOTHC_BACKEND_CPU) {
    std::string isas;
    for (const std::string& name : isas_of(info)) isas += " " + name;
    std::printf("        uses %s (runs:%s), %u threads\n", isa_name(info.isa), isas.c_str(), info.worker_count);
  } else {
    std::printf("        UUID %s\n", uuid_text(info, true).c_str());
  }
  if (info.memory_size) std::printf("        %.1f GiB of memory\n", static_cast<double>(info.memory_size) / (1 << 30));
  std::printf("        strict parity: %s\n",
              has(info, CLOTHC_CAPABILITY_STRICT_PARITY) ? "yes, the same bits as every other strict device" : "no");
  std::string supported;
  for (const Capability& capability : kCapabilities) {
    if (capability.text == nullptr || !has(info, capability.flag)) continue;
    supported += (supported.empty() ? "" : ", ") + std::string(capability.text);
  }
  std::printf("        supports: %s\n", supported.empty() ? "none of what is optional" : supported.c_str());
}

struct InfoOptions {
  bool json = false;
  bool verifies = false;
  VerifyOptions verify;
};

int run_info(const InfoOptions& options) {
  const std::vector<clothc_device_info> infos = clothc::Device::enumerate().value();
  if (options.verifies) return run_info_verify(infos, options.verify, options.json);
  if (options.json) {
    ordered_json document = {{"version", clothc::library_version()}, {"devices", ordered_json::array()}};
    for (const clothc_device_info& info : infos) document["devices"].push_back(describe(info));
    std::printf("%s\n", document.dump(2, ' ', false, ordered_json::error_handler_t::replace).c_str());
    return EXIT_CODE_OK;
  }
  std::printf("clothc %s\n", clothc::library_version().c_str());
  for (const clothc_device_info& info : infos) print_device(info);
  return EXIT_CODE_OK;
}

}  // namespace

void register_info(CLI::App& application, Invocation& invocation) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = application.add_subcommand("info", "Lists backends and devices, and why an absent one is absent");
  command->add_flag("--json", options->json, "Print one JSON document on stdout");
  CLI::Option* verify =
      command->add_flag("--verify", options->verifies,
                        "Compare every kernel on each device with the scalar code, bit by bit; 1 if some differ");
  command->add_option("--backend", options->verify.backend, "Verify the devices of one backend")
      ->check(CLI::IsMember({"auto", "cpu", "cuda", "vulkan"}))
      ->needs(verify)
      ->capture_default_str();
  command->add_option("--device", options->verify.device, "Verify one device: its index or its UUID")->needs(verify);
  command->callback([options, &invocation] { invocation.run = [options] { return run_info(*options); }; });
}

}  // namespace clothc_tool
