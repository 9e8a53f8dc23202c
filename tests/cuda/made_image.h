// made_image.h - images that begin like native code and hold none, which the software device takes for code of the text
// that a test puts into the same folder.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace clothc::cuda_device {

// Returns the header of an ELF file of 64 bits for an architecture, in the form that CUDA 13 gives it, and the payload.
// machine: 190 is a GPU of NVIDIA.
inline std::string made_image(int architecture, const std::string& payload, int machine = 190) {
  std::string image("\x7f\x45LF\x02\x01\x01\x41\x08", 9);
  image.resize(64);
  image[18] = static_cast<char>(machine);
  image[49] = static_cast<char>(architecture);
  return image + payload;
}

inline void write_file(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

}  // namespace clothc::cuda_device
