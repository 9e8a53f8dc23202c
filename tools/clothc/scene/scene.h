// scene.h - a scene as plain data: the contents of a scene file with all defaults filled in, independent of any device.
// Invariant: a Scene returned by load_scene is valid; its numbers are finite and in the ranges that docs/scenes.md
// states.
#pragma once

#include <clothc.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mesh/mesh.h"
#include "scene/frames/pose.h"
#include "mesh/vector3.h"

namespace clothc_tool {

// Values at given frames, linear between them and constant before the first and after the last. The value of frame f
// holds at the end of update f (1, 2, ...); frame 0 is the state before the first update.
template <typename T>
struct Keyframe {
  float frame;
  T value;
};
template <typename T>
using Keyframes = std::vector<Keyframe<T>>;

// Transform of a group of pins: p = pivot + scale * (p_at_rest - pivot) + translation.
struct PinTransform {
  Vector3 translation;
  Vector3 scale = {1, 1, 1};
};
inline PinTransform interpolate(const PinTransform& a, const PinTransform& b, float t) {
  return {interpolate(a.translation, b.translation, t), interpolate(a.scale, b.scale, t)};
}

// Pose of a moving coordinate frame, see poses.h.
struct FramePose {
  Vector3 translation;

  // Rotation about the frame's axis.
  float degrees = 0;

  // The same rotation, about the keyframe's own axis if it has one.
  Rotation rotation;
};

// Index that stands for the scene's own coordinates.
constexpr uint32_t SCENE_FRAME = UINT32_MAX;

// A named coordinate frame that moves.
struct SceneFrame {
  std::string name;

  // Index of the frame that the keyframes are relative to. The chain of parents never leads back to this frame.
  uint32_t parent = SCENE_FRAME;

  // At least one keyframe, in the parent's coordinates.
  Keyframes<FramePose> keys;

  // Unit vector about which all keyframes rotate; none if their axes differ.
  std::optional<Vector3> axis;

  // Number of updates after which the keyframes start again, larger than the frame of the last one; 0 = never.
  float repeat = 0;

  // Interpolate by Catmull-Rom splines instead of linearly.
  bool smooth = false;
};

// A shape that is given in the coordinates of a frame.
template <typename T>
struct Attached {
  T shape;
  uint32_t frame = SCENE_FRAME;
};

// Vertices that are held in place. They are moved together by motion and then by the coordinate frame, to which they
// are attached where they are at time 0. If the coordinate frame is the cloth's own, as it usually is, they stand still
// in it.
struct PinGroup {
  // Indices of mesh vertices.
  std::vector<uint32_t> vertices;

  Vector3 pivot;

  // Empty = never moves.
  Keyframes<PinTransform> motion;

  uint32_t frame = SCENE_FRAME;

  bool moves_in(uint32_t cloth_frame) const { return !motion.empty() || frame != cloth_frame; }
};

// Settings shared by all phases of one type, as in clothc_phase_config.
struct PhaseSettings {
  float stiffness = 1;
  float stiffness_multiplier = 1;
  float compression_limit = 1;
  float stretch_limit = 1;
};

// Velocity of the air in the scene in m/s. At time t it is velocity + sum of gust.velocity * wave(frequency * t +
// phase), where wave has the period 1. Its effect on a cloth depends on the cloth's drag and lift coefficients.
struct Gust {
  Vector3 velocity;
  float frequency, phase;
};
struct SceneWind {
  // At least one keyframe.
  Keyframes<Vector3> velocity;

  std::vector<Gust> gusts;
};

// Accelerations in m/s2 that travel over the cloth, for scenes built in code. For a particle with the initial position
// p the acceleration at time t is acceleration + sum of amplitude * wave(dot(wave_vector, p) - frequency * t), where
// wave has the period 1.
struct BreezeWave {
  Vector3 amplitude, wave_vector;
  float frequency;
};
struct Breeze {
  Vector3 acceleration;
  std::vector<BreezeWave> waves;
};

// Motion constraints: every particle stays in a sphere of this radius in m around its initial position. All spheres
// move together by translation.
struct MotionLimits {
  float radius = 0;

  // Empty = never moves.
  Keyframes<Vector3> translation;
};

struct SphereState {
  Vector3 center;
  float radius;
};
inline SphereState interpolate(const SphereState& a, const SphereState& b, float t) {
  return {interpolate(a.center, b.center, t), a.radius + (b.radius - a.radius) * t};
}

// A tapered capsule: the convex hull of two spheres.
struct CapsuleState {
  SphereState from, to;
};
inline CapsuleState interpolate(const CapsuleState& a, const CapsuleState& b, float t) {
  return {interpolate(a.from, b.from, t), interpolate(a.to, b.to, t)};
}

// An ellipsoid or a box. half_size holds its radii or half extents along the axes of its rotation.
struct SolidState {
  Vector3 center;
  Rotation rotation;
  Vector3 half_size;
};
inline SolidState interpolate(const SolidState& a, const SolidState& b, float t) {
  return {interpolate(a.center, b.center, t), interpolate(a.rotation, b.rotation, t),
          interpolate(a.half_size, b.half_size, t)};
}

// A mesh to collide with, shared by all instances of it.
struct ColliderMesh {
  // In m.
  std::vector<Vector3> positions;

  // [n][3]
  std::vector<uint32_t> triangles;
};

// Transform of a mesh instance: p = rotation * scale * p_of_mesh + translation.
struct InstanceTransform {
  Vector3 translation;
  Rotation rotation;

  // 1e-3 .. 1e3
  float scale = 1;
};
inline InstanceTransform interpolate(const InstanceTransform& a, const InstanceTransform& b, float t) {
  return {interpolate(a.translation, b.translation, t), interpolate(a.rotation, b.rotation, t),
          a.scale + (b.scale - a.scale) * t};
}

// A mesh that moves rigidly: either its triangles, in front of which cloths stay, or the solid that they enclose.
struct SceneMeshInstance {
  std::shared_ptr<const ColliderMesh> mesh;

  // Signed distance field of the mesh to collide with in place of its triangles; null = collide with the triangles.
  std::shared_ptr<const clothc::DistanceField> sdf;

  // At least one keyframe.
  Keyframes<InstanceTransform> transform;

  // Distance in m behind the triangles up to which they push particles back to the front.
  float reach = 0.1f;
};

// A deforming mesh in front of which cloths stay, for scenes built in code. Corners are counter-clockwise seen from the
// front. At time t, measured in updates, a vertex is at position + swing * wave(t / swing_period).
struct SceneTriangles {
  std::vector<Vector3> positions;

  // [n][3]
  std::vector<uint32_t> triangles;

  // As in SceneMeshInstance, in m.
  float reach = 0.1f;

  // [positions.size()], or empty if the vertices stand still.
  std::vector<Vector3> swings;
  float swing_period = 1;
};

struct ScenePlane {
  Vector3 normal;

  // The cloth stays where dot(normal, p) + offset >= 0.
  float offset;
};

// The colliders of a scene or of one cloth. shapes.h evaluates where they are at a given time.
struct SceneColliders {
  // Each has at least one keyframe.
  std::vector<Attached<Keyframes<SphereState>>> spheres;
  std::vector<Attached<Keyframes<CapsuleState>>> capsules;
  std::vector<Attached<Keyframes<SolidState>>> ellipsoids;
  std::vector<Attached<Keyframes<SolidState>>> boxes;

  // Half-spaces.
  std::vector<Attached<ScenePlane>> planes;

  // Convex solids between planes whose normals point outwards.
  std::vector<Attached<std::vector<ScenePlane>>> convexes;

  // Each element of mesh_instances and triangles becomes a collider set of its own.
  std::vector<Attached<SceneMeshInstance>> mesh_instances;
  std::vector<Attached<SceneTriangles>> triangles;

  // Pass the shapes to the library in the coordinates of the scene instead of those of each cloth's frame.
  bool in_world = false;

  // Tells whether there are no shapes except mesh instances and triangles.
  bool only_meshes() const {
    return spheres.empty() && capsules.empty() && ellipsoids.empty() && boxes.empty() && planes.empty() &&
           convexes.empty();
  }
};

// One cloth of a scene. Fields of clothc_cloth_parameters and PhaseSettings are described in clothc.h. breeze, limits,
// own_colliders and repeats are for scenes built in code; scene files cannot set them.
struct SceneCloth {
  std::string name;

  // Coordinate frame that the cloth lives in. Its mesh, motion limits and own colliders are given in these coordinates.
  uint32_t frame = SCENE_FRAME;

  // Updates in which that frame jumps, in any order.
  std::vector<uint32_t> teleports;

  // Index of an earlier cloth whose mesh, pins and fabric this cloth shares, at a distance of shift. In that case this
  // cloth's own mesh and pins are empty, it has no breeze and no limits, and the earlier cloth must not repeat another
  // one.
  std::optional<uint32_t> repeats;
  Vector3 shift;

  Mesh mesh;
  std::vector<PinGroup> pins;
  float areal_density = 0.2f;
  float weld_distance = 0;

  // 0 = none
  uint32_t tethers_per_particle = 1;

  // A square number.
  uint32_t virtual_particles_per_triangle = 0;

  // At most four numbers, 2 .. 64.
  std::vector<uint32_t> long_range_edges;

  // Always initialised.
  clothc_cloth_parameters parameters;

  // Empty = parameters.gravity throughout.
  Keyframes<Vector3> gravity;

  std::optional<Breeze> breeze;

  // A stiffness of 0 means that the phase is not solved.
  PhaseSettings stretch, shear, bend, long_range;

  // These take the place of stretch, see phases.h.
  PhaseSettings vertical, horizontal, warp, weft;

  // If not zero, edges are in the vertical and horizontal phases.
  Vector3 gravity_hint;

  // Edges are in the warp and weft phases by the mesh's texture coordinates, which must exist.
  bool uses_texture_coordinates = false;

  bool quadify = false;
  bool keeps_order = false;

  // Self-collision ignores pairs of particles that are nearer than its distance at rest.
  bool ignores_neighbours = false;

  Vector3 colour = {0.75f, 0.2f, 0.18f};

  std::optional<MotionLimits> limits;

  bool collides_with_scene = true;

  // Colliders of this cloth alone, which come after the scene's.
  SceneColliders own_colliders;
};

struct SceneCamera {
  Vector3 eye, target;

  // Degrees from top to bottom.
  float field_of_view = 35;
};

struct Scene {
  std::string name;
  uint32_t frame_count = 300;
  float dt = 1 / 60.0f;
  clothc_schedule schedule = CLOTHC_SCHEDULE_AUTO;
  std::vector<SceneFrame> coordinate_frames;
  std::vector<SceneCloth> cloths;
  SceneColliders colliders;

  // None = parameters.wind_velocity of each cloth.
  std::optional<SceneWind> wind;

  // None = a camera that shows everything.
  std::optional<SceneCamera> camera;
};

// Returns the value of keyframes at a frame. There must be at least one keyframe, and their frames must ascend.
template <typename T>
T value_at(const Keyframes<T>& keys, float frame) {
  if (frame <= keys.front().frame) return keys.front().value;
  for (size_t i = 1; i < keys.size(); ++i) {
    const auto &a = keys[i - 1], &b = keys[i];
    if (frame < b.frame) return interpolate(a.value, b.value, (frame - a.frame) / (b.frame - a.frame));
  }
  return keys.back().value;
}

// Options of the default scene of a mesh file.
struct MeshSceneOptions {
  float metres_per_unit = 1;
};

// Loads a JSON scene file, or builds the default scene of a mesh file (see docs/scenes.md). Throws InputError.
Scene load_scene(const std::string& path, const MeshSceneOptions& options = {});

// Returns a file's name without folder and extension.
std::string name_of_path(const std::string& path);

// Builds the default scene of a mesh file: its highest vertices are pinned, and there is a ground plane below.
Scene scene_of_mesh(const std::string& path, const MeshSceneOptions& options);

// Loads a JSON scene file. Mesh files that it names are relative to its folder.
Scene scene_of_json(const std::string& path);

}  // namespace clothc_tool
