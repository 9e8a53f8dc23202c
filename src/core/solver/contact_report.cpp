// contact_report.cpp - reports the contacts of the last update in sorted order: one schedule counts the contacts of each
// particle, an exclusive prefix sum of the counts gives the position of each particle's contacts in the list, and
// another schedule writes them there.
#include "core/solver/contact_report.h"

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

Copy words_of(const MemoryPointer& source, uint64_t from, const MemoryPointer& target, uint64_t to, uint64_t count) {
  Copy copy;
  copy.source = source;
  copy.target = target;
  copy.source_offset = from * 4;
  copy.target_offset = to * 4;
  copy.element_size = count * 4;
  return copy;
}

}  // namespace

ContactReport::ContactReport(DeviceStore& store, const Cloths& cloths, uint32_t capacity)
    : store_(store), cloths_(cloths), capacity_(capacity) {}

void ContactReport::ensure_records() {
  if (records_ == 0) records_ = store_.allocate_words(record_words(capacity_));
}

void ContactReport::ensure_counts(uint32_t total) {
  if (total == 0 || total < count_capacity_) return;
  MemoryPointer sums = store_.queue().backend().allocate(uint64_t{total + 1} * 4, MemoryVisibility::device_only);
  const uint32_t counts = store_.allocate_words(total + 1);
  store_.release_words(counts_, count_capacity_);
  counts_ = counts;
  count_capacity_ = total + 1;
  sums_ = std::move(sums);
}

void ContactReport::rebuild() {
  std::vector<Cloth*> reporting;
  uint32_t total = 0;
  for (Cloth* cloth : cloths_.in_order()) {
    if (!cloth->reports_contacts()) continue;
    if (cloth->report == 0) cloth->report = store_.allocate_words(cloth->report_words());
    reporting.push_back(cloth);
    total += cloth->padded_count;
  }
  if (total > 0) ensure_records();
  ensure_counts(total);
  std::vector<Job> counting;
  std::vector<Job> writing;
  const auto append = [&](std::vector<Job>& jobs, Kernel kernel, uint32_t argument) {
    for (const Cloth* cloth : reporting) jobs.push_back(particle_job(*cloth, kernel, argument));
  };
  append(counting, Kernel::report_contacts, 0);
  append(counting, Kernel::order_contacts, 0);
  append(writing, Kernel::scatter_contacts, 0);
  append(writing, Kernel::report_contacts, report_writes);
  counting_ = total > 0 ? schedule_of(counting) : nullptr;
  writing_ = total > 0 ? schedule_of(writing) : nullptr;
  count_total_ = total;
  uint32_t first = counts_;
  for (Cloth* cloth : reporting) {
    cloth->contact_counts = first;
    cloth->mark_settings_changed();
    first += cloth->padded_count;
  }
}

void ContactReport::queue() {
  if (records_ == 0) return;
  CommandList& commands = store_.queue().commands();
  const MemoryPointer& tables = store_.table_memory();
  if (counting_ != nullptr) {
    store_.run(counting_);
    const uint64_t words = uint64_t{count_total_} + 1;
    commands.add(words_of(tables, counts_, sums_, 0, words));
    commands.add(Scan{sums_, words});
    commands.add(words_of(sums_, 0, tables, counts_, words));
  }
  commands.add(Fill{tables, uint64_t{records_} * 4, uint64_t{record_words(capacity_)} * 4, {}});
  if (writing_ == nullptr) return;
  store_.run(writing_);
  const uint64_t number = uint64_t{records_} + uint64_t{capacity_} * contact_words;
  commands.add(words_of(sums_, count_total_, tables, number, 1));
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
