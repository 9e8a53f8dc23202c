// scene.h - runs a reference through the public API: one solver with the reference's cloths, stepped frame by frame
// with the inputs of the file. Invariant: the device and the reference outlive the scene, and the reference needs no
// missing feature.
#pragma once

#include <clothc.hpp>
#include <vector>

#include "replay/frame.h"
#include "replay/reference.h"

namespace clothc_tool {

class ReplayScene {
 public:
  ReplayScene(const clothc::Device& device, clothc_schedule schedule, const Reference& reference);

  // Applies the next frame's inputs and updates the solver.
  void step();

  // The state of a cloth now: positions [particle_count][4] in the coordinates of its frame, the frame's pose, and
  // sleep.
  std::vector<float> positions(std::size_t cloth_index) const;
  const ReferencePose& pose(std::size_t cloth_index) const;
  ReferenceSleep sleep(std::size_t cloth_index) const;

 private:
  struct Cloth {
    explicit Cloth(const ReferenceCloth& reference) : source(&reference), frame(reference.initial_pose) {}

    const ReferenceCloth* source;
    ReplayFrame frame;
    clothc::Fabric fabric;
    clothc::Cloth handle;
    uint32_t first_particle = 0;

    // FLOAT4, one element per particle.
    clothc::Buffer staging;

    clothc_cloth_parameters parameters = {};

    // The inverse masses of all particles that the application set.
    std::vector<float> inverse_masses;

    // Its id is 0 if there is none.
    clothc::ColliderSet colliders;

    // Last targets: [n][4] of spheres and planes, [n][3][3] of triangles.
    std::vector<float> spheres, planes;
    std::vector<float> triangles;
  };

  void add_cloth(const ReferenceCloth& source);
  void apply(Cloth& cloth, const ReferenceFrameInput& input);
  void set_frame(const Cloth& cloth, const std::optional<clothc_cloth_frame>& frame);
  void apply_shapes(Cloth& cloth, const ReferenceFrameInput& input);
  void write_particles(Cloth& cloth, const ReferenceParticleWrite& write);
  void set_all(const Cloth& cloth, clothc_channel channel, const std::vector<float>& values);
  void set_some(const Cloth& cloth, clothc_channel channel, const std::vector<float>& values,
                const std::vector<uint32_t>& indices);

  const clothc::Device& device_;
  const Reference& reference_;
  clothc::Solver solver_;
  std::vector<Cloth> cloths_;

  // The next frame to run.
  uint32_t frame_ = 0;
};

}  // namespace clothc_tool
