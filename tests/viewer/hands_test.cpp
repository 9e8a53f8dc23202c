// hands_test.cpp - what the user does to a scene does that and no more.
#include <cstring>

#include "viewer/viewing.h"

using namespace viewer_test;

namespace hands_test {
namespace {

class Hands : public Viewing {
 protected:
  clothc_renderer::Ray ray_to(glm::vec3 point) const { return {camera_.eye, glm::normalize(point - camera_.eye)}; }
};

TEST_F(Hands, pick_the_particle_under_the_ray) {
  Viewer viewer(graphics(), on("cpu"));
  viewer.open(moving_scene());
  step_to(viewer, 5);
  const SourceCloth& cloth = viewer.source().cloths()[0];
  const clothc_cloth_frame frame = cloth.cloth.frame().value();
  ASSERT_NE(frame.translation[0], 0) << "the frame should have moved";
  const auto local = positions_of(viewer);
  // The pose at frame 5: a quarter of the way.
  const clothc_tool::Rotation turn = clothc_tool::rotation_about({0, 1, 0}, 10);
  for (size_t i = 3; i < local.size(); i += 17) {
    const auto turned = rotated(turn, {local[i].x, local[i].y, local[i].z});
    const glm::vec3 world = {turned.x + 0.075f, turned.y, turned.z};
    const auto picked = pick(viewer.source(), ray_to(world));
    ASSERT_TRUE(picked);
    EXPECT_LT(glm::length(picked->position - world), 0.02f) << i;
  }
  EXPECT_FALSE(pick(viewer.source(), ray_to({0, 2, 0})));
}

TEST_F(Hands, never_pick_what_is_pinned) {
  Viewer viewer(graphics(), on("cpu"));
  viewer.open(scene_of(hanging_sheet(9)));
  const auto picked = pick(viewer.source(), ray_to({0.25f, 0.49f, 0}));
  ASSERT_TRUE(picked);
  EXPECT_NEAR(picked->position.y, 0.375f, 1e-4f) << "the row below the pins";
  EXPECT_GT(picked->inverse_mass, 0);
}

TEST_F(Hands, pull_a_particle_where_the_mouse_is_and_let_it_go) {
  for (const char* backend : {"cpu", "vulkan"}) {
    Viewer viewer(graphics(), on(backend));
    viewer.open(scene_of(hanging_sheet(9)));
    camera_ = {{0, 0, 3}, {0, 0, 0}, 40};
    step_to(viewer, 2);
    const auto before = positions_of(viewer);
    const uint32_t grabbed = 8 * 9 + 4;
    ASSERT_TRUE(viewer.grab(ray_to(glm::vec3(before[grabbed]))));
    ASSERT_TRUE(viewer.is_grabbing());
    const glm::vec3 target = glm::vec3(before[grabbed]) + glm::vec3(0.25f, 0.2f, 0);
    viewer.pull(ray_to(target));
    for (int i = 0; i < 20; ++i) viewer.step();
    const auto pulled = positions_of(viewer);
    // The mouse moves it at its distance from the eye.
    const glm::vec3 wanted =
        camera_.eye + glm::length(glm::vec3(before[grabbed]) - camera_.eye) * ray_to(target).direction;
    EXPECT_LT(glm::length(glm::vec3(pulled[grabbed]) - wanted), 1e-3f) << backend;
    EXPECT_EQ(pulled[grabbed].w, 0);
    EXPECT_GT(pulled[grabbed - 1].x, before[grabbed - 1].x + 0.1f) << "its neighbours follow";

    viewer.release();
    EXPECT_FALSE(viewer.is_grabbing());
    for (int i = 0; i < 20; ++i) viewer.step();
    const auto released = positions_of(viewer);
    EXPECT_EQ(released[grabbed].w, before[grabbed].w) << "it has its mass again";
    EXPECT_GT(glm::length(glm::vec3(released[grabbed]) - wanted), 0.1f) << "and falls";
  }
}

TEST_F(Hands, leave_no_constraint_behind) {
  // A cloth that falls freely falls on as if it had not been touched, but for the time in which it was held.
  Viewer viewer(graphics(), on("cpu"));
  viewer.open(scene_of(lying_sheet(6, 0)));
  const auto before = positions_of(viewer);
  ASSERT_TRUE(viewer.grab(ray_to(glm::vec3(before[14]))));
  viewer.release();
  for (int i = 0; i < 30; ++i) viewer.step();
  const auto after = positions_of(viewer);
  Viewer untouched(graphics(), on("cpu"));
  untouched.open(scene_of(lying_sheet(6, 0)));
  for (int i = 0; i < 30; ++i) untouched.step();
  const auto expected = positions_of(untouched);
  for (size_t i = 0; i < after.size(); ++i) EXPECT_EQ(after[i], expected[i]) << i;
}

TEST_F(Hands, leave_the_constraints_of_the_scene) {
  // A cloth that would fall, but for spheres around its particles.
  constexpr float radius = 0.05f;
  clothc_tool::SceneCloth cloth = lying_sheet(6, 0);
  cloth.limits.emplace().radius = radius;
  Viewer viewer(graphics(), on("cpu"));
  viewer.open(scene_of(cloth));
  viewer.step();
  const auto before = positions_of(viewer);
  ASSERT_TRUE(viewer.grab(ray_to(glm::vec3(before[14]))));
  viewer.pull(ray_to(glm::vec3(before[14]) + glm::vec3(0.3f, 0, 0)));
  for (int i = 0; i < 10; ++i) viewer.step();
  EXPECT_GT(glm::distance(positions_of(viewer)[14], before[14]), 0.2f);
  viewer.release();
  for (int i = 0; i < 60; ++i) viewer.step();
  const auto after = positions_of(viewer);
  for (size_t i = 0; i < after.size(); ++i)
    EXPECT_LT(glm::distance(glm::vec3(after[i]), glm::vec3(before[i])), 2 * radius) << i;
}

TEST_F(Hands, blow_at_cloths_that_feel_no_wind_otherwise) {
  Viewer viewer(graphics(), on("cpu"));
  viewer.open(scene_of(hanging_sheet(9)));
  const clothc_cloth_parameters own = viewer.scene()->parameters(0);
  viewer.scene()->set_extra_wind({0, 0, -8});
  for (int i = 0; i < 20; ++i) viewer.step();
  const float blown = positions_of(viewer)[8 * 9 + 4].z;
  EXPECT_LT(blown, -0.1f);
  EXPECT_EQ(viewer.source().cloths()[0].cloth.parameters()->wind_velocity[2], -8) << "it does not add up";
  viewer.scene()->set_extra_wind({});
  viewer.step();
  const clothc_cloth_parameters after = viewer.source().cloths()[0].cloth.parameters().value();
  EXPECT_EQ(std::memcmp(&after, &own, sizeof own), 0);
}

TEST_F(Hands, add_wind_to_the_wind_of_the_scene) {
  Viewer viewer(graphics(), on("cpu"));
  clothc_tool::SceneCloth cloth = hanging_sheet(5);
  cloth.parameters.drag_coefficient = 0.1f;
  clothc_tool::Scene scene = scene_of(cloth);
  scene.wind = steady_wind({3, 0, 0});
  viewer.open(scene);
  viewer.scene()->set_extra_wind({1, 2, 0});
  for (int i = 0; i < 3; ++i) viewer.step();
  const clothc_cloth_parameters now = viewer.source().cloths()[0].cloth.parameters().value();
  EXPECT_EQ(now.wind_velocity[0], 4);
  EXPECT_EQ(now.wind_velocity[1], 2);
  EXPECT_EQ(now.drag_coefficient, 0.1f);
}

TEST_F(Hands, turn_parameters_that_stay_after_a_reset) {
  Viewer viewer(graphics(), on("cpu"));
  viewer.open(scene_of(lying_sheet(5, 0)));
  clothc_cloth_parameters parameters = viewer.scene()->parameters(0);
  parameters.gravity[1] = 2;
  viewer.scene()->set_parameters(0, parameters);
  std::vector<clothc_phase_config> phases = viewer.scene()->phases(0);
  ASSERT_FALSE(phases.empty());
  phases[0].stiffness = 0.25f;
  viewer.scene()->set_phases(0, phases);
  viewer.step();
  viewer.reset();
  for (int i = 0; i < 10; ++i) viewer.step();
  EXPECT_GT(positions_of(viewer)[0].y, 0.02f) << "it rises";
  EXPECT_EQ(viewer.scene()->phases(0)[0].stiffness, 0.25f);

  parameters.solver_frequency = -1;
  EXPECT_THROW(viewer.scene()->set_parameters(0, parameters), clothc::Error);
  EXPECT_EQ(viewer.scene()->parameters(0).solver_frequency, 240);
}

}  // namespace
}  // namespace hands_test
