// planted_modules.cpp - see planted_modules.h.
#include "vulkan/planted_modules.h"

#include <cstdio>
#include <iterator>
#include <stdexcept>

#include "kernels/spirv/modules.h"
#include "vulkan/spirv_module.h"

namespace clothc_test {

using namespace clothc::vulkan;

const std::vector<NamedModule>& all_modules() {
#define NAMED_MODULE(name) \
  { #name, name##_words, std::size(name##_words) }
  static const std::vector<NamedModule> all = {
#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes) NAMED_MODULE(name),
#include "kernels/kernels.def"
#undef CLOTHC_KERNEL
#define CLOTHC_TABLE_KERNEL(name) NAMED_MODULE(name),
#include "backend_gpu/table_kernels.def"
#undef CLOTHC_TABLE_KERNEL
      NAMED_MODULE(program_plain), NAMED_MODULE(program_extended), NAMED_MODULE(copy)};
#undef NAMED_MODULE
  return all;
}

std::string planted_in(const std::string& shader, const char* fault) {
  for (const NamedModule& module : all_modules()) {
    if (shader != module.name) continue;
    const uint64_t fingerprint = clothc::faults::SpirvModule(module.words, module.word_count).fingerprint();
    char rule[80];
    std::snprintf(rule, sizeof(rule), "vkCreateShaderModule:@%016llx=%s", static_cast<unsigned long long>(fingerprint),
                  fault);
    return rule;
  }
  throw std::invalid_argument("there is no shader named " + shader);
}

}  // namespace clothc_test
