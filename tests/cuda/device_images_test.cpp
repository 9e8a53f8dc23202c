// device_images_test.cpp - native code on the software device: refused as a driver refuses it that does not know it, or
// recognised by its bytes and run as its PTX text; and never read beyond the first byte that is wrong.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "cuda/device/driver/fixture.h"
#include "cuda/made_image.h"

namespace clothc::cuda_device::device_images_test {
namespace {

// Bytes behind which no byte can be read.
class Guarded {
 public:
  explicit Guarded(const std::string& bytes) {
    EXPECT_LE(bytes.size(), page_);
    pages_ = static_cast<char*>(mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_NE(pages_, MAP_FAILED);
    EXPECT_EQ(mprotect(pages_ + page_, page_, PROT_NONE), 0);
    data_ = pages_ + page_ - bytes.size();
    std::memcpy(data_, bytes.data(), bytes.size());
  }
  ~Guarded() { munmap(pages_, 2 * page_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  const void* data() const { return data_; }

 private:
  const size_t page_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  char* pages_;
  char* data_;
};

class DeviceImages : public DeviceTest {
 protected:
  // A folder with code for 8.6 that is said to be made of kernels_text.
  void SetUp() override {
    DeviceTest::SetUp();
    folder_ = testing::TempDir() + "clothc_images_XXXXXX";
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    write_file(folder_ + "/kernels.sm_86.cubin", image_);
    write_file(folder_ + "/kernels.ptx", kernels_text);
  }
  void TearDown() override {
    for (const char* name : {"/kernels.sm_86.cubin", "/kernels.ptx"}) unlink((folder_ + name).c_str());
    rmdir(folder_.c_str());
    DeviceTest::TearDown();
  }
  std::string rules(const char* minor) const { return "native=" + folder_ + ",attribute:75=8,attribute:76=" + minor; }
  static CUresult load(const std::string& image) {
    const Guarded guarded(image);
    CUmodule module = nullptr;
    const CUresult result = cuda().ModuleLoadDataEx(&module, guarded.data(), 0, nullptr, nullptr);
    if (result == CUDA_SUCCESS) cuda().ModuleUnload(module);
    return result;
  }

  const std::string image_ = made_image(86, "code of kernels");
  std::string folder_;
};

TEST_F(DeviceImages, that_are_no_native_code_are_refused) {
  const uint64_t before = statistics().native_images;
  // The first byte that is wrong is the last one that can be read.
  for (size_t right = 4; right < 7; ++right)
    EXPECT_EQ(load(image_.substr(0, right) + '\x03'), CUDA_ERROR_INVALID_IMAGE) << right << " right bytes";
  EXPECT_EQ(load(made_image(86, "", 62)), CUDA_ERROR_INVALID_IMAGE) << "code for x86-64";
  EXPECT_EQ(statistics().native_images, before);
}

TEST_F(DeviceImages, are_refused_as_by_a_driver_that_does_not_know_them) {
  const uint64_t before = statistics().native_images;
  EXPECT_EQ(load(made_image(75, "")), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(statistics().last_native_architecture, 75u);
  EXPECT_EQ(load(made_image(90, "")), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(statistics().last_native_architecture, 90u);
  // Before CUDA 13 the architecture was in the first byte of the flags.
  std::string old = made_image(0, "");
  old[8] = 7;
  old[48] = 80;
  EXPECT_EQ(load(old), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(statistics().last_native_architecture, 80u);
  EXPECT_EQ(statistics().native_images, before + 3);
}

TEST_F(DeviceImages, run_as_the_text_that_they_were_made_of) {
  ASSERT_EQ(cuda().control(rules("9").c_str()), 0);
  const uint64_t before = statistics().native_modules;
  CUmodule module = nullptr;
  ASSERT_EQ(cuda().ModuleLoadDataEx(&module, image_.data(), 0, nullptr, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(statistics().native_modules, before + 1);
  CUfunction fill = nullptr;
  ASSERT_EQ(cuda().ModuleGetFunction(&fill, module, "fill"), CUDA_SUCCESS);
  const CUdeviceptr words = allocate();
  ASSERT_EQ(launch(fill, words, 5, make_stream()), CUDA_SUCCESS);
  EXPECT_EQ(read(words), all(5));
  EXPECT_EQ(cuda().ModuleUnload(module), CUDA_SUCCESS);
}

TEST_F(DeviceImages, are_refused_if_they_are_damaged_or_for_another_device) {
  ASSERT_EQ(cuda().control(rules("6").c_str()), 0);
  EXPECT_EQ(load(image_), CUDA_SUCCESS);
  EXPECT_EQ(load(image_.substr(0, image_.size() - 4) + '\0'), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(load(made_image(86, "C")), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(load(made_image(90, "code of kernels")), CUDA_ERROR_NO_BINARY_FOR_GPU);
  ASSERT_EQ(cuda().control(rules("0").c_str()), 0);
  EXPECT_EQ(load(image_), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_NE(cuda().control("native=/nowhere"), 0);
}

}  // namespace
}  // namespace clothc::cuda_device::device_images_test
