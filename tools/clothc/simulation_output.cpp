// simulation_output.cpp - OBJ files per frame and PC2 point caches.
#include "simulation_output.h"

#include <cstdio>
#include <utility>

#include "file_output.h"
#include "mesh_obj.h"
#include "pc2.h"

namespace clothc_tool {
namespace {

class ObjOutput : public FrameOutput {
 public:
  ObjOutput(const OutputOptions& options, const SceneSimulation& simulation)
      : folder_(options.folder), every_(options.every), simulation_(simulation) {}

  bool wants(uint32_t frame) const override { return frame % every_ == 0; }

  void add(uint32_t frame, const FrameState& state) override {
    for (size_t i = 0; i < state.size(); ++i) {
      const SceneCloth& cloth = simulation_.scene().cloths[i];
      char number[16];
      std::snprintf(number, sizeof number, "_%04u.obj", frame);
      files_.push_back(folder_ + "/" + cloth.name + number);
      write_obj(files_.back(), cloth.mesh, vertex_positions(simulation_.cloths()[i], state[i]));
    }
  }

 private:
  std::string folder_;
  uint32_t every_;
  const SceneSimulation& simulation_;
};

// A cache per cloth, and the mesh that it moves.
class Pc2FrameOutput : public FrameOutput {
 public:
  Pc2FrameOutput(const OutputOptions& options, const SceneSimulation& simulation) : simulation_(simulation) {
    for (const SceneCloth& cloth : simulation.scene().cloths) {
      files_.push_back(options.folder + "/" + cloth.name + ".obj");
      write_obj(files_.back(), cloth.mesh, cloth.mesh.positions);
      const auto vertex_count = static_cast<uint32_t>(cloth.mesh.positions.size());
      caches_.push_back(std::make_unique<Pc2Output>(options.folder + "/" + cloth.name + ".pc2", vertex_count));
    }
  }

  bool wants(uint32_t) const override { return true; }

  void add(uint32_t, const FrameState& state) override {
    for (size_t i = 0; i < state.size(); ++i) {
      caches_[i]->add_frame(vertex_positions(simulation_.cloths()[i], state[i]));
    }
  }

  void finish() override {
    for (const auto& cache : caches_) {
      cache->commit();
      files_.push_back(cache->path());
    }
  }

 private:
  const SceneSimulation& simulation_;
  std::vector<std::unique_ptr<Pc2Output>> caches_;
};

}  // namespace

std::vector<Vector3> vertex_positions(const SimulatedCloth& cloth, const std::vector<Vector3>& particles) {
  std::vector<Vector3> positions;
  positions.reserve(cloth.vertex_map.size());
  for (uint32_t particle : cloth.vertex_map) positions.push_back(particles[particle]);
  return positions;
}

std::unique_ptr<FrameOutput> make_obj_output(const OutputOptions& options, const SceneSimulation& simulation) {
  return std::make_unique<ObjOutput>(options, simulation);
}

std::unique_ptr<FrameOutput> make_pc2_output(const OutputOptions& options, const SceneSimulation& simulation) {
  return std::make_unique<Pc2FrameOutput>(options, simulation);
}

std::vector<std::unique_ptr<FrameOutput>> make_outputs(const OutputOptions& options, const SceneSimulation& simulation,
                                                       uint32_t frame_count) {
  std::vector<std::unique_ptr<FrameOutput>> outputs;
  if (options.folder.empty()) return outputs;
  create_folder(options.folder);
  outputs.push_back(options.format == "pc2" ? make_pc2_output(options, simulation)
                                            : make_obj_output(options, simulation));
  if (options.pictures || options.animation) outputs.push_back(make_picture_output(options, simulation, frame_count));
  return outputs;
}

}  // namespace clothc_tool
