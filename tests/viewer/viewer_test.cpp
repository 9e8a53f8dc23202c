// viewer_test.cpp - the viewer shows the same on the renderer's device and on others, copies nothing on the renderer's, and
// shows what it says it does.
#include <chrono>
#include <thread>

#include "cli/errors.h"
#include "viewer/viewing.h"

using namespace viewer_test;

namespace viewer_test {
namespace {

TEST_F(Viewing, bound_buffers_show_the_pixels_that_uploaded_positions_show) {
  Viewer adopted(graphics(), on("vulkan")), uploading(graphics(), on("cpu"));
  ASSERT_TRUE(adopted.is_adopted() && !uploading.is_adopted());
  for (Viewer* viewer : {&adopted, &uploading}) {
    viewer->open(moving_scene());
    viewer->shown.wireframe = viewer->shown.normals = viewer->shown.strain = viewer->shown.colliders = true;
  }
  std::vector<uint8_t> before;
  for (uint32_t frame : {0u, 1u, 12u}) {
    step_to(adopted, frame);
    step_to(uploading, frame);
    const std::vector<uint8_t> bound = picture(adopted), uploaded = picture(uploading);
    EXPECT_EQ(bound, uploaded) << "at frame " << frame;
    EXPECT_NE(bound, before) << "nothing has moved at frame " << frame;
    before = bound;
    EXPECT_EQ(adopted.host_copied_bytes(), 0u);
    EXPECT_EQ(uploading.host_copied_bytes(), 15u * 15u * 24u);
  }
}

TEST_F(Viewing, nothing_is_left_to_compile_after_the_preparation) {
  Viewer viewer(graphics(), on("vulkan"));
  EXPECT_FALSE(viewer.preparation());
  viewer.prepare();
  while (const auto preparation = viewer.preparation()) {
    EXPECT_LT(preparation->done, preparation->total);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  viewer.open(moving_scene());
  uint32_t done = 0, total = 0;
  clothc::check(clothc_device_wait(viewer.source().device(), 0, &done, &total));
  EXPECT_GT(done, 50u);
  EXPECT_EQ(done, total);
}

TEST_F(Viewing, cloths_are_drawn_where_their_frame_has_carried_them) {
  // The sheet is carried a metre to the right and turned to face +x. The cloth feels nothing of that motion, so it looks
  // like one that has hung there all the time.
  clothc_tool::SceneCloth cloth = hanging_sheet(9);
  cloth.frame = cloth.pins[0].frame = 0;
  for (auto* inertia :
       {&cloth.parameters.linear_inertia, &cloth.parameters.angular_inertia, &cloth.parameters.centrifugal_inertia})
    for (float& part : *inertia) part = 0;
  clothc_tool::Scene carried = scene_of(cloth);
  clothc_tool::SceneFrame frame;
  frame.axis = clothc_tool::Vector3{0, 1, 0};
  frame.keys = {{0, {{0, 0, 0}, 0, {}}}, {10, {{1, 0, 0}, 90, clothc_tool::rotation_about({0, 1, 0}, 90)}}};
  carried.coordinate_frames.push_back(frame);

  clothc_tool::Sheet shape = sheet_shape(9);
  shape.origin = {1, 0.5f, 0.5f};
  shape.axis_u = {0, 0, -1};
  clothc_tool::SceneCloth still = hanging_sheet(9);
  still.mesh = make_sheet(shape);

  camera_ = {{3.5f, 0.2f, 2.5f}, {0.5f, 0, 0}, 45};
  const auto shot_of = [&](const char* backend, const clothc_tool::Scene& scene) {
    Viewer viewer(graphics(), on(backend));
    viewer.open(scene);
    step_to(viewer, 10);
    return shoot([&](Frame& into, DrawList& list) {
      viewer.add(into, list);
      list.background = GREEN;
    });
  };
  const Shot expected = shot_of("cpu", scene_of(still));
  EXPECT_GT(expected.at(glm::vec3(1, 0.4f, 0))[0], expected.at(0, 0)[0] + 100) << "the cloth is not in the picture";
  for (const char* backend : {"vulkan", "cpu"}) {
    const Shot seen = shot_of(backend, carried);
    int different = 0;
    for (int y = 0; y < seen.height(); ++y)
      for (int x = 0; x < seen.width(); ++x) different += !is_near(seen.at(x, y), expected.at(x, y), 6);
    EXPECT_LT(different, 20) << "pixels, on " << backend;
  }
}

TEST_F(Viewing, looking_at_a_scene_does_not_change_it) {
  Viewer viewer(graphics(), on("cpu"));
  viewer.open(moving_scene());
  viewer.shown.normals = true;
  for (int i = 0; i < 10; ++i) {
    picture(viewer);
    viewer.step();
  }
  const clothc_tool::Scene scene = moving_scene();
  const ViewerDevice device = make_device(graphics(), on("cpu"));
  clothc_tool::SceneSimulation plain(device.device, scene);
  for (int i = 0; i < 10; ++i) plain.step();
  EXPECT_EQ(viewer.scene()->simulation().hash(), plain.hash());
}

TEST_F(Viewing, reset_shows_the_begin_again_and_the_same_afterwards) {
  Viewer viewer(graphics(), on("vulkan"));
  viewer.open(moving_scene());
  const auto first = picture(viewer);
  step_to(viewer, 8);
  const auto eighth = picture(viewer);
  EXPECT_NE(first, eighth);
  viewer.reset();
  EXPECT_EQ(viewer.source().frame(), 0u);
  EXPECT_EQ(picture(viewer), first);
  step_to(viewer, 8);
  EXPECT_EQ(picture(viewer), eighth);
}

TEST_F(Viewing, another_scene_replaces_the_one_that_is_open) {
  Viewer viewer(graphics(), on("vulkan"));
  viewer.open(moving_scene());
  viewer.step();
  picture(viewer);
  EXPECT_THROW(viewer.open("no/such/scene.json"), clothc_tool::InputError);
  EXPECT_EQ(viewer.source().frame(), 1u) << "what was open stays open";
  viewer.open(scene_of(hanging_sheet(9)));
  EXPECT_EQ(viewer.source().cloths()[0].topology->vertex_count, 81u);
  const auto hanging = picture(viewer);
  Viewer other(graphics(), on("cpu"));
  other.open(scene_of(hanging_sheet(9)));
  EXPECT_EQ(hanging, picture(other));
}

TEST_F(Viewing, contacts_are_shown_and_counted_as_copies) {
  Viewer viewer(graphics(), on("vulkan"));
  viewer.open(moving_scene());
  step_to(viewer, 20);
  const auto plain = picture(viewer);
  EXPECT_EQ(viewer.host_copied_bytes(), 0u);
  viewer.shown.contacts = true;
  viewer.step();
  DrawList contacts;
  shoot([&](Frame& frame, DrawList& list) {
    viewer.add(frame, list);
    contacts = list;
  });
  ASSERT_GT(contacts.discs.size(), 4u);
  EXPECT_EQ(viewer.host_copied_bytes(), 4 + contacts.discs.size() * sizeof(clothc_contact));
  // Each is on the ball or on the ground.
  const float ball = 0.2f;
  for (const auto& disc : contacts.discs) {
    const float from_ball = std::fabs(glm::length(disc.position - glm::vec3(ball, 0, 0)) - 0.3f);
    const float from_ground = std::fabs(disc.position.y + 0.5f);
    EXPECT_LT(std::min(from_ball, from_ground), 0.01f);
  }
  viewer.shown.contacts = false;
  viewer.step();
  picture(viewer);
  EXPECT_EQ(viewer.host_copied_bytes(), 0u);
  EXPECT_EQ(viewer.source().cloths()[0].cloth.parameters()->collision_flags & CLOTHC_COLLISION_REPORT, 0u);
}

TEST_F(Viewing, strain_is_that_of_the_constraints_of_a_phase) {
  Viewer viewer(graphics(), on("vulkan"));
  clothc_tool::SceneCloth cloth = hanging_sheet(5);
  cloth.gravity_hint = {0, -1, 0};
  viewer.open(scene_of(cloth));
  const std::vector<Topology::Phase>& phases = viewer.source().cloths()[0].topology->phases;
  ASSERT_GE(phases.size(), 3u);
  // Phases along the edges come first. The cooker has put the one across them before.
  EXPECT_EQ(phases[0].name, "1 vertical");
  EXPECT_EQ(phases[1].name, "2 horizontal");
  EXPECT_EQ(phases[2].name, "0 bend");
  EXPECT_EQ(phases[0].rest_lengths.size(), 5u * 4u);
  for (float length : phases[0].rest_lengths) EXPECT_NEAR(length, 0.25f, 1e-6f);
  const auto& positions = hanging_sheet(5).mesh.positions;
  for (size_t i = 0; i < phases[0].pairs.size(); i += 2) {
    const auto a = positions[phases[0].pairs[i]], b = positions[phases[0].pairs[i + 1]];
    EXPECT_NEAR(length(a - b), 0.25f, 1e-6f);
    EXPECT_EQ(a.x, b.x);
  }
}

TEST_F(Viewing, edges_and_triangles_are_those_of_the_mesh) {
  Viewer viewer(graphics(), on("cpu"));
  viewer.open(scene_of(hanging_sheet(4)));
  const Topology& topology = *viewer.source().cloths()[0].topology;
  EXPECT_EQ(topology.triangles.size(), 3u * 18u);
  // 12 horizontal ones, 12 vertical ones and a diagonal of each of 9 quads.
  EXPECT_EQ(topology.edges.size(), 2u * 33u);
  EXPECT_NEAR(topology.mean_side, (2 + std::sqrt(2.0f)) / 9, 1e-5f);
}

TEST_F(Viewing, timers_tell_what_the_device_did) {
  Viewer viewer(graphics(), on("vulkan"));
  viewer.open(scene_of(hanging_sheet(9)));
  viewer.step();
  EXPECT_FALSE(viewer.timers());
  viewer.set_timers(true);
  for (int i = 0; i < 3; ++i) {
    viewer.step();
    picture(viewer);
  }
  const auto timers = viewer.timers();
  ASSERT_TRUE(timers);
  EXPECT_GT(timers->total_ns, 0u);
  EXPECT_EQ(timers->particle_count, 81u);
}

}  // namespace
}  // namespace viewer_test
