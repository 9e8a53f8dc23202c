// planted_modules.h - the library's shaders by name, for tests that plant a wrong driver in one of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace clothc_test {

struct NamedModule {
  const char* name;
  const uint32_t* words;
  size_t word_count;
};

// All modules as tools/make_spirv has made them, under the names of kernels, of programs (program_plain) and of the
// kernels of table operations.
const std::vector<NamedModule>& all_modules();

// The rule of the fault layer that plants a fault, one of module_faults.h, in the shader of this name wherever a device
// creates it. There must be such a shader.
std::string planted_in(const std::string& shader, const char* fault);

}  // namespace clothc_test
