// load.cpp - reads a clothref-1 file (FORMAT.md) into a Reference and checks every count, length and index.
#include <algorithm>

#include "cli/errors.h"
#include "replay/features.h"
#include "replay/field.h"
#include "replay/operation.h"
#include "replay/reference.h"

namespace clothc_tool {
namespace {

constexpr uint32_t kMaximumParticles = 1u << 24;
constexpr uint32_t kMaximumFrames = 100000;

std::vector<uint32_t> unsigned_list(const ReferenceField& field, uint32_t maximum) {
  std::vector<uint32_t> result;
  for (std::size_t i = 0; i < field.size(); ++i) result.push_back(field.at(i).unsigned_integer(maximum));
  return result;
}

std::vector<double> number_list(const ReferenceField& field, std::size_t count) {
  if (field.size() != count)
    field.fail("it has " + std::to_string(field.size()) + " entries; want " + std::to_string(count));
  return field.numbers();
}

std::map<std::string, std::vector<double>> load_parameters(const ReferenceField& field) {
  std::map<std::string, std::vector<double>> result;
  for (const std::string& name : field.keys()) result[name] = field.at(name).numbers();
  return result;
}

void load_tethers(const ReferenceField& field, uint32_t particle_count, ReferenceFabric& fabric) {
  if (!field.has("tether_anchors")) return;
  fabric.tether_anchors = field.at("tether_anchors").indices(1, particle_count);
  if (fabric.tether_anchors.size() % particle_count != 0)
    field.at("tether_anchors").fail("want a multiple of " + std::to_string(particle_count) + " entries");
  fabric.tether_lengths = field.at("tether_lengths").floats(1, fabric.tether_anchors.size());
}

void load_virtual_particles(const ReferenceField& field, uint32_t particle_count, ReferenceFabric& fabric) {
  fabric.virtual_weights = field.at("weights").floats(3);
  const std::size_t rows = fabric.virtual_weights.size() / 3;
  fabric.virtual_particles = field.at("indices").indices(4, std::max<std::size_t>(particle_count, rows));
  for (std::size_t i = 0; i < fabric.virtual_particles.size(); ++i)
    if (fabric.virtual_particles[i] >= (i % 4 == 3 ? rows : particle_count))
      field.at("indices").fail("its row " + std::to_string(i / 4) + " names particle or weights " +
                               std::to_string(fabric.virtual_particles[i]) + "; there are " +
                               std::to_string(particle_count) + " particles and " + std::to_string(rows) +
                               " rows of weights");
}

std::vector<uint32_t> load_capsules(const ReferenceField& field) {
  std::vector<uint32_t> spheres = unsigned_list(field, UINT32_MAX);
  if (spheres.size() % 2 != 0) field.fail("want pairs of spheres");
  for (std::size_t i = 0; i < spheres.size(); i += 2)
    if (spheres[i] == spheres[i + 1]) field.at(i).fail("want two different spheres for each capsule");
  return spheres;
}

ReferenceFabric load_fabric(const ReferenceField& field, uint32_t particle_count) {
  ReferenceFabric fabric;
  fabric.rest_lengths = field.at("rest_values").floats(1);
  const uint64_t constraint_count = fabric.rest_lengths.size();
  fabric.indices = field.at("indices").indices(2, particle_count);
  if (fabric.indices.size() != 2 * constraint_count)
    field.at("indices").fail("it has " + std::to_string(fabric.indices.size() / 2) +
                             " pairs; want as many as rest_values, " + std::to_string(constraint_count));
  fabric.set_ends = field.at("sets").indices(1, constraint_count + 1);
  for (std::size_t i = 1; i < fabric.set_ends.size(); ++i)
    if (fabric.set_ends[i] < fabric.set_ends[i - 1])
      field.at("sets").fail("its entry " + std::to_string(i) + " is below the one before; want prefix sums");
  if ((fabric.set_ends.empty() ? 0 : fabric.set_ends.back()) != constraint_count)
    field.at("sets").fail("its last entry is not the number of constraints, " + std::to_string(constraint_count));
  fabric.phase_sets = field.at("phase_indices").indices(1, fabric.set_ends.size());
  if (field.has("stiffness_values")) fabric.log_stiffness = field.at("stiffness_values").floats(1, constraint_count);
  load_tethers(field, particle_count, fabric);
  if (field.has("triangles")) fabric.triangles = field.at("triangles").indices(3, particle_count);
  return fabric;
}

std::vector<ReferencePhase> load_phases(const ReferenceField& field, std::size_t phase_count) {
  std::vector<ReferencePhase> result;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const ReferenceField entry = field.at(i);
    if (phase_count == 0) entry.fail("the fabric has no phase");
    ReferencePhase phase;
    phase.phase = entry.at("phase_index").unsigned_integer(static_cast<uint32_t>(phase_count - 1));
    phase.stiffness = static_cast<float>(entry.at("stiffness").number());
    phase.stiffness_multiplier = static_cast<float>(entry.at("stiffness_multiplier").number());
    phase.compression_limit = static_cast<float>(entry.at("compression_limit").number());
    phase.stretch_limit = static_cast<float>(entry.at("stretch_limit").number());
    result.push_back(phase);
  }
  return result;
}

bool is_set(const ReferenceField& field, const std::string& key) {
  return field.has(key) && field.at(key).numbers() != std::vector<double>{0};
}

void load_shapes(const ReferenceField& field, const std::string& name, uint32_t columns, ReferenceShapes& shapes) {
  if (field.has(name + "_start")) shapes.start = field.at(name + "_start").floats(columns);
  if (field.has(name + "_target")) shapes.target = field.at(name + "_target").floats(columns);
  shapes.clear = is_set(field, "clear_" + name);
}

void load_per_particle(const ReferenceField& field, const std::string& key, uint32_t particle_count,
                       std::optional<std::vector<float>>& values) {
  if (field.has(key)) values = field.at(key).floats(4, particle_count);
}

void require_target(const ReferenceField& field, const std::string& shape) {
  if (!field.has(shape + "_start")) return;
  if (!field.has(shape + "_target")) field.at(shape + "_start").fail("want a " + shape + "_target beside it");
}

ReferenceParticleWrite load_write(const ReferenceField& field, uint32_t particle_count) {
  ReferenceParticleWrite write;
  write.indices = field.at("indices").indices(1, particle_count);
  write.current = field.at("current").floats(4, write.indices.size());
  if (field.has("previous")) write.previous = field.at("previous").floats(4, write.indices.size());
  return write;
}

template <std::size_t count>
std::array<float, count> components(const ReferenceField& field) {
  const std::vector<double> numbers = number_list(field, count);
  std::array<float, count> result;
  std::transform(numbers.begin(), numbers.end(), result.begin(), [](double x) { return static_cast<float>(x); });
  return result;
}

// Skips unknown operations, which missing_features reports.
void load_operations(const ReferenceField& field, ReferenceFrameInput& input) {
  for (std::size_t i = 0; i < field.size(); ++i)
    if (operation_kind(field.at(i).at("op").text())) input.operations.push_back(load_operation(field.at(i)));
}

ReferenceFrameInput load_input(const ReferenceField& field, uint32_t particle_count) {
  ReferenceFrameInput input;
  if (field.has("set")) input.set = load_parameters(field.at("set"));
  if (field.has("ops")) load_operations(field.at("ops"), input);
  if (field.has("translation")) input.translation = components<3>(field.at("translation"));
  if (field.has("rotation")) input.rotation = components<4>(field.at("rotation"));
  for (const char* shape : {"spheres", "planes", "triangles", "motion", "separation"}) require_target(field, shape);
  load_shapes(field, "spheres", 4, input.spheres);
  load_shapes(field, "planes", 4, input.planes);
  load_shapes(field, "triangles", 9, input.triangles);
  load_per_particle(field, "motion_start", particle_count, input.motion_start);
  load_per_particle(field, "motion_target", particle_count, input.motion_target);
  load_per_particle(field, "separation_start", particle_count, input.separation_start);
  load_per_particle(field, "separation_target", particle_count, input.separation_target);
  load_per_particle(field, "accelerations", particle_count, input.accelerations);
  for (const std::string& key : field.keys()) {
    if (key.rfind("clear_", 0) != 0 || !is_set(field, key)) continue;
    if (key.find("acceleration") != std::string::npos) input.clear_accelerations = true;
    if (key.find("motion") != std::string::npos) input.clear_motion = true;
    if (key.find("separation") != std::string::npos) input.clear_separation = true;
  }
  if (field.has("write_particles")) input.write = load_write(field.at("write_particles"), particle_count);
  return input;
}

bool may_sleep(const ReferenceCloth& cloth) {
  const auto has_threshold = [](const std::map<std::string, std::vector<double>>& parameters) {
    const auto found = parameters.find("sleep_threshold");
    return found != parameters.end() && found->second != std::vector<double>{0};
  };
  return has_threshold(cloth.parameters) || std::any_of(cloth.inputs.begin(), cloth.inputs.end(),
                                                        [&](const auto& i) { return has_threshold(i.second.set); });
}

void load_outputs(const ReferenceField& field, const std::vector<uint32_t>& output_frames, ReferenceCloth& cloth) {
  for (uint32_t frame : output_frames) {
    const ReferenceField output = field.at(std::to_string(frame));
    cloth.expected[frame] = output.at("current").floats(4, cloth.particle_count);
    if (!may_sleep(cloth)) continue;
    cloth.expected_sleep[frame] = {output.at("sleep_pass_count").unsigned_integer(UINT32_MAX),
                                   output.at("asleep").numbers() == std::vector<double>{1}};
  }
}

ReferenceCloth load_cloth(const ReferenceField& field, const std::vector<uint32_t>& output_frames,
                          uint32_t frame_count) {
  ReferenceCloth cloth;
  cloth.particle_count = field.at("num_particles").unsigned_integer(kMaximumParticles);
  if (cloth.particle_count == 0) field.at("num_particles").fail("want at least 1");
  cloth.particles = field.at("particles").floats(4, cloth.particle_count);
  if (field.has("particles_previous"))
    cloth.particles_previous = field.at("particles_previous").floats(4, cloth.particle_count);
  cloth.fabric = load_fabric(field.at("fabric"), cloth.particle_count);
  cloth.phase_configs = load_phases(field.at("phase_configs"), cloth.fabric.phase_sets.size());
  cloth.parameters = load_parameters(field.at("params"));
  if (field.has("initial_pose"))
    cloth.initial_pose = ReferencePose{components<3>(field.at("initial_pose").at("translation")),
                                       components<4>(field.at("initial_pose").at("rotation"))};
  if (field.has("virtual_particles"))
    load_virtual_particles(field.at("virtual_particles"), cloth.particle_count, cloth.fabric);
  if (field.has("capsules")) cloth.capsules = load_capsules(field.at("capsules"));
  if (field.has("convex_masks")) cloth.convex_masks = unsigned_list(field.at("convex_masks"), UINT32_MAX);
  if (field.has("self_collision_indices"))
    cloth.self_collision_indices = field.at("self_collision_indices").indices(1, cloth.particle_count);
  if (field.has("rest_positions")) cloth.rest_positions = field.at("rest_positions").floats(4, cloth.particle_count);
  const ReferenceField inputs = field.at("frame_inputs");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const uint32_t frame = inputs.at(i).at("frame").unsigned_integer(frame_count - 1);
    if (!cloth.inputs.emplace(frame, load_input(inputs.at(i), cloth.particle_count)).second)
      inputs.at(i).at("frame").fail("that frame is listed twice");
  }
  load_outputs(field.at("outputs").at("scalar"), output_frames, cloth);
  return cloth;
}

void load_judge(const ReferenceField& field, Reference& reference) {
  const std::size_t count = reference.output_frames.size();
  const ReferenceField tolerance = field.at("tolerance");
  if (tolerance.size() != count) tolerance.fail("want one entry per output frame, " + std::to_string(count));
  for (std::size_t i = 0; i < count; ++i)
    reference.tolerance.push_back(tolerance.is_null(i) ? std::nullopt
                                                       : std::optional<double>(tolerance.at(i).number()));
  if (!field.has("aggregate")) return;
  const ReferenceField source = field.at("aggregate");
  ReferenceAggregate aggregate;
  aggregate.distance = source.at("distance").number();
  const ReferenceField centre = source.at("centre");
  if (centre.size() != count) centre.fail("want one entry per output frame, " + std::to_string(count));
  for (std::size_t i = 0; i < count; ++i)
    for (double component : number_list(centre.at(i), 3)) aggregate.centre.push_back(component);
  aggregate.centre_tolerance = source.at("centre_tolerance").number();
  aggregate.min_separation = number_list(source.at("min_separation"), count);
  aggregate.min_separation_slack = source.at("min_separation_slack").number();
  aggregate.close_pairs = number_list(source.at("close_pairs"), count);
  aggregate.close_pairs_factor = source.at("close_pairs_factor").number();
  aggregate.close_pairs_slack = source.at("close_pairs_slack").number();
  reference.aggregate = aggregate;
}

ReferenceInterCollision load_inter_collision(const ReferenceField& field) {
  ReferenceInterCollision inter;
  inter.distance = static_cast<float>(field.at("distance").number());
  inter.stiffness = static_cast<float>(field.at("stiffness").number());
  inter.iterations = field.at("iterations").unsigned_integer(UINT32_MAX);
  return inter;
}

}  // namespace

Reference load_reference(const std::string& path) {
  const ReferenceFile file(path);
  const ReferenceField top(file);
  Reference reference;
  reference.name = top.at("name").text();
  for (double dt : top.at("dt").numbers()) reference.frame_times.push_back(static_cast<float>(dt));
  const uint32_t frame_count = top.at("frames").unsigned_integer(kMaximumFrames);
  if (frame_count == 0 || reference.frame_times.size() != frame_count)
    top.at("dt").fail("it has " + std::to_string(reference.frame_times.size()) + " entries; want one per frame, " +
                      std::to_string(frame_count) + ", and at least one");
  reference.output_frames = unsigned_list(top.at("output_frames"), frame_count);
  for (std::size_t i = 0; i < reference.output_frames.size(); ++i)
    if (reference.output_frames[i] <= (i == 0 ? 0 : reference.output_frames[i - 1]))
      top.at("output_frames").fail("want ascending frames from 1");
  if (reference.output_frames.empty()) top.at("output_frames").fail("want at least one frame");
  load_judge(top.at("judge"), reference);
  if (top.has("inter_collision")) reference.inter_collision = load_inter_collision(top.at("inter_collision"));
  const ReferenceField cloths = top.at("cloths");
  if (cloths.size() == 0) cloths.fail("want at least one cloth");
  for (std::size_t i = 0; i < cloths.size(); ++i)
    reference.cloths.push_back(load_cloth(cloths.at(i), reference.output_frames, frame_count));
  reference.missing_features = missing_features(top);
  return reference;
}

}  // namespace clothc_tool
