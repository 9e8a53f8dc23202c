// log.cpp - the declared accesses, and accesses as text.
#include "unit/access/log.h"

namespace clothc::probes {
namespace {

constexpr struct {
  Access access;
  const char* name;
} access_names[] = {
#define CLOTHC_ACCESS_ENTRY(name) {access_##name, #name},
    CLOTHC_ACCESS_ALL(CLOTHC_ACCESS_ENTRY)
#undef CLOTHC_ACCESS_ENTRY
#define CLOTHC_CHANNEL_GROUP(group, input, lifetime) {access_##group, #group},
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL_GROUP
};

}  // namespace

AccessTable declared_accesses() {
  AccessTable table{};
  for (uint32_t k = 0; k < kernel_count; ++k) table[k] = {kernel_infos[k].reads, kernel_infos[k].writes};
  return table;
}

const char* name_of(Access access) {
  for (const auto& entry : access_names) {
    if (entry.access == access) return entry.name;
  }
  return "nothing";
}

std::vector<std::string> names_of(const AccessTable& table) {
  std::vector<std::string> names;
  for (uint32_t k = 0; k < kernel_count; ++k) {
    const std::string kernel = kernel_infos[k].name;
    for (const auto& entry : access_names) {
      if (table[k].reads & entry.access) names.push_back(kernel + " reads " + entry.name);
      if (table[k].writes & entry.access) names.push_back(kernel + " writes " + entry.name);
    }
  }
  return names;
}

}  // namespace clothc::probes
