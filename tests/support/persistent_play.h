// persistent_play.h - a program that makes every kind of call from the creation of a device to its destruction, and
// repeats those that fail for lack of memory, for tests in which functions of drivers run out of memory.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/scene.h"

namespace clothc_test {

// Makes calls, repeats each one that fails for lack of memory, and collects the names of those that failed. Any other
// failure is a failure of the test.
class Persistent {
 public:
  // function: the one that fails, whose name messages must have. mend: lets all functions succeed again.
  Persistent(std::string function, std::function<void()> mend)
      : function_(std::move(function)), mend_(std::move(mend)) {}

  template <class Call>
  void operator()(const char* name, Call call) {
    if (broken_) return;
    const uint64_t before = timeline_value();
    clothc_result result = call();
    if (result == CLOTHC_ERROR_OUT_OF_MEMORY) {
      failed.push_back(name);
      const std::string message = clothc_last_error_message();
      EXPECT_NE(message.find(function_), std::string::npos) << name << ": " << message;
      EXPECT_TRUE(message.find("free some memory") != std::string::npos ||
                  message.find("use another device") != std::string::npos)
          << name << ": " << message;
      EXPECT_EQ(timeline_value(), before) << name;
      mend_();
      result = call();
    }
    EXPECT_EQ(result, CLOTHC_SUCCESS) << name << ": " << clothc_last_error_message();
    broken_ = result != CLOTHC_SUCCESS;
  }

  clothc_device device = nullptr;
  clothc_solver solver = nullptr;
  std::vector<std::string> failed;

 private:
  uint64_t timeline_value() const {
    if (solver == nullptr) return 0;
    clothc_solver_info info = initialised<clothc_solver_info>();
    EXPECT_OK(clothc_solver_get_info(solver, &info));
    return info.timeline_value;
  }
  std::string function_;
  std::function<void()> mend_;
  bool broken_ = false;
};

struct PlayOutcome {
  uint64_t hash = 0;
  std::vector<float> positions;
  std::vector<std::string> failed;
};

// Runs everything from the creation of the device to its destruction. The outcome holds the state hash.
inline PlayOutcome play_persistently(clothc_backend backend, clothc_schedule schedule, const std::string& function,
                                     const std::function<void()>& mend) {
  Persistent call(function, mend);
  PlayOutcome outcome;
  clothc_device_desc device_desc = initialised<clothc_device_desc>();
  device_desc.backend = backend;
  device_desc.hang_timeout_ms = longest_work / 1'000'000;
  call("device_create", [&] { return clothc_device_create(&device_desc, &call.device); });
  clothc_solver_desc solver_desc = initialised<clothc_solver_desc>();
  solver_desc.particle_capacity = 512;
  solver_desc.schedule = schedule;
  clothc_solver solver = nullptr;
  call("solver_create", [&] { return clothc_solver_create(call.device, &solver_desc, &solver); });
  call.solver = solver;
  const Sheet sheet(6, 5);
  const clothc_mesh_desc mesh = sheet.desc();
  clothc_fabric fabric = nullptr;
  call("fabric_cook", [&] { return clothc_fabric_cook(call.device, &mesh, &fabric); });
  clothc_cloth_desc cloth_desc = initialised<clothc_cloth_desc>();
  cloth_desc.fabric = fabric;
  clothc_cloth_id cloth = 0;
  call("cloth_add", [&] { return clothc_cloth_add(solver, &cloth_desc, &cloth); });
  clothc_buffer_desc buffer_desc = initialised<clothc_buffer_desc>();
  buffer_desc.count = 30;
  clothc_buffer host = nullptr, device_only = nullptr;
  call("buffer_create", [&] { return clothc_buffer_create(call.device, &buffer_desc, &host); });
  buffer_desc.kind = CLOTHC_BUFFER_DEVICE;
  call("buffer_create DEVICE", [&] { return clothc_buffer_create(call.device, &buffer_desc, &device_only); });
  const std::vector<float> values(120, 0.25f);
  call("buffer_write", [&] { return clothc_buffer_write(device_only, 0, 480, values.data()); });
  const clothc_channel channels[] = {CLOTHC_CHANNEL_VELOCITY, CLOTHC_CHANNEL_ACCELERATION};
  for (const clothc_channel channel : channels)
    call("solver_set", [&] { return clothc_solver_set(solver, channel, device_only, nullptr, nullptr, 0, 0); });
  clothc_collider_set_id set = 0;
  call("collider_set_create", [&] { return clothc_collider_set_create(solver, &set); });
  const float sphere[] = {0.5f, 0.5f, 0.5f, 0.4f};
  clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
  shapes.sphere_count = 1;
  shapes.spheres = sphere;
  call("collider_set_write", [&] { return clothc_collider_set_write(solver, set, &shapes); });
  call("set_collider_sets", [&] { return clothc_cloth_set_collider_sets(solver, cloth, &set, 1); });
  clothc_fence fence = nullptr;
  call("fence_create", [&] { return clothc_fence_create(call.device, 0, &fence); });
  clothc_update update = initialised<clothc_update>();
  for (uint64_t k = 0; k < 3; ++k) {
    if (k == 1) update.signal_fence = fence;
    update.signal_value = k;
    call("solver_update", [&] { return clothc_solver_update(solver, &update, nullptr); });
  }
  call("fence_wait", [&] { return clothc_fence_wait(fence, 2, longest_work); });
  call("solver_get", [&] { return clothc_solver_get(solver, CLOTHC_CHANNEL_POSITION, host, nullptr, nullptr, 0, 0); });
  clothc_view view = initialised<clothc_view>();
  view.format = CLOTHC_FORMAT_FLOAT3;
  call("solver_get FLOAT3",
       [&] { return clothc_solver_get(solver, CLOTHC_CHANNEL_VELOCITY, device_only, &view, nullptr, 0, 0); });
  uint64_t size = 0;
  call("snapshot size", [&] { return clothc_solver_snapshot(solver, nullptr, &size); });
  std::vector<uint8_t> bytes(size);
  call("snapshot", [&] { return clothc_solver_snapshot(solver, bytes.data(), &size); });
  update.signal_fence = nullptr;
  call("solver_update", [&] { return clothc_solver_update(solver, &update, nullptr); });
  call("restore", [&] { return clothc_solver_restore(solver, bytes.data(), bytes.size(), &fabric, 1); });
  clothc_cloth_id copy = 0;
  call("cloth_clone", [&] { return clothc_cloth_clone(solver, cloth, &copy); });
  call("solver_update", [&] { return clothc_solver_update(solver, &update, nullptr); });
  outcome.positions.resize(120);
  call("buffer_read", [&] { return clothc_buffer_read(host, 0, 480, outcome.positions.data()); });
  call("buffer_read DEVICE", [&] { return clothc_buffer_read(device_only, 0, 480, bytes.data()); });
  call("state_hash", [&] { return clothc_solver_state_hash(solver, &outcome.hash); });
  call("device_destroy", [&] { return clothc_device_destroy(call.device); });
  outcome.failed = call.failed;
  return outcome;
}

}  // namespace clothc_test
