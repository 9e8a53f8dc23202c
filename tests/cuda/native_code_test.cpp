// native_code_test.cpp - the functions of a device come from native code where there is an image that its driver takes,
// and from PTX everywhere else, on the software device. Images are made up; their bytes are put into a folder where the
// device finds them.
#include <unistd.h>

#include "backend_cuda/modules.h"
#include "core/base/result.h"
#include "cuda/backend_fixture.h"
#include "cuda/made_image.h"

namespace clothc::cuda::native_code_test {
namespace {

using clothc_test::software_device;
using cuda_device::made_image;
using cuda_device::write_file;
using gpu::EntryPoint;

constexpr EntryPoint entry = EntryPoint::copy;
constexpr uint64_t hang_timeout_ns = 1'000'000'000;

// Rules for devices of a compute capability.
std::string of_capability(int capability) {
  return "attribute:75=" + std::to_string(capability / 10) + ",attribute:76=" + std::to_string(capability % 10);
}

// Names of image and text in the folder.
std::string image_name(int architecture) { return "/copy.sm_" + std::to_string(architecture) + ".cubin"; }
constexpr const char* text_name = "/copy.ptx";

class CudaNativeCode : public clothc_test::OnCuda {
 protected:
  void SetUp() override {
    OnCuda::SetUp();
    if (IsSkipped()) return;
    folder_ = testing::TempDir() + "clothc_native_XXXXXX";
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    for (const int architecture : architectures) {
      payloads_.push_back(made_image(architecture, "copy"));
      write_file(folder_ + image_name(architecture), payloads_.back());
    }
    write_file(folder_ + text_name, module_text(entry));
    for (size_t k = 0; k < payloads_.size(); ++k) {
      images_.push_back({function_name(entry), architectures[k], payloads_[k].data()});
    }
  }
  void TearDown() override {
    for (const int architecture : architectures) unlink((folder_ + image_name(architecture)).c_str());
    unlink((folder_ + text_name).c_str());
    rmdir(folder_.c_str());
    OnCuda::TearDown();
    if (IsSkipped()) return;
    EXPECT_EQ(software_device().report(), "");
  }

  // What loading the entry did.
  struct Loading {
    // Images that were offered, the architecture of the last, images that were taken, and calls that load a module.
    uint64_t offered, architecture, taken, calls;
    bool operator==(const Loading& other) const {
      return offered == other.offered && architecture == other.architecture && taken == other.taken &&
             calls == other.calls;
    }
    friend std::ostream& operator<<(std::ostream& out, const Loading& is) {
      return out << is.offered << " offered, sm_" << is.architecture << ", " << is.taken << " taken, " << is.calls
                 << " calls";
    }
  };
  static constexpr Loading from_text = {0, 0, 0, 1};
  static Loading native(uint64_t architecture) { return {1, architecture, 1, 1}; }
  static Loading refused(uint64_t architecture) { return {1, architecture, 0, 2}; }

  std::string accepting() const { return "native=" + folder_ + ","; }

  // Loads the entry on a new device under these rules.
  Loading load(const std::string& rules) {
    software_device().set(rules);
    software_device().reset_counts();
    const clothc_cuda_device_counts before = software_device().counts();
    {
      const GpuPointer gpu = open();
      Functions functions(gpu, {images_.data(), images_.size(), toolkit_});
      const CurrentContext current(*gpu);
      EXPECT_NE(functions.of(entry), nullptr);
      EXPECT_EQ(functions.of(entry), functions.of(entry));
    }
    const clothc_cuda_device_counts after = software_device().counts();
    const uint64_t offered = after.native_images - before.native_images;
    return {offered, offered == 0 ? 0 : after.last_native_architecture, after.native_modules - before.native_modules,
            software_device().calls_of("cuModuleLoadDataEx")};
  }
  static GpuPointer open() {
    std::string reason;
    const std::shared_ptr<Driver> driver = Driver::open(reason);
    if (driver == nullptr) throw std::runtime_error(reason);
    return std::make_shared<Gpu>(driver, describe_adapter(*driver, 0), hang_timeout_ns);
  }

  static constexpr int architectures[] = {80, 86, 90, 100, 120};
  std::string folder_;
  std::vector<std::string> payloads_;
  std::vector<NativeImage> images_;
  int toolkit_ = 13000;
};

TEST_F(CudaNativeCode, is_loaded_where_there_is_an_image_for_the_device) {
  struct Case {
    int capability;
    Loading expected;
  };
  for (const Case& device :
       {Case{75, from_text}, Case{80, native(80)}, Case{86, native(86)}, Case{87, from_text}, Case{89, native(86)},
        Case{90, native(90)}, Case{100, native(100)}, Case{120, native(120)}, Case{130, from_text}}) {
    EXPECT_EQ(load(accepting() + of_capability(device.capability)), device.expected) << device.capability;
  }
}

TEST_F(CudaNativeCode, is_replaced_by_the_text_if_the_driver_does_not_know_it) {
  for (const int capability : {80, 86, 90, 100, 120})
    EXPECT_EQ(load(of_capability(capability)), refused(static_cast<uint64_t>(capability)));
}

TEST_F(CudaNativeCode, is_replaced_by_the_text_if_it_is_truncated) {
  std::string& image = payloads_[1];
  std::fill(image.end() - 2, image.end(), '\0');
  EXPECT_EQ(load(accepting() + of_capability(86)), refused(86));
}

TEST_F(CudaNativeCode, is_replaced_by_the_text_if_it_is_for_another_architecture_than_it_says) {
  images_[1].image = images_[2].image;
  EXPECT_EQ(load(accepting() + of_capability(86)), refused(90));
}

TEST_F(CudaNativeCode, is_replaced_by_the_text_whatever_the_driver_calls_a_refusal) {
  for (const int result : {CUDA_ERROR_INVALID_IMAGE, CUDA_ERROR_NO_BINARY_FOR_GPU, CUDA_ERROR_INVALID_PTX,
                           CUDA_ERROR_UNSUPPORTED_PTX_VERSION, CUDA_ERROR_NOT_SUPPORTED}) {
    const std::string rule = ",cuModuleLoadDataEx:1=" + std::to_string(result);
    EXPECT_EQ(load(accepting() + of_capability(86) + rule), (Loading{0, 0, 0, 2})) << result;
  }
}

// Drivers that load a kernel when it is first asked for may refuse it then.
TEST_F(CudaNativeCode, is_replaced_by_the_text_if_the_driver_refuses_its_function) {
  const std::string rule = ",cuModuleGetFunction:1=" + std::to_string(CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(load(accepting() + of_capability(86) + rule), (Loading{1, 86, 1, 2}));
}

TEST_F(CudaNativeCode, is_not_offered_to_a_driver_that_is_too_old_for_it) {
  toolkit_ = 14000;
  EXPECT_EQ(load(accepting() + of_capability(86)), from_text);
}

// Other errors say nothing of the image, so the text would not help.
TEST_F(CudaNativeCode, that_cannot_be_loaded_for_another_reason_fails_the_call) {
  software_device().set(accepting() + of_capability(86) + ",cuModuleLoadDataEx:1=2");
  const GpuPointer gpu = open();
  Functions functions(gpu, {images_.data(), images_.size(), toolkit_});
  const CurrentContext current(*gpu);
  try {
    functions.of(entry);
    ADD_FAILURE() << "no failure";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.result, CLOTHC_ERROR_OUT_OF_MEMORY) << failure_message();
  }
  EXPECT_NE(functions.of(entry), nullptr);
  EXPECT_EQ(software_device().calls_of("cuModuleLoadDataEx"), 2u);
}

}  // namespace
}  // namespace clothc::cuda::native_code_test
