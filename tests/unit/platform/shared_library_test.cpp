// shared_library_test.cpp - loads a library that every system has.
#include "platform/shared_library.h"

#include <gtest/gtest.h>

namespace clothc::shared_library_test {
namespace {

using platform::SharedLibrary;

#if defined(_WIN32)
constexpr const char* usual_library = "msvcrt.dll";
#else
constexpr const char* usual_library = "libm.so.6";
#endif

TEST(SharedLibrary, finds_functions_by_their_names) {
  SharedLibrary library;
  ASSERT_TRUE(library.open(usual_library));
  const auto root = library.find<double (*)(double)>("sqrt");
  ASSERT_NE(root, nullptr);
  EXPECT_EQ(root(49), 7);
  EXPECT_EQ(library.find<double (*)(double)>("clothc_no_function"), nullptr);
  library.close();
}

TEST(SharedLibrary, is_not_there_under_a_name_that_no_library_has) {
  SharedLibrary library;
  EXPECT_FALSE(library.open("clothc_no_library.so.1"));
  library.close();
}

}  // namespace
}  // namespace clothc::shared_library_test
