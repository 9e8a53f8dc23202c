// timers.cpp - collects the times of updates.
#include "core/solver/timers.h"

#include <algorithm>

namespace clothc {
namespace {

// More than updates can be in flight.
constexpr uint64_t slot_count = 32;

static_assert(static_cast<uint32_t>(Stage::count) == CLOTHC_STAGE_COUNT, "the stages are the public ones");
#define CLOTHC_STAGE(name, constant) \
  static_assert(static_cast<uint32_t>(Stage::name) == CLOTHC_STAGE_##constant, "the same number");
#include "kernels/stages.def"
#undef CLOTHC_STAGE

}  // namespace

std::shared_ptr<UpdateTimes> Timers::make() {
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, (queue_.backend().info().capabilities & CLOTHC_CAPABILITY_TIMERS) != 0,
                    "update.flags has TIMERS, but \"%s\" measures no times; look for CLOTHC_CAPABILITY_TIMERS",
                    queue_.backend().info().name);
  if (contacts_ == nullptr) contacts_ = queue_.backend().allocate(slot_count * 4, MemoryVisibility::host);
  expected_.reserve(expected_.size() + 1);
  return std::make_shared<UpdateTimes>();
}

void Timers::count_contacts(const DeviceRange& number) {
  Copy copy;
  copy.source = number.memory;
  copy.source_offset = number.offset;
  copy.target = contacts_;
  copy.target_offset = next_slot_ * 4;
  copy.element_size = number.size;
  queue_.commands().add(std::move(copy));
}

void Timers::expect(std::shared_ptr<UpdateTimes> times, const Counts& counts, bool has_contacts) {
  // Those before the last one that has arrived are of no use any more.
  const auto arrived =
      std::find_if(expected_.rbegin(), expected_.rend(), [](const Expected& e) { return e.times->is_complete.load(); });
  if (arrived != expected_.rend()) expected_.erase(expected_.begin(), arrived.base() - 1);
  expected_.push_back({std::move(times), counts, has_contacts, next_slot_ * 4});
  next_slot_ = (next_slot_ + 1) % slot_count;
}

clothc_timers Timers::latest() {
  for (size_t k = expected_.size(); k-- > 0;) {
    if (expected_[k].times->is_complete.load(std::memory_order_acquire)) return read(expected_[k]);
  }
  return {};
}

clothc_timers Timers::read(const Expected& expected) const {
  const UpdateTimes& times = *expected.times;
  const auto between = [&](UpdateTimes::Point from, UpdateTimes::Point to) {
    return times.points[to] > times.points[from] ? times.points[to] - times.points[from] : 0;
  };
  clothc_timers timers{};
  timers.update = expected.counts.update;
  timers.particle_count = expected.counts.particles;
  timers.constraint_count = expected.counts.constraints;
  timers.iteration_count = expected.counts.iterations;
  if (expected.has_contacts) contacts_->read(expected.contacts_at, &timers.contact_count, 4);
  timers.total_ns = between(UpdateTimes::begin, UpdateTimes::end);
  timers.part_ns[CLOTHC_PART_UPLOAD] = between(UpdateTimes::begin, UpdateTimes::uploaded);
  timers.part_ns[CLOTHC_PART_PROGRAMS] = times.solving.parts[DispatchTimes::programs];
  timers.part_ns[CLOTHC_PART_BEFORE] = times.solving.parts[DispatchTimes::before];
  timers.part_ns[CLOTHC_PART_ITERATIONS] = times.solving.parts[DispatchTimes::repeated];
  timers.part_ns[CLOTHC_PART_AFTER] = times.solving.parts[DispatchTimes::after];
  timers.part_ns[CLOTHC_PART_CLOTH_COLLISION] =
      between(UpdateTimes::uploaded, UpdateTimes::sorted) + between(UpdateTimes::solved, UpdateTimes::collided);
  timers.part_ns[CLOTHC_PART_CONTACTS] = between(UpdateTimes::collided, UpdateTimes::reported);
  timers.part_ns[CLOTHC_PART_CHANNELS] = between(UpdateTimes::reported, UpdateTimes::end);
  for (const DispatchTimes* dispatch : {&times.sorting, &times.solving, &times.colliding, &times.reporting}) {
    for (size_t k = 0; k < stage_count; ++k) timers.stage_ns[k] += dispatch->stages[k];
  }
  return timers;
}

}  // namespace clothc
