// scene.cpp - loads a scene from a JSON file or a mesh file, depending on the file's extension.
#include "scene/scene.h"

#include <algorithm>
#include <set>

#include "cli/device_options.h"
#include "cli/errors.h"
#include "mesh/file.h"
#include "scene/cloth/cloth.h"
#include "scene/colliders/colliders.h"
#include "scene/frames/frames.h"
#include "scene/document/json.h"
#include "scene/frames/keyframes.h"
#include "scene/cloth/wind.h"

namespace clothc_tool {
namespace {

SceneCamera read_camera(const SceneField& field) {
  field.only({"eye", "target", "fov"});
  SceneCamera camera;
  camera.eye = field.member("eye").vector();
  camera.target = field.member("target").vector();
  camera.field_of_view = field.number("fov", 1, 150, camera.field_of_view);
  if (!(length(camera.target - camera.eye) > 0)) field.fail("eye and target must differ");
  return camera;
}

clothc_schedule read_schedule(const SceneField& field) {
  field.only({"schedule"});
  const auto schedule = field.find("schedule");
  if (!schedule) return CLOTHC_SCHEDULE_AUTO;
  const std::string name = schedule->text();
  for (clothc_schedule value : {CLOTHC_SCHEDULE_AUTO, CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
    if (name == schedule_name(value)) return value;
  }
  schedule->fail("want auto, cloth or pass");
}

// The scene's wind replaces the wind_velocity of each cloth, so no cloth may set one, and at least one cloth must be
// affected by wind.
void check_wind(const SceneField& wind, const SceneField& cloths, const Scene& scene) {
  for (const SceneField& cloth : cloths.elements()) {
    const auto parameters = cloth.find("parameters");
    if (!parameters || !parameters->has("wind_velocity")) continue;
    parameters->member("wind_velocity").fail("the scene's wind takes its place; leave one of them out");
  }
  const bool is_felt = std::any_of(scene.cloths.begin(), scene.cloths.end(), [](const SceneCloth& cloth) {
    return cloth.parameters.drag_coefficient > 0 || cloth.parameters.lift_coefficient > 0;
  });
  if (!is_felt) wind.fail("no cloth feels it; give one's parameters a drag_coefficient or lift_coefficient");
}

std::vector<SceneCloth> read_cloths(const SceneField& field, const std::string& folder,
                                    const std::vector<SceneFrame>& frames) {
  std::vector<SceneCloth> cloths;
  std::set<std::string> names;
  for (const SceneField& element : field.elements(1)) {
    cloths.push_back(read_cloth(element, folder, frames));
    if (!names.insert(cloths.back().name).second) {
      element.fail("its name '" + cloths.back().name + "' is taken; give every cloth a name of its own");
    }
  }
  return cloths;
}

}  // namespace

Scene scene_of_json(const std::string& path) {
  const SceneDocument document = read_scene_document(path);
  const SceneField root(document);
  root.only({"name", "frames", "frame_rate", "solver", "coordinate_frames", "cloths", "colliders", "wind", "camera"});
  const std::string folder = path.substr(0, path.find_last_of('/') + 1);
  Scene scene;
  scene.name = name_of_path(path);
  if (const auto name = root.find("name")) scene.name = name->text();
  scene.frame_count = root.integer("frames", 1, static_cast<uint32_t>(LAST_FRAME), scene.frame_count);
  scene.dt = 1 / root.number("frame_rate", 0.1, 1e4, 60);
  if (const auto solver = root.find("solver")) scene.schedule = read_schedule(*solver);
  if (const auto frames = root.find("coordinate_frames")) scene.coordinate_frames = read_coordinate_frames(*frames);
  scene.cloths = read_cloths(root.member("cloths"), folder, scene.coordinate_frames);
  if (const auto wind = root.find("wind")) {
    scene.wind = read_wind(*wind);
    check_wind(*wind, root.member("cloths"), scene);
  }
  if (const auto colliders = root.find("colliders")) {
    float margin = 0;
    for (const SceneCloth& cloth : scene.cloths) margin = std::max(margin, cloth.parameters.contact_margin);
    scene.colliders = read_colliders(*colliders, folder, scene.coordinate_frames, margin);
  }
  if (const auto camera = root.find("camera")) scene.camera = read_camera(*camera);
  return scene;
}

std::string name_of_path(const std::string& path) {
  const std::string file = path.substr(path.find_last_of('/') + 1);
  return file.substr(0, file.find_last_of('.'));
}

Scene load_scene(const std::string& path, const MeshSceneOptions& options) {
  if (ending_of(path) == "json") return scene_of_json(path);
  if (is_mesh_file(path)) return scene_of_mesh(path, options);
  throw InputError("'" + path + "' is not a scene or mesh this tool reads; use a .json scene (docs/scenes.md) or a " +
                   MESH_ENDINGS + " mesh");
}

}  // namespace clothc_tool
