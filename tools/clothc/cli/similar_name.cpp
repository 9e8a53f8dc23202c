// similar_name.cpp - compares names by the number of letters to change, remove, insert or swap with their neighbour.
// Source: Damerau 1964, "A technique for computer detection and correction of spelling errors".
#include "cli/similar_name.h"

#include <algorithm>
#include <cstddef>

namespace clothc_tool {
namespace {

// Longer texts are not misspellings of a short name.
constexpr size_t LONGEST_NAME = 64;

size_t edits_between(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> edits(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        edits[i][j] = i + j;
        continue;
      }
      const size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, edits[i - 1][j - 1] + change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
    }
  }
  return edits[a.size()][b.size()];
}

}  // namespace

std::string did_you_mean(const std::string& text, const std::vector<std::string>& known) {
  if (text.size() > LONGEST_NAME) return "";
  const std::string* nearest = nullptr;
  // At this number of edits a name is no longer taken for a misspelling.
  size_t fewest = std::max<size_t>(1, text.size() / 3) + 1;
  for (const std::string& name : known) {
    const size_t edits = edits_between(text, name);
    if (edits < fewest) fewest = edits, nearest = &name;
  }
  return nearest ? "; did you mean '" + *nearest + "'?" : "";
}

}  // namespace clothc_tool
