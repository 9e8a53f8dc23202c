// scenes.h - complete scenes that use every stage. They are built from integer arithmetic and exact floats only, so
// that their input has the same bits on every platform.
#pragma once

#include <vector>

#include "parity/golden/session.h"

namespace golden {

struct Scene {
  const char* name;
  // Runs 60 frames and returns the state hash after each of hashed_frames.
  std::vector<uint64_t> (*run)(Session& session);
};

constexpr int hashed_frames[] = {1, 20, 40, 60};

const std::vector<Scene>& all_scenes();

}  // namespace golden
