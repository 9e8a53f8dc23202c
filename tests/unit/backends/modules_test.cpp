// modules_test.cpp - SPIR-V modules declare only the floating-point properties that the device offers, declare them
// where SPIR-V requires, forbid drivers to unroll loops where that is bad for them, and are otherwise unchanged.
#include "backend_vulkan/modules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace clothc::vulkan::modules_test {
namespace {

using Words = std::vector<uint32_t>;

// An instruction: its operation code and its operands.
struct Instruction {
  uint32_t operation;
  Words operands;
  bool operator==(const Instruction& other) const { return operation == other.operation && operands == other.operands; }
};

std::vector<Instruction> parse(const Words& words) {
  std::vector<Instruction> all;
  for (size_t k = 5; k < words.size(); k += words[k] >> 16) {
    EXPECT_GT(words[k] >> 16, 0u);
    all.push_back({words[k] & 0xffff, Words(words.begin() + static_cast<long>(k) + 1,
                                            words.begin() + static_cast<long>(k + (words[k] >> 16)))});
  }
  return all;
}

constexpr uint32_t op_extension = 10, op_memory_model = 14, op_entry_point = 15, op_execution_mode = 16,
                   op_capability = 17;
// DenormPreserve, SignedZeroInfNanPreserve, RoundingModeRTE.
constexpr uint32_t modes[] = {4459, 4461, 4462};

Adapter with(bool denormals, bool not_a_number, bool rounding) {
  Adapter adapter;
  adapter.preserves_denormals = denormals;
  adapter.preserves_not_a_number = not_a_number;
  adapter.rounds_to_nearest = rounding;
  return adapter;
}

TEST(Modules, declare_what_the_device_offers_and_are_otherwise_the_same) {
  for (uint32_t shader = 0; shader < static_cast<uint32_t>(Shader::copy); ++shader) {
    const std::vector<Instruction> plain = parse(module_words(static_cast<Shader>(shader), with(false, false, false)));
    for (uint32_t offered = 0; offered < 8; ++offered) {
      const bool has[] = {(offered & 1) != 0, (offered & 2) != 0, (offered & 4) != 0};
      const Words words = module_words(static_cast<Shader>(shader), with(has[0], has[1], has[2]));
      ASSERT_EQ(words[0], 0x07230203u);
      std::vector<Instruction> left = parse(words);
      const auto entry =
          std::find_if(plain.begin(), plain.end(), [](const Instruction& i) { return i.operation == op_entry_point; });
      const auto position_of = [&](const Instruction& wanted) {
        const auto found = std::find(left.begin(), left.end(), wanted);
        return found == left.end() ? size_t{0} : static_cast<size_t>(found - left.begin()) + 1;
      };
      const auto first_of = [&](uint32_t operation) {
        return static_cast<size_t>(std::find_if(left.begin(), left.end(),
                                                [&](const Instruction& i) { return i.operation == operation; }) -
                                   left.begin()) +
               1;
      };
      Words name((sizeof("SPV_KHR_float_controls") + 3) / 4);
      std::memcpy(name.data(), "SPV_KHR_float_controls", sizeof("SPV_KHR_float_controls"));
      std::vector<Instruction> added;
      for (int k = 0; k < 3; ++k) {
        const Instruction capability{op_capability, {modes[k] + 5}};
        const Instruction mode{op_execution_mode, {entry->operands[1], modes[k], 32}};
        ASSERT_EQ(position_of(capability) != 0, has[k]);
        ASSERT_EQ(position_of(mode) != 0, has[k]);
        if (!has[k]) continue;
        EXPECT_LT(position_of(capability), first_of(op_memory_model));
        EXPECT_GT(position_of(mode), first_of(op_entry_point));
        added.insert(added.end(), {capability, mode});
      }
      const Instruction extension{op_extension, name};
      ASSERT_EQ(position_of(extension) != 0, offered != 0);
      if (offered != 0) {
        EXPECT_LT(position_of(extension), first_of(op_memory_model));
        added.push_back(extension);
      }
      for (const Instruction& each : added) left.erase(std::find(left.begin(), left.end(), each));
      ASSERT_EQ(left.size(), plain.size());
      EXPECT_TRUE(left == plain) << "shader " << shader << ", offered " << offered;
    }
  }
}

TEST(Modules, of_kernels_forbid_to_unroll_their_loops_where_the_driver_should_not) {
  constexpr uint32_t op_loop_merge = 246, dont_unroll = 2;
  Adapter adapter;
  size_t loops = 0;
  for (uint32_t shader = 0; shader < shader_count; ++shader) {
    adapter.unrolls_loops = true;
    std::vector<Instruction> expected = parse(module_words(static_cast<Shader>(shader), adapter));
    for (Instruction& each : expected) {
      if (each.operation != op_loop_merge) continue;
      EXPECT_EQ(each.operands.size(), 3u);
      EXPECT_EQ(each.operands[2], 0u);
      if (shader >= static_cast<uint32_t>(Shader::first_program)) continue;
      each.operands[2] = dont_unroll;
      ++loops;
    }
    adapter.unrolls_loops = false;
    EXPECT_TRUE(parse(module_words(static_cast<Shader>(shader), adapter)) == expected) << "shader " << shader;
  }
  EXPECT_GT(loops, 50u);
}

}  // namespace
}  // namespace clothc::vulkan::modules_test
