// planted_test.cpp - wrong drivers, which the fault layer imitates by changing modules: every fault leaves modules valid, and
// undefined values decide nothing. That wrong values are found, tests/planted tells.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>

#include "support/every_shape.h"
#include "vulkan/fixture.h"
#include "vulkan/module_faults.h"
#include "vulkan/planted_modules.h"

using namespace clothc_test;
using clothc::faults::SpirvModule;

namespace planted_test {
namespace {

constexpr const char* all_faults[] = {"contract", "divide_up", "flush", "garbage", "no_barriers"};

TEST(ModuleFaults, leave_modules_valid) {
  if (std::system("spirv-val --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no spirv-val";
  const std::string path = testing::TempDir() + "/planted.spv";
  const std::set<std::string> names = {"solve_edges", "collide_virtual", "sort_scatter"};
  for (const NamedModule& named : all_modules()) {
    if (names.count(named.name) == 0) continue;
    SpirvModule untouched(named.words, named.word_count);
    EXPECT_EQ(untouched.words(), std::vector<uint32_t>(named.words, named.words + named.word_count)) << named.name;
    for (const char* fault : all_faults) {
      SpirvModule module = untouched;
      clothc::faults::plant(module, *clothc::faults::find_module_fault(fault));
      const std::vector<uint32_t> words = module.words();
      std::ofstream file(path, std::ios::binary);
      file.write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 4));
      file.close();
      EXPECT_EQ(std::system(("spirv-val --target-env vulkan1.1 " + path).c_str()), 0) << fault << " in " << named.name;
    }
  }
  std::remove(path.c_str());
}

TEST(ModuleFaults, tell_all_shaders_of_the_library_apart) {
  std::set<uint64_t> fingerprints;
  for (const NamedModule& named : all_modules()) {
    fingerprints.insert(SpirvModule(named.words, named.word_count).fingerprint());
  }
  EXPECT_EQ(fingerprints.size(), all_modules().size());
}

// A sheet that touches a sphere. Its kernels run one by one, because drivers take long to compile a program.
class PlantedDriver : public OnVulkan {
 protected:
  static uint64_t hash_on(clothc_backend backend) {
    SceneOptions options(backend);
    options.solver.schedule = CLOTHC_SCHEDULE_PASS;
    options.has_cloth = false;
    Scene scene(options);
    clothc_cloth_desc desc = scene.cloth_desc();
    const clothc_collider_set_id set = scene.sphere_set(0.43f, 0.88f, 0.37f, 0.25f);
    desc.collider_set_count = 1;
    desc.collider_sets = &set;
    scene.add(desc);
    scene.step(8);
    return scene.hash();
  }
};

TEST_F(PlantedDriver, whose_undefined_values_are_garbage_computes_the_same_bits) {
  set_faults("vkCreateShaderModule:1+=garbage");
  EXPECT_EQ(hash_on(CLOTHC_BACKEND_VULKAN), hash_on(CLOTHC_BACKEND_CPU));
}

}  // namespace
}  // namespace planted_test
