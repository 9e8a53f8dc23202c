// reference.h - a conformance reference (clothref-1) in memory: the plain data of one recorded scene. Invariant: after
// load_reference every array has the length that its counts promise and every index is in range.
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

  // [constraint_count][2]
  std::vector<uint32_t> indices;

  // log2(1 - stiffness) per constraint, or empty
  std::vector<float> log_stiffness;

  // [tethers_per_particle][particle_count]
  std::vector<uint32_t> tether_anchors;
  std::vector<float> tether_lengths;

  // [triangle_count][3]
  std::vector<uint32_t> triangles;

  // [n][4]: indices of three particles and of a row of weights
  std::vector<uint32_t> virtual_particles;

  // [rows][3]
  std::vector<float> virtual_weights;
};

struct ReferencePhase {
  uint32_t phase = 0;
  float stiffness = 1, stiffness_multiplier = 1, compression_limit = 1, stretch_limit = 1;
};

struct ReferenceParticleWrite {
  std::vector<uint32_t> indices;

  // [indices.size()][4]
  std::vector<float> current;

  // [indices.size()][4], or empty if previous positions are not written
  std::vector<float> previous;
};

struct ReferencePose {
  std::array<float, 3> translation = {0, 0, 0};

  // x y z w
  std::array<float, 4> rotation = {0, 0, 0, 1};
};

// An operation on a cloth's coordinate frame, applied before the frame moves to its target.
struct ReferenceOperation {
  enum Kind { Teleport, TeleportToLocation, ClearInterpolation, ClearInertia, IgnoreDiscontinuity };
  Kind kind = Teleport;

  // Teleport: the translation is the displacement. TeleportToLocation: the destination.
  ReferencePose pose;
};

// Shapes of one kind at the start and at the end of a frame. Without a target they stay at their last one.
struct ReferenceShapes {
  std::optional<std::vector<float>> start, target;

  // Removes all shapes of this kind, after the target if there is one, so that the frame runs without them.
  bool clear = false;

  bool changes() const { return target.has_value() || clear; }
};

// The inputs that change before one frame.
struct ReferenceFrameInput {
  // Components of each parameter by its name.
  std::map<std::string, std::vector<double>> set;

  std::vector<ReferenceOperation> operations;

  // Target of the coordinate frame; the rotation is x y z w.
  std::optional<std::array<float, 3>> translation;
  std::optional<std::array<float, 4>> rotation;

  // [n][4]
  ReferenceShapes spheres, planes;

  // [n][3][3]
  ReferenceShapes triangles;

  // [particle_count][4] each
  std::optional<std::vector<float>> motion_start, motion_target;
  std::optional<std::vector<float>> separation_start, separation_target;
  std::optional<std::vector<float>> accelerations;

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

  // [particle_count][4]
  std::vector<float> particles;

  // [particle_count][4], or empty if it equals particles
  std::vector<float> particles_previous;

  ReferenceFabric fabric;
  std::vector<ReferencePhase> phase_configs;
  std::map<std::string, std::vector<double>> parameters;
  std::optional<ReferencePose> initial_pose;

  // [n][2] indices of spheres
  std::vector<uint32_t> capsules;

  std::vector<uint32_t> convex_masks;

  // Empty means that all particles collide.
  std::vector<uint32_t> self_collision_indices;

  // [particle_count][4], or empty
  std::vector<float> rest_positions;

  // By frame, counted from 0.
  std::map<uint32_t, ReferenceFrameInput> inputs;

  // [particle_count][4] by output frame, counted from 1.
  std::map<uint32_t, std::vector<float>> expected;

  // By output frame, counted from 1; empty unless a sleep_threshold is above 0.
  std::map<uint32_t, ReferenceSleep> expected_sleep;
};

struct ReferenceAggregate {
  double distance = 0;

  // [output_frame_count][3]
  std::vector<double> centre;

  double centre_tolerance = 0;
  std::vector<double> min_separation;
  double min_separation_slack = 0;
  std::vector<double> close_pairs;
  double close_pairs_factor = 0, close_pairs_slack = 0;
};

// Collision between all cloths.
struct ReferenceInterCollision {
  float distance = 0, stiffness = 1;
  uint32_t iterations = 1;
};

struct Reference {
  std::string name;

  // One dt per frame in seconds.
  std::vector<float> frame_times;

  // Ascending and counted from 1.
  std::vector<uint32_t> output_frames;

  // Per output frame; nullopt means that the frame is not judged by its trajectory.
  std::vector<std::optional<double>> tolerance;

  std::optional<ReferenceAggregate> aggregate;
  std::optional<ReferenceInterCollision> inter_collision;
  std::vector<ReferenceCloth> cloths;

  // Features that the file needs and the library does not have.
  std::vector<std::string> missing_features;
};

// Loads NAME.json and the .bin file beside it. Throws InputError, which names the file, the field, the value and the
// remedy.
Reference load_reference(const std::string& path);

}  // namespace clothc_tool
