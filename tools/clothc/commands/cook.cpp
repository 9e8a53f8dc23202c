// cook.cpp - `clothc cook`: cooks a mesh file into a fabric, or loads a fabric; prints a report and writes the fabric
// as a blob.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands/commands.h"
#include "commands/cook_options.h"
#include "cli/device_options.h"
#include "cli/errors.h"
#include "cli/file_input.h"
#include "cli/file_output.h"
#include "mesh/file.h"
#include "scene/cloth/phases.h"
#include "scene/simulation.h"

namespace clothc_tool {
namespace {

using nlohmann::ordered_json;

constexpr const char* BLOB_ENDING = "clothfabric";

struct CookCommand {
  // output: empty = none
  std::string input, output;

  CookOptions options;

  // The group of the options that concern cooking.
  const CLI::App* cooking = nullptr;

  bool json = false;
};

struct PhaseCount {
  const char* type;
  uint64_t constraint_count;
};

struct CookResult {
  FabricReport report;
  std::vector<PhaseCount> phases;
};

std::vector<PhaseCount> count_phases(const clothc::Fabric& fabric) {
  const auto sets = fabric.read<uint32_t>(CLOTHC_FABRIC_PHASE_SETS).value();
  const auto types = fabric.read<uint32_t>(CLOTHC_FABRIC_PHASE_TYPES).value();
  const auto ends = fabric.read<uint32_t>(CLOTHC_FABRIC_SET_ENDS).value();
  std::vector<PhaseCount> phases;
  for (size_t i = 0; i < sets.size(); ++i) {
    const uint32_t begin = sets[i] == 0 ? 0 : ends[sets[i] - 1];
    phases.push_back({phase_type_name(types[i]), ends[sets[i]] - begin});
  }
  return phases;
}

void print_document(const ordered_json& document) {
  std::printf("%s\n", document.dump(2, ' ', false, ordered_json::error_handler_t::replace).c_str());
}

void print_json(const CookCommand& command, const CookResult& result) {
  ordered_json document = {{"mesh", command.input}};
  document.update(fabric_json(result.report));
  document["phase_constraints"] = ordered_json::array();
  for (const PhaseCount& phase : result.phases) {
    document["phase_constraints"].push_back({{"type", phase.type}, {"constraints", phase.constraint_count}});
  }
  document["diagnostics"] = diagnostics_json(result.report);
  document["notes"] = diagnostic_messages(result.report, false);
  document["warnings"] = diagnostic_messages(result.report, true);
  document["files"] = ordered_json::array();
  if (!command.output.empty()) document["files"].push_back(command.output);
  print_document(document);
}

void print_text(const CookCommand& command, const CookResult& result) {
  const clothc_fabric_info& info = result.report.info;
  std::printf("%s: %u vertices, %u particles (%u pinned%s), %u triangles\n", command.input.c_str(), info.vertex_count,
              info.particle_count, info.pinned_particle_count, info.reordered ? ", reordered" : "",
              info.triangle_count);
  std::printf(
      "  %llu constraints in %u phases, %u sets, %u colours:", static_cast<unsigned long long>(info.constraint_count),
      info.phase_count, info.set_count, info.colour_count);
  for (const PhaseCount& phase : result.phases) {
    std::printf(" %s %llu", phase.type, static_cast<unsigned long long>(phase.constraint_count));
  }
  std::printf("\n  %u tethers per particle, %u free particles without; %u virtual particles\n",
              info.tethers_per_particle, info.untethered_particle_count, info.virtual_particle_count);
  std::printf("  %u welded, %u dropped, %u pairs of triangles merged, %u non-manifold edges\n",
              info.welded_vertex_count, info.dropped_triangle_count, info.merged_triangle_count,
              info.non_manifold_edge_count);
  std::printf("  %u pieces (%llu unpinned), %u isolated particles\n", info.component_count,
              static_cast<unsigned long long>(unpinned_piece_count(result.report)), info.isolated_particle_count);
  std::printf("  content hash %s\n", hash_text(info.content_hash).c_str());
  if (!command.output.empty()) std::printf("  written to %s\n", command.output.c_str());
}

clothc::Result<clothc::Fabric> load_blob(const clothc::Device& device, const CookCommand& command) {
  for (const CLI::Option* option : command.cooking->get_options()) {
    if (option->count() == 0) continue;
    throw InputError(command.input + " is cooked already; leave out " + option->get_name());
  }
  return device.load_fabric(read_file(command.input));
}

// Returns the fabric of the input file, or throws a clothc::Error that names the file.
clothc::Fabric make_fabric(const clothc::Device& device, const CookCommand& command) {
  clothc::Result<clothc::Fabric> fabric = ending_of(command.input) == BLOB_ENDING
                                              ? load_blob(device, command)
                                              : cook_scene_cloth(device, cloth_to_cook(command.input, command.options));
  if (fabric) return std::move(*fabric);
  const clothc::Status& status = fabric.status();
  throw clothc::Error(status.result(), command.input + ": " + status.message());
}

void write_blob(const std::string& path, const clothc::Fabric& fabric) {
  FileOutput file(path);
  const std::vector<char> blob = fabric.save().value();
  file.write(blob.data(), blob.size());
  file.commit();
}

CookResult cook(const CookCommand& command) {
  if (!command.output.empty() && ending_of(command.output) != BLOB_ENDING) {
    throw InputError("cannot write '" + command.output + "'; a fabric's name ends in ." + BLOB_ENDING);
  }
  DeviceOptions device_options;
  device_options.backend = "cpu";
  const clothc::Device device = create_device(device_options);
  const clothc::Fabric fabric = make_fabric(device, command);
  if (!command.output.empty()) write_blob(command.output, fabric);
  return {report_fabric(fabric), count_phases(fabric)};
}

// With --json an error is also printed as a JSON document, in addition to main's message on stderr.
CookResult cook_or_print_error(const CookCommand& command) {
  try {
    return cook(command);
  } catch (const std::runtime_error& error) {
    if (command.json) print_document({{"mesh", command.input}, {"error", error.what()}});
    throw;
  }
}

int run_cook(const CookCommand& command) {
  const CookResult result = cook_or_print_error(command);
  print_diagnostics(result.report, "", false);
  if (command.json) {
    print_json(command, result);
  } else {
    print_text(command, result);
  }
  return EXIT_CODE_OK;
}

}  // namespace

void register_cook(CLI::App& application, Invocation& invocation) {
  auto command = std::make_shared<CookCommand>();
  CLI::App* cook =
      application.add_subcommand("cook", std::string("Cooks a mesh file (") + MESH_ENDINGS +
                                             ") into a fabric, or loads one (." + BLOB_ENDING + "), and reports on it");
  cook->add_option("MESH", command->input, "Mesh file or fabric, see docs/scenes.md")->required();
  cook->add_option("-o", command->output, std::string("Fabric to write, its name ending in .") + BLOB_ENDING);
  cook->add_flag("--json", command->json, "Print one JSON document on stdout");
  CLI::App* cooking = cook->add_option_group("Cooking");
  add_cook_options(*cooking, command->options);
  command->cooking = cooking;
  cook->callback([command, &invocation] { invocation.run = [command] { return run_cook(*command); }; });
}

}  // namespace clothc_tool
