// lost_device.h - what every call says of a device that is lost.
#pragma once

#include "support/scene.h"

namespace clothc_test {

// Makes each call twice, so that a device which forgets its loss is found.
inline void expect_lost(const Scene& scene, clothc_buffer pending) {
  clothc_update update = initialised<clothc_update>();
  clothc_update still = initialised<clothc_update>();
  still.dt = 0;
  for (int k = 0; k < 2; ++k) {
    uint64_t value = 0;
    std::vector<uint8_t> bytes(1 << 20);
    uint64_t size = bytes.size();
    void* memory = nullptr;
    clothc_cloth_status status = initialised<clothc_cloth_status>();
    const clothc_debug_desc drawing = initialised<clothc_debug_desc>();
    uint32_t count = 0;
    EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER), "lost",
                 "another");
    EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_solver_wait(scene.solver, UINT64_MAX, 0), "lost");
    EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_solver_poll(scene.solver, UINT64_MAX, &value), "lost");
    EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_solver_update(scene.solver, &update, nullptr), "lost");
    EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_solver_update(scene.solver, &still, nullptr), "lost");
    EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_solver_state_hash(scene.solver, &value), "lost");
    EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_solver_snapshot(scene.solver, bytes.data(), &size), "lost");
    EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_cloth_get_status(scene.solver, scene.cloth, &status), "lost");
    EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_solver_get_debug_lines(scene.solver, &drawing, nullptr, &count),
                 "lost");
    EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_buffer_map(pending, CLOTHC_MAP_READ, &memory), "lost");
    EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_buffer_read(pending, 0, 4, &value), "lost");
    EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST,
                 clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, pending, nullptr, nullptr, 0, 0), "lost");
    EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST,
                 clothc_solver_set(scene.solver, CLOTHC_CHANNEL_POSITION, pending, nullptr, nullptr, 0, 0), "lost");
  }
}

}  // namespace clothc_test
