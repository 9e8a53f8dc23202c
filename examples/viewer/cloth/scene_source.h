// scene_source.h - a scene of scenes/*.json or a mesh file, simulated on the viewer's device.
#pragma once

#include <functional>

#include "cloth/adoption.h"
#include "cloth/source.h"
#include "scene/simulation.h"

namespace clothc_viewer {

class SceneSource : public Source {
 public:
  // The device must outlive the source. Throws clothc_tool::InputError and clothc::Error.
  SceneSource(const clothc::Device& device, clothc_tool::Scene scene, clothc_schedule schedule = CLOTHC_SCHEDULE_AUTO);
  ~SceneSource() override;

  const std::string& name() const override;
  const std::vector<SourceCloth>& cloths() const override;
  uint64_t generation() const override;
  bool can_bind() const override { return true; }
  uint32_t frame() const override;
  uint32_t frame_count() const override;
  float dt() const override;
  bool step() override;
  void reset() override;
  void set_timers(bool has_timers) override;
  clothc_solver solver() const override;
  clothc_device device() const override;
  clothc_renderer::Camera camera(float aspect) const override;
  void add_colliders(bool outlines, clothc_renderer::Frame& frame, clothc_renderer::DrawList& list) override;

  const clothc_tool::Scene& scene() const;
  const clothc_tool::SceneSimulation& simulation() const;

  // Calls this before each update, behind what the scene itself changes.
  void set_before_update(std::function<void()> function);

  // Parameters and phases of a cloth, without what the scene animates. They can be changed at any time, and stay as they
  // are after reset(). A change that the library refuses throws clothc::Error and does nothing.
  const clothc_cloth_parameters& parameters(size_t cloth) const;
  void set_parameters(size_t cloth, const clothc_cloth_parameters& parameters);
  std::vector<clothc_phase_config> phases(size_t cloth) const;
  void set_phases(size_t cloth, const std::vector<clothc_phase_config>& configs);

  // Wind that the user adds to that of the scene, m/s. Cloths that feel no wind get coefficients like those of a flag
  // meanwhile.
  void set_extra_wind(glm::vec3 velocity);

  // Whether cloths report their contacts, from the next update on.
  void set_contacts(bool reports);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clothc_viewer
