// source.h - where the viewer's cloths come from: a scene that is simulated, or a capture that is played.
// Invariant: the list of cloths changes only in step() and reset(), and then so does generation().
#pragma once

#include <clothc.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cloth/topology.h"
#include "render/draw_list.h"
#include "render/frames.h"

namespace clothc_viewer {

// A cloth, or a group of particles, that is drawn.
struct SourceCloth {
  clothc_device device;
  clothc::Cloth cloth;
  std::string name;

  // Linear, 0 .. 1.
  glm::vec3 colour = {0.75f, 0.2f, 0.18f};

  // Shared by cloths that have the same fabric.
  std::shared_ptr<const Topology> topology;

  clothc_cloth_info info;

  // Those of a group that are active; none if all are.
  std::optional<std::vector<uint32_t>> active_particles() const;
};

class Source {
 public:
  virtual ~Source() = default;

  virtual const std::string& name() const = 0;

  // In the order in which they were added.
  virtual const std::vector<SourceCloth>& cloths() const = 0;

  // Another number than before if cloths have been added or removed.
  virtual uint64_t generation() const = 0;

  // Whether the viewer may bind its buffers to the channels of cloths, whose vertices are then those of the mesh that was
  // cooked. A recorded program has bindings of its own; its cloths are copied after each update, on the device, and their
  // vertices are their particles.
  virtual bool can_bind() const = 0;

  // Number of updates since the begin, and how many there are. Scenes can go on beyond that.
  virtual uint32_t frame() const = 0;
  virtual uint32_t frame_count() const = 0;

  // Seconds per update.
  virtual float dt() const = 0;

  // Queues the next update. Returns false at the end of a capture.
  virtual bool step() = 0;

  // Goes back to the begin.
  virtual void reset() = 0;

  // Makes updates measure the times that clothc_solver_get_timers tells, if the device can.
  virtual void set_timers(bool has_timers) = 0;

  // The solver of the last update, and its device; null if there is none.
  virtual clothc_solver solver() const = 0;
  virtual clothc_device device() const = 0;

  // A camera that shows everything: a scene's, or one for the state that a capture has now. aspect: width divided by
  // height.
  virtual clothc_renderer::Camera camera(float aspect) const = 0;

  // Adds what the cloths collide with, and the ground. outlines: the shapes that count as lines, too.
  virtual void add_colliders(bool outlines, clothc_renderer::Frame& frame, clothc_renderer::DrawList& list) = 0;
};

}  // namespace clothc_viewer
