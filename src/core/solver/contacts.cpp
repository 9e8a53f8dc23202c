// contacts.cpp - reports the contacts of the last update in sorted order: one schedule counts the contacts of each
// particle, an exclusive prefix sum of the counts gives the position of each particle's contacts in the list, and
// another schedule writes them there.
#include <algorithm>

#include "core/schedule/schedule.h"
#include "core/solver/solver.h"

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

uint32_t Solver::ensure_contact_records() {
  ContactReport& report = contents_->contacts;
  if (report.records == 0) report.records = contents_->tables.allocate(*stream_, record_words(desc_.contact_capacity));
  return report.records;
}

void Solver::rebuild_contacts() {
  ContactReport& report = contents_->contacts;
  uint32_t total = 0;
  for (Cloth* cloth : contents_->order) {
    if (!cloth->reports_contacts()) continue;
    if (cloth->report == 0) cloth->report = contents_->tables.allocate(*stream_, cloth->report_words());
    total += cloth->padded_count;
  }
  if (total > 0) ensure_contact_records();
  if (total >= report.count_capacity && total > 0) {
    MemoryPointer sums = backend().allocate(uint64_t{total + 1} * 4, MemoryVisibility::device_only);
    const uint32_t counts = contents_->tables.allocate(*stream_, total + 1);
    if (report.counts != 0) contents_->tables.release(report.counts, report.count_capacity);
    report.counts = counts;
    report.count_capacity = total + 1;
    report.sums = std::move(sums);
  }
  std::vector<Job> counting;
  std::vector<Job> writing;
  uint32_t first = report.counts;
  const auto append = [&](std::vector<Job>& jobs, Kernel kernel, uint32_t argument) {
    for (const Cloth* cloth : contents_->order) {
      if (!cloth->reports_contacts()) continue;
      jobs.push_back(whole_job(*cloth, kernel));
      jobs.back().argument = argument;
    }
  };
  append(counting, Kernel::report_contacts, 0);
  append(counting, Kernel::order_contacts, 0);
  append(writing, Kernel::scatter_contacts, 0);
  append(writing, Kernel::report_contacts, report_writes);
  report.counting = total > 0 ? schedule_of(counting) : nullptr;
  report.writing = total > 0 ? schedule_of(writing) : nullptr;
  report.count_total = total;
  for (Cloth* cloth : contents_->order) {
    if (!cloth->reports_contacts()) continue;
    cloth->contact_counts = first;
    cloth->touch_settings();
    first += cloth->padded_count;
  }
}

void Solver::queue_contacts() {
  const ContactReport& report = contents_->contacts;
  if (report.records == 0) return;
  const MemoryPointer& tables = contents_->tables.memory();
  if (report.counting != nullptr) {
    stream_->run({arenas(), frame(0), report.counting, 0, 0});
    const uint64_t words = uint64_t{report.count_total} + 1;
    stream_->copy(words_of(tables, report.counts, report.sums, 0, words));
    stream_->exclusive_scan(report.sums, words);
    stream_->copy(words_of(report.sums, 0, tables, report.counts, words));
  }
  stream_->fill(tables, uint64_t{report.records} * 4, uint64_t{record_words(desc_.contact_capacity)} * 4, zeros);
  if (report.writing == nullptr) return;
  stream_->run({arenas(), frame(0), report.writing, 0, 0});
  const uint64_t number = uint64_t{report.records} + uint64_t{desc_.contact_capacity} * contact_words;
  stream_->copy(words_of(report.sums, report.count_total, tables, number, 1));
}

void Solver::get_contacts(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region) {
  const bool wants_number = transfer.channel->channel == CLOTHC_CHANNEL_CONTACT_COUNT;
  const uint64_t element = wants_number ? desc_.contact_capacity : region.source_offset;
  Copy copy;
  copy.source = contents_->tables.memory();
  copy.source_offset = (uint64_t{contents_->contacts.records} + element * contact_words) * 4;
  copy.source_stride = contact_words * 4;
  copy.target = memory;
  copy.target_offset = transfer.byte_offset + uint64_t{region.target_offset} * transfer.stride;
  copy.target_stride = transfer.stride;
  copy.element_size = transfer.element_size;
  copy.count = region.count;
  stream_->copy(copy);
}

}  // namespace clothc
