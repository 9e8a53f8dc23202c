// Lists configurations.
#include "compare_configuration.h"

#include "device_options.h"

namespace clothc_tool {
namespace {

std::vector<clothc_isa> isas_of(const ConfigurationChoice& choice, clothc_backend backend) {
  std::vector<clothc_isa> isas;
  for (const std::string& name : choice.isas) isas.push_back(isa_of(name));
  if (!isas.empty()) return isas;
  auto desc = initialised<clothc_device_desc>();
  desc.backend = backend;
  desc.worker_count = 1;
  const Device device = create_device(desc);
  const uint32_t mask = device_info(device.get()).isa_mask;
  for (clothc_isa isa = 1; isa < 32; ++isa)
    if (mask >> isa & 1u) isas.push_back(isa);
  if (isas.empty()) isas.push_back(CLOTHC_ISA_AUTO);
  return isas;
}

}  // namespace

std::string Configuration::name() const {
  return std::string(backend_name(backend)) + "/" + isa_name(isa) + "/" + schedule_name(schedule) + "/" +
         std::to_string(threads);
}

Device Configuration::create() const {
  auto desc = initialised<clothc_device_desc>();
  desc.backend = backend;
  desc.isa = isa;
  desc.worker_count = threads;
  return create_device(desc);
}

std::vector<Configuration> configurations_of(const ConfigurationChoice& choice) {
  std::vector<Configuration> configurations;
  for (const std::string& backend_text : choice.backends) {
    const clothc_backend backend = backend_of(backend_text);
    for (clothc_isa isa : isas_of(choice, backend))
      for (const std::string& schedule : choice.schedules)
        for (uint32_t threads : choice.threads)
          configurations.push_back({backend, isa, schedule_of(schedule), threads});
  }
  return configurations;
}

}  // namespace clothc_tool
