// arguments_test.cpp - wrong arguments of the functions for groups are refused with the value and the remedy, and change
// nothing.
#include "support/groups.h"
#include "support/scene.h"

using namespace clothc_test;

namespace group_arguments_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(GroupArguments);

constexpr clothc_result bad = CLOTHC_ERROR_INVALID_ARGUMENT;

struct Line : Scene {
  explicit Line(clothc_backend backend) : Scene(backend) {
    for (uint32_t p = 0; p < 4; ++p) positions.insert(positions.end(), {static_cast<float>(p), 0, 0, 1});
    group = add_group(solver, group_desc(positions));
  }
  std::vector<float> positions;
  clothc_group_id group = 0;
};

TEST_P(GroupArguments, of_a_new_group_are_checked) {
  Line scene(GetParam());
  clothc_group_id added = 77;
  const auto fails = [&](clothc_result result, const std::function<void(clothc_group_desc&)>& spoil,
                         std::initializer_list<const char*> parts) {
    clothc_group_desc desc = group_desc(scene.positions);
    spoil(desc);
    expect_failure(result, clothc_group_add(scene.solver, &desc, &added), parts, "clothc_group_add");
  };
  fails(bad, [](clothc_group_desc& d) { d.particle_count = 0; }, {"particle_count", "0", "2^24"});
  fails(bad, [](clothc_group_desc& d) { d.particle_count = (1u << 24) + 1; }, {"particle_count", "16777217"});
  fails(bad, [](clothc_group_desc& d) { d.positions = nullptr; }, {"positions", "null"});
  fails(bad, [](clothc_group_desc& d) { d.radius = -1; }, {"radius", "-1"});
  fails(bad, [](clothc_group_desc& d) { d.radius = not_a_number; }, {"radius", "nan"});
  fails(bad, [](clothc_group_desc& d) { d.collider_set_count = 1; }, {"collider sets", "null"});
  const clothc_collider_set_id unknown = 99;
  fails(CLOTHC_ERROR_INVALID_HANDLE,
        [&](clothc_group_desc& d) {
          d.collider_set_count = 1;
          d.collider_sets = &unknown;
        },
        {"0x63"});
  clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
  parameters.friction = -1;
  fails(bad, [&](clothc_group_desc& d) { d.parameters = &parameters; }, {"friction", "-1"});
  parameters = initialised<clothc_cloth_parameters>();
  parameters.drag_coefficient = 0.5f;
  fails(bad, [&](clothc_group_desc& d) { d.parameters = &parameters; }, {"drag"});
  fails(CLOTHC_ERROR_INVALID_STRUCT, [](clothc_group_desc& d) { d.struct_size = 3; }, {"struct_size", "3"});
  scene.positions[6] = infinity;
  fails(bad, [](clothc_group_desc&) {}, {"particle 1", "inf"});
  scene.positions[6] = 0;
  scene.positions[7] = -2;
  fails(bad, [](clothc_group_desc&) {}, {"particle 1", "-2"});
  scene.positions[7] = 1;
  EXPECT_EQ(added, 77u);
  std::vector<float> many(size_t{2000} * 4, 1.0f);
  const clothc_group_desc large = group_desc(many);
  EXPECT_FAILS(CLOTHC_ERROR_CAPACITY, clothc_group_add(scene.solver, &large, &added), "2016", "particle_capacity");
  const clothc_group_desc fine = group_desc(scene.positions);
  EXPECT_FAILS(bad, clothc_group_add(scene.solver, &fine, nullptr), "group");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_group_add(nullptr, &fine, &added), "solver");
}

TEST_P(GroupArguments, cloths_with_a_fabric_are_no_groups) {
  Line scene(GetParam());
  clothc_group_info info = initialised<clothc_group_info>();
  uint32_t count = 0;
  for (const clothc_cloth_id id : {scene.cloth, clothc_cloth_id{0}, clothc_cloth_id{12345}}) {
    constexpr clothc_result wrong = CLOTHC_ERROR_INVALID_HANDLE;
    EXPECT_FAILS(wrong, clothc_group_get_info(scene.solver, id, &info), "0x");
    EXPECT_FAILS(wrong, clothc_group_set_springs(scene.solver, id, nullptr, nullptr, nullptr, 0), "0x");
    EXPECT_FAILS(wrong, clothc_group_set_active(scene.solver, id, nullptr, 0), "0x");
    EXPECT_FAILS(wrong, clothc_group_get_active(scene.solver, id, nullptr, &count), "0x");
    EXPECT_FAILS(wrong, clothc_group_remove(scene.solver, id), "0x");
  }
  EXPECT_EQ(scene.info().cloth_count, 2u);
  // A group is a cloth in all other respects.
  EXPECT_EQ(scene.info(scene.group).particle_count, 4u);
  EXPECT_EQ(scene.info(scene.group).phase_config_count, 1u);
  EXPECT_OK(clothc_group_remove(scene.solver, scene.group));
  EXPECT_EQ(scene.info().cloth_count, 1u);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_group_remove(scene.solver, scene.group), "0x");
}

TEST_P(GroupArguments, of_springs_are_checked) {
  Line scene(GetParam());
  const auto words = [&](const auto& values) { return filled_buffer(scene.device, values); };
  const std::vector<uint32_t> chain = {0, 1, 1, 2, 2, 3};
  const clothc_buffer indices = words(chain), lengths = words(std::vector<float>{1, 1, 1});
  const clothc_buffer stiffness = words(std::vector<float>{1, 0.5f, 0});
  const auto set = [&](clothc_buffer i, clothc_buffer l, clothc_buffer s, uint32_t count) {
    return clothc_group_set_springs(scene.solver, scene.group, i, l, s, count);
  };
  ASSERT_OK(set(indices, lengths, stiffness, 3));
  const uint64_t hash = scene.hash();
  EXPECT_FAILS(bad, set(indices, lengths, stiffness, 4), "indices", "6", "8");
  EXPECT_FAILS(bad, set(words(std::vector<uint32_t>(8)), lengths, stiffness, 4), "rest_lengths", "3", "4");
  EXPECT_FAILS(bad, set(indices, words(std::vector<float>(5, 1.0f)), words(std::vector<float>{1}), 3), "stiffness", "1",
               "3");
  EXPECT_FAILS(bad, set(lengths, lengths, stiffness, 1), "indices", "UINT");
  EXPECT_FAILS(bad, set(indices, indices, stiffness, 1), "rest_lengths", "FLOAT");
  EXPECT_FAILS(bad, set(indices, lengths, indices, 1), "stiffness", "FLOAT");
  EXPECT_FAILS(bad, set(indices, lengths, stiffness, (1u << 28) + 1), "spring_count", "2^28");
  EXPECT_FAILS(bad, set(words(std::vector<uint32_t>{0, 4}), lengths, stiffness, 1), "indices[1]", "4");
  EXPECT_FAILS(bad, set(words(std::vector<uint32_t>{2, 2}), lengths, stiffness, 1), "particle 2");
  EXPECT_FAILS(bad, set(indices, words(std::vector<float>{1, -1}), stiffness, 2), "rest_lengths[1]", "-1");
  EXPECT_FAILS(bad, set(indices, words(std::vector<float>{not_a_number}), stiffness, 1), "rest_lengths[0]", "nan");
  EXPECT_FAILS(bad, set(indices, lengths, words(std::vector<float>{1.5f}), 1), "stiffness", "1.5");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, set(nullptr, lengths, stiffness, 1), "buffer");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, set(indices, nullptr, stiffness, 1), "buffer");
  void* pointer = nullptr;
  require(clothc_buffer_map(indices, CLOTHC_MAP_READ, &pointer));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, set(indices, lengths, stiffness, 3), "mapped");
  require(clothc_buffer_unmap(indices));
  EXPECT_EQ(scene.hash(), hash);
  EXPECT_EQ(group_info(scene.solver, scene.group).spring_count, 3u);
  // Without springs the buffers are ignored.
  EXPECT_OK(set(nullptr, nullptr, nullptr, 0));
}

TEST_P(GroupArguments, of_the_active_set_are_checked) {
  Line scene(GetParam());
  const auto set = [&](const std::vector<uint32_t>& particles) {
    return clothc_group_set_active(scene.solver, scene.group, filled_buffer(scene.device, particles),
                                   static_cast<uint32_t>(particles.size()));
  };
  ASSERT_OK(set({3, 1}));
  EXPECT_FAILS(bad, set({0, 4}), "particle 4", "group has 4");
  EXPECT_FAILS(bad, set({0, 2, 0}), "particle 0", "twice");
  EXPECT_FAILS(bad, clothc_group_set_active(scene.solver, scene.group, nullptr, 5), "5", "4");
  EXPECT_FAILS(bad, clothc_group_set_active(scene.solver, scene.group, scene.buffer(4), 4), "particles", "UINT");
  EXPECT_FAILS(bad, clothc_group_set_active(scene.solver, scene.group, scene.buffer(2, CLOTHC_FORMAT_UINT), 3),
               "2 elements", "3");
  uint32_t list[4] = {7, 7, 7, 7};
  uint32_t count = 1;
  EXPECT_EQ(clothc_group_get_active(scene.solver, scene.group, list, &count), CLOTHC_INCOMPLETE);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(list[0], 1u);
  EXPECT_EQ(list[1], 7u);
  EXPECT_FAILS(bad, clothc_group_get_active(scene.solver, scene.group, list, nullptr), "count");
  EXPECT_FAILS(bad, clothc_group_get_info(scene.solver, scene.group, nullptr), "null");
}

// Lists may lie in memory that only the device has, and may come from work that has not ended.
TEST_P(GroupArguments, may_come_from_any_buffer) {
  Line scene(GetParam());
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.kind = CLOTHC_BUFFER_DEVICE;
  desc.format = CLOTHC_FORMAT_UINT;
  desc.count = 4;
  clothc_buffer on_device = nullptr;
  require(clothc_buffer_create(scene.device, &desc, &on_device));
  // The phases are the list of particles: 3, 0, 2, 1.
  set_phases(scene.device, scene.solver, scene.group, {3, 0, 2, 1});
  const clothc_region region = {scene.info(scene.group).first_particle, 0, 4};
  require(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_PARTICLE_PHASE, on_device, nullptr, &region, 1, 0));
  require(clothc_group_set_active(scene.solver, scene.group, on_device, 3));
  EXPECT_EQ(get_active(scene.solver, scene.group), (std::vector<uint32_t>{0, 2, 3}));
}

TEST_P(GroupArguments, groups_have_no_triangles) {
  Line scene(GetParam());
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_NORMAL, scene.group), std::vector<float>(16, 0.0f));
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_TANGENT, scene.group), std::vector<float>(16, 0.0f));
  clothc_cloth_parameters parameters = scene.parameters(scene.group);
  parameters.lift_coefficient = 0.5f;
  EXPECT_FAILS(bad, clothc_cloth_set_parameters(scene.solver, scene.group, &parameters), "triangles");
}

TEST_P(GroupArguments, the_radius_becomes_the_distances_of_collisions) {
  Line scene(GetParam());
  const clothc_group_id large = add_group(scene.solver, group_desc(scene.positions, 0.25f));
  EXPECT_EQ(scene.parameters(large).self_collision_distance, 0.5f);
  EXPECT_EQ(scene.parameters(large).inter_collision_distance, 0.5f);
  EXPECT_EQ(group_info(scene.solver, large).radius, 0.25f);
  EXPECT_EQ(group_info(scene.solver, scene.group).radius, 0.0f);
  EXPECT_EQ(group_info(scene.solver, large).particle_count, 4u);
  EXPECT_EQ(group_info(scene.solver, large).first_particle, scene.info(large).first_particle);
}

}  // namespace
}  // namespace group_arguments_test
