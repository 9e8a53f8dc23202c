// planted_text.h - changes the text of a kernel into what a wrong compiler would have made of its source.
//   contract     products that are used once, by a sum in the same straight piece of code, are not rounded: a * b + c
//                is rounded once
//   divide_up    quotients are one unit in the last place too great in magnitude
//   no_barriers  threads of a block do not wait for each other
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace clothc::cuda_device {

enum class TextFault : uint8_t { contract, divide_up, no_barriers };

struct PlantedFault {
  TextFault fault;
  // The name of the kernel's .entry.
  std::string kernel;
};

// Plants those of the faults whose kernel the text has. As in texts of the compiler, an instruction, a label and a brace
// have each a line of their own.
std::string with_faults(const std::string& text, const std::vector<PlantedFault>& faults);

}  // namespace clothc::cuda_device
