// contact_report.cpp - reports the contacts of the last update in sorted order: a schedule counts the contacts of each
// particle, turns the counts into prefix sums, which give the position of each particle's contacts in the list, and
// writes them there.
#include "core/solver/contact_report.h"

#include <algorithm>

#include "core/collision/kinds.h"
#include "core/schedule/schedule.h"

namespace clothc {
namespace {

static_assert(sizeof(clothc_contact) == contact_words * 4 && offsetof(clothc_contact, impulse) == contact_impulse * 4 &&
                  contact_convex == CLOTHC_SHAPE_CONVEX && contact_box == CLOTHC_SHAPE_BOX &&
                  contact_triangle == CLOTHC_SHAPE_TRIANGLE && contact_mesh == CLOTHC_SHAPE_MESH &&
                  contact_sdf == CLOTHC_SHAPE_SDF && contact_capsule == CLOTHC_SHAPE_CAPSULE &&
                  contact_sphere == CLOTHC_SHAPE_SPHERE && contact_ellipsoid == CLOTHC_SHAPE_ELLIPSOID,
              "contacts as the kernels write them are the public ones");

// Number of words of the contacts, and of one more record that holds their number. They are contiguous, so that one
// fill clears both.
uint32_t record_words(uint32_t capacity) { return (capacity + 1) * contact_words; }

// Whether a kernel of collision_kinds has anything to do for a cloth that collides with these shapes.
bool reports(Kernel kernel, const Cloth& cloth, const ShapeCounts& shapes) {
  const auto kinds = collision_kinds(shapes, cloth.collides_continuously());
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const CollisionKind& kind) { return kind.kernel == kernel && kind.loop_count > 0; });
}

}  // namespace

ContactReport::ContactReport(DeviceStore& store, const Cloths& cloths, const Colliders& colliders, uint32_t capacity)
    : store_(store), cloths_(cloths), colliders_(colliders), capacity_(capacity) {}

void ContactReport::ensure_records() {
  if (records_ != 0) return;
  const uint32_t records = store_.allocate_words(record_words(capacity_));
  clear_records(records);
  // The records stay even if the call that needs them fails later.
  store_.queue().commands().keep();
  records_ = records;
}

void ContactReport::clear_records(uint32_t records) {
  store_.queue().commands().add(
      Fill{store_.table_memory(), uint64_t{records} * 4, uint64_t{record_words(capacity_)} * 4, {}});
}

void ContactReport::ensure_counts(uint32_t total) {
  if (total == 0 || total < count_capacity_) return;
  const auto words_for = [](uint32_t count) { return count + scan_scratch_words(count); };
  const uint32_t counts = store_.allocate_words(words_for(total + 1));
  store_.release_words(counts_, words_for(count_capacity_));
  counts_ = counts;
  count_capacity_ = total + 1;
}

void ContactReport::rebuild() {
  std::vector<Cloth*> reporting;
  uint32_t total = 0;
  for (Cloth* cloth : cloths_.in_order()) {
    if (!cloth->reports_contacts()) continue;
    if (cloth->report == 0) cloth->report = store_.allocate_words(cloth->report_size());
    reporting.push_back(cloth);
    total += cloth->padded_count();
  }
  if (total > 0) ensure_records();
  ensure_counts(total);
  schedule_ = total > 0 ? make_schedule(reporting, total) : nullptr;
  uint32_t first = counts_;
  for (Cloth* cloth : reporting) {
    cloth->contact_counts = first;
    cloth->mark_settings_changed();
    first += cloth->padded_count();
  }
}

// total: number of particles of these cloths, padding included.
std::shared_ptr<const Schedule> ContactReport::make_schedule(const std::vector<Cloth*>& reporting,
                                                             uint32_t total) const {
  Sequence sequence;
  const auto run = [&](Kernel kernel, uint32_t argument, const auto& has_work) {
    std::vector<Job> jobs;
    for (const Cloth* cloth : reporting) {
      if (has_work(*cloth)) jobs.push_back(particle_job(*cloth, kernel, argument));
    }
    sequence.run(jobs, true);
  };
  const auto run_for_all = [&](Kernel kernel, uint32_t argument) {
    run(kernel, argument, [](const Cloth&) { return true; });
  };
  const auto collide = [&] {
    for (const Kernel kernel : {Kernel::collide_convexes, Kernel::collide_triangles, Kernel::collide_sdfs,
                                Kernel::collide_curved, Kernel::collide_curved_continuously})
      run(kernel, collision_reports,
          [&](const Cloth& cloth) { return reports(kernel, cloth, colliders_.shapes_of(cloth.collider_sets)); });
  };
  const uint32_t number = records_ + capacity_ * contact_words;
  run_for_all(Kernel::rewind_for_report, report_saves | report_counts);
  collide();
  run_for_all(Kernel::order_contacts, 0);
  sequence.scan(counts_, counts_ + count_capacity_, total + 1, access_reports);
  sequence.copy(counts_ + total, number, 1, access_reports);
  run_for_all(Kernel::scatter_contacts, 0);
  run_for_all(Kernel::rewind_for_report, 0);
  collide();
  run_for_all(Kernel::finish_contacts, 0);
  run_for_all(Kernel::rewind_for_report, report_ends);
  return sequence.finish(Stage::contacts);
}

DeviceRange ContactReport::number() const {
  return {store_.table_memory(), (uint64_t{records_} + uint64_t{capacity_} * contact_words) * 4, 4};
}

void ContactReport::queue(std::shared_ptr<DispatchTimes> times) {
  if (records_ == 0) return;
  clear_records(records_);
  if (schedule_ != nullptr) store_.run(schedule_, 0, 0, 0, std::move(times));
}

void ContactReport::get(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region) {
  const bool wants_number = transfer.channel->channel == CLOTHC_CHANNEL_CONTACT_COUNT;
  const uint64_t element = wants_number ? capacity_ : region.source_offset;
  Copy copy;
  copy.source = store_.table_memory();
  copy.source_offset = (uint64_t{records_} + element * contact_words) * 4;
  copy.source_stride = contact_words * 4;
  copy.target = memory;
  copy.target_offset = transfer.byte_offset + uint64_t{region.target_offset} * transfer.stride;
  copy.target_stride = transfer.stride;
  copy.element_size = transfer.element_size;
  copy.count = region.count;
  store_.queue().commands().add(copy);
}

}  // namespace clothc
