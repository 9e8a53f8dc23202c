// springs_test.cpp - the springs of groups: a group moves, to the bit, like a cloth with the same constraints, and its
// springs can be set again at any time.
#include <algorithm>

#include "support/groups.h"
#include "support/scene.h"

using namespace clothc_test;

namespace springs_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Springs);

SceneOptions without_cloth(clothc_backend backend) {
  SceneOptions options(backend);
  options.has_cloth = false;
  return options;
}

// A net of particles with a few pins, whose springs have different rest lengths and stiffness.
struct Net {
  static constexpr uint32_t columns = 7, rows = 9, count = columns * rows;
  std::vector<float> positions;
  std::vector<uint32_t> indices;
  std::vector<float> lengths, stiffness;

  Net() {
    for (uint32_t p = 0; p < count; ++p) {
      const float mass = p < columns ? 0.0f : 0.5f + 0.1f * static_cast<float>(p % 5);
      positions.insert(positions.end(),
                       {0.1f * static_cast<float>(p % columns), 1.0f, 0.1f * static_cast<float>(p / columns), mass});
    }
    for (uint32_t p = 0; p < count; ++p) {
      if (p % columns + 1 < columns) add(p, p + 1, 0.1f);
      if (p + columns < count) add(p, p + columns, 0.1f);
      if (p % columns + 1 < columns && p + columns < count) add(p + 1, p + columns, 0.1414f);
    }
  }
  void add(uint32_t a, uint32_t b, float length) {
    const float change = 0.01f * static_cast<float>(lengths.size() % 3);
    stiffness.push_back(0.3f + 0.1f * static_cast<float>(lengths.size() % 8));
    indices.insert(indices.end(), {a, b});
    lengths.push_back(length - change);
  }
  clothc_fabric make_fabric(clothc_device device) const {
    return spring_fabric(device, count, indices, lengths, stiffness);
  }
};

clothc_cloth_parameters sliding_parameters() {
  clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
  parameters.friction = 0.3f;
  parameters.damping[0] = 0.05f;
  parameters.statistics = CLOTHC_STATISTIC_KINETIC_ENERGY | CLOTHC_STATISTIC_STRETCH;
  return parameters;
}

struct Nets : Scene {
  explicit Nets(clothc_backend backend) : Scene(without_cloth(backend)) {
    sphere = sphere_set(0.3f, 0.7f, 0.4f, 0.2f);
    parameters = sliding_parameters();
  }
  clothc_group_id add_group() {
    clothc_group_desc desc = group_desc(net.positions);
    desc.parameters = &parameters;
    desc.collider_sets = &sphere;
    desc.collider_set_count = 1;
    return clothc_test::add_group(solver, desc);
  }
  clothc_group_id add_net() {
    const clothc_group_id group = add_group();
    set_springs(device, solver, group, net.indices, net.lengths, net.stiffness);
    return group;
  }
  clothc_cloth_id add_as_cloth() {
    const clothc_fabric made = net.make_fabric(device);
    clothc_cloth_desc desc = initialised<clothc_cloth_desc>();
    desc.fabric = made;
    desc.positions = net.positions.data();
    desc.parameters = &parameters;
    desc.collider_sets = &sphere;
    desc.collider_set_count = 1;
    const clothc_cloth_id id = add_cloth(solver, desc);
    require(clothc_fabric_destroy(made));
    return id;
  }
  Net net;
  clothc_collider_set_id sphere = 0;
  clothc_cloth_parameters parameters;
};

TEST_P(Springs, give_the_bits_of_a_cloth_with_the_same_constraints) {
  Nets scene(GetParam());
  const clothc_group_id group = scene.add_net();
  const clothc_cloth_id cloth = scene.add_as_cloth();
  for (int frame = 0; frame < 20; ++frame) {
    scene.step(2);
    ASSERT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, group), scene.get(CLOTHC_CHANNEL_POSITION, cloth)) << frame;
    ASSERT_EQ(scene.get(CLOTHC_CHANNEL_VELOCITY, group), scene.get(CLOTHC_CHANNEL_VELOCITY, cloth)) << frame;
  }
  const clothc_cloth_status of_group = scene.status(group), of_cloth = scene.status(cloth);
  EXPECT_EQ(std::memcmp(&of_group, &of_cloth, sizeof(of_group)), 0);
  EXPECT_GT(of_group.kinetic_energy, 0.0f);
  EXPECT_GT(of_group.largest_stretch, 0.0f);
}

TEST_P(Springs, may_be_set_before_and_between_updates) {
  Nets scene(GetParam());
  const clothc_group_id early = scene.add_net();
  const clothc_group_id late = scene.add_group();
  EXPECT_EQ(group_info(scene.solver, late).spring_count, 0u);
  // Pinned particles do not move and the others fall, since they have no springs.
  scene.step(3);
  const std::vector<float> falling = scene.get(CLOTHC_CHANNEL_POSITION, late);
  for (uint32_t p = 0; p < Net::count; ++p) {
    const float height = scene.net.positions[p * 4 + 1];
    EXPECT_EQ(falling[p * 4 + 1] < height, p >= Net::columns) << p;
  }
  set_springs(scene.device, scene.solver, late, scene.net.indices, scene.net.lengths, scene.net.stiffness);
  EXPECT_EQ(group_info(scene.solver, late).spring_count, scene.net.lengths.size());
  scene.set(CLOTHC_CHANNEL_POSITION, late, scene.get(CLOTHC_CHANNEL_POSITION, early));
  scene.set(CLOTHC_CHANNEL_PREVIOUS_POSITION, late, scene.get(CLOTHC_CHANNEL_PREVIOUS_POSITION, early));
  scene.step(10);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, late), scene.get(CLOTHC_CHANNEL_POSITION, early));
  // Without springs again, every free particle falls on as it moves.
  set_springs(scene.device, scene.solver, late, {}, {});
  EXPECT_EQ(group_info(scene.solver, late).spring_count, 0u);
  scene.step(30);
  const std::vector<float> fallen = scene.get(CLOTHC_CHANNEL_POSITION, late);
  EXPECT_LT(fallen[(Net::count - 1) * 4 + 1], 0.5f);
  EXPECT_NE(fallen, scene.get(CLOTHC_CHANNEL_POSITION, early));
}

TEST_P(Springs, with_other_lengths_rebuild_nothing_and_act_at_once) {
  Nets scene(GetParam());
  const std::vector<float> pair = {0, 0, 0, 0, 1, 0, 0, 1};
  clothc_group_desc desc = group_desc(pair);
  clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
  parameters.gravity[1] = 0;
  parameters.stiffness_frequency = 1000;
  for (float& damping : parameters.damping) damping = 1;
  desc.parameters = &parameters;
  const clothc_group_id group = add_group(scene.solver, desc);
  set_springs(scene.device, scene.solver, group, {0, 1}, {1});
  scene.step(2);
  const uint64_t passes = scene.info().last_update_passes;
  const auto length = [&] { return scene.get(CLOTHC_CHANNEL_POSITION, group)[4]; };
  EXPECT_EQ(length(), 1.0f);
  const uint64_t still = scene.hash();
  for (const float wanted : {1.5f, 0.25f}) {
    set_springs(scene.device, scene.solver, group, {0, 1}, {wanted});
    EXPECT_NE(scene.hash(), still);
    scene.step(5);
    EXPECT_NEAR(length(), wanted, 1e-5f);
    EXPECT_EQ(scene.info().last_update_passes, passes);
  }
  // The same springs again change nothing.
  const uint64_t moved = scene.hash();
  set_springs(scene.device, scene.solver, group, {0, 1}, {0.25f});
  EXPECT_EQ(scene.hash(), moved);
}

TEST_P(Springs, of_a_clone_are_its_own) {
  Nets scene(GetParam());
  const clothc_group_id group = scene.add_net();
  scene.step(3);
  clothc_group_id clone = 0;
  require(clothc_cloth_clone(scene.solver, group, &clone));
  EXPECT_EQ(group_info(scene.solver, clone).spring_count, scene.net.lengths.size());
  scene.step(3);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, clone), scene.get(CLOTHC_CHANNEL_POSITION, group));
  std::vector<float> shorter = scene.net.lengths;
  for (float& length : shorter) length *= 0.5f;
  set_springs(scene.device, scene.solver, clone, scene.net.indices, shorter, scene.net.stiffness);
  const clothc_cloth_id cloth = scene.add_as_cloth();
  scene.set(CLOTHC_CHANNEL_POSITION, cloth, scene.get(CLOTHC_CHANNEL_POSITION, group));
  scene.set(CLOTHC_CHANNEL_PREVIOUS_POSITION, cloth, scene.get(CLOTHC_CHANNEL_PREVIOUS_POSITION, group));
  scene.step(5);
  EXPECT_NE(scene.get(CLOTHC_CHANNEL_POSITION, clone), scene.get(CLOTHC_CHANNEL_POSITION, group));
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, cloth), scene.get(CLOTHC_CHANNEL_POSITION, group));
}

// Buffers may hold more elements, with other data between them.
TEST_P(Springs, are_read_from_strided_buffers) {
  Nets scene(GetParam());
  const clothc_group_id dense = scene.add_net(), strided = scene.add_group();
  const Net& net = scene.net;
  const auto spread = [&](const auto& values, clothc_format format) {
    std::vector<uint32_t> words((values.size() + 2) * 3, 0xffffffffu);
    for (size_t k = 0; k < values.size(); ++k) std::memcpy(&words[k * 3], &values[k], 4);
    const clothc_buffer buffer = scene.buffer(values.size() + 2, format, 12);
    require(clothc_buffer_write(buffer, 0, words.size() * 4, words.data()));
    return buffer;
  };
  require(clothc_group_set_springs(scene.solver, strided, spread(net.indices, CLOTHC_FORMAT_UINT),
                                   spread(net.lengths, CLOTHC_FORMAT_FLOAT), spread(net.stiffness, CLOTHC_FORMAT_FLOAT),
                                   static_cast<uint32_t>(net.lengths.size())));
  scene.step(5);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, strided), scene.get(CLOTHC_CHANNEL_POSITION, dense));
}

// A setting of the only phase acts on all springs.
TEST_P(Springs, obey_the_settings_of_their_phase) {
  Nets scene(GetParam());
  const clothc_group_id group = scene.add_net();
  clothc_phase_config config = initialised<clothc_phase_config>();
  config.stiffness = 0;
  require(clothc_cloth_set_phases(scene.solver, group, &config, 1));
  scene.step(30);
  EXPECT_LT(scene.get(CLOTHC_CHANNEL_POSITION, group)[(Net::count - 1) * 4 + 1], 0.0f);
  config.phase = 1;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_set_phases(scene.solver, group, &config, 1), "phase", "1");
}

}  // namespace
}  // namespace springs_test
