// parameter_table_test.cpp - what clothc_parameter_describe says of every parameter is true: its default, its range
// and where it is in the struct.
#include <cmath>
#include <map>
#include <set>

#include "support/refusals.h"

using namespace clothc_test;

namespace parameter_table_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(ParameterTable);

std::vector<clothc_parameter_info> all_parameters() {
  std::vector<clothc_parameter_info> found;
  clothc_parameter_info info = initialised<clothc_parameter_info>();
  while (clothc_parameter_describe(static_cast<uint32_t>(found.size()), &info) == CLOTHC_SUCCESS) found.push_back(info);
  return found;
}

bool is_float(const clothc_parameter_info& info) { return info.type <= CLOTHC_PARAMETER_FLOAT3; }
uint32_t component_count(const clothc_parameter_info& info) { return info.type == CLOTHC_PARAMETER_FLOAT3 ? 3 : 1; }

// Reads or writes one component of a parameter as a number.
double component(const clothc_cloth_parameters& parameters, const clothc_parameter_info& info, uint32_t k) {
  uint32_t word;
  float number;
  const char* address = reinterpret_cast<const char*>(&parameters) + info.offset + 4 * k;
  std::memcpy(&word, address, 4);
  std::memcpy(&number, address, 4);
  return is_float(info) ? static_cast<double>(number) : static_cast<double>(word);
}
void set_component(clothc_cloth_parameters& parameters, const clothc_parameter_info& info, uint32_t k, double value) {
  char* address = reinterpret_cast<char*>(&parameters) + info.offset + 4 * k;
  if (is_float(info)) {
    const auto number = static_cast<float>(value);
    std::memcpy(address, &number, 4);
  } else {
    const auto word = static_cast<uint32_t>(value);
    std::memcpy(address, &word, 4);
  }
}

TEST(ParameterDescriptions, cover_the_struct_without_gaps_by_different_names) {
  const std::vector<clothc_parameter_info> parameters = all_parameters();
  uint32_t offset = 4;
  std::set<std::string> names;
  for (const clothc_parameter_info& info : parameters) {
    EXPECT_EQ(info.offset, offset) << info.name;
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_NE(std::string(info.unit), "");
    EXPECT_EQ(info.reserved, 0u);
    offset += 4 * component_count(info);
  }
  EXPECT_EQ(offset, sizeof(clothc_cloth_parameters));
}

TEST(ParameterDescriptions, have_the_defaults_of_struct_init) {
  const clothc_cloth_parameters defaults = initialised<clothc_cloth_parameters>();
  for (const clothc_parameter_info& info : all_parameters()) {
    for (uint32_t k = 0; k < component_count(info); ++k) {
      const double initial =
          is_float(info) ? static_cast<double>(static_cast<float>(info.initial[k])) : info.initial[k];
      EXPECT_EQ(component(defaults, info, k), initial) << info.name;
    }
  }
}

TEST(ParameterDescriptions, are_refused_behind_the_last_one_and_to_wrong_structs) {
  clothc_parameter_info info = initialised<clothc_parameter_info>();
  const auto count = static_cast<uint32_t>(all_parameters().size());
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_parameter_describe(count, &info), std::to_string(count).c_str());
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_parameter_describe(0, nullptr), "null");
  info.struct_size = 3;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STRUCT, clothc_parameter_describe(0, &info), "struct_size is 3");
}

TEST_P(ParameterTable, ranges_end_where_the_table_says) {
  Scene scene(GetParam());
  const clothc_cloth_parameters good = scene.parameters(scene.cloth);
  for (const clothc_parameter_info& info : all_parameters()) {
    for (uint32_t k = 0; k < component_count(info); ++k) {
      for (const double end : {info.least, info.most}) {
        clothc_cloth_parameters parameters = good;
        set_component(parameters, info, k, end);
        EXPECT_OK(clothc_cloth_set_parameters(scene.solver, scene.cloth, &parameters)) << info.name << " = " << end;
        if (!is_float(info) && (end == 0 || end == UINT32_MAX)) continue;
        const double beyond = is_float(info)
                                  ? std::nextafter(static_cast<float>(end), end == info.least ? -INFINITY : INFINITY)
                                  : end + (end == info.least ? -1 : 1);
        set_component(parameters, info, k, beyond);
        EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_set_parameters(scene.solver, scene.cloth, &parameters),
                     info.name, "want ");
      }
      if (!is_float(info)) continue;
      clothc_cloth_parameters parameters = good;
      set_component(parameters, info, k, NAN);
      EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_set_parameters(scene.solver, scene.cloth, &parameters),
                   info.name, "nan");
    }
  }
}

TEST_P(ParameterTable, every_parameter_changes_the_state_hash_and_back) {
  Scene scene(GetParam());
  clothc_cloth_parameters base = scene.parameters(scene.cloth);
  // With these, parameters of collisions between cloths count.
  base.self_collision_distance = 0.01f;
  base.inter_collision_distance = 0.01f;
  ASSERT_OK(clothc_cloth_set_parameters(scene.solver, scene.cloth, &base));
  const uint64_t hash = scene.hash();
  // What the next update does not depend on is not hashed.
  const std::set<std::string> unhashed = {"statistics"};
  for (const clothc_parameter_info& info : all_parameters()) {
    clothc_cloth_parameters changed = base;
    const double present = component(base, info, 0);
    const double other = info.type == CLOTHC_PARAMETER_FLAGS ? 1 : present == info.least ? info.most : info.least;
    set_component(changed, info, 0, other);
    ASSERT_OK(clothc_cloth_set_parameters(scene.solver, scene.cloth, &changed)) << info.name;
    EXPECT_EQ(scene.hash() == hash, unhashed.count(info.name) == 1) << info.name;
    ASSERT_OK(clothc_cloth_set_parameters(scene.solver, scene.cloth, &base));
  }
  EXPECT_EQ(scene.hash(), hash);
}

}  // namespace
}  // namespace parameter_table_test
