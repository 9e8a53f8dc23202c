// A conformance reference (clothref-1) in memory: the plain data of one recorded scene, all arrays loaded and checked.
// Invariant: after load_reference every array has the length its counts promise and every index is in range.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clothc_tool {

struct ReferenceFabric {
  std::vector<uint32_t> phase_sets;
  std::vector<uint32_t> set_ends;
  std::vector<float> rest_lengths;
  std::vector<uint32_t> indices;            // [constraint_count][2]
  std::vector<float> log_stiffness;         // log2(1 - stiffness) per constraint, or empty
  std::vector<uint32_t> tether_anchors;     // [tethers_per_particle][particle_count]
  std::vector<float> tether_lengths;        // [tethers_per_particle][particle_count]
  std::vector<uint32_t> triangles;          // [triangle_count][3]
  std::vector<uint32_t> virtual_particles;  // [n][4] three particles and a row of weights
  std::vector<float> virtual_weights;       // [rows][3]
};

struct ReferencePhase {
  uint32_t phase = 0;
  float stiffness = 1, stiffness_multiplier = 1, compression_limit = 1, stretch_limit = 1;
};

struct ReferenceParticleWrite {
  std::vector<uint32_t> indices;
  std::vector<float> current;   // [indices.size()][4]
  std::vector<float> previous;  // [indices.size()][4], or empty: not written
};

struct ReferencePose {
  std::array<float, 3> translation = {0, 0, 0};
  std::array<float, 4> rotation = {0, 0, 0, 1};  // x y z w
};

// What happens to a cloth's coordinate frame before it moves to its target.
struct ReferenceOperation {
  enum Kind { Teleport, TeleportToLocation, ClearInterpolation, ClearInertia, IgnoreDiscontinuity };
  Kind kind = Teleport;
  ReferencePose pose;  // Teleport: its translation is the distance; TeleportToLocation: where to
};

// Shapes of one kind at the start and at the end of a frame; without a target they stay at their last one.
struct ReferenceShapes {
  std::optional<std::vector<float>> start, target;
  bool clear = false;  // afterwards there are none
  bool changes() const { return target.has_value() || clear; }
};

// What changes before one frame.
struct ReferenceFrameInput {
  std::map<std::string, std::vector<double>> set;  // parameter name -> components
  std::vector<ReferenceOperation> operations;
  std::optional<std::array<float, 3>> translation;                        // of the coordinate frame's target
  std::optional<std::array<float, 4>> rotation;                           // likewise, x y z w
  ReferenceShapes spheres, planes;                                        // [n][4]
  ReferenceShapes triangles;                                              // [n][3][3]
  std::optional<std::vector<float>> motion_start, motion_target;          // [particle_count][4]
  std::optional<std::vector<float>> separation_start, separation_target;  // [particle_count][4]
  std::optional<std::vector<float>> accelerations;                        // [particle_count][4]
  bool clear_accelerations = false;
  bool clear_motion = false;
  bool clear_separation = false;
  bool sets_shapes() const { return spheres.changes() || planes.changes() || triangles.changes(); }
  std::optional<ReferenceParticleWrite> write;
};

struct ReferenceSleep {
  uint32_t pass_count = 0;
  bool asleep = false;
};

struct ReferenceCloth {
  uint32_t particle_count = 0;
  std::vector<float> particles;           // [particle_count][4]
  std::vector<float> particles_previous;  // [particle_count][4], or empty: equal to particles
  ReferenceFabric fabric;
  std::vector<ReferencePhase> phase_configs;
  std::map<std::string, std::vector<double>> parameters;
  std::optional<ReferencePose> initial_pose;
  std::vector<uint32_t> capsules;  // [n][2] spheres
  std::vector<uint32_t> convex_masks;
  std::vector<uint32_t> self_collision_indices;       // empty: all particles
  std::vector<float> rest_positions;                  // [particle_count][4], or empty
  std::map<uint32_t, ReferenceFrameInput> inputs;     // by frame, 0-based
  std::map<uint32_t, std::vector<float>> expected;    // by output frame, 1-based: [particle_count][4]
  std::map<uint32_t, ReferenceSleep> expected_sleep;  // likewise; empty unless a sleep_threshold is above 0
};

struct ReferenceAggregate {
  double distance = 0;
  std::vector<double> centre;  // [output_frame_count][3]
  double centre_tolerance = 0;
  std::vector<double> min_separation;
  double min_separation_slack = 0;
  std::vector<double> close_pairs;
  double close_pairs_factor = 0, close_pairs_slack = 0;
};

// Between all cloths.
struct ReferenceInterCollision {
  float distance = 0, stiffness = 1;
  uint32_t iterations = 1;
};

struct Reference {
  std::string name;
  std::vector<float> frame_times;                // one dt per frame
  std::vector<uint32_t> output_frames;           // ascending, 1-based
  std::vector<std::optional<double>> tolerance;  // per output frame; nullopt = not judged by trajectory
  std::optional<ReferenceAggregate> aggregate;
  std::optional<ReferenceInterCollision> inter_collision;
  std::vector<ReferenceCloth> cloths;
  std::vector<std::string> missing_features;  // what the file needs and the library does not have
};

// Loads NAME.json and the .bin beside it. Throws InputError naming file, field, value and remedy.
Reference load_reference(const std::string& path);

}  // namespace clothc_tool
