// long_form.h - whether sweeps run whole. Usually they take what finds errors; ctest's entries with the label `long`, which
// ./dev test --all runs, set CLOTHC_LONG_TESTS.
#pragma once

#include <cstdlib>

namespace clothc_test {

inline bool long_form() { return std::getenv("CLOTHC_LONG_TESTS") != nullptr; }

}  // namespace clothc_test
