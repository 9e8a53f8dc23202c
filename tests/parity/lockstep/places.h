// places.h - the devices of a backend, made once for all seeds, and the places in which a seed's script runs.
#pragma once

#include <memory>

#include "parity/golden/task_thread.h"
#include "parity/lockstep/world.h"

namespace lockstep {

class Places {
 public:
  // backend: cpu, vulkan or cuda.
  explicit Places(const std::string& backend);
  ~Places();
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  // Why there are no places to compare; "" if there are.
  const std::string& absence() const { return absence_; }

  // The first one is the plainest: one thread with scalar code.
  std::vector<Place> of_seed(uint64_t seed) const;

 private:
  void add(const std::string& name, clothc_device_desc desc, std::vector<clothc_schedule> schedules);
  void add_processor();
  void add_gpu(const clothc_device_info& info);

  std::vector<clothc_device> devices_;
  // Of each list a seed takes one place.
  std::vector<std::vector<Place>> choices_;
  std::unique_ptr<golden::TaskThread> task_thread_;
  std::string absence_;
};

}  // namespace lockstep
