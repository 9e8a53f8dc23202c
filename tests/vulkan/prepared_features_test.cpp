// prepared_features_test.cpp - the table of docs/integration.md tells exactly which stages each feature has: once they are
// prepared, no pipeline is created any more, and updates have no other stages.
#include <algorithm>
#include <fstream>
#include <map>

#include "support/every_shape.h"
#include "support/groups.h"
#include "support/timed.h"
#include "vulkan/preparation.h"

using namespace clothc_test;

namespace prepared_features_test {
namespace {

// The rows of the table of docs/integration.md: features, and bits of their stages.
std::map<std::string, uint32_t> stages_of_features() {
  std::map<std::string, uint32_t> rows;
  std::ifstream page(CLOTHC_SOURCE_DIR "/docs/integration.md");
  std::string line;
  while (std::getline(page, line) && line != "| feature | in use | stages |") continue;
  std::getline(page, line);
  while (std::getline(page, line) && !line.empty()) {
    const std::string named = line.substr(line.rfind('|', line.size() - 2));
    uint32_t& stages = rows[line.substr(2, line.find(" |") - 2)];
    for (uint32_t k = 0; k < CLOTHC_STAGE_COUNT; ++k) {
      if (named.find("`" + std::string(stage_names[k]) + "`") != std::string::npos) stages |= 1u << k;
    }
  }
  return rows;
}

// A cloth without any feature, for features to be added.
struct FeatureScene : Scene {
  explicit FeatureScene(clothc_device of) : Scene(options_on(of)) {
    clothc_mesh_desc mesh = sheet.desc();
    mesh.virtual_particles_per_triangle = 1;
    replace_fabric(mesh);
    cloth = add();
    second = add();
    change([](clothc_cloth_parameters& p) { p.hierarchy_stiffness = p.tether_stiffness = 0; });
  }
  template <class Change>
  void change(Change change) {
    for (const clothc_cloth_id id : {cloth, second}) change_parameters(id, change);
  }
  // Sets a channel to the positions with another w.
  void set_channel(clothc_channel channel, float w) const {
    std::vector<float> values = get(CLOTHC_CHANNEL_POSITION, cloth);
    for (size_t k = 3; k < values.size(); k += 4) values[k] = w;
    set(channel, cloth, values);
  }

  clothc_cloth_id second = 0;

 private:
  static SceneOptions options_on(clothc_device of) {
    SceneOptions options(CLOTHC_BACKEND_VULKAN);
    options.given_device = of;
    options.has_cloth = false;
    options.solver.schedule = CLOTHC_SCHEDULE_PASS;
    options.solver.contact_capacity = 64;
    return options;
  }
};

struct Feature {
  // A row of the table.
  const char* name;
  void (*use)(FeatureScene& scene);
  // Another feature that is in use too, or null.
  const char* beside = nullptr;
};

constexpr Feature features[] = {
    {"every update",
     [](FeatureScene& scene) {
       const std::vector<float> positions = {0, 0, 0, 1, 1, 0, 0, 1};
       const clothc_group_id group = add_group(scene.solver, group_desc(positions));
       set_springs(scene.device, scene.solver, group, {0, 1}, {0.5f});
       scene.set(CLOTHC_CHANNEL_VELOCITY, scene.cloth, std::vector<float>(4 * 30, 0.25f));
       scene.set(CLOTHC_CHANNEL_ACCELERATION, scene.cloth, std::vector<float>(4 * 30, 0.5f));
       scene.change([](auto& p) { p.statistics = CLOTHC_STATISTIC_KINETIC_ENERGY | CLOTHC_STATISTIC_STRETCH; });
       std::vector<clothc_phase_config> phases(1, initialised<clothc_phase_config>());
       phases[0].stiffness_multiplier = 0.5f;
       phases[0].stretch_limit = 1.1f;
       EXPECT_OK(clothc_cloth_set_phases(scene.solver, scene.second, phases.data(), 1));
     }},
    {"coarse levels", [](FeatureScene& scene) { scene.change([](auto& p) { p.hierarchy_stiffness = 1; }); }},
    {"tethers", [](FeatureScene& scene) { scene.change([](auto& p) { p.tether_stiffness = 1; }); }},
    {"wind",
     [](FeatureScene& scene) {
       scene.change([](auto& p) { p.drag_coefficient = p.lift_coefficient = 0.25f, p.wind_velocity[2] = 3; });
     }},
    {"motion constraints",
     [](FeatureScene& scene) {
       scene.set_channel(CLOTHC_CHANNEL_MOTION_CONSTRAINT, 0.5f);
       scene.set_channel(CLOTHC_CHANNEL_MOTION_CONSTRAINT_START, 0.25f);
     }},
    {"separation constraints",
     [](FeatureScene& scene) { scene.set_channel(CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, 0.125f); }},
    {"colliders",
     [](FeatureScene& scene) {
       Shapes in_world = every_shape();
       in_world.space = CLOTHC_COLLIDER_SPACE_WORLD;
       const clothc_collider_set_id sets[] = {make_set(scene, every_shape()), make_set(scene, in_world)};
       for (const clothc_cloth_id id : {scene.cloth, scene.second})
         EXPECT_OK(clothc_cloth_set_collider_sets(scene.solver, id, sets, 2));
       scene.change([](auto& p) { p.friction = 0.5f, p.collision_mass_scale = 100; });
       scene.change_parameters(scene.second, [](auto& p) { p.collision_flags |= CLOTHC_COLLISION_CONTINUOUS; });
     }},
    {"contacts",
     [](FeatureScene& scene) { scene.change([](auto& p) { p.collision_flags |= CLOTHC_COLLISION_REPORT; }); },
     "colliders"},
    {"self-collision",
     [](FeatureScene& scene) {
       scene.set_channel(CLOTHC_CHANNEL_REST_POSITION, 0);
       scene.change([](auto& p) { p.self_collision_distance = 0.24f, p.self_collision_friction = 0.5f; });
     }},
    {"collision of cloths",
     [](FeatureScene& scene) {
       scene.change([](auto& p) { p.inter_collision_distance = 0.25f, p.inter_collision_friction = 0.5f; });
       scene.change_parameters(scene.second, [](auto& p) { p.inter_collision_iterations = 2; });
     }},
    {"sleep", [](FeatureScene& scene) { scene.change([](auto& p) { p.sleep_threshold = 1; }); }},
    {"sleep", [](FeatureScene& scene) { scene.change([](auto& p) { p.sleep_threshold = 1; }); }, "collision of cloths"},
};

// Returns null if there is none.
const Feature* feature_named(const std::string& name) {
  const Feature* found =
      std::find_if(std::begin(features), std::end(features), [&](const Feature& f) { return f.name == name; });
  return found == std::end(features) ? nullptr : found;
}

class PreparedFeature : public testing::WithParamInterface<Feature>, public VulkanPreparation {};
INSTANTIATE_TEST_SUITE_P(Feature, PreparedFeature, testing::ValuesIn(features), [](const auto& instance) {
  std::string name = instance.param.name;
  if (instance.param.beside != nullptr) name += std::string("_beside_") + instance.param.beside;
  for (char& letter : name) letter = letter == ' ' || letter == '-' ? '_' : letter;
  return name;
});

using PreparedFeatures = VulkanPreparation;

TEST_P(PreparedFeature, has_the_stages_of_the_page_and_leaves_no_pipeline_for_later) {
  const Feature& feature = GetParam();
  std::map<std::string, uint32_t> rows = stages_of_features();
  uint32_t stages = rows["every update"] | rows[feature.name];
  if (feature.beside != nullptr) stages |= rows[feature.beside];
  const clothc_device device = make_device();
  prepare(device, stages);
  layer().reset_counts();
  FeatureScene scene(device);
  if (feature.beside != nullptr) feature_named(feature.beside)->use(scene);
  feature.use(scene);
  scene.step(2);
  const clothc_timers timers = timed_step(scene);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_NORMAL, scene.cloth).size(), 4u * 30);
  EXPECT_NE(scene.hash(), 0u);
  EXPECT_EQ(calls_of("vkCreateComputePipelines"), 0u);
  uint32_t measured = 0;
  for (uint32_t k = 0; k < CLOTHC_STAGE_COUNT; ++k) measured |= timers.stage_ns[k] > 0 ? 1u << k : 0;
  EXPECT_EQ(names_of_stages(measured), names_of_stages(stages)) << "the row of docs/integration.md is wrong";
}

TEST_F(PreparedFeatures, compile_less_than_all) {
  const clothc_device device = make_device();
  const uint32_t of_few = prepare(device, stages_of_features()["every update"]);
  EXPECT_LT(of_few, prepare(device, 0));
}

TEST_F(PreparedFeatures, of_the_page_have_every_stage_and_are_tested_here) {
  uint32_t stages = 0;
  for (const auto& [feature, of_feature] : stages_of_features()) {
    stages |= of_feature;
    EXPECT_NE(of_feature, 0u) << feature;
    EXPECT_EQ(feature_named(feature) == nullptr, feature == "programs") << feature;
  }
  EXPECT_EQ(names_of_stages(stages), names_of_stages((1u << CLOTHC_STAGE_COUNT) - 1));
  EXPECT_EQ(stages_of_features()["programs"], 1u << CLOTHC_STAGE_PROGRAM);
}

}  // namespace
}  // namespace prepared_features_test
