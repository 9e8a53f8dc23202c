// contacts.h - the data that a solver needs to report contacts, in addition to the data of each cloth
// (report.kernel.h).
#pragma once

#include <memory>

#include "core/backend/backend.h"

namespace clothc {

struct ContactReport {
  // First words of ranges of the tables arena, 0 if not allocated.

  // contact_words words for each of contact_capacity contacts, and behind them the number of contacts found.
  uint32_t records = 0;
  // One word for each particle, padding included, of the cloths that report contacts, and one more at the end.
  uint32_t counts = 0;

  // Number of words allocated for the counts, and number of particles that they cover now.
  uint32_t count_capacity = 0;
  uint32_t count_total = 0;

  // Device memory in which the prefix sums of the counts are computed.
  MemoryPointer sums;

  // The schedule that counts contacts, and the one that writes them when the sums have told where each particle's
  // contacts go. Null if no cloth reports contacts.
  std::shared_ptr<const Schedule> counting;
  std::shared_ptr<const Schedule> writing;
};

}  // namespace clothc
