// cook.cpp - `clothc cook`: cooks a mesh file into a fabric and prints what it holds and what was found in the mesh.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "device_options.h"
#include "mesh_file.h"
#include "scene_simulation.h"

namespace clothc_tool {
namespace {

using nlohmann::ordered_json;

struct CookOptions {
  std::string mesh;
  MeshSceneOptions scene;
  bool json = false;
};

const char* phase_type_name(uint32_t type) {
  switch (type) {
    case CLOTHC_PHASE_STRETCH:
      return "stretch";
    case CLOTHC_PHASE_SHEAR:
      return "shear";
    case CLOTHC_PHASE_BEND:
      return "bend";
    default:
      return "other";
  }
}

struct PhaseCount {
  const char* type;
  uint64_t constraint_count;
};

std::vector<PhaseCount> count_phases(clothc_fabric fabric) {
  const auto sets = read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_PHASE_SETS);
  const auto types = read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_PHASE_TYPES);
  const auto ends = read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_SET_ENDS);
  std::vector<PhaseCount> phases;
  for (size_t i = 0; i < sets.size(); ++i) {
    const uint32_t begin = sets[i] == 0 ? 0 : ends[sets[i] - 1];
    phases.push_back({phase_type_name(types[i]), ends[sets[i]] - begin});
  }
  return phases;
}

void print_json(const std::string& mesh, const FabricReport& report, const std::vector<PhaseCount>& phases) {
  ordered_json document = {{"mesh", mesh}};
  document.update(fabric_json(report));
  document["phase_constraints"] = ordered_json::array();
  for (const PhaseCount& phase : phases) {
    document["phase_constraints"].push_back({{"type", phase.type}, {"constraints", phase.constraint_count}});
  }
  document["notes"] = report.notes;
  document["warnings"] = report.warnings;
  std::printf("%s\n", document.dump(2, ' ', false, ordered_json::error_handler_t::replace).c_str());
}

void print_text(const std::string& mesh, const FabricReport& report, const std::vector<PhaseCount>& phases) {
  const clothc_fabric_info& info = report.info;
  std::printf("%s: %u vertices, %u particles (%u pinned), %u triangles\n", mesh.c_str(), info.vertex_count,
              info.particle_count, info.pinned_particle_count, info.triangle_count);
  std::printf(
      "  %llu constraints in %u phases, %u sets, %u colours:", static_cast<unsigned long long>(info.constraint_count),
      info.phase_count, info.set_count, info.colour_count);
  for (const PhaseCount& phase : phases) {
    std::printf(" %s %llu", phase.type, static_cast<unsigned long long>(phase.constraint_count));
  }
  std::printf("\n  %u tethers per particle, %u free particles without\n", info.tethers_per_particle,
              info.untethered_particle_count);
  std::printf("  %u welded, %u dropped, %u non-manifold edges, %u pieces (%u unpinned), %u isolated particles\n",
              info.welded_vertex_count, info.dropped_triangle_count, info.non_manifold_edge_count, info.component_count,
              report.unpinned_component_count, info.isolated_particle_count);
  std::printf("  content hash %s\n", hash_text(info.content_hash).c_str());
}

int run_cook(const CookOptions& options) {
  const Scene scene = scene_of_mesh(options.mesh, options.scene);
  DeviceOptions device_options;
  device_options.backend = "cpu";
  const Device device = create_device(device_options);
  const Fabric fabric = cook_scene_cloth(device.get(), scene.cloths[0]);
  const FabricReport report = report_fabric(fabric.get());
  const std::vector<PhaseCount> phases = count_phases(fabric.get());
  for (const std::string& note : report.notes) std::fprintf(stderr, "clothc: note: %s\n", note.c_str());
  for (const std::string& warning : report.warnings) std::fprintf(stderr, "clothc: warning: %s\n", warning.c_str());
  if (options.json) {
    print_json(options.mesh, report, phases);
  } else {
    print_text(options.mesh, report, phases);
  }
  return EXIT_CODE_OK;
}

}  // namespace

void register_cook(CLI::App& application, Invocation& invocation) {
  auto options = std::make_shared<CookOptions>();
  CLI::App* command = application.add_subcommand(
      "cook", std::string("Cooks a mesh file (") + MESH_ENDINGS + "), pinned where it is highest, and reports on it");
  command->add_option("MESH", options->mesh, "Mesh file")->required();
  command->add_option("--unit", options->scene.metres_per_unit, "Metres per unit of length in the file")
      ->check(CLI::Range(1e-4, 1e4))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON document on stdout");
  command->callback([options, &invocation] { invocation.run = [options] { return run_cook(*options); }; });
}

}  // namespace clothc_tool
