// long_form.h - whether parameter sweeps run in full. By default they run only the cases that have found errors. The
// ctest entries with the label `long`, which ./dev test --all runs, set CLOTHC_LONG_TESTS.
#pragma once

#include <cstdlib>

namespace clothc_test {

inline bool long_form() { return std::getenv("CLOTHC_LONG_TESTS") != nullptr; }

}  // namespace clothc_test
