// sheet_crowd.cpp - see sheet_crowd.h.
#include "parity/dialect/sheet_crowd.h"

#include "core/schedule/crowds.h"

namespace clothc::probes {

void add_crowd(Arenas& arenas, Sheet& sheet, const GroupSettings& settings) {
  sheet.crowd = padded(static_cast<uint32_t>(arenas.tables.size()));
  const uint32_t words = crowd_word_count(settings.phase_count, settings.padded_count);
  arenas.tables.resize(size_t{sheet.crowd} + words, 0u);
}

void add_crowd_jobs(const Sheet& sheet, const GroupSettings& settings, uint32_t cloth, std::vector<Job>& jobs) {
  const auto add = [&](Kernel kernel, Range items, uint32_t phase) {
    const uint32_t record = sheet.crowd + crowd_record_word(phase);
    jobs.push_back({number_of(kernel), 0, crowd_size * items.begin, crowd_size * items.end, record});
  };
  jobs.push_back({number_of(Kernel::join_crowd), cloth, cloth, cloth + 1, sheet.crowd});
  add(Kernel::enter_crowd, {0, settings.padded_count}, 0);
  for (const Colour& colour : sheet.colours) {
    const Kernel kernel = of_crowd(colour.kernel);
    if (kernel != Kernel::count) add(kernel, {colour.begin, colour.end}, colour.record);
  }
  add(Kernel::leave_crowd, {0, settings.padded_count}, 0);
}

}  // namespace clothc::probes
