// drawing.cpp - see drawing.h. vertices.h has what moves, topology.h what does not.
#include "cloth/drawing.h"

#include <map>

#include "cloth/contacts.h"
#include "cloth/drawn_topology.h"
#include "cloth/vertices.h"
#include "picture/light.h"
#include "picture/vulkan/conversion.h"

namespace clothc_viewer {
namespace {

using clothc_renderer::DrawList;
using clothc_renderer::Frame;
using clothc_renderer::Vertices;

// Under constraints that are coloured by their strain.
constexpr glm::vec3 BEHIND_STRAIN = {0.05f, 0.05f, 0.055f};

// Of the mean side of the triangles.
constexpr float SHOWN_NORMAL = 1.5f;

glm::vec3 back_of(glm::vec3 front) {
  return clothc_tool::to_glm(clothc_tool::back_colour({front.x, front.y, front.z}));
}

}  // namespace

struct ClothDrawing::State {
  State(const clothc_renderer::Graphics& used_graphics, bool device_is_adopted)
      : graphics(used_graphics), is_adopted(device_is_adopted) {}

  void add_surface(const SourceCloth& cloth, const Vertices& vertices, bool is_neutral, DrawList& list) const;
  void add_strain(const SourceCloth& cloth, const Vertices& vertices, const Shown& shown, DrawList& list) const;
  void add_group(const SourceCloth& cloth, const Vertices& vertices, Frame& frame, DrawList& list) const;
  const DrawnTopology& topology_of(const SourceCloth& cloth) const { return *topologies.at(cloth.topology); }

  const clothc_renderer::Graphics& graphics;
  bool is_adopted;
  std::optional<uint64_t> generation;
  std::unique_ptr<ClothVertices> vertices;
  std::map<std::shared_ptr<const Topology>, std::unique_ptr<DrawnTopology>> topologies;
  uint64_t host_copied_bytes = 0;
};

ClothDrawing::ClothDrawing(const clothc_renderer::Graphics& graphics, bool is_adopted)
    : state_(std::make_unique<State>(graphics, is_adopted)) {}

ClothDrawing::~ClothDrawing() = default;

uint64_t ClothDrawing::host_copied_bytes() const { return state_->host_copied_bytes; }

void ClothDrawing::attach(const Source& source) {
  State& state = *state_;
  if (state.generation == source.generation()) return;
  // Frames that are being drawn, and updates, may still use the old ones.
  state.graphics.wait_idle();
  state.vertices = std::make_unique<ClothVertices>(state.graphics, source, state.is_adopted);
  std::map<std::shared_ptr<const Topology>, std::unique_ptr<DrawnTopology>> topologies;
  for (const SourceCloth& cloth : source.cloths()) {
    auto& drawn = topologies[cloth.topology];
    if (drawn) continue;
    const auto known = state.topologies.find(cloth.topology);
    drawn = known != state.topologies.end() ? std::move(known->second)
                                            : std::make_unique<DrawnTopology>(state.graphics, *cloth.topology);
  }
  state.topologies = std::move(topologies);
  state.generation = source.generation();
  if (!source.can_bind()) return;
  state.vertices->bind(source);
  // An update of no time moves nothing, but writes what is bound.
  auto update = clothc::initialised<clothc_update>();
  update.dt = 0;
  clothc::check(clothc_solver_update(source.solver(), &update, nullptr));
}

void ClothDrawing::add(const Source& source, const Shown& shown, Frame& frame, DrawList& list) {
  State& state = *state_;
  state.host_copied_bytes = 0;
  if (!source.can_bind()) state.vertices->get(source);
  for (size_t i = 0; i < source.cloths().size(); ++i) {
    const SourceCloth& cloth = source.cloths()[i];
    const Topology& topology = *cloth.topology;
    const Vertices vertices = state.vertices->in_frame(cloth, i, source.can_bind(), frame, state.host_copied_bytes);
    if (topology.triangles.empty()) {
      state.add_group(cloth, vertices, frame, list);
      continue;
    }
    if (shown.surface) state.add_surface(cloth, vertices, shown.strain, list);
    if (shown.wireframe) {
      clothc_renderer::PairDraw draw;
      draw.vertices = vertices;
      draw.pairs = state.topology_of(cloth).edges;
      draw.pair_count = static_cast<uint32_t>(topology.edges.size() / 2);
      list.pairs.push_back(draw);
    }
    if (shown.strain) state.add_strain(cloth, vertices, shown, list);
    if (shown.normals) {
      clothc_renderer::NormalDraw draw;
      draw.vertices = vertices;
      draw.length = shown.normal_length > 0 ? shown.normal_length : SHOWN_NORMAL * topology.mean_side;
      list.normals.push_back(draw);
    }
  }
  if (shown.contacts) state.host_copied_bytes += add_contacts(source, list);
}

void ClothDrawing::State::add_surface(const SourceCloth& cloth, const Vertices& vertices_in_frame, bool is_neutral,
                                      DrawList& list) const {
  clothc_renderer::MeshDraw draw;
  draw.vertices = vertices_in_frame;
  draw.indices = topology_of(cloth).triangles;
  draw.index_count = static_cast<uint32_t>(cloth.topology->triangles.size());
  draw.front_colour = is_neutral ? BEHIND_STRAIN : cloth.colour;
  draw.back_colour = back_of(draw.front_colour);
  list.meshes.push_back(draw);
}

void ClothDrawing::State::add_strain(const SourceCloth& cloth, const Vertices& vertices_in_frame, const Shown& shown,
                                     DrawList& list) const {
  if (shown.phase >= cloth.topology->phases.size()) return;
  const Topology::Phase& phase = cloth.topology->phases[shown.phase];
  clothc_renderer::PairDraw draw;
  draw.vertices = vertices_in_frame;
  draw.pairs = topology_of(cloth).pairs[shown.phase];
  draw.pair_count = static_cast<uint32_t>(phase.rest_lengths.size());
  draw.rest_lengths = topology_of(cloth).rest_lengths[shown.phase];
  draw.rest_scale = cloth.info.scale;
  draw.only_longer = phase.only_longer;
  draw.full_strain = shown.full_strain;
  draw.colour.a = 1;
  draw.width = 1.5f;
  list.pairs.push_back(draw);
}

// Particles that are not active are somewhere and do not count.
void ClothDrawing::State::add_group(const SourceCloth& cloth, const Vertices& vertices_in_frame, Frame& frame,
                                    DrawList& list) const {
  clothc_renderer::PointDraw draw;
  draw.vertices = vertices_in_frame;
  draw.point_count = vertices_in_frame.count;
  draw.colour = glm::vec4(glm::sqrt(cloth.colour), 1);
  if (const auto active = cloth.active_particles()) {
    draw.points = frame.put(*active);
    draw.point_count = static_cast<uint32_t>(active->size());
  }
  list.points.push_back(draw);
}

}  // namespace clothc_viewer
