// native_choice_test.cpp - which image of native code a device gets: that of its compute capability or of the nearest
// smaller one with the same major number, or none.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "backend_cuda/native_code.h"

namespace clothc::cuda::native_choice_test {
namespace {

constexpr int toolkit = 13000;

// Returns the architecture of the image that a device gets of those of these architectures, or 0.
int choice(std::vector<int> architectures, int compute_capability, int driver_version = toolkit) {
  std::vector<NativeImage> images;
  // The images are told apart by the architectures that they point to.
  for (const int& architecture : architectures) {
    images.push_back({"other", architecture, nullptr});
    images.push_back({"kernel", architecture, &architecture});
  }
  const NativeCode code = {images.data(), images.size(), toolkit};
  EXPECT_EQ(find_image(code, "kern", compute_capability, driver_version), nullptr);
  const void* found = find_image(code, "kernel", compute_capability, driver_version);
  return found == nullptr ? 0 : *static_cast<const int*>(found);
}

TEST(NativeChoice, is_the_nearest_image_that_runs) {
  struct Case {
    int compute_capability, architecture;
  };
  for (const Case& expected : {Case{75, 0}, Case{80, 80}, Case{86, 86}, Case{89, 86}, Case{90, 90}, Case{100, 100},
                               Case{103, 100}, Case{110, 0}, Case{120, 120}, Case{121, 120}, Case{130, 0}}) {
    std::vector<int> architectures = {80, 86, 90, 100, 120};
    EXPECT_EQ(choice(architectures, expected.compute_capability), expected.architecture) << expected.compute_capability;
    std::reverse(architectures.begin(), architectures.end());
    EXPECT_EQ(choice(architectures, expected.compute_capability), expected.architecture) << expected.compute_capability;
  }
}

TEST(NativeChoice, is_no_image_of_a_newer_architecture) {
  EXPECT_EQ(choice({86, 90}, 80), 0);
  EXPECT_EQ(choice({89, 80}, 86), 80);
}

TEST(NativeChoice, keeps_embedded_and_desktop_devices_apart) {
  EXPECT_EQ(choice({80, 86}, 87), 0);
  EXPECT_EQ(choice({80, 86, 87}, 87), 87);
  EXPECT_EQ(choice({80, 86, 87}, 89), 86);
  EXPECT_EQ(choice({87}, 89), 0);
}

TEST(NativeChoice, is_none_if_the_driver_is_older_than_the_compiler_by_a_major_version) {
  EXPECT_EQ(choice({86}, 86, 12090), 0);
  EXPECT_EQ(choice({86}, 86, 13020), 86);
  EXPECT_EQ(choice({86}, 86, 14000), 86);
  const int made = 86;
  const NativeImage image = {"kernel", 86, &made};
  EXPECT_EQ(find_image({&image, 1, 13020}, "kernel", 86, 13000), &made);
}

TEST(NativeChoice, is_none_where_there_is_no_code) {
  EXPECT_EQ(find_image(NativeCode{}, "kernel", 86, toolkit), nullptr);
}

}  // namespace
}  // namespace clothc::cuda::native_choice_test
