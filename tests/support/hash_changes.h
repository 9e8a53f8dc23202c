// hash_changes.h - scenes that differ by one change each, and a check that their state hashes differ too.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "support/scene.h"

namespace clothc_test {

using Change = std::pair<std::string, std::function<void(Scene&)>>;

inline void no_change(Scene&) {}

// Steps twice before the change, so that there are previous positions and a filter history.
inline uint64_t hash_after(const SceneOptions& options, const std::function<void(Scene&)>& change,
                           const Scene* lender = nullptr) {
  Scene scene(options, lender);
  scene.step(2);
  change(scene);
  return scene.hash();
}

// Expects every change to give a hash of its own, and to give it again when repeated.
inline void expect_all_different(const SceneOptions& options, const std::vector<Change>& changes) {
  const Scene lender(options);
  std::vector<std::pair<uint64_t, std::string>> hashes = {{hash_after(options, no_change, &lender), "nothing"}};
  for (const Change& change : changes) {
    const uint64_t hash = hash_after(options, change.second, &lender);
    for (const auto& other : hashes) EXPECT_NE(hash, other.first) << change.first << " hashes like " << other.second;
    EXPECT_EQ(hash, hash_after(options, change.second, &lender)) << change.first << " does not hash the same twice";
    hashes.emplace_back(hash, change.first);
  }
}

}  // namespace clothc_test
