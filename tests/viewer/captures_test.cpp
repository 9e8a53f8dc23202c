// captures_test.cpp - captures show what the recorded program simulated, at any frame.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cloth/capture_source.h"
#include "viewer/viewing.h"

using namespace viewer_test;

namespace captures_test {
namespace {

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
}  // namespace captures_test
