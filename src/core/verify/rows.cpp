// rows.cpp - see rows.h. Words are compared bit by bit, as golden hashes are: no value of the scene is NaN, and a device
// that makes one differs.
#include "core/verify/rows.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "core/base/structs.h"

namespace clothc {
namespace {

uint32_t word_at(const std::vector<uint8_t>& bytes, size_t word) {
  uint32_t value;
  std::memcpy(&value, &bytes[4 * word], sizeof(value));
  return value;
}

bool is_in(const std::vector<WordRange>& ranges, size_t word) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const WordRange& range) { return word >= range.begin && word < range.end; });
}

// Notes the first word that differs of all runs.
void note(clothc_verification_row& row, const char* array, uint64_t word, uint64_t expected, uint64_t found) {
  if (row.different_word_count > 0) return;
  std::snprintf(row.array, sizeof(row.array), "%s", array);
  row.first_word = word;
  row.expected = expected;
  row.found = found;
}

}  // namespace

VerificationRows::Row& VerificationRows::find(clothc_verified_form form, const char* name) {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) {
    return row.result.form == form && std::strcmp(row.result.name, name) == 0;
  });
  if (found != rows_.end()) return *found;
  Row row{make_default<clothc_verification_row>()};
  row.result.form = form;
  std::snprintf(row.result.name, sizeof(row.result.name), "%s", name);
  rows_.push_back(row);
  return rows_.back();
}

bool VerificationRows::is_due(Row& row) {
  constexpr uint32_t first_runs = 6, wanted_changes = 4, most_without_change = 48;
  const uint32_t number = row.seen++;
  const bool is_power_of_two = (number & (number - 1)) == 0;
  return number < first_runs || is_power_of_two || (row.changing < wanted_changes && number < most_without_change);
}

void VerificationRows::compare(Row& row, const ArenaBytes& expected, const ArenaBytes& found,
                               const std::vector<WordRange>& unspecified, bool changes) {
  clothc_verification_row& result = row.result;
  const uint64_t different_before = result.different_word_count;
  for (size_t arena = 0; arena < arena_count; ++arena) {
    const std::vector<uint8_t>& want = expected[arena];
    const size_t words = want.size() / 4;
    result.word_count += words;
    if (std::memcmp(want.data(), found[arena].data(), want.size()) == 0) continue;
    for (size_t word = 0; word < words; ++word) {
      const uint32_t a = word_at(want, word), b = word_at(found[arena], word);
      if (a == b) continue;
      if (arena == table_arena && is_in(unspecified, word)) continue;
      note(result, arena_names[arena], word, a, b);
      ++result.different_word_count;
    }
  }
  ++result.run_count;
  if (changes) ++row.changing;
  if (result.different_word_count > different_before) ++result.different_run_count;
}

void VerificationRows::compare(Row& row, uint64_t update, uint64_t expected, uint64_t found) {
  clothc_verification_row& result = row.result;
  ++result.run_count;
  ++result.word_count;
  if (expected == found) return;
  note(result, "state hash", update, expected, found);
  ++result.different_word_count;
  ++result.different_run_count;
}

std::vector<clothc_verification_row> VerificationRows::results() const {
  std::vector<clothc_verification_row> results;
  for (const Row& row : rows_) {
    if (row.result.run_count > 0) results.push_back(row.result);
  }
  return results;
}

}  // namespace clothc
