// contacts.h - what reporting contacts needs besides what each cloth has (report.kernel.h).
#pragma once

#include <memory>

#include "core/backend/backend.h"

namespace clothc {

struct ContactReport {
  // Ranges of the tables arena, in words.
  uint32_t records = 0;  // contact_words per contact that the solver keeps, then how many there were; 0 = no place yet
  uint32_t counts = 0;   // per particle of the cloths that report, one more at the end
  uint32_t count_capacity = 0;
  uint32_t count_total = 0;
  MemoryPointer sums;  // where the counts are summed up
  // What counts contacts, and what writes them once it is known where; none if no cloth reports.
  std::shared_ptr<const Schedule> counting;
  std::shared_ptr<const Schedule> writing;
};

}  // namespace clothc
