// late_tasks.h - scenes whose updates take longer than waking a thread, for tests of who does the work when no task of
// the application has begun.
#pragma once

#include "support/task_queue.h"

namespace clothc_test {

class WithLateTasks : public WithTasks {
 protected:
  SceneOptions plain(uint32_t workers = 2) const {
    SceneOptions options(GetParam());
    options.columns = options.rows = 30;
    options.device.flags = 0;
    options.device.worker_count = workers;
    options.solver.particle_capacity = 4096;
    return options;
  }
  SceneOptions options(TaskQueue& queue, uint32_t workers = 2) const {
    SceneOptions options = plain(workers);
    queue.use_in(options.device);
    return options;
  }
};

inline clothc_result poll(const Scene& scene) { return clothc_solver_poll(scene.solver, UINT64_MAX, nullptr); }

inline void queue_get(const Scene& scene, clothc_buffer buffer) {
  require(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
}

// Runs the tasks that are left, so that the scene can be destroyed. Returns their number.
inline int pump_all(TaskQueue& queue) {
  int count = 0;
  while (queue.pump()) ++count;
  return count;
}

}  // namespace clothc_test
