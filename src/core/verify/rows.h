// rows.h - the results of a verification by kernel and form, and the choice of the runs that are compared.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include <clothc.h>

#include "core/verify/replica.h"

namespace clothc {

struct WordRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

class VerificationRows {
 public:
  struct Row {
    clothc_verification_row result;
    // Number of times that the reference has run this, and of those that were compared and changed something.
    uint32_t seen = 0;
    uint32_t changing = 0;
  };

  // Returns the row with this name and form, which is added if it is new.
  Row& find(clothc_verified_form form, const char* name);
  // Returns whether the next run of a row is to be compared, and counts it. Most kernels run some hundred times; the first
  // runs and a few later ones, between which more and more time passes, are compared.
  static bool is_due(Row& row);

  // Compares what arenas should hold behind a run with what they do hold, and adds the result to a row. unspecified: words
  // of the tables that each device uses in its own way. changes: whether the run should have changed anything.
  static void compare(Row& row, const ArenaBytes& expected, const ArenaBytes& found,
                      const std::vector<WordRange>& unspecified, bool changes);
  // The same for the hash that an update should have.
  static void compare(Row& row, uint64_t update, uint64_t expected, uint64_t found);

  std::vector<clothc_verification_row> results() const;

 private:
  // A deque, in which rows stay where they are.
  std::deque<Row> rows_;
};

}  // namespace clothc
