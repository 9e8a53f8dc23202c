// groups.cpp - see groups.h.
#include "core/solver/groups.h"

namespace clothc {

Groups::Groups(DeviceStore& store, Cloths& cloths, Uploads& uploads)
    : store_(store), cloths_(cloths), uploads_(uploads) {}

Cloth& Groups::get(clothc_group_id id) const {
  Cloth& group = cloths_.get(id);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, group.is_group(),
                    "id 0x%x names a cloth with a fabric; want a group, made by clothc_group_add", id);
  return group;
}

void Groups::set_springs(Cloth& group, std::shared_ptr<const Fabric> springs) {
  if (group.layout().content_hash == springs->layout()->content_hash) return;
  std::shared_ptr<const ClothTopology> topology;
  store_.queue().transaction([&] { topology = store_.fabrics().get(*springs); });
  // Nothing can fail from here on. Jobs name ranges of constraints, which depend on nothing but the indices.
  if (springs->data().indices != group.springs->data().indices) group.mark_jobs_changed();
  group.topology = std::move(topology);
  group.springs = std::move(springs);
  group.mark_records_changed();
  group.wake();
}

void Groups::set_active(Cloth& group, std::vector<uint32_t> particles) {
  if (particles == group.active_particles) return;
  if (group.active_flags == 0) {
    group.active_flags = store_.allocate_words(group.particle_stride);
    group.mark_settings_changed();
  }
  std::vector<uint32_t> flags(group.padded_count(), 0);
  for (const uint32_t particle : particles) flags[particle] = 1;
  store_.queue().transaction([&] {
    uploads_.upload_settings(group);
    store_.write_words(group.active_flags, flags);
    store_.run({{static_cast<uint32_t>(Kernel::write_active), group.slot, 0, group.padded_count(), 0}});
  });
  group.active_particles = std::move(particles);
  group.wake();
}

}  // namespace clothc
