// source.h - where the viewer's cloths come from: a scene that is simulated, or a capture that is played.
// Invariant: everything that step() and reset() queue runs on one device, in the order of the calls. The list of cloths
// changes only in these two.
#pragma once

#include <clothc.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cloth/adoption.h"
#include "render/draw_list.h"

namespace clothc_viewer {

// A cloth that is drawn.
struct SourceCloth {
  clothc::Cloth cloth;
  std::string name;
  glm::vec3 colour = {0.75f, 0.2f, 0.18f};

  // Triangles and, for every particle, one of its vertices. Vertices are those of the mesh that was cooked: several are
  // one particle where seams were welded. Shared by cloths that have the same fabric.
  struct Topology {
    uint32_t vertex_count = 0, particle_count = 0;
    std::vector<uint32_t> triangles;
    std::vector<uint32_t> vertex_of_particle;

    // Phases that consist of pairs of particles.
    struct Phase {
      // stretch, shear, bend and so on, with the number of the phase.
      std::string name;
      // [n][2] particles
      std::vector<uint32_t> pairs;
      std::vector<float> rest_lengths;
    };
    std::vector<Phase> phases;
  };
  std::shared_ptr<const Topology> topology;
};

class Source {
 public:
  virtual ~Source() = default;

  virtual const std::string& name() const = 0;
  virtual const clothc::Device& device() const = 0;

  // Whether the device is the renderer's.
  virtual bool is_adopted() const = 0;

  // In order. Handles of cloths may change in step() and reset(); generation() then does too.
  virtual const std::vector<SourceCloth>& cloths() const = 0;
  virtual uint64_t generation() const = 0;

  // Number of updates since the begin, and how many there are: the scene's length, or all of the capture. Scenes can
  // go on beyond it.
  virtual uint32_t frame() const = 0;
  virtual uint32_t frame_count() const = 0;

  // Seconds per update.
  virtual float dt() const = 0;

  // Queues the next update. Returns false at the end of a capture.
  virtual bool step(bool with_timers) = 0;

  // Goes back to the begin.
  virtual void reset() = 0;

  // The solver whose timers are shown; null if there is none.
  virtual clothc_solver solver() const = 0;

  // A camera that shows everything.
  virtual clothc_renderer::Camera camera(float aspect) const = 0;

  // Extent of the cloths and solids at the begin, for the range of shadows.
  virtual clothc_renderer::Box bounds() const = 0;
};

// Reads phases of pairs, and triangles where the mesh is not known, from a fabric.
SourceCloth::Topology read_topology(const clothc::Fabric& fabric);

}  // namespace clothc_viewer
