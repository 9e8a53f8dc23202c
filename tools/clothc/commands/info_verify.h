// info_verify.h - `clothc info --verify`: verifies devices and prints what was found, kernel by kernel.
#pragma once

#include <clothc.hpp>
#include <string>
#include <vector>

namespace clothc_tool {

struct VerifyOptions {
  // auto = all backends.
  std::string backend = "auto";
  // Index or UUID; empty = all devices.
  std::string device;
};

// infos: the devices of this machine. Returns an ExitCode: whether all bits of all devices are right.
int run_info_verify(const std::vector<clothc_device_info>& infos, const VerifyOptions& options, bool json);

}  // namespace clothc_tool
