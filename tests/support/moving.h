// moving.h - a scene captured in mid-motion. One cloth has a moving and turning frame, wind, moving separation
// constraints, pending flags and statistics; one cloth is asleep; and one was asleep and has just been woken.
#pragma once

#include <cmath>

#include "support/scene.h"

namespace clothc_test {

struct Moving : Scene {
  clothc_cloth_id asleep = 0, woken = 0;

  explicit Moving(const SceneOptions& options) : Scene(options) {
    asleep = add();
    woken = add();
    change_parameters(cloth, [](auto& p) {
      p.drag_coefficient = 0.5f, p.lift_coefficient = 0.25f, p.wind_velocity[2] = 3;
      p.linear_drag[0] = 0.125f, p.angular_drag[1] = 0.25f, p.linear_inertia[1] = 0.5f,
      p.centrifugal_inertia[2] = 0.75f;
      p.sleep_threshold = 0.5f, p.sleep_test_interval = 7, p.sleep_policy = CLOTHC_SLEEP_REPORT;
      p.statistics = CLOTHC_STATISTIC_KINETIC_ENERGY | CLOTHC_STATISTIC_STRETCH;
    });
    for (const clothc_cloth_id id : {asleep, woken}) {
      change_parameters(id, [](auto& p) {
        p.gravity[1] = 0, p.sleep_threshold = 0.1f, p.sleep_test_interval = 10, p.sleep_after_count = 3;
      });
    }
    for (int frame = 0; frame < 10; ++frame) drive(frame);
    EXPECT_EQ(status(asleep).flags, uint32_t{CLOTHC_STATUS_ASLEEP});
    EXPECT_EQ(status(woken).flags, uint32_t{CLOTHC_STATUS_ASLEEP});
    change_parameters(woken, [](auto& p) { p.gravity[0] = 1; });
    prepare(10);
    clothc_cloth_frame flagged = target(10);
    flagged.flags = CLOTHC_FRAME_IGNORE_DISCONTINUITY | CLOTHC_FRAME_CLEAR_INTERPOLATION;
    EXPECT_OK(clothc_cloth_set_frame(solver, cloth, &flagged));
  }

  static clothc_cloth_frame target(int frame) {
    const float time = static_cast<float>(frame) / 60;
    clothc_cloth_frame value = initialised<clothc_cloth_frame>();
    value.translation[0] = time * time;
    value.translation[2] = 0.25f * time;
    value.rotation[1] = std::sin(time);
    value.rotation[3] = std::cos(time);
    return value;
  }
  // Sets what moves for the next update.
  void prepare(int frame) {
    const clothc_cloth_frame value = target(frame);
    EXPECT_OK(clothc_cloth_set_frame(solver, cloth, &value));
    std::vector<float> spheres;
    for (int k = 0; k < 30; ++k) {
      spheres.insert(spheres.end(), {0.25f * static_cast<float>(k % 6), 0.5f + static_cast<float>(frame) / 64,
                                     0.25f * static_cast<float>(k / 6), k % 3 == 0 ? 0.0f : 0.3f});
    }
    set(CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, cloth, spheres);
  }
  void drive(int frame) {
    prepare(frame);
    step();
  }
};

// Returns the devices and schedules on which all results must be the same: those of every available backend.
inline std::vector<SceneOptions> everywhere() {
  std::vector<SceneOptions> all;
  for (const clothc_backend backend : available_backends()) {
    for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
      all.emplace_back(backend);
      all.back().solver.schedule = schedule;
      all.back().device.worker_count = 1 + 2 * schedule;
    }
  }
  for (clothc_isa isa = CLOTHC_ISA_SCALAR; isa <= CLOTHC_ISA_NEON; ++isa) {
    clothc_device_desc desc = SceneOptions(CLOTHC_BACKEND_CPU).device;
    desc.isa = isa;
    clothc_device device = nullptr;
    if (clothc_device_create(&desc, &device) != CLOTHC_SUCCESS) continue;
    clothc_device_destroy(device);
    all.emplace_back(CLOTHC_BACKEND_CPU);
    all.back().device.isa = isa;
  }
  return all;
}

inline std::string name_of(const SceneOptions& options) {
  return "backend " + std::to_string(options.device.backend) + ", isa " + std::to_string(options.device.isa) +
         ", schedule " + std::to_string(options.solver.schedule);
}

}  // namespace clothc_test
