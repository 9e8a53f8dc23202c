// viewing.h - what the tests of examples/viewer/cloth share: a scene in which everything moves, and a fixture that draws what
// a viewer shows.
#pragma once

#include <vector>

#include "cloth/scene_source.h"
#include "cloth/viewer.h"
#include "viewer/scenes.h"
#include "viewer/studio.h"

namespace viewer_test {

using namespace clothc_viewer;
using clothc_renderer::DrawList;
using clothc_renderer::Frame;

inline DeviceOptions on(const char* backend) {
  DeviceOptions options;
  options.backend = backend;
  options.thread_count = 2;
  return options;
}

// A sheet that falls on a ball and the ground, in a frame that moves.
inline clothc_tool::Scene moving_scene() {
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

}  // namespace viewer_test
