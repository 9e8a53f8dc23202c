// scene.h - the built-in scene of a verification: a few hundred particles whose updates, sets and gets run every kernel
// that a device's schedules may hold. It is the same whatever device it is made on, and so must be its results.
#pragma once

#include <memory>

#include "core/objects/device.h"
#include "core/verify/scene_shapes.h"

namespace clothc {

class VerificationScene {
 public:
  static constexpr uint32_t update_count = 8;

  VerificationScene(const std::shared_ptr<Device>& device, clothc_schedule schedule);
  ~VerificationScene();
  VerificationScene(const VerificationScene&) = delete;
  VerificationScene& operator=(const VerificationScene&) = delete;

  // Makes the changes that come before an update, runs it, and gets all channels. The updates must be run in order.
  // Returns a hash of the state behind it and of everything that was got.
  uint64_t run(uint32_t update);

 private:
  void add_cloths();
  clothc_cloth_id add(const std::shared_ptr<Fabric>& fabric, const clothc_cloth_parameters& parameters,
                      const std::vector<clothc_collider_set_id>& sets);
  void add_group();
  // Binds channels of the first cloth, so that they are written by vertex.
  void bind_channels();
  void limit_phases(clothc_cloth_id cloth);
  void change(uint32_t update);
  void move_frame(clothc_cloth_id cloth, uint32_t update);
  void change_group(uint32_t update);
  // Sets a channel of all cloths to values that depend on the update, some of which must be rejected.
  void set(clothc_channel channel, uint32_t update);
  // Gets all channels and returns a hash of their values.
  uint64_t get_all();

  std::shared_ptr<Device> device_;
  std::shared_ptr<Solver> solver_;
  SceneShapes shapes_;
  // Hold the values of sets and gets: one float4, and one word, per particle of the solver.
  std::shared_ptr<Buffer> floats_;
  std::shared_ptr<Buffer> words_;
  std::shared_ptr<Buffer> records_;
  // What channels are bound to, and its handle, without which an update does not find it.
  std::shared_ptr<Buffer> bound_;
  uintptr_t bound_handle_ = 0;

  clothc_cloth_id sheet_ = 0;
  clothc_cloth_id ribbon_ = 0;
  clothc_cloth_id sleeper_ = 0;
  clothc_group_id group_ = 0;
};

}  // namespace clothc
