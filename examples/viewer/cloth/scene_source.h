// scene_source.h - a scene of scenes/*.json or a mesh file, simulated on the viewer's device.
#pragma once

#include "cloth/source.h"
#include "scene/simulation.h"

namespace clothc_viewer {

class SceneSource : public Source {
 public:
  // path: a scene or a mesh file. The device must outlive the source. Throws clothc_tool::InputError and clothc::Error.
  SceneSource(const ViewerDevice& device, const std::string& path);
  ~SceneSource() override;

  const std::string& name() const override;
  const clothc::Device& device() const override;
  bool is_adopted() const override;
  const std::vector<SourceCloth>& cloths() const override;
  uint64_t generation() const override;
  uint32_t frame() const override;
  uint32_t frame_count() const override;
  float dt() const override;
  bool step(bool with_timers) override;
  void reset() override;
  clothc_solver solver() const override;
  clothc_renderer::Camera camera(float aspect) const override;
  clothc_renderer::Box bounds() const override;

  const clothc_tool::Scene& scene() const;
  const clothc_tool::SceneSimulation& simulation() const;

  // Adds a wind to the scene's, in m/s; zero ends it. Only cloths with drag or lift feel it.
  void set_extra_wind(glm::vec3 velocity);

  // Parameters of a cloth as they are now, and changes that hold from the next step on, also where the scene animates
  // others. They survive reset().
  clothc_cloth_parameters parameters(size_t cloth) const;
  void set_parameters(size_t cloth, const clothc_cloth_parameters& parameters);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clothc_viewer
