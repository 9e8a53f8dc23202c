// scene.h - a scene as data: what a scene file says, with defaults filled in and nothing yet given to the library.
// Invariant: a Scene from load_scene is valid; numbers are finite and in the ranges that docs/scenes.md states.
#pragma once

#include <clothc.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mesh/mesh.h"
#include "scene/frames/pose.h"
#include "mesh/vector3.h"

namespace clothc_tool {

// Values at frames, linear between them and constant outside. Frame f is in force at the end of update f (1, 2, ...);
// frame 0 is the state before the first update.
template <typename T>
struct Keyframe {
  float frame;
  T value;
};
template <typename T>
using Keyframes = std::vector<Keyframe<T>>;

// How a group of pins stands: p = pivot + scale * (p_at_rest - pivot) + translation.
struct PinPlacement {
  Vector3 translation;
  Vector3 scale = {1, 1, 1};
};
inline PinPlacement interpolate(const PinPlacement& a, const PinPlacement& b, float t) {
  return {interpolate(a.translation, b.translation, t), interpolate(a.scale, b.scale, t)};
}

// A named coordinate system that moves, see poses.h.
struct FramePlacement {
  Vector3 translation;
  float degrees = 0;  // about the frame's axis
  Rotation rotation;  // the same turn, about the keyframe's own axis if it has one
};
constexpr uint32_t SCENE_FRAME = UINT32_MAX;  // the index of the scene's own coordinates
struct SceneFrame {
  std::string name;
  uint32_t parent = SCENE_FRAME;   // never leads back here
  Keyframes<FramePlacement> keys;  // in the parent's coordinates; one at least
  std::optional<Vector3> axis;     // that all keyframes turn about, a unit vector; none = they differ
  float repeat = 0;                // updates until the keyframes begin again, all before it; 0 = never
  bool smooth = false;
};

// Something given in the coordinates of a frame.
template <typename T>
struct Attached {
  T shape;
  uint32_t frame = SCENE_FRAME;
};

// Vertices held in place, moved as one by motion and then by the frame, which finds them as they are at time 0. In the
// cloth's own frame, which is the frame of most, they stand still.
struct PinGroup {
  std::vector<uint32_t> vertices;  // of the mesh
  Vector3 pivot;
  Keyframes<PinPlacement> motion;  // empty = never moves
  uint32_t frame = SCENE_FRAME;
  bool moves_in(uint32_t cloth_frame) const { return !motion.empty() || frame != cloth_frame; }
};

// Settings of all phases of one type; fields as in clothc_phase_config.
struct PhaseSettings {
  float stiffness = 1;
  float stiffness_multiplier = 1;
  float compression_limit = 1;
  float stretch_limit = 1;
};

// The air's velocity in the scene, in m/s: velocity + sum of gust.velocity * wave(frequency * t + phase) at time t, wave
// of period 1. What it does to a cloth is up to the cloth's drag and lift.
struct Gust {
  Vector3 velocity;
  float frequency, phase;
};
struct SceneWind {
  Keyframes<Vector3> velocity;  // one at least
  std::vector<Gust> gusts;
};

// Accelerations in m/s2 that travel over the cloth, for scenes built in code: at a particle's initial position p and time t,
// acceleration + sum of amplitude * wave(dot(wave_vector, p) - frequency * t), wave of period 1.
struct BreezeWave {
  Vector3 amplitude, wave_vector;
  float frequency;
};
struct Breeze {
  Vector3 acceleration;
  std::vector<BreezeWave> waves;
};

// Spheres around the initial positions that particles stay in, moved as one if there is motion.
struct MotionLimits {
  float radius = 0;
  Keyframes<Vector3> translation;  // empty = never moves
};

struct SphereState {
  Vector3 center;
  float radius;
};
inline SphereState interpolate(const SphereState& a, const SphereState& b, float t) {
  return {interpolate(a.center, b.center, t), a.radius + (b.radius - a.radius) * t};
}

// A tapered capsule: the hull of two spheres.
struct CapsuleState {
  SphereState from, to;
};
inline CapsuleState interpolate(const CapsuleState& a, const CapsuleState& b, float t) {
  return {interpolate(a.from, b.from, t), interpolate(a.to, b.to, t)};
}

// An ellipsoid or a box: its radii or half its sides are along the axes of its rotation.
struct SolidState {
  Vector3 center;
  Rotation rotation;
  Vector3 half_size;
};
inline SolidState interpolate(const SolidState& a, const SolidState& b, float t) {
  return {interpolate(a.center, b.center, t), interpolate(a.rotation, b.rotation, t),
          interpolate(a.half_size, b.half_size, t)};
}

// A mesh to collide with, shared by all that show it.
struct ColliderMesh {
  std::vector<Vector3> positions;   // m
  std::vector<uint32_t> triangles;  // [n][3]
};

// The distances from a mesh, as clothc_sdf_cook worked them out.
struct ColliderField {
  clothc_sdf_desc grid;  // its values are these:
  std::vector<float> values;
};

// Where a body stands: p = rotation * scale * p of its mesh + translation.
struct BodyPlacement {
  Vector3 translation;
  Rotation rotation;
  float scale = 1;  // 1e-3 .. 1e3
};
inline BodyPlacement interpolate(const BodyPlacement& a, const BodyPlacement& b, float t) {
  return {interpolate(a.translation, b.translation, t), interpolate(a.rotation, b.rotation, t),
          a.scale + (b.scale - a.scale) * t};
}

// A rigid body: its triangles, which cloths stay in front of, or the solid that they enclose.
struct SceneBody {
  std::shared_ptr<const ColliderMesh> mesh;
  std::shared_ptr<const ColliderField> field;  // of the mesh, to collide with in its place; null = its triangles
  Keyframes<BodyPlacement> placement;          // one at least
  float reach = 0.1f;                          // m, behind the triangles
};

// Triangles that cloths stay in front of, counter-clockwise seen from there, for scenes built in code: at a time t, counted
// in updates, a vertex stands at position + swing * wave(t / swing_period).
struct SceneTriangles {
  std::vector<Vector3> positions;
  std::vector<uint32_t> triangles;  // [n][3]
  float reach = 0.1f;               // m, behind them
  std::vector<Vector3> swings;      // [positions.size()], or empty = they do not
  float swing_period = 1;
};

struct ScenePlane {
  Vector3 normal;
  float offset;  // the cloth stays where dot(normal, p) + offset >= 0
};

// See shapes.h for where they stand.
struct SceneColliders {
  std::vector<Attached<Keyframes<SphereState>>> spheres;    // one keyframe at least
  std::vector<Attached<Keyframes<CapsuleState>>> capsules;  // one keyframe at least
  std::vector<Attached<Keyframes<SolidState>>> ellipsoids;  // one keyframe at least
  std::vector<Attached<Keyframes<SolidState>>> boxes;       // one keyframe at least
  std::vector<Attached<ScenePlane>> planes;                 // half-spaces
  std::vector<Attached<std::vector<ScenePlane>>> convexes;  // solids, normals outwards
  std::vector<Attached<SceneBody>> bodies;                  // each a collider set of its own
  std::vector<Attached<SceneTriangles>> triangles;          // likewise
  bool in_world = false;  // given to the library in the scene's coordinates, not in those of each cloth
  bool only_meshes() const {
    return spheres.empty() && capsules.empty() && ellipsoids.empty() && boxes.empty() && planes.empty() &&
           convexes.empty();
  }
};

// clothc_cloth_parameters and PhaseSettings as in clothc.h. Breezes, limits and colliders of one cloth are for scenes built in
// code; scene files have none.
struct SceneCloth {
  std::string name;
  uint32_t frame = SCENE_FRAME;     // that it lives in; its mesh, limits and own colliders are given in
  std::vector<uint32_t> teleports;  // updates in which that frame jumps, ascending or not
  // For scenes built in code: the index of an earlier cloth whose mesh, pins and fabric this one shares, shift away from
  // it; its own mesh and pins are empty, and it has no breeze and no limits. That earlier one repeats none.
  std::optional<uint32_t> repeats;
  Vector3 shift;
  Mesh mesh;
  std::vector<PinGroup> pins;
  float areal_density = 0.2f;
  float weld_distance = 0;
  uint32_t tethers_per_particle = 1;            // 0 = none
  uint32_t virtual_particles_per_triangle = 0;  // a square number
  std::vector<uint32_t> long_range_edges;       // at most four, 2 .. 64
  clothc_cloth_parameters parameters;           // initialised
  Keyframes<Vector3> gravity;                   // empty = parameters.gravity throughout
  std::optional<Breeze> breeze;
  PhaseSettings stretch, shear, bend, long_range;  // stiffness 0 = not solved
  PhaseSettings vertical, horizontal, warp, weft;  // in place of stretch, see phases.h
  Vector3 gravity_hint;                            // not zero: edges are vertical or horizontal
  bool uses_texture_coordinates = false;           // of the mesh, which has them: edges are warp or weft
  bool quadify = false;
  bool keeps_order = false;
  bool ignores_neighbours = false;  // in self-collision, those nearer than its distance at rest
  Vector3 colour = {0.75f, 0.2f, 0.18f};
  std::optional<MotionLimits> limits;
  bool collides_with_scene = true;
  SceneColliders own_colliders;  // after the scene's
};

struct SceneCamera {
  Vector3 eye, target;
  float field_of_view = 35;  // degrees, vertical
};

struct Scene {
  std::string name;
  uint32_t frame_count = 300;
  float dt = 1 / 60.0f;
  clothc_schedule schedule = CLOTHC_SCHEDULE_AUTO;
  std::vector<SceneFrame> coordinate_frames;
  std::vector<SceneCloth> cloths;
  SceneColliders colliders;
  std::optional<SceneWind> wind;      // none = parameters.wind_velocity of each cloth
  std::optional<SceneCamera> camera;  // none = one that shows everything
};

// The value of keyframes (at least one, frames ascending) at a frame.
template <typename T>
T value_at(const Keyframes<T>& keys, float frame) {
  if (frame <= keys.front().frame) return keys.front().value;
  for (size_t i = 1; i < keys.size(); ++i) {
    const auto &a = keys[i - 1], &b = keys[i];
    if (frame < b.frame) return interpolate(a.value, b.value, (frame - a.frame) / (b.frame - a.frame));
  }
  return keys.back().value;
}

// What a mesh file gets that is given in place of a scene.
struct MeshSceneOptions {
  float metres_per_unit = 1;
};

// Loads a scene: a JSON scene file, or a mesh file that gets a default scene (see docs/scenes.md).
// Throws InputError.
Scene load_scene(const std::string& path, const MeshSceneOptions& options = {});

// A file's name without folder and ending.
std::string name_of_path(const std::string& path);

// The default scene of a mesh: pinned where it is highest, a ground plane below.
Scene scene_of_mesh(const std::string& path, const MeshSceneOptions& options);

// A JSON scene file; meshes it names are relative to its folder.
Scene scene_of_json(const std::string& path);

}  // namespace clothc_tool
