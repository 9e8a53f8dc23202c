// The forms that the interpreter knows are those that tests execute.
#include "cuda/device/ptx/testing/rows.h"

namespace ptx_coverage_test {
namespace {

TEST(PtxCoverage, every_form_has_a_test) {
  for (const std::string& name : ptx::FormTable::get().names()) {
    EXPECT_EQ(ptx::testing::covered_forms().count(name), 1u) << name;
  }
}

TEST(PtxCoverage, every_tested_form_is_known) {
  for (const std::string& name : ptx::testing::covered_forms()) {
    EXPECT_NE(ptx::FormTable::get().find(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace ptx_coverage_test
