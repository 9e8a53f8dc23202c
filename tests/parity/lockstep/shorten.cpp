// shorten.cpp - finds a short script that still shows a difference, by leaving out calls in ever smaller blocks.
// Source: Zeller and Hildebrandt 2002, Simplifying and Isolating Failure-Inducing Input.
#include <algorithm>
#include <chrono>

#include "parity/lockstep/script.h"

namespace lockstep {

Script shorten(Script script, Failure failure, const std::vector<Place>& places, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  Totals ignored;
  script.is_verbose = false;
  script.kept.resize(failure.call + 1);
  for (size_t size = script.kept.size() / 2; size > 0; size /= 2) {
    for (size_t begin = 0; begin < script.kept.size(); begin += size) {
      if (std::chrono::steady_clock::now() > end) return script;
      Script shorter = script;
      const auto first = shorter.kept.begin() + static_cast<std::ptrdiff_t>(begin);
      std::fill(first, first + static_cast<std::ptrdiff_t>(std::min(size, shorter.kept.size() - begin)), false);
      if (shorter.kept == script.kept) continue;
      const std::optional<Failure> found = run(shorter, places, ignored);
      if (!found) continue;
      shorter.kept.resize(found->call + 1);
      script = shorter;
    }
  }
  return script;
}

}  // namespace lockstep
