// colliders.h - the collider sets and collider assets of a solver, which cloths use each set, and their uploads.
#pragma once

#include <memory>
#include <vector>

#include "core/base/slots.h"
#include "core/base/changed_list.h"
#include "core/cloth/cloth.h"
#include "core/collision/collider_set.h"
#include "core/solver/collider_set_users.h"
#include "core/solver/device_store.h"

namespace clothc {

constexpr uint32_t most_collider_assets = 1u << 20;

class Colliders {
 public:
  Colliders(DeviceStore& store, uint32_t set_capacity);

  // Sets.

  // Throws Failure if there is no such set.
  ColliderSet& set(clothc_collider_set_id id) const;
  const Slots<ColliderSet>& sets() const { return sets_; }
  clothc_collider_set_id create_set();
  // Takes the set away from the cloths that use it, and destroys it.
  void destroy_set(ColliderSet& set);
  // shapes: checked.
  void write_set(ColliderSet& set, const clothc_collider_shapes& shapes);

  // Assets.

  // Desc is clothc_collider_mesh_desc or clothc_sdf_desc. desc: checked.
  template <class Desc>
  clothc_collider_asset_id create_asset(const Desc& desc) {
    auto asset = std::make_unique<ColliderAsset>();
    fill_asset(*asset, desc);
    return add_asset(std::move(asset));
  }
  void destroy_asset(clothc_collider_asset_id id);
  const Slots<ColliderAsset>& assets() const { return assets_; }

  // Cloths that use sets.

  // Returns the numbers of shapes in all sets together. changed: null, or a set that replaces the set with the same id.
  ShapeCounts shapes_of(const std::vector<clothc_collider_set_id>& sets, const ColliderSet* changed = nullptr) const;
  // Allocates memory so that the next add_user with these sets cannot fail.
  void reserve_user(const std::vector<clothc_collider_set_id>& sets);
  // These record that a cloth uses its collider sets, and that it no longer does.
  void add_user(Cloth& cloth);
  void remove_user(Cloth& cloth);
  // Makes sure that the cloth's shape range is large enough for these numbers of shapes. Only this call can fail, not
  // the use of the range afterwards.
  void ensure_shapes(Cloth& cloth, const ShapeCounts& counts);

  // Updates.

  // Uploads all sets and assets that have changed. Defined in collider_uploads.cpp.
  void upload_changes();
  // The sets that the next update must visit.
  const ChangedList<ColliderSet>& changed_sets() const { return changed_sets_; }
  // Makes the targets of all shapes their starts after an update.
  void consume_targets();
  // Marks every copy on the device as out of date.
  void forget_device_copies();

  // Snapshots.

  // Makes one slot per generation, before any object is put in.
  void set_generations(const std::vector<uint32_t>& sets, const std::vector<uint32_t>& assets);
  // These allocate the memory that an object needs on the device, and put the object into its slot, which is empty.
  void put_set(std::unique_ptr<ColliderSet> set);
  void put_asset(std::unique_ptr<ColliderAsset> asset);

 private:
  clothc_collider_asset_id add_asset(std::unique_ptr<ColliderAsset> asset);
  std::vector<const ColliderAsset*> assets_of(const clothc_collider_shapes& shapes) const;
  void ensure_triangle_bvh(TriangleBvh& bvh);
  void release_triangle_bvh(const TriangleBvh& bvh);
  // Marks the device's copy of a set as out of date.
  void mark_changed(ColliderSet& set);

  void upload_set(ColliderSet& set);
  void upload_asset(ColliderAsset& asset);
  void upload_triangle_bvh(ColliderSet& set);
  void upload_vertices(const TriangleBvh& bvh, uint32_t which, const std::vector<float>& vertices);
  void sort_triangles(const TriangleBvh& bvh);
  void build_bvh(TriangleBvh& bvh, const std::vector<uint32_t>& triangles);

  DeviceStore& store_;
  Slots<ColliderSet> sets_;
  Slots<ColliderAsset> assets_;
  ColliderSetUsers users_;
  // The sets that the next update must visit, and the assets that it must upload.
  ChangedList<ColliderSet> changed_sets_;
  ChangedList<ColliderAsset> changed_assets_;
  // Number of headers of BVHs that were sent so far.
  uint32_t bvh_versions_ = 0;
  // Scratch memory for packing data to upload.
  std::vector<uint32_t> words_;
};

}  // namespace clothc
