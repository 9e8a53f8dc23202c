// contact_report.h - the contacts of the last update, in sorted order, and the data that a solver needs to find them in
// addition to the data of each cloth (report.kernel.h).
#pragma once

#include <memory>

#include "core/solver/channels.h"
#include "core/solver/cloths.h"
#include "core/solver/device_store.h"

namespace clothc {

class ContactReport {
 public:
  // capacity: the largest number of contacts that are kept.
  ContactReport(DeviceStore& store, const Cloths& cloths, const Colliders& colliders, uint32_t capacity);

  uint32_t capacity() const { return capacity_; }
  // First word, in the tables, of contact_words words for each of capacity() contacts, and behind them the number of
  // contacts found. 0 if not allocated.
  uint32_t records() const { return records_; }

  // Allocates the records, which a get of contacts reads, and clears them.
  void ensure_records();
  // Rebuilds the schedule for the cloths that report contacts now.
  void rebuild();
  // Queues the search for contacts at the end of an update. times: where the device adds its times, or null.
  void queue(std::shared_ptr<DispatchTimes> times);
  // Whether contacts are searched for, and the word that will have their number.
  bool is_active() const { return schedule_ != nullptr; }
  DeviceRange number() const;
  // Queues the copies of a get of contacts, or of their number, to a buffer's memory.
  void get(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region);

 private:
  // Queues a fill of the records at this word, so that there are no contacts.
  void clear_records(uint32_t records);
  void ensure_counts(uint32_t total);
  std::shared_ptr<const Schedule> make_schedule(const std::vector<Cloth*>& reporting, uint32_t total) const;

  DeviceStore& store_;
  const Cloths& cloths_;
  const Colliders& colliders_;
  uint32_t capacity_;
  uint32_t records_ = 0;

  // First word, in the tables, of one word for each particle, padding included, of the cloths that report contacts, one
  // more at the end, and scratch memory of the scan; 0 if not allocated. Then the number of these words without the
  // scratch memory.
  uint32_t counts_ = 0;
  uint32_t count_capacity_ = 0;

  // The schedule that finds the contacts. Null if no cloth reports contacts.
  std::shared_ptr<const Schedule> schedule_;
};

}  // namespace clothc
