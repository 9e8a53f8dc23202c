// scene_source.cpp - see scene_source.h.
#include "cloth/scene_source.h"

#include <algorithm>
#include <map>
#include <utility>

#include "cloth/outlines.h"
#include "picture/scene.h"
#include "picture/vulkan/conversion.h"
#include "scene/colliders/shapes.h"

namespace clothc_viewer {
namespace {

using clothc_tool::Scene;
using clothc_tool::SceneSimulation;

// Of cloths that feel no wind, while the user blows at them.
constexpr float USERS_DRAG = 0.02f, USERS_LIFT = 0.03f;

// Contacts that an update can report, per particle.
constexpr uint32_t CONTACTS_PER_PARTICLE = 2;

uint32_t contact_capacity(const Scene& scene) {
  uint32_t vertex_count = 0;
  for (const clothc_tool::SceneCloth& cloth : scene.cloths)
    vertex_count += static_cast<uint32_t>(cloth.mesh.positions.size());
  return std::min(CONTACTS_PER_PARTICLE * vertex_count, 1u << 20);
}

bool is_moving(const clothc_tool::SceneColliders& colliders) {
  const auto moves_in_scene = [](const auto& shape) { return clothc_tool::moves(shape, clothc_tool::SCENE_FRAME); };
  return moves_in_scene(colliders) ||
         std::any_of(colliders.mesh_instances.begin(), colliders.mesh_instances.end(), moves_in_scene) ||
         std::any_of(colliders.triangles.begin(), colliders.triangles.end(), moves_in_scene);
}

// Calls a function before each update.
class UserInput : public clothc_tool::FrameInput {
 public:
  explicit UserInput(std::function<void()> function) : function_(std::move(function)) {}
  void apply(const clothc::Solver&, uint32_t) override { function_(); }

 private:
  std::function<void()> function_;
};

}  // namespace

struct SceneSource::State {
  State(const clothc::Device& used_device, Scene used_scene, clothc_schedule used_schedule)
      : device(used_device), scene(std::move(used_scene)), schedule(used_schedule) {
    phases.resize(scene.cloths.size());
  }

  void restart();
  void make_cloths();
  void before_update();
  void apply_user_settings();
  float mean_side() const;

  const clothc::Device& device;
  Scene scene;
  clothc_schedule schedule;
  std::unique_ptr<SceneSimulation> simulation;
  std::vector<SourceCloth> cloths;
  uint64_t generation = 0;
  bool has_timers = false;
  std::function<void()> users_function;

  // What the user has set of phases; empty = as in the scene.
  std::vector<std::vector<clothc_phase_config>> phases;

  glm::vec3 extra_wind = {};
  bool reports_contacts = false;

  // Whether cloths have parameters that are not those of the scene.
  bool has_user_settings = false;

  // Colliders at a frame, with their meshes. Those that do not move are evaluated once.
  clothc_tool::RenderScene drawn;
  std::vector<clothc_tool::SurfaceMesh> solids;
  std::optional<uint32_t> drawn_frame;
};

// A new simulation begins with the same bits as the first one.
void SceneSource::State::restart() {
  simulation.reset();
  simulation = std::make_unique<SceneSimulation>(device, scene, schedule, contact_capacity(scene));
  simulation->set_timers(has_timers);
  simulation->add_input(std::make_unique<UserInput>([this] { before_update(); }));
  make_cloths();
  for (size_t i = 0; i < cloths.size(); ++i)
    if (!phases[i].empty()) cloths[i].cloth.set_phases(phases[i]).check();
  has_user_settings = false;
  drawn_frame.reset();
  ++generation;
}

void SceneSource::State::make_cloths() {
  std::map<const clothc::Fabric*, std::shared_ptr<const Topology>> topologies;
  const std::vector<SourceCloth> before = std::exchange(cloths, {});
  for (size_t i = 0; i < scene.cloths.size(); ++i) {
    const clothc_tool::SceneCloth& source = scene.cloths[i];
    const clothc_tool::SimulatedCloth& simulated = simulation->cloths()[i];
    SourceCloth& cloth = cloths.emplace_back();
    cloth.device = device;
    cloth.cloth = simulated.cloth;
    cloth.name = source.name;
    cloth.colour = clothc_tool::to_glm(source.colour);
    cloth.info = simulated.info;
    // The meshes never change, so the topologies of an earlier simulation serve again.
    std::shared_ptr<const Topology>& topology = topologies[simulated.fabric];
    if (!before.empty()) topology = before[i].topology;
    if (!topology) {
      const clothc_tool::Mesh& mesh = source.repeats ? scene.cloths[*source.repeats].mesh : source.mesh;
      topology = std::make_shared<Topology>(vertex_topology(*simulated.fabric, triangulated(mesh)));
    }
    cloth.topology = topology;
  }
}

void SceneSource::State::before_update() {
  apply_user_settings();
  if (users_function) users_function();
}

// The scene may have set parameters just before: those of its cloths, with its gravity and wind of this frame.
void SceneSource::State::apply_user_settings() {
  const bool has_wind = extra_wind != glm::vec3(0), changes = has_wind || reports_contacts;
  if (!changes && !has_user_settings) return;
  for (size_t i = 0; i < cloths.size(); ++i) {
    const clothc_cloth_parameters& own = scene.cloths[i].parameters;
    clothc_cloth_parameters now = cloths[i].cloth.parameters().value();
    now.collision_flags = own.collision_flags | (reports_contacts ? uint32_t{CLOTHC_COLLISION_REPORT} : 0u);
    for (int axis = 0; axis < 3; ++axis) {
      const float blowing = scene.wind ? now.wind_velocity[axis] : own.wind_velocity[axis];
      now.wind_velocity[axis] = blowing + extra_wind[axis];
    }
    const bool feels_none = own.drag_coefficient == 0 && own.lift_coefficient == 0;
    now.drag_coefficient = has_wind && feels_none ? USERS_DRAG : own.drag_coefficient;
    now.lift_coefficient = has_wind && feels_none ? USERS_LIFT : own.lift_coefficient;
    cloths[i].cloth.set_parameters(now).check();
  }
  has_user_settings = changes;
}

float SceneSource::State::mean_side() const {
  double sum = 0, count = 0;
  for (const SourceCloth& cloth : cloths) {
    const auto sides = static_cast<double>(cloth.topology->triangles.size());
    sum += sides * static_cast<double>(cloth.topology->mean_side);
    count += sides;
  }
  return count > 0 ? static_cast<float>(sum / count) : 0;
}

SceneSource::SceneSource(const clothc::Device& device, Scene scene, clothc_schedule schedule)
    : state_(std::make_unique<State>(device, std::move(scene), schedule)) {
  state_->restart();
}

SceneSource::~SceneSource() = default;

const std::string& SceneSource::name() const { return state_->scene.name; }
clothc_device SceneSource::device() const { return state_->device; }
const std::vector<SourceCloth>& SceneSource::cloths() const { return state_->cloths; }
uint64_t SceneSource::generation() const { return state_->generation; }
uint32_t SceneSource::frame() const { return state_->simulation->frame(); }
uint32_t SceneSource::frame_count() const { return state_->scene.frame_count; }
float SceneSource::dt() const { return state_->scene.dt; }
clothc_solver SceneSource::solver() const { return state_->simulation->solver(); }
const Scene& SceneSource::scene() const { return state_->scene; }
const SceneSimulation& SceneSource::simulation() const { return *state_->simulation; }

bool SceneSource::step() {
  state_->simulation->step();
  return true;
}

void SceneSource::reset() { state_->restart(); }

void SceneSource::set_timers(bool has_timers) {
  state_->has_timers = has_timers && (state_->device.info()->capabilities & CLOTHC_CAPABILITY_TIMERS) != 0;
  state_->simulation->set_timers(state_->has_timers);
}

clothc_renderer::Camera SceneSource::camera(float aspect) const {
  return clothc_tool::to_renderer(clothc_tool::camera_of(state_->scene, aspect));
}

void SceneSource::add_colliders(bool outlines, clothc_renderer::Frame& frame, clothc_renderer::DrawList& list) {
  State& state = *state_;
  const uint32_t now = this->frame();
  if (!state.drawn_frame || (*state.drawn_frame != now && is_moving(state.scene.colliders))) {
    clothc_tool::place_colliders(state.scene, static_cast<float>(now), state.drawn);
    state.solids = clothc_tool::solid_meshes(state.drawn, state.mean_side());
    state.drawn_frame = now;
  }
  clothc_tool::add_solids(state.solids, frame, list);
  clothc_tool::add_planes(state.drawn, list);
  list.cloth_lead = clothc_tool::CLOTH_LEAD * state.mean_side();
  if (outlines) add_outlines(state.drawn, list);
}

void SceneSource::set_before_update(std::function<void()> function) { state_->users_function = std::move(function); }

const clothc_cloth_parameters& SceneSource::parameters(size_t cloth) const {
  return state_->scene.cloths[cloth].parameters;
}

void SceneSource::set_parameters(size_t cloth, const clothc_cloth_parameters& parameters) {
  state_->cloths[cloth].cloth.set_parameters(parameters).check();
  state_->scene.cloths[cloth].parameters = parameters;
}

std::vector<clothc_phase_config> SceneSource::phases(size_t cloth) const {
  return state_->cloths[cloth].cloth.phases().value();
}

void SceneSource::set_phases(size_t cloth, const std::vector<clothc_phase_config>& configs) {
  state_->cloths[cloth].cloth.set_phases(configs).check();
  state_->phases[cloth] = configs;
}

void SceneSource::set_extra_wind(glm::vec3 velocity) { state_->extra_wind = velocity; }

void SceneSource::set_contacts(bool reports) { state_->reports_contacts = reports; }

}  // namespace clothc_viewer
