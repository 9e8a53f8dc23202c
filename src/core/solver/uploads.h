// uploads.h - uploads of everything that the host owns and that has changed since the last upload.
#pragma once

#include <vector>

#include "core/solver/cloth_collision.h"
#include "core/solver/cloths.h"
#include "core/solver/colliders.h"
#include "core/solver/contact_report.h"
#include "core/solver/device_store.h"

namespace clothc {

class Uploads {
 public:
  Uploads(DeviceStore& store, Cloths& cloths, Colliders& colliders, ClothCollision& cloth_collision,
          const ContactReport& contacts);

  // Uploads everything that has changed.
  void upload_all();
  // Uploads the settings, constraint records and collider sets of a cloth if they have changed. Must be called before a
  // kernel reads them outside of an update.
  void upload_settings(Cloth& cloth);
  void clear_caches(const GroupSettings& settings);

 private:
  void upload_frame(Cloth& cloth);
  void upload_collision_particles(Cloth& cloth);

  DeviceStore& store_;
  Cloths& cloths_;
  Colliders& colliders_;
  ClothCollision& cloth_collision_;
  const ContactReport& contacts_;
  // Scratch memory for packing data to upload.
  std::vector<uint32_t> words_;
  // Number of uploads of constraint records.
  uint32_t records_versions_ = 0;
};

}  // namespace clothc
