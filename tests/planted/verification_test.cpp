// verification_test.cpp - verifying devices whose driver is wrong on purpose: what is wrong is named and nothing else, and
// AUTO passes the device over. That software devices are right, tests of the tool tell.
#include <map>
#include <set>

#include "core/base/structs.h"
#include "core/objects/compiled_code.h"
#include "core/verify/verify.h"
#include "planted/wrong_driver.h"
#include "support/long_form.h"

using namespace clothc_test;

namespace planted_verification_test {
namespace {

// What is wrong, and the names under which it is found.
const std::vector<PlantedFault> faults = {
    {"solve_edges", "contract"}, {"transform_rounded_shapes", "divide_up"}, {"sort_count", "no_barriers"}};
const std::set<std::string> names_of_faults = {"solve_edges, form 1", "transform_rounded_shapes, form 1",
                                               "sort, form 4"};

std::string name_of(const char* kernel, clothc_verified_form form) {
  return std::string(kernel) + ", form " + std::to_string(form);
}

template <class Rows>
std::set<std::string> different_names(const Rows& rows) {
  std::set<std::string> names;
  for (const clothc_verification_row& row : rows) {
    if (row.different_word_count > 0) names.insert(name_of(row.name, row.form));
  }
  return names;
}

clothc_device_desc desc_of(clothc_backend backend) {
  clothc_device_desc desc = initialised<clothc_device_desc>();
  desc.backend = backend;
  // Shaders are compiled meanwhile.
  desc.hang_timeout_ms = 600'000;
  return desc;
}

class PlantedVerification : public WrongDriver {
 protected:
  // Compares a few runs of what is named.
  static std::vector<clothc_verification_row> verify_some(clothc::Device& device, const std::set<std::string>& names) {
    constexpr int most_runs = 8;
    std::map<std::string, int> runs;
    const auto is_chosen = [&](const char* name, clothc_verified_form form) {
      const std::string full = name_of(name, form);
      return names.count(full) != 0 && runs[full]++ < most_runs;
    };
    return clothc::verify(
        device, [] { return false; }, is_chosen);
  }
  static std::shared_ptr<clothc::Device> make_device() {
    return clothc::create_device(desc_of(GetParam()), [](clothc::Device&) {});
  }
};

TEST_P(PlantedVerification, names_what_a_driver_computes_wrongly_and_nothing_else) {
  plant(faults);
  std::set<std::string> compared = {"solve_edges_with_limits, form 1", "transform_flat_shapes, form 1", "scan, form 4"};
  compared.insert(names_of_faults.begin(), names_of_faults.end());
  const std::vector<clothc_verification_row> rows = verify_some(*make_device(), compared);
  EXPECT_EQ(rows.size(), compared.size());
  EXPECT_EQ(different_names(rows), names_of_faults);
}

// Where the driver is right, so is each of the faults' kernels.
TEST_P(PlantedVerification, names_nothing_where_nothing_is_planted) {
  const std::vector<clothc_verification_row> rows = verify_some(*make_device(), names_of_faults);
  EXPECT_EQ(rows.size(), names_of_faults.size());
  EXPECT_EQ(different_names(rows), std::set<std::string>());
}

// As passes and operations; the programs that have the same kernels are right.
TEST_P(PlantedVerification, of_a_whole_device_names_the_same) {
  if (!long_form()) GTEST_SKIP() << "a verification of everything takes minutes; set CLOTHC_LONG_TESTS to run it";
  plant(faults);
  const clothc_device_desc desc = desc_of(GetParam());
  clothc_device device = nullptr;
  ASSERT_OK(clothc_device_create(&desc, &device));
  EXPECT_OK(clothc_device_verify(device, 0));
  clothc_verification known = initialised<clothc_verification>();
  uint32_t count = 0;
  EXPECT_OK(clothc_device_get_verification(device, &known, nullptr, &count));
  std::vector<clothc_verification_row> rows(count, initialised<clothc_verification_row>());
  EXPECT_OK(clothc_device_get_verification(device, nullptr, rows.data(), &count));
  std::set<std::string> expected = {"updates in passes, form 5", "updates in programs, form 5"};
  expected.insert(names_of_faults.begin(), names_of_faults.end());
  EXPECT_EQ(different_names(rows), expected);
  EXPECT_EQ(known.verdict, static_cast<uint32_t>(CLOTHC_VERDICT_DIFFERENT));
  EXPECT_EQ(known.different_row_count, expected.size());
  std::printf("%zu rows, %llu words, %.1f s\n", rows.size(), static_cast<unsigned long long>(known.word_count),
              static_cast<double>(known.time_ns) * 1e-9);
  EXPECT_OK(clothc_device_destroy(device));
}

INSTANTIATE_TEST_SUITE_P(On, PlantedVerification, testing::Values(CLOTHC_BACKEND_VULKAN, CLOTHC_BACKEND_CUDA),
                         backend_name);

// A driver that was found wrong, and a program that wants its cache and the bits of others.
class PlantedChoice : public PlantedVerification {
 protected:
  // Makes the cache of a device that was verified.
  static std::vector<uint8_t> cache_of_a_wrong_device() {
    plant({{"solve_edges", "contract"}});
    const std::shared_ptr<clothc::Device> device = make_device();
    const std::vector<clothc_verification_row> rows = verify_some(*device, {"solve_edges, form 1"});
    device->verification().begin([&](const std::function<bool()>&) { return rows; });
    clothc::PreparationProgress progress;
    device->verification().wait(longest_work, progress);
    return clothc::save_compiled_code(*device);
  }
  static clothc_result create(const clothc_device_desc& desc, clothc_device_info& info) {
    clothc_device device = nullptr;
    const clothc_result result = clothc_device_create(&desc, &device);
    info = initialised<clothc_device_info>();
    if (result != CLOTHC_SUCCESS) return result;
    EXPECT_OK(clothc_device_get_info(device, &info));
    EXPECT_OK(clothc_device_destroy(device));
    return result;
  }
};

TEST_P(PlantedChoice, passes_over_a_device_with_other_bits_unless_it_was_asked_for) {
  const std::vector<uint8_t> cache = cache_of_a_wrong_device();
  set_faults("vkGetPhysicalDeviceProperties2:1+=skip");  // AUTO takes no software device.
  std::vector<std::string> messages;
  clothc_device_desc desc = desc_of(CLOTHC_BACKEND_AUTO);
  desc.flags = CLOTHC_DEVICE_STRICT_PARITY;
  desc.cache = cache.data();
  desc.cache_size = cache.size();
  desc.message_user = &messages;
  desc.message = [](clothc_result result, const char* message, void* user) {
    static_cast<std::vector<std::string>*>(user)->push_back(std::to_string(result) + " " + message);
  };
  clothc_device_info info;
  EXPECT_EQ(create(desc, info), CLOTHC_SUCCESS);
  EXPECT_EQ(info.backend, static_cast<uint32_t>(CLOTHC_BACKEND_CPU));
  EXPECT_NE(info.capabilities & CLOTHC_CAPABILITY_STRICT_PARITY, 0u);
  EXPECT_NE(std::string(info.reason).find("vulkan: kernel solve_edges"), std::string::npos) << info.reason;
  ASSERT_EQ(messages.size(), 1u);
  for (const char* part : {"0 the vulkan device 0, \"", "was passed over: kernel solve_edges, launched alone"})
    EXPECT_NE(messages[0].find(part), std::string::npos) << messages[0];

  desc.backend = CLOTHC_BACKEND_VULKAN;
  EXPECT_EQ(create(desc, info), CLOTHC_ERROR_UNSUPPORTED);
  EXPECT_EQ(messages.size(), 2u);
  desc.backend = CLOTHC_BACKEND_AUTO;
  desc.flags = 0;
  EXPECT_EQ(create(desc, info), CLOTHC_SUCCESS);
  EXPECT_EQ(info.backend, static_cast<uint32_t>(CLOTHC_BACKEND_VULKAN)) << "nobody asked for its bits";
  EXPECT_EQ(messages.size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(On, PlantedChoice, testing::Values(CLOTHC_BACKEND_VULKAN), backend_name);

}  // namespace
}  // namespace planted_verification_test
