// output.h - the output files of a simulation: meshes or point caches of every frame, pictures of some frames,
// animations. Invariant: a file gets its final name only when it is complete, so that an interrupted run leaves no
// broken files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "picture/drawing.h"
#include "scene/simulation.h"

namespace clothc_tool {

struct OutputOptions {
  // Empty = no files are written.
  std::string folder;

  // obj, ply, pc2 or gltf
  std::string format = "obj";

  // Files are written for every nth frame; point caches always contain all frames.
  uint32_t every = 1;

  bool pictures = false;

  // 0 = nine pictures in total
  uint32_t picture_every = 0;

  bool animation = false;

  // 0 = about 30 pictures per second
  uint32_t animation_every = 0;

  uint32_t width = 960, height = 540;

  // What draws the pictures.
  RendererChoice renderer = RendererChoice::automatic;
};

// Particle positions of every cloth after a frame: [particle_count] each, in the coordinates of the scene.
using FrameState = std::vector<std::vector<Vector3>>;

// Writes one kind of file.
class FrameOutput {
 public:
  virtual ~FrameOutput() = default;
  virtual bool wants(uint32_t frame) const = 0;
  virtual void add(uint32_t frame, const FrameState& state) = 0;
  virtual void finish() {}

  // What draws, for outputs that are pictures; empty for others.
  virtual std::string renderer() const { return {}; }

  // Paths of the files that are complete.
  const std::vector<std::string>& files() const { return files_; }

 protected:
  std::vector<std::string> files_;
};

// Creates the folder and the outputs that the options ask for.
std::vector<std::unique_ptr<FrameOutput>> make_outputs(const OutputOptions& options, const SceneSimulation& simulation,
                                                       uint32_t frame_count);

// Create the output of each kind; pictures and the animation share one.
std::unique_ptr<FrameOutput> make_mesh_output(const OutputOptions& options, const SceneSimulation& simulation);
std::unique_ptr<FrameOutput> make_pc2_output(const OutputOptions& options, const SceneSimulation& simulation);
std::unique_ptr<FrameOutput> make_gltf_output(const OutputOptions& options, const SceneSimulation& simulation,
                                              uint32_t frame_count);
std::unique_ptr<FrameOutput> make_picture_output(const OutputOptions& options, const SceneSimulation& simulation,
                                                 uint32_t frame_count);

// Returns the positions of a cloth's mesh vertices, several of which may be one particle after welding.
std::vector<Vector3> vertex_positions(const SimulatedCloth& cloth, const std::vector<Vector3>& particles);

}  // namespace clothc_tool
