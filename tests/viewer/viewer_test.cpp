// viewer_test.cpp - the viewer shows the same on the renderer's device and on others, copies nothing on the renderer's, and
// what the user does to a scene does that and no more.
#include "cloth/viewer.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "cli/errors.h"
#include "cloth/capture_source.h"
#include "cloth/scene_source.h"
#include "viewer/scenes.h"
#include "viewer/studio.h"

using namespace viewer_test;
using namespace clothc_viewer;
using clothc_renderer::DrawList;
using clothc_renderer::Frame;

namespace viewer_tests {
namespace {

DeviceOptions on(const char* backend) {
  DeviceOptions options;
  options.backend = backend;
  options.thread_count = 2;
  return options;
}

// A sheet that falls on a ball and the ground, in a frame that moves.
clothc_tool::Scene moving_scene() {
  clothc_tool::SceneCloth cloth = lying_sheet(15, 0.4f);
  cloth.frame = 0;
  clothc_tool::Scene scene = scene_of(cloth);
  clothc_tool::SceneFrame frame;
  frame.name = "cart";
  frame.axis = clothc_tool::Vector3{0, 1, 0};
  frame.keys = {{0, {{0, 0, 0}, 0, {}}}, {20, {{0.3f, 0, 0}, 40, clothc_tool::rotation_about({0, 1, 0}, 40)}}};
  scene.coordinate_frames.push_back(frame);
  scene.colliders.spheres.push_back({{{0, {{0, 0, 0}, 0.3f}}, {20, {{0.2f, 0, 0}, 0.3f}}}});
  scene.colliders.planes.push_back({{{0, 1, 0}, 0.5f}});
  return scene;
}

class Viewing : public Studio {
 protected:
  void SetUp() override {
    Studio::SetUp();
    camera_ = {{0.9f, 0.8f, 2.2f}, {0, 0, 0}, 40};
  }
  std::vector<uint8_t> picture(Viewer& viewer) {
    return shoot([&](Frame& frame, DrawList& list) { viewer.add(frame, list); }).bytes();
  }
  static void step_to(Viewer& viewer, uint32_t frame) {
    while (viewer.source().frame() < frame) ASSERT_TRUE(viewer.step());
  }
  static std::vector<glm::vec4> positions_of(Viewer& viewer) {
    const SourceCloth& cloth = viewer.source().cloths()[0];
    return cloth.cloth.read<glm::vec4>(cloth.device, CLOTHC_CHANNEL_POSITION, CLOTHC_FORMAT_FLOAT4).value();
  }
};

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

// ---------------------------------------------------------------------------------------------------- the user's hands

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

// ---------------------------------------------------------------------------------------------------- captures

class Captures : public Viewing {
 protected:
  static constexpr uint32_t FRAMES = 6;

  // Records a program for the first test that needs it.
  static std::string recorded(const std::string& program, const std::string& arguments) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("clothc_viewer_" + std::to_string(getpid()) + "_" +
                                                  std::filesystem::path(program).filename().string() + ".capture");
    const std::string command = std::string("VK_ICD_FILENAMES=none ") + CLOTHC_TOOL + " record " + file.string() +
                                " -- " + program + " " + arguments + " >/dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return file;
  }
};

TEST_F(Captures, show_what_the_program_simulated) {
  const std::string capture = recorded(CLOTHC_FLAG, std::to_string(FRAMES));
  Viewer adopted(graphics(), on("vulkan")), uploading(graphics(), on("cpu"));
  for (Viewer* viewer : {&adopted, &uploading}) {
    viewer->open(capture);
    viewer->shown.wireframe = true;
    ASSERT_TRUE(viewer->capture());
    EXPECT_EQ(viewer->source().frame_count(), FRAMES);
    EXPECT_EQ(viewer->source().frame(), 1u);
    ASSERT_EQ(viewer->source().cloths().size(), 1u);
  }
  camera_ = uploading.source().camera(1.33f);
  std::vector<std::vector<uint8_t>> pictures;
  for (uint32_t frame = 1; frame <= FRAMES; ++frame) {
    step_to(adopted, frame);
    step_to(uploading, frame);
    pictures.push_back(picture(adopted));
    EXPECT_EQ(pictures.back(), picture(uploading)) << frame;
    EXPECT_EQ(adopted.host_copied_bytes(), 0u);
    EXPECT_GT(uploading.host_copied_bytes(), 0u);
  }
  EXPECT_NE(pictures.front(), pictures.back());
  EXPECT_FALSE(adopted.step()) << "there is no more";
  EXPECT_EQ(picture(adopted), pictures.back()) << "and the last frame stays";
  EXPECT_EQ(adopted.capture()->difference(), "");

  adopted.capture()->go_to(2);
  EXPECT_EQ(picture(adopted), pictures[1]);
  adopted.capture()->go_to(FRAMES - 1);
  EXPECT_EQ(picture(adopted), pictures[FRAMES - 2]);
  EXPECT_FALSE(adopted.grab({camera_.eye, camera_.forward()})) << "recordings cannot be changed";
  std::filesystem::remove(capture);
}

TEST_F(Captures, show_cloths_where_their_frames_have_carried_them) {
  // A cart that carries a banner and a pennant: simulated by the tool, which is recorded, and by the viewer.
  const std::string scene = std::string(CLOTHC_SOURCE_DIR) + "/scenes/banner.json";
  const std::string capture = recorded(CLOTHC_TOOL, "sim " + scene + " --backend cpu --frames 20");
  Viewer simulating(graphics(), on("cpu"));
  simulating.open(scene);
  step_to(simulating, 20);
  camera_ = simulating.source().camera(1.33f);
  const auto shot_of = [&](Viewer& viewer) {
    return shoot([&](Frame& frame, DrawList& list) {
      viewer.add(frame, list);
      // Captures have lines in place of solids, and other colours.
      const auto is_solid = [](const auto& mesh) { return mesh.material == clothc_renderer::Material::solid; };
      list.meshes.erase(std::remove_if(list.meshes.begin(), list.meshes.end(), is_solid), list.meshes.end());
      ASSERT_EQ(list.meshes.size(), 2u);
      for (auto& mesh : list.meshes) mesh.front_colour = mesh.back_colour = {0.8f, 0.02f, 0.02f};
      list.planes.clear();
      list.lines.clear();
      list.light = {};
      list.cloth_lead = 0;
      list.background = GREEN;
    });
  };
  const Shot simulated = shot_of(simulating);
  for (const char* backend : {"vulkan", "cpu"}) {
    Viewer playing(graphics(), on(backend));
    playing.open(capture);
    playing.capture()->go_to(20);
    const Shot played = shot_of(playing);
    int different = 0, cloth = 0;
    for (int y = 0; y < played.height(); ++y) {
      for (int x = 0; x < played.width(); ++x) {
        different += !is_near(played.at(x, y), simulated.at(x, y), 12);
        cloth += played.at(x, y)[0] > played.at(x, y)[1];
      }
    }
    EXPECT_GT(cloth, 300) << backend;
    EXPECT_LT(different, 15) << "pixels, on " << backend;
  }
  std::filesystem::remove(capture);
}

TEST_F(Captures, show_the_shapes_that_cloths_collide_with_as_lines) {
  const std::string scene = std::string(CLOTHC_SOURCE_DIR) + "/scenes/skirt.json";
  const std::string capture = recorded(CLOTHC_TOOL, "sim " + scene + " --backend cpu --frames 3");
  // Lowest and highest corner of the lines that a viewer adds.
  const auto extent_of = [&](Viewer& viewer) {
    viewer.shown.colliders = true;
    step_to(viewer, 3);
    std::pair<glm::vec3, glm::vec3> extent = {glm::vec3(INFINITY), glm::vec3(-INFINITY)};
    shoot([&](Frame& frame, DrawList& list) {
      viewer.add(frame, list);
      EXPECT_GT(list.lines.size(), 100u);
      for (const auto& point : list.lines) {
        extent.first = glm::min(extent.first, point.position);
        extent.second = glm::max(extent.second, point.position);
      }
    });
    EXPECT_EQ(viewer.host_copied_bytes() > 0, !viewer.is_adopted());
    return extent;
  };
  Viewer simulating(graphics(), on("cpu"));
  simulating.open(scene);
  const auto [low, high] = extent_of(simulating);
  for (const char* backend : {"vulkan", "cpu"}) {
    Viewer playing(graphics(), on(backend));
    playing.open(capture);
    const auto [played_low, played_high] = extent_of(playing);
    // The arms reach out farthest along x; along z that is the square which stands for the ground. Circles have other
    // numbers of parts.
    EXPECT_LT(glm::distance(glm::vec2(played_low), glm::vec2(low)), 1e-3f) << backend;
    EXPECT_LT(glm::distance(glm::vec2(played_high), glm::vec2(high)), 1e-3f) << backend;
  }
  std::filesystem::remove(capture);
}

TEST_F(Captures, show_particles_that_belong_to_no_cloth) {
  const std::string capture = recorded(CLOTHC_PARTICLES, "");
  Viewer viewer(graphics(), on("vulkan"));
  viewer.open(capture);
  camera_ = viewer.source().camera(1.33f);
  DrawList drawn;
  shoot([&](Frame& frame, DrawList& list) {
    viewer.add(frame, list);
    drawn = list;
  });
  ASSERT_EQ(drawn.points.size(), 1u);
  EXPECT_EQ(drawn.points[0].point_count, 10u) << "those that are active at first";
  EXPECT_EQ(viewer.host_copied_bytes(), 0u);
  std::filesystem::remove(capture);
}

}  // namespace
}  // namespace viewer_tests
