// sim.cpp - `clothc sim`: simulates a scene or a mesh file, writes meshes, caches and pictures, and prints a summary.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "commands/commands.h"
#include "cli/device_options.h"
#include "cli/errors.h"
#include "mesh/file.h"
#include "scene/simulation.h"
#include "simulation/run.h"
#include "simulation/summary.h"

namespace clothc_tool {
namespace {

using nlohmann::ordered_json;

struct SimOptions {
  std::string scene;
  DeviceOptions device;
  MeshSceneOptions mesh;
  OutputOptions output;
  // 0 = as many as the scene has
  uint32_t frame_count = 0;

  bool json = false;
};

struct SimReport {
  const Scene& scene;
  const SceneSimulation& simulation;
  clothc_device_info device;
  RunResult run;
  SimulationSummary summary;
  std::vector<uint64_t> intersections;

  uint64_t intersection_count() const {
    return std::accumulate(intersections.begin(), intersections.end(), uint64_t{0});
  }
  double milliseconds_per_frame() const { return run.frame_count ? 1000 * run.seconds / run.frame_count : 0; }
  clothc_schedule schedule = CLOTHC_SCHEDULE_AUTO;
};

// Returns the prefix of a cloth's diagnostics: its name if there are several cloths.
std::string prefix_of(const SceneSimulation& simulation, size_t cloth) {
  return simulation.cloths().size() > 1 ? simulation.scene().cloths[cloth].name + ": " : "";
}

std::vector<std::string> messages(const SceneSimulation& simulation, bool warning) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < simulation.cloths().size(); ++i) {
    for (const std::string& text : diagnostic_messages(simulation.cloths()[i].report, warning)) {
      texts.push_back(prefix_of(simulation, i) + text);
    }
  }
  return texts;
}

// Prints the first diagnostic of each kind, which says how many there are; `clothc cook` and the JSON list more.
void print_diagnostics(const SceneSimulation& simulation) {
  for (size_t i = 0; i < simulation.cloths().size(); ++i) {
    print_diagnostics(simulation.cloths()[i].report, prefix_of(simulation, i), true);
  }
}

ordered_json cloths_json(const SimReport& report) {
  ordered_json cloths = ordered_json::array();
  for (size_t i = 0; i < report.simulation.cloths().size(); ++i) {
    const ClothSummary& summary = report.summary.cloths[i];
    ordered_json cloth = {{"name", report.scene.cloths[i].name},
                          {"max_stretch", summary.max_stretch},
                          {"kinetic_energy", summary.kinetic_energy},
                          {"intersections", report.intersections[i]},
                          {"non_finite", summary.non_finite_count}};
    cloth["fabric"] = fabric_json(report.simulation.cloths()[i].report);
    cloths.push_back(cloth);
  }
  return cloths;
}

// Returns null if no cloth collides with cloth.
ordered_json contacts_json(const ContactSummary& contacts) {
  if (!contacts.any_cloth) return nullptr;
  return {{"in_contact", contacts.contact_count}, {"below_half", contacts.close}, {"nearest", contacts.nearest}};
}

// Returns null if there are no pictures.
ordered_json renderer_json(const std::string& renderer) {
  return renderer.empty() ? ordered_json() : ordered_json(renderer);
}

void print_json(const SimReport& report) {
  const ordered_json document = {{"scene", report.scene.name},
                                 {"backend", backend_name(report.device.backend)},
                                 {"isa", isa_name(report.device.isa)},
                                 {"threads", report.device.worker_count},
                                 {"schedule", schedule_name(report.schedule)},
                                 {"frames", report.run.frame_count},
                                 {"interrupted", report.run.interrupted},
                                 {"dt", report.scene.dt},
                                 {"ms_per_frame", report.milliseconds_per_frame()},
                                 {"max_stretch", report.summary.max_stretch},
                                 {"kinetic_energy", report.summary.kinetic_energy},
                                 {"intersections", report.intersection_count()},
                                 {"contacts", contacts_json(report.summary.contacts)},
                                 {"finite", report.summary.finite},
                                 {"hash", hash_text(report.summary.hash)},
                                 {"cloths", cloths_json(report)},
                                 {"notes", messages(report.simulation, false)},
                                 {"warnings", messages(report.simulation, true)},
                                 {"renderer", renderer_json(report.run.renderer)},
                                 {"files", report.run.files}};
  std::printf("%s\n", document.dump(2, ' ', false, ordered_json::error_handler_t::replace).c_str());
}

void print_text(const SimReport& report, const std::string& folder) {
  uint64_t particle_count = 0, constraint_count = 0;
  for (const SimulatedCloth& cloth : report.simulation.cloths()) {
    particle_count += cloth.report.info.particle_count;
    constraint_count += cloth.report.info.constraint_count;
  }
  std::printf("%s: %u frames on %s (%s, %u threads), %llu particles, %llu constraints\n", report.scene.name.c_str(),
              report.run.frame_count, backend_name(report.device.backend), isa_name(report.device.isa),
              report.device.worker_count, static_cast<unsigned long long>(particle_count),
              static_cast<unsigned long long>(constraint_count));
  std::printf("  %.3f ms per frame%s\n", report.milliseconds_per_frame(),
              report.run.files.empty() ? "" : ", files included");
  std::printf("  max stretch %.2f %%, kinetic energy %.4g J\n", 100 * report.summary.max_stretch,
              report.summary.kinetic_energy);
  const ContactSummary& contacts = report.summary.contacts;
  if (contacts.any_cloth) {
    std::printf(
        "  cloth on cloth: %llu pairs of particles touch, the nearest at %.2f of their distance, %llu below half\n",
        static_cast<unsigned long long>(contacts.contact_count), contacts.nearest,
        static_cast<unsigned long long>(contacts.close));
  }
  if (report.intersection_count() > 0) {
    std::printf("  cloth goes through itself: %llu intersections of an edge and a triangle\n",
                static_cast<unsigned long long>(report.intersection_count()));
  }
  std::printf("  state hash %s\n", hash_text(report.summary.hash).c_str());
  if (report.run.files.empty()) return;
  const std::string& renderer = report.run.renderer;
  std::printf("  %zu files in %s%s%s\n", report.run.files.size(), folder.c_str(),
              renderer.empty() ? "" : "; pictures drawn by ", renderer.c_str());
}

// Prints problems on stderr and returns the command's exit code.
int judge(const SimReport& report, uint32_t frame_count) {
  int exit_code = EXIT_CODE_OK;
  for (size_t i = 0; i < report.summary.cloths.size(); ++i) {
    const uint32_t count = report.summary.cloths[i].non_finite_count;
    if (count == 0) continue;
    std::fprintf(stderr, "clothc: %s: %u particle states were not finite; raise solver_frequency or soften the scene\n",
                 report.scene.cloths[i].name.c_str(), count);
    exit_code = EXIT_CODE_CHECK_FAILED;
  }
  if (report.run.interrupted) {
    std::fprintf(stderr, "clothc: interrupted after %u of %u frames; the files written are whole\n",
                 report.run.frame_count, frame_count);
    exit_code = EXIT_CODE_CHECK_FAILED;
  }
  return exit_code;
}

int run_sim(const SimOptions& options) {
  if ((options.output.pictures || options.output.animation) && options.output.folder.empty()) {
    throw InputError(std::string(options.output.pictures ? "--png" : "--webp") +
                     " needs a folder for the pictures; add --out DIR");
  }
  const Scene scene = load_scene(options.scene, options.mesh);
  const uint32_t frame_count = options.frame_count ? options.frame_count : scene.frame_count;
  const clothc::Device device = create_device(options.device);
  const clothc_schedule schedule = schedule_of(options.device);
  SceneSimulation simulation(device, scene, schedule);
  print_diagnostics(simulation);
  RunResult run = run_simulation(simulation, frame_count, options.output);
  const SimReport report = {scene,
                            simulation,
                            device.info().value(),
                            std::move(run),
                            summarise(simulation),
                            count_intersections(simulation),
                            schedule == CLOTHC_SCHEDULE_AUTO ? scene.schedule : schedule};
  if (options.json) {
    print_json(report);
  } else {
    print_text(report, options.output.folder);
  }
  return judge(report, frame_count);
}

void add_output_options(CLI::App& command, OutputOptions& options) {
  command.add_option("--out", options.folder, "Folder for files; without it only a summary is printed");
  command
      .add_option("--format", options.format,
                  "obj, ply: a mesh per cloth and frame; pc2: a point cache per cloth and its mesh; gltf: a .glb file "
                  "with an animation, about 24 bytes per vertex and frame (4 GiB at most; see --every)")
      ->check(CLI::IsMember({"obj", "ply", "pc2", "gltf"}))
      ->capture_default_str();
  command.add_option("--every", options.every, "With obj, ply and gltf: write every nth frame")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command.add_flag("--png", options.pictures, "Render pictures and a contact sheet into --out");
  command.add_option("--png-every", options.picture_every, "Render every nth frame; default: nine pictures in all")
      ->check(CLI::Range(1, 1000000));
  command.add_flag("--webp", options.animation, "Render an animation, which plays at the scene's speed, into --out");
  command
      .add_option("--webp-every", options.animation_every,
                  "Every nth frame is in the animation; default: 30 of them a second")
      ->check(CLI::Range(1, 1000000));
  command
      .add_option_function<std::string>(
          "--renderer", [&options](const std::string& name) { options.renderer = renderer_of(name); },
          "What draws pictures: vulkan, any device; processor; auto, a GPU with Vulkan or else the processor")
      ->check(CLI::IsMember({"auto", "vulkan", "processor"}))
      ->default_str("auto");
  command.add_option("--width", options.width, "Of the pictures")->check(CLI::Range(16, 8192))->capture_default_str();
  command.add_option("--height", options.height, "Of the pictures")->check(CLI::Range(16, 8192))->capture_default_str();
}

}  // namespace

void register_sim(CLI::App& application, Invocation& invocation) {
  auto options = std::make_shared<SimOptions>();
  CLI::App* command = application.add_subcommand(
      "sim", std::string("Simulates a scene file (.json) or a mesh file (") + MESH_ENDINGS + ")");
  command->add_option("SCENE", options->scene, "Scene or mesh file, see docs/scenes.md")->required();
  add_device_options(*command, options->device);
  command->add_option("--frames", options->frame_count, "Frames to simulate; default: the scene's, or 300")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--unit", options->mesh.metres_per_unit, "With a mesh file: metres per unit of length in it")
      ->check(CLI::Range(1e-4, 1e4))
      ->capture_default_str();
  add_output_options(*command, options->output);
  command->add_flag("--json", options->json, "Print one JSON document on stdout");
  command->callback([options, &invocation] { invocation.run = [options] { return run_sim(*options); }; });
}

}  // namespace clothc_tool
