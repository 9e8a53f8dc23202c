// capture_source.cpp - see capture_source.h.
#include "cloth/capture_source.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "capture/player.h"
#include "cli/errors.h"
#include "cli/file_input.h"
#include "cloth/vertices.h"
#include "picture/render.h"
#include "picture/vulkan/conversion.h"
#include "scene/scene.h"

namespace clothc_viewer {
namespace {

using clothc_tool::CapturePlayer;

// Captures do not say which colours their cloths have.
constexpr glm::vec3 COLOURS[] = {{0.60f, 0.13f, 0.10f}, {0.10f, 0.26f, 0.48f}, {0.62f, 0.50f, 0.22f},
                                 {0.09f, 0.38f, 0.20f}, {0.46f, 0.20f, 0.44f}, {0.55f, 0.56f, 0.53f}};

// What makes a cloth another one: its solver and id, and where its particles are.
using Identity = std::tuple<clothc_solver, clothc_cloth_id, uint64_t, uint64_t, uint32_t, uint32_t>;

}  // namespace

struct CaptureSource::State {
  State(const clothc_renderer::Graphics& used_graphics, const DeviceOptions& used_options, const std::string& path)
      : graphics(used_graphics),
        options(used_options),
        name(clothc_tool::name_of_path(path)),
        bytes(clothc_tool::read_file(path)) {}

  void restart();
  bool step();
  void list_cloths();
  std::shared_ptr<const Topology> topology_of(const clothc_cloth_info& info);

  const clothc_renderer::Graphics& graphics;
  DeviceOptions options;
  std::string name, bytes;
  uint32_t frame_count = 0;
  std::unique_ptr<CapturePlayer> player;
  clothc_solver solver = nullptr;
  uint32_t frame = 0;
  std::vector<SourceCloth> cloths;
  std::vector<Identity> identities;
  uint64_t generation = 0;

  // By the content hash of the fabric, and of groups by their number of particles.
  std::map<uint64_t, std::shared_ptr<const Topology>> topologies;
  std::map<uint32_t, std::shared_ptr<const Topology>> groups;
};

void CaptureSource::State::restart() {
  player.reset();
  CapturePlayer::Hooks hooks;
  hooks.make_device = [this] { return make_device(graphics, options).device; };
  hooks.fabric_made = [this](clothc_fabric handle) {
    clothc::Fabric fabric(handle);
    auto& topology = topologies[fabric.info()->content_hash];
    if (!topology) topology = std::make_shared<Topology>(particle_topology(fabric));
    fabric.release();
  };
  player = std::make_unique<CapturePlayer>(clothc_tool::CaptureReader(bytes, name), options, std::move(hooks));
  frame = 0;
  solver = nullptr;
  identities.clear();
  step();
}

bool CaptureSource::State::step() {
  // What the program did behind its last update ends with the destruction of everything.
  if (frame >= frame_count) return false;
  solver = player->next_update();
  if (!solver) {
    frame_count = frame;
    return false;
  }
  ++frame;
  list_cloths();
  return true;
}

std::shared_ptr<const Topology> CaptureSource::State::topology_of(const clothc_cloth_info& info) {
  const auto known = topologies.find(info.fabric_hash);
  if (known != topologies.end() && known->second->vertex_count == info.particle_count) return known->second;
  auto& topology = groups[info.particle_count];
  if (!topology) topology = std::make_shared<Topology>(group_topology(info.particle_count));
  return topology;
}

void CaptureSource::State::list_cloths() {
  std::vector<SourceCloth> now;
  std::vector<Identity> now_identities;
  for (clothc_solver each : player->solvers()) {
    uint32_t count = 0;
    clothc_cloth_list(each, nullptr, &count);
    std::vector<clothc_cloth_id> ids(count);
    if (count > 0) clothc::check(clothc_cloth_list(each, ids.data(), &count));
    for (clothc_cloth_id id : ids) {
      SourceCloth& cloth = now.emplace_back();
      cloth.device = player->device_of(each);
      cloth.cloth = clothc::Cloth(each, id);
      cloth.info = cloth.cloth.info().value();
      cloth.name = "cloth " + std::to_string(now.size());
      cloth.colour = COLOURS[(now.size() - 1) % std::size(COLOURS)];
      cloth.topology = topology_of(cloth.info);
      now_identities.emplace_back(each, id, cloth.info.ordinal, cloth.info.fabric_hash, cloth.info.first_particle,
                                  cloth.info.particle_count);
    }
  }
  // A new solver may have the handle of one that has been destroyed.
  const clothc_tool::PlayReport& report = player->report();
  now_identities.emplace_back(nullptr, 0, report.solver_count, report.device_count, 0, 0);
  cloths = std::move(now);
  if (now_identities == identities) return;
  identities = std::move(now_identities);
  ++generation;
}

CaptureSource::CaptureSource(const clothc_renderer::Graphics& graphics, const DeviceOptions& options,
                             const std::string& path)
    : state_(std::make_unique<State>(graphics, options, path)) {
  state_->frame_count = clothc_tool::count_updates(clothc_tool::CaptureReader(state_->bytes, path));
  if (state_->frame_count == 0)
    throw clothc_tool::InputError("'" + path + "' has no update, so there is nothing to see");
  state_->restart();
}

CaptureSource::~CaptureSource() = default;

const std::string& CaptureSource::name() const { return state_->name; }
const std::vector<SourceCloth>& CaptureSource::cloths() const { return state_->cloths; }
uint64_t CaptureSource::generation() const { return state_->generation; }
uint32_t CaptureSource::frame() const { return state_->frame; }
uint32_t CaptureSource::frame_count() const { return state_->frame_count; }
float CaptureSource::dt() const { return 1 / 60.0f; }
bool CaptureSource::step() { return state_->step(); }
void CaptureSource::reset() { state_->restart(); }
clothc_solver CaptureSource::solver() const { return state_->solver; }
clothc_device CaptureSource::device() const {
  return state_->solver ? state_->player->device_of(state_->solver) : nullptr;
}

clothc_renderer::Camera CaptureSource::camera(float aspect) const {
  clothc_tool::Box box;
  for (const SourceCloth& cloth : state_->cloths) {
    const auto positions =
        cloth.cloth.read<glm::vec3>(cloth.device, CLOTHC_CHANNEL_POSITION, CLOTHC_FORMAT_FLOAT3).value();
    const glm::mat4 world = world_of(cloth.cloth);
    const auto add = [&](const glm::vec3& position) {
      const glm::vec3 p = world * glm::vec4(position, 1);
      box.add(clothc_tool::Vector3{p.x, p.y, p.z});
    };
    const auto active = cloth.active_particles();
    if (active) {
      for (uint32_t particle : *active) add(positions[particle]);
    } else {
      std::for_each(positions.begin(), positions.end(), add);
    }
  }
  return clothc_tool::to_renderer(clothc_tool::camera_for(box, aspect));
}

// A recording does not say how its shapes are to be drawn.
void CaptureSource::add_colliders(bool, clothc_renderer::Frame&, clothc_renderer::DrawList& list) {
  static_assert(sizeof(clothc_debug_line) == 2 * sizeof(clothc_renderer::ColouredPoint), "a line is a pair of points");
  auto desc = clothc::initialised<clothc_debug_desc>();
  desc.flags = CLOTHC_DEBUG_COLLIDERS;
  for (clothc_solver each : state_->player->solvers()) {
    uint32_t count = 0;
    clothc::check(clothc_solver_get_debug_lines(each, &desc, nullptr, &count));
    if (count == 0) continue;
    const size_t begin = list.lines.size();
    list.lines.resize(begin + 2 * count);
    auto* const lines = reinterpret_cast<clothc_debug_line*>(&list.lines[begin]);
    clothc::check(clothc_solver_get_debug_lines(each, &desc, lines, &count));
  }
}

void CaptureSource::go_to(uint32_t frame) {
  if (frame < state_->frame) reset();
  while (state_->frame < frame && step()) {
  }
}

std::string CaptureSource::difference() const {
  const clothc_tool::PlayReport& report = state_->player->report();
  if (report.hash_difference) {
    return "after update " + std::to_string(report.hash_difference->update) + " of solver " +
           std::to_string(report.hash_difference->solver) + " the state hash is another one than recorded";
  }
  if (report.call_difference) {
    return "call " + std::to_string(report.call_difference->call) + ", " +
           clothc_tool::FUNCTION_NAMES[static_cast<size_t>(report.call_difference->function)] +
           ", returned something else than recorded";
  }
  return {};
}

}  // namespace clothc_viewer
