// output.cpp - writes OBJ or PLY files per frame, PC2 point caches, and glTF files with an animation.
#include "simulation/output.h"

#include <cstdio>
#include <utility>

#include "cli/file_output.h"
#include "scene/frames/poses.h"
#include "simulation/gltf_output.h"
#include "mesh/obj.h"
#include "mesh/ply.h"
#include "mesh/pc2.h"

namespace clothc_tool {
namespace {

// Writes a mesh file per cloth and frame.
class MeshOutput : public FrameOutput {
 public:
  MeshOutput(const OutputOptions& options, const SceneSimulation& simulation)
      : is_ply_(options.format == "ply"), folder_(options.folder), every_(options.every), simulation_(simulation) {}

  bool wants(uint32_t frame) const override { return frame % every_ == 0; }

  void add(uint32_t frame, const FrameState& state) override {
    for (size_t i = 0; i < state.size(); ++i) {
      const SceneCloth& cloth = simulation_.scene().cloths[i];
      char number[24];
      std::snprintf(number, sizeof number, "_%04u.%s", frame, is_ply_ ? "ply" : "obj");
      files_.push_back(folder_ + "/" + cloth.name + number);
      const auto write = is_ply_ ? write_ply : write_obj;
      write(files_.back(), cloth.mesh, vertex_positions(simulation_.cloths()[i], state[i]));
    }
  }

 private:
  bool is_ply_;
  std::string folder_;
  uint32_t every_;
  const SceneSimulation& simulation_;
};

// Writes a point cache per cloth and the mesh that it animates.
class Pc2FrameOutput : public FrameOutput {
 public:
  Pc2FrameOutput(const OutputOptions& options, const SceneSimulation& simulation) : simulation_(simulation) {
    for (const SceneCloth& cloth : simulation.scene().cloths) {
      files_.push_back(options.folder + "/" + cloth.name + ".obj");
      write_obj(files_.back(), cloth.mesh, in_scene(simulation.scene(), cloth, cloth.mesh.positions, 0));
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

// Turns a scene's name into a file name.
std::string file_name(std::string name) {
  for (char& c : name) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    if (!is_plain) c = '_';
  }
  return name.empty() ? "scene" : name.substr(0, 64);
}

// Writes one file with the animation of all cloths.
class GltfFrameOutput : public FrameOutput {
 public:
  GltfFrameOutput(const OutputOptions& options, const SceneSimulation& simulation, uint32_t frame_count)
      : every_(options.every),
        dt_(simulation.scene().dt),
        file_(options.folder + "/" + file_name(simulation.scene().name) + ".glb", gltf_cloths(simulation),
              frame_count / options.every + 1) {
    const uint64_t size = gltf_size(gltf_cloths(simulation), frame_count / every_ + 1) / 1000000;
    if (size <= LARGE_GLTF_SIZE) return;
    std::fprintf(stderr,
                 "clothc: warning: %s will have about %llu MB, more than many programs open; write fewer frames "
                 "with --every N\n",
                 file_.path().c_str(), static_cast<unsigned long long>(size));
  }

  bool wants(uint32_t frame) const override { return frame % every_ == 0; }

  void add(uint32_t frame, const FrameState& state) override {
    file_.add_frame(static_cast<float>(frame * double{dt_}), state);
  }

  void finish() override {
    file_.commit();
    files_.push_back(file_.path());
  }

 private:
  // MB
  static constexpr uint64_t LARGE_GLTF_SIZE = 500;

  static std::vector<GltfCloth> gltf_cloths(const SceneSimulation& simulation) {
    std::vector<GltfCloth> cloths;
    for (size_t i = 0; i < simulation.cloths().size(); ++i) {
      const SceneCloth& cloth = simulation.scene().cloths[i];
      cloths.push_back({cloth.name, cloth.mesh, simulation.cloths()[i].vertex_map, cloth.colour});
    }
    return cloths;
  }

  uint32_t every_;
  float dt_;
  GltfOutput file_;
};

}  // namespace

std::vector<Vector3> vertex_positions(const SimulatedCloth& cloth, const std::vector<Vector3>& particles) {
  std::vector<Vector3> positions;
  positions.reserve(cloth.vertex_map.size());
  for (uint32_t particle : cloth.vertex_map) positions.push_back(particles[particle]);
  return positions;
}

std::unique_ptr<FrameOutput> make_mesh_output(const OutputOptions& options, const SceneSimulation& simulation) {
  return std::make_unique<MeshOutput>(options, simulation);
}

std::unique_ptr<FrameOutput> make_gltf_output(const OutputOptions& options, const SceneSimulation& simulation,
                                              uint32_t frame_count) {
  return std::make_unique<GltfFrameOutput>(options, simulation, frame_count);
}

std::unique_ptr<FrameOutput> make_pc2_output(const OutputOptions& options, const SceneSimulation& simulation) {
  return std::make_unique<Pc2FrameOutput>(options, simulation);
}

std::vector<std::unique_ptr<FrameOutput>> make_outputs(const OutputOptions& options, const SceneSimulation& simulation,
                                                       uint32_t frame_count) {
  std::vector<std::unique_ptr<FrameOutput>> outputs;
  if (options.folder.empty()) return outputs;
  create_folder(options.folder);
  outputs.push_back(options.format == "pc2"    ? make_pc2_output(options, simulation)
                    : options.format == "gltf" ? make_gltf_output(options, simulation, frame_count)
                                               : make_mesh_output(options, simulation));
  if (options.pictures || options.animation) outputs.push_back(make_picture_output(options, simulation, frame_count));
  return outputs;
}

}  // namespace clothc_tool
