// modules_test.cpp - SPIR-V modules declare only the floating-point properties that the device offers, declare them
// where SPIR-V requires, forbid drivers to unroll loops where that is bad for them, have the device's values in place of
// specialization constants, and are otherwise unchanged.
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
// SignedZeroInfNanPreserve, RoundingModeRTE.
constexpr uint32_t modes[] = {4461, 4462};

Adapter with(bool not_a_number, bool rounding) {
  Adapter adapter;
  adapter.preserves_not_a_number = not_a_number;
  adapter.rounds_to_nearest = rounding;
  return adapter;
}

// All offers with the first shader, and two of them with each of the others.
TEST(Modules, declare_what_the_device_offers_and_are_otherwise_the_same) {
  for (uint32_t shader = 0; shader < static_cast<uint32_t>(Shader::copy); ++shader) {
    const std::vector<Instruction> plain = parse(module_words(static_cast<Shader>(shader), with(false, false)));
    for (uint32_t offered = 0; offered < 4; ++offered) {
      if (shader != 0 && offered != shader % 3 && offered != 3) continue;
      const bool has[] = {(offered & 1) != 0, (offered & 2) != 0};
      const Words words = module_words(static_cast<Shader>(shader), with(has[0], has[1]));
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
      for (int k = 0; k < 2; ++k) {
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
  adapter.has_exact_division = true;
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

TEST(Modules, keep_loops_over_strict_divisions_from_being_unrolled_where_divisions_are_strict) {
  constexpr uint32_t op_loop_merge = 246, dont_unroll = 2;
  Adapter adapter;
  for (const Kernel kernel : {Kernel::collide_curved, Kernel::collide_curved_continuously, Kernel::collide_virtual}) {
    for (const bool is_exact : {false, true}) {
      adapter.has_exact_division = is_exact;
      size_t kept = 0;
      for (const Instruction& each : parse(module_words(entry_of(kernel), adapter)))
        kept += each.operation == op_loop_merge && each.operands[2] == dont_unroll;
      EXPECT_EQ(kept > 0, !is_exact);
    }
  }
}

// A module of three specialization constants and a workgroup size, as shaders declare them.
Words general_module() {
  constexpr uint32_t op_type_bool = 20, op_type_int = 21, op_type_vector = 23, op_constant = 43, op_decorate = 71;
  constexpr uint32_t op_spec_constant_true = 48, op_spec_constant_false = 49, op_spec_constant = 50,
                     op_spec_constant_composite = 51;
  constexpr uint32_t spec_id = 1, built_in = 11, workgroup_size = 25;
  constexpr uint32_t boolean = 1, number = 2, vector = 3, one = 4, strict = 5, lanes = 6, texels = 7, size = 8;
  Words words = {0x07230203u, 0x00010300u, 0, 9, 0};
  const auto add = [&](uint32_t operation, const Words& operands) {
    words.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | operation);
    words.insert(words.end(), operands.begin(), operands.end());
  };
  add(op_decorate, {strict, spec_id, 0});
  add(op_decorate, {lanes, spec_id, 1});
  add(op_decorate, {texels, spec_id, 2});
  add(op_decorate, {size, built_in, workgroup_size});
  add(op_type_bool, {boolean});
  add(op_type_int, {number, 32, 0});
  add(op_type_vector, {vector, number, 3});
  add(op_constant, {number, one, 1});
  add(op_spec_constant_true, {boolean, strict});
  add(op_spec_constant, {number, lanes, 128});
  add(op_spec_constant_false, {boolean, texels});
  add(op_spec_constant_composite, {vector, size, lanes, one, one});
  return words;
}

TEST(Modules, have_the_values_of_the_device_in_place_of_specialization_constants) {
  constexpr uint32_t op_constant_true = 41, op_constant_false = 42, op_constant = 43, op_constant_composite = 44;
  const std::vector<Instruction> general = parse(general_module());
  for (const bool is_exact : {false, true}) {
    for (const bool reads_texels : {false, true}) {
      Adapter adapter;
      adapter.has_exact_division = is_exact;
      adapter.program_lanes = 8;
      adapter.reads_texels = reads_texels;
      std::vector<Instruction> expected(general.begin() + 3, general.end());
      expected[5].operation = is_exact ? op_constant_false : op_constant_true;
      expected[6] = {op_constant, {2, 6, 8}};
      expected[7].operation = reads_texels ? op_constant_true : op_constant_false;
      expected[8].operation = op_constant_composite;
      EXPECT_TRUE(parse(specialized(general_module(), adapter)) == expected) << is_exact << reads_texels;
    }
  }
}

TEST(Modules, have_no_specialization_constant_left) {
  constexpr uint32_t first_spec_operation = 48, last_spec_operation = 52;
  for (uint32_t shader = 0; shader < shader_count; ++shader) {
    for (const Instruction& each : parse(module_words(static_cast<Shader>(shader), Adapter())))
      EXPECT_FALSE(first_spec_operation <= each.operation && each.operation <= last_spec_operation) << shader;
  }
}

}  // namespace
}  // namespace clothc::vulkan::modules_test
