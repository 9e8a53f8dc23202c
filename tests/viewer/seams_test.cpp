// seams_test.cpp - a cloth whose mesh is split along a seam, as texture coordinates split it, is drawn from the bound buffer
// without a crack.
#include <glm/gtc/matrix_transform.hpp>

#include "cloth/scene_source.h"
#include "cloth/viewer.h"
#include "viewer/scenes.h"
#include "viewer/studio.h"

using namespace viewer_test;
using namespace clothc_viewer;
using clothc_renderer::BufferRange;
using clothc_renderer::DrawList;
using clothc_renderer::Frame;
using clothc_renderer::MeshDraw;

namespace seams_test {
namespace {

constexpr uint32_t SIDE = 21, MIDDLE = SIDE / 2;

// The hanging sheet, cut in two along its middle column, whose vertices are there twice and are welded when it is cooked.
clothc_tool::SceneCloth cut_sheet() {
  clothc_tool::SceneCloth cloth = hanging_sheet(SIDE);
  clothc_tool::Mesh& mesh = cloth.mesh;
  std::vector<uint32_t> copies(SIDE);
  for (uint32_t row = 0; row < SIDE; ++row) {
    copies[row] = static_cast<uint32_t>(mesh.positions.size());
    mesh.positions.push_back(mesh.positions[row * SIDE + MIDDLE]);
  }
  for (size_t quad = 0; quad < mesh.quads.size(); quad += 4) {
    // The first corner of a quad is at its left.
    if (mesh.quads[quad] % SIDE < MIDDLE) continue;
    for (size_t corner = quad; corner < quad + 4; ++corner)
      if (mesh.quads[corner] % SIDE == MIDDLE) mesh.quads[corner] = copies[mesh.quads[corner] / SIDE];
  }
  cloth.pins.front().vertices.push_back(copies[0]);
  cloth.weld_distance = 1e-4f;
  cloth.parameters.drag_coefficient = 0.05f;
  cloth.parameters.lift_coefficient = 0.05f;
  return cloth;
}

clothc_tool::Scene cut_scene() {
  clothc_tool::Scene scene = scene_of(cut_sheet());
  scene.wind = steady_wind({1.5f, 0, -2});
  return scene;
}

class Seams : public Studio {
 protected:
  void SetUp() override {
    Studio::SetUp();
    if (!IsSkipped()) offscreen_ = std::make_unique<clothc_renderer::Offscreen>(graphics(), 240, 180);
    camera_ = {{0.3f, 0.1f, 1.7f}, {0, 0, 0}, 40};
  }

  DeviceOptions adopted() const {
    DeviceOptions options;
    options.backend = "vulkan";
    return options;
  }

  // Number of pixels between the left and the right end of a row of the silhouette that show some background. Rows near
  // its lower end, which need not be straight, are left out.
  static int crack_pixels(const Shot& shot) {
    const auto shows_background = [&](int x, int y) {
      const Pixel pixel = shot.at(x, y);
      return 2 * pixel[1] > pixel[0];
    };
    std::vector<std::pair<int, int>> rows;
    int count = 0;
    for (int y = 0; y < shot.height(); ++y) {
      int left = shot.width(), right = -1;
      for (int x = 0; x < shot.width(); ++x) {
        if (shows_background(x, y)) continue;
        left = std::min(left, x);
        right = std::max(right, x);
      }
      if (right - left > shot.width() / 10) rows.emplace_back(y, 0);
    }
    EXPECT_GT(rows.size(), static_cast<size_t>(shot.height() / 3)) << "the cloth is not in the picture";
    rows.resize(rows.size() * 4 / 5);
    for (auto& [y, cracks] : rows) {
      int left = shot.width(), right = -1;
      for (int x = 0; x < shot.width(); ++x) {
        if (shows_background(x, y)) continue;
        left = std::min(left, x);
        right = std::max(right, x);
      }
      for (int x = left + 1; x < right; ++x) count += shows_background(x, y);
    }
    return count;
  }

  Shot shoot_cloth(Viewer& viewer, const std::function<void(DrawList&)>& change = {}) {
    return shoot([&](Frame& frame, DrawList& list) {
      viewer.add(frame, list);
      list.background = GREEN;
      if (change) change(list);
    });
  }
};

TEST_F(Seams, show_no_crack_at_any_frame) {
  Viewer viewer(graphics(), adopted());
  viewer.open(cut_scene());
  const SourceCloth& cloth = viewer.source().cloths()[0];
  ASSERT_EQ(cloth.topology->vertex_count, SIDE * SIDE + SIDE) << "the seam's vertices are there twice";
  ASSERT_EQ(cloth.info.particle_count, SIDE * SIDE) << "and are one particle";
  std::vector<uint8_t> first, last;
  for (uint32_t frame : {0u, 1u, 5u, 15u, 30u}) {
    while (viewer.source().frame() < frame) viewer.step();
    const Shot shot = shoot_cloth(viewer);
    EXPECT_EQ(crack_pixels(shot), 0) << "at frame " << frame;
    EXPECT_EQ(viewer.host_copied_bytes(), 0u);
    if (first.empty()) first = shot.bytes();
    last = shot.bytes();
  }
  EXPECT_NE(first, last) << "the cloth has not moved";
}

// What the test above would see if the two sides of the seam got different values.
TEST_F(Seams, show_a_crack_if_one_half_is_displaced) {
  Viewer viewer(graphics(), adopted());
  viewer.open(cut_scene());
  for (int i = 0; i < 15; ++i) viewer.step();
  const std::vector<uint32_t>& triangles = viewer.source().cloths()[0].topology->triangles;
  std::vector<uint32_t> halves[2];
  for (size_t i = 0; i < triangles.size(); i += 3) {
    const bool is_right = std::all_of(&triangles[i], &triangles[i] + 3,
                                      [](uint32_t vertex) { return vertex >= SIDE * SIDE || vertex % SIDE > MIDDLE; });
    halves[is_right].insert(halves[is_right].end(), &triangles[i], &triangles[i] + 3);
  }
  ASSERT_EQ(halves[0].size(), halves[1].size());
  for (const float displacement : {0.0f, 0.004f, 0.02f}) {
    const Shot shot = shoot([&](Frame& frame, DrawList& list) {
      viewer.add(frame, list);
      list.background = GREEN;
      MeshDraw half = list.meshes.back();
      list.meshes.clear();
      for (int i = 0; i < 2; ++i) {
        half.indices = frame.put(halves[i]);
        half.index_count = static_cast<uint32_t>(halves[i].size());
        half.vertices.transform = glm::translate(glm::mat4(1), glm::vec3(i == 1 ? displacement : 0, 0, 0));
        list.meshes.push_back(half);
      }
    });
    if (displacement == 0) {
      EXPECT_EQ(crack_pixels(shot), 0);
    } else {
      // A pixel is about 7 mm wide.
      EXPECT_GT(crack_pixels(shot), 20) << displacement;
    }
  }
}

}  // namespace
}  // namespace seams_test
