// viewer.cpp - see viewer.h.
#include "cloth/viewer.h"

#include "cloth/capture_source.h"
#include "cloth/scene_source.h"

namespace clothc_viewer {
namespace {

// A grabbed particle moves this far per second at most, relative to the distance at which it was grabbed, so that cloth
// is not torn through everything when the mouse jumps.
constexpr float MOST_SPEED = 2;

bool ends_in(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

struct Viewer::State {
  State(const clothc_renderer::Graphics& used_graphics, const DeviceOptions& used_options)
      : graphics(used_graphics), options(used_options), device(make_device(graphics, options)) {}

  void move_grabbed();

  const clothc_renderer::Graphics& graphics;
  DeviceOptions options;
  ViewerDevice device;
  bool is_preparing = false;
  std::unique_ptr<Source> source;

  // Destroyed before the source.
  std::unique_ptr<ClothDrawing> drawing;
  std::optional<Grab> grab;

  // Of the grabbed particle: how far it was along the ray, where the mouse is, and where the particle is meant to be.
  float grab_distance = 0;
  glm::vec3 wanted = {}, target = {};

  clothc_renderer::Light light;
  bool has_timers = false;
};

Viewer::Viewer(const clothc_renderer::Graphics& graphics, const DeviceOptions& options)
    : state_(std::make_unique<State>(graphics, options)) {}

Viewer::~Viewer() { state_->graphics.wait_idle(); }

void Viewer::prepare() {
  state_->device.device.prepare().check();
  state_->is_preparing = true;
}

std::optional<Viewer::Preparation> Viewer::preparation() {
  if (!state_->is_preparing) return std::nullopt;
  Preparation preparation;
  const clothc_result result = clothc_device_wait(state_->device.device, 0, &preparation.done, &preparation.total);
  if (result == CLOTHC_TIMEOUT) return preparation;
  state_->is_preparing = false;
  clothc::check(result);
  return std::nullopt;
}

bool Viewer::is_adopted() const { return state_->device.is_adopted; }

void Viewer::open(const std::string& path) {
  if (ends_in(path, ".capture")) {
    open(std::make_unique<CaptureSource>(state_->graphics, state_->options, path));
  } else {
    open(clothc_tool::load_scene(path));
  }
}

void Viewer::open(clothc_tool::Scene scene) {
  open(std::make_unique<SceneSource>(state_->device.device, std::move(scene),
                                     clothc_tool::schedule_of(state_->options)));
}

void Viewer::open(std::unique_ptr<Source> source) {
  auto drawing = std::make_unique<ClothDrawing>(state_->graphics, is_adopted());
  drawing->attach(*source);
  state_->graphics.wait_idle();
  state_->grab.reset();
  state_->drawing = std::move(drawing);
  state_->source = std::move(source);
  state_->light = clothc_renderer::Light::of(state_->source->camera(1.6f));
  state_->source->set_timers(state_->has_timers);
  if (SceneSource* opened = scene()) opened->set_before_update([this] { state_->move_grabbed(); });
}

Source& Viewer::source() { return *state_->source; }
SceneSource* Viewer::scene() { return dynamic_cast<SceneSource*>(state_->source.get()); }
CaptureSource* Viewer::capture() { return dynamic_cast<CaptureSource*>(state_->source.get()); }

bool Viewer::step() {
  if (SceneSource* opened = scene()) opened->set_contacts(shown.contacts);
  state_->drawing->attach(*state_->source);
  return state_->source->step();
}

void Viewer::reset() {
  // A new simulation has the particle as it was.
  state_->grab.reset();
  state_->source->reset();
}

void Viewer::add(clothc_renderer::Frame& frame, clothc_renderer::DrawList& list) {
  list.light = state_->light;
  state_->source->add_colliders(shown.colliders, frame, list);
  state_->drawing->attach(*state_->source);
  state_->drawing->add(*state_->source, shown, frame, list);
}

uint64_t Viewer::host_copied_bytes() const { return state_->drawing->host_copied_bytes(); }

bool Viewer::grab(const clothc_renderer::Ray& ray) {
  release();
  if (!scene()) return false;
  const auto picked = pick(*state_->source, ray);
  if (!picked) return false;
  state_->grab.emplace(*state_->source, *picked);
  state_->grab_distance = glm::dot(picked->position - ray.origin, ray.direction);
  state_->wanted = state_->target = picked->position;
  return true;
}

void Viewer::pull(const clothc_renderer::Ray& ray) {
  state_->wanted = ray.origin + ray.direction * state_->grab_distance;
}

void Viewer::State::move_grabbed() {
  if (!grab) return;
  const float most = MOST_SPEED * grab_distance * source->dt();
  const glm::vec3 way = wanted - target;
  const float length = glm::length(way);
  target += length > most ? way * (most / length) : way;
  grab->pull(target);
}

void Viewer::release() {
  if (!state_->grab) return;
  state_->grab->release();
  state_->grab.reset();
}

bool Viewer::is_grabbing() const { return state_->grab.has_value(); }

std::optional<Viewer::Pulled> Viewer::pulled() const {
  if (!state_->grab) return std::nullopt;
  return Pulled{state_->grab->picked(), state_->target, state_->wanted};
}

void Viewer::set_timers(bool has_timers) {
  state_->has_timers = has_timers;
  if (state_->source) state_->source->set_timers(has_timers);
}

std::optional<clothc_timers> Viewer::timers() const {
  if (!state_->has_timers || !state_->source || !state_->source->solver()) return std::nullopt;
  auto timers = clothc::initialised<clothc_timers>();
  if (clothc_solver_get_timers(state_->source->solver(), &timers) != CLOTHC_SUCCESS || timers.update == 0)
    return std::nullopt;
  return timers;
}

}  // namespace clothc_viewer
