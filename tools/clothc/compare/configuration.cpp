// configuration.cpp - expands the choices of the command line into a list of configurations.
#include "compare/configuration.h"

#include "cli/device_options.h"
#include "cli/errors.h"

namespace clothc_tool {
namespace {

// Returns the backend and device that an element of --backends names: "cpu", "vulkan", "vulkan:1".
Configuration configuration_of(const std::string& entry) {
  const std::size_t colon = entry.find(':');
  Configuration configuration;
  configuration.backend = backend_of(entry.substr(0, colon));
  if (colon != std::string::npos) configuration.device = entry.substr(colon + 1);
  return configuration;
}

// Returns information about the device of a configuration. A missing device is detected here, before anything has been
// run.
clothc_device_info probe(const std::string& entry, const Configuration& configuration) {
  try {
    return configuration.create().info().value();
  } catch (const clothc::Error& error) {
    if (error.result() != CLOTHC_ERROR_UNSUPPORTED) throw;
    throw InputError("backend '" + entry + "' cannot be compared: " + error.what());
  }
}

std::vector<clothc_isa> isas_of(const ConfigurationChoice& choice, const clothc_device_info& info) {
  std::vector<clothc_isa> isas;
  for (const std::string& name : choice.isas) isas.push_back(isa_of(name));
  if (!isas.empty()) return isas;
  for (clothc_isa isa = 1; isa < 32; ++isa)
    if (info.isa_mask >> isa & 1u) isas.push_back(isa);
  return isas;
}

}  // namespace

std::string Configuration::name() const {
  std::string text = backend_name(backend);
  if (device != "0") text += ":" + device;
  if (backend == CLOTHC_BACKEND_CPU) text += std::string("/") + isa_name(isa);
  text += std::string("/") + schedule_name(schedule);
  return backend == CLOTHC_BACKEND_CPU ? text + "/" + std::to_string(threads) : text;
}

clothc::Device Configuration::create() const {
  auto desc = clothc::initialised<clothc_device_desc>();
  desc.backend = backend;
  choose_device(desc, device);
  desc.isa = isa;
  desc.worker_count = threads;
  // Uses all threads even if the scene is so small that the caller's thread would do the work itself.
  if (threads > 1) desc.flags = CLOTHC_DEVICE_TASKS_ONLY;
  return clothc::Device::create(desc).value();
}

std::vector<Configuration> configurations_of(const ConfigurationChoice& choice) {
  std::vector<Configuration> configurations;
  for (const std::string& entry : choice.backends) {
    Configuration configuration = configuration_of(entry);
    const clothc_device_info info = probe(entry, configuration);
    // The backend that AUTO has chosen.
    configuration.backend = info.backend;
    const bool is_cpu = info.backend == CLOTHC_BACKEND_CPU;
    const std::vector<clothc_isa> isas = is_cpu ? isas_of(choice, info) : std::vector<clothc_isa>{CLOTHC_ISA_AUTO};
    for (clothc_isa isa : isas)
      for (const std::string& schedule : choice.schedules)
        for (uint32_t threads : is_cpu ? choice.threads : std::vector<uint32_t>{1}) {
          configuration.isa = isa;
          configuration.schedule = schedule_of(schedule);
          configuration.threads = threads;
          configurations.push_back(configuration);
        }
  }
  return configurations;
}

}  // namespace clothc_tool
