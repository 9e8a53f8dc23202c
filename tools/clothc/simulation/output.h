// output.h - the files of a simulation: meshes or point caches of every frame, pictures of some, animations.
// Invariant: a file has its name only when it is whole, so that work that stops early leaves nothing broken.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scene/simulation.h"

namespace clothc_tool {

struct OutputOptions {
  std::string folder;          // empty = no files at all
  std::string format = "obj";  // obj, ply, pc2 or gltf
  uint32_t every = 1;          // files of every nth frame; point caches hold all frames
  bool pictures = false;
  uint32_t picture_every = 0;  // 0 = nine pictures of the whole
  bool animation = false;
  uint32_t animation_every = 0;  // 0 = about 30 pictures per second
  uint32_t width = 960, height = 540;
};

// The state of all cloths after a frame: [particle_count] positions of each.
using FrameState = std::vector<std::vector<Vector3>>;

// One kind of file.
class FrameOutput {
 public:
  virtual ~FrameOutput() = default;
  virtual bool wants(uint32_t frame) const = 0;
  virtual void add(uint32_t frame, const FrameState& state) = 0;
  virtual void finish() {}
  const std::vector<std::string>& files() const { return files_; }  // complete ones

 protected:
  std::vector<std::string> files_;
};

// Makes the folder and the outputs that the options ask for.
std::vector<std::unique_ptr<FrameOutput>> make_outputs(const OutputOptions& options, const SceneSimulation& simulation,
                                                       uint32_t frame_count);

// The makers of each kind; pictures and animation are one.
std::unique_ptr<FrameOutput> make_mesh_output(const OutputOptions& options, const SceneSimulation& simulation);
std::unique_ptr<FrameOutput> make_pc2_output(const OutputOptions& options, const SceneSimulation& simulation);
std::unique_ptr<FrameOutput> make_gltf_output(const OutputOptions& options, const SceneSimulation& simulation,
                                              uint32_t frame_count);
std::unique_ptr<FrameOutput> make_picture_output(const OutputOptions& options, const SceneSimulation& simulation,
                                                 uint32_t frame_count);

// Positions of a cloth's mesh vertices, which welding may have made fewer particles of.
std::vector<Vector3> vertex_positions(const SimulatedCloth& cloth, const std::vector<Vector3>& particles);

}  // namespace clothc_tool
