// native_built_in_test.cpp - the code that cmake/native_code.cmake puts into a library: made of the texts that the
// library holds, and loaded by the whole backend. This program has it for two kernels and for 8.0 and 9.0.
#include <fstream>
#include <iterator>

#include "backend_cuda/modules.h"
#include "cuda/backend_fixture.h"

using namespace clothc_test;

namespace native_built_in_test {
namespace {

using clothc::cuda::built_in_code;
using clothc::cuda::find_image;
using clothc::cuda::module_text;
using clothc::gpu::EntryPoint;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

class CudaBuiltInCode : public OnCuda {
 protected:
  void SetUp() override {
    OnCuda::SetUp();
    if (IsSkipped()) return;
    if (built_in_code().count == 0) GTEST_SKIP() << "ptxas was not there when this program was built";
  }
  // A driver of the version of the compiler, and a device that runs code for 8.0.
  static std::string rules() {
    return "races=off,attribute:75=8,attribute:76=9,driver=" + std::to_string(built_in_code().toolkit_version);
  }
  // Returns the state after a few updates, which the native code is a part of.
  static uint64_t simulate(const std::string& rules) {
    software_device().set(rules);
    software_device().reset_counts();
    Scene scene{SceneOptions(CLOTHC_BACKEND_CUDA)};
    scene.step(3);
    return scene.hash();
  }
};

TEST_F(CudaBuiltInCode, is_made_of_the_text_that_the_library_holds) {
  EXPECT_EQ(read_file(CLOTHC_NATIVE_FOLDER "/copy.ptx"), module_text(EntryPoint::copy));
  EXPECT_EQ(read_file(CLOTHC_NATIVE_FOLDER "/integrate.ptx"),
            module_text(clothc::gpu::entry_of(clothc::Kernel::integrate)));
}

TEST_F(CudaBuiltInCode, is_what_the_compiler_wrote) {
  for (const char* name : {"copy", "integrate"}) {
    for (const int architecture : {80, 90}) {
      const std::string path =
          CLOTHC_NATIVE_FOLDER "/" + std::string(name) + ".sm_" + std::to_string(architecture) + ".cubin";
      const std::string expected = read_file(path);
      ASSERT_GT(expected.size(), 64u) << path;
      const std::string function = std::string("clothc_") + name;
      const void* image = find_image(built_in_code(), function.c_str(), architecture, built_in_code().toolkit_version);
      ASSERT_NE(image, nullptr) << path;
      EXPECT_EQ(std::memcmp(image, expected.data(), expected.size()), 0) << path;
    }
  }
  EXPECT_EQ(built_in_code().count, 4u);
}

TEST_F(CudaBuiltInCode, is_what_runs_where_the_driver_takes_it) {
  const uint64_t expected = simulate("races=off");
  const clothc_cuda_device_counts before = software_device().counts();
  EXPECT_EQ(simulate(rules() + ",native=" CLOTHC_NATIVE_FOLDER), expected);
  const clothc_cuda_device_counts taken = software_device().counts();
  EXPECT_GT(taken.native_modules, before.native_modules);
  EXPECT_EQ(taken.native_images - before.native_images, taken.native_modules - before.native_modules);
  EXPECT_EQ(taken.last_native_architecture, 80u);
  EXPECT_EQ(simulate(rules()), expected);
  const clothc_cuda_device_counts refused = software_device().counts();
  EXPECT_EQ(refused.native_images - taken.native_images, taken.native_images - before.native_images);
  EXPECT_EQ(refused.native_modules, taken.native_modules);
  EXPECT_EQ(software_device().report(), "");
}

}  // namespace
}  // namespace native_built_in_test
