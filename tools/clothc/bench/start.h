// start.h - measures how long a program waits for cloth that it uses for the first time: from the creation of a device to
// the end of the first update, and the frames after it. On GPUs, drivers compile shaders meanwhile.
#pragma once

#include <clothc.hpp>
#include <string>
#include <vector>

#include "cli/device_options.h"
#include "scene/scene.h"

namespace clothc_tool {

struct StartOptions {
  DeviceOptions device;

  // Whether the device compiles everything before the scene is made.
  bool prepares = false;

  // File with what the driver has compiled, which is loaded if there is one, and written at the end; empty = none.
  std::string cache;

  // Number of frames after the first one, at least 1.
  uint32_t frames = 300;
};

// Something that a program does before the end of its first update.
struct StartStep {
  std::string name;
  double ms;
};

struct StartResult {
  clothc_device_info device;

  // In order.
  std::vector<StartStep> steps;

  // Of the frames after the first one, each of which is waited for.
  double median_ms = 0, worst_ms = 0;

  // The number of the slowest of these frames; that of the first one is 1.
  uint32_t worst_frame = 0;

  uint64_t hash = 0;

  // Why the cache that was loaded is of no use; empty if it is, and if none was loaded.
  std::string cache_error;

  // Milliseconds until the first update has ended.
  double ready_ms() const;
};

// Creates a device of its own. Throws clothc::Error, and InputError if a file cannot be read or written.
StartResult measure_start(const StartOptions& options, const Scene& scene);

}  // namespace clothc_tool
