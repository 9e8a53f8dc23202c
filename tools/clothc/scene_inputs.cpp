// scene_inputs.cpp - gravity, breeze, moving pins, motion limits and moving colliders.
#include "scene_inputs.h"

#include <algorithm>
#include <map>

#include "wave.h"

namespace clothc_tool {
namespace {

class GravityInput : public FrameInput {
 public:
  GravityInput(const SceneCloth& cloth, clothc_cloth_id id) : cloth_(cloth), id_(id) {}
  void apply(clothc_solver solver, uint32_t frame) override {
    clothc_cloth_parameters parameters = cloth_.parameters;
    const Vector3 gravity = value_at(cloth_.gravity, static_cast<float>(frame));
    parameters.gravity[0] = gravity.x;
    parameters.gravity[1] = gravity.y;
    parameters.gravity[2] = gravity.z;
    check(clothc_cloth_set_parameters(solver, id_, &parameters));
  }

 private:
  const SceneCloth& cloth_;
  clothc_cloth_id id_;
};

class BreezeInput : public FrameInput {
 public:
  BreezeInput(clothc_device device, float dt, const Breeze& breeze, const SimulatedCloth& simulated)
      : breeze_(breeze),
        dt_(static_cast<double>(dt)),
        region_{0, simulated.info.first_particle, simulated.info.particle_count},
        positions_(read_fabric<float>(simulated.fabric.get(), CLOTHC_FABRIC_POSITIONS)),
        buffer_(create_buffer(device, CLOTHC_FORMAT_FLOAT3, region_.count)) {}

  void apply(clothc_solver solver, uint32_t frame) override {
    const double time = frame * dt_;
    {
      const Mapped<Vector3> accelerations(buffer_.get(), CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD);
      for (size_t i = 0; i < region_.count; ++i) accelerations[i] = acceleration(&positions_[4 * i], time);
    }
    check(clothc_solver_set(solver, CLOTHC_CHANNEL_ACCELERATION, buffer_.get(), nullptr, &region_, 1, 0));
  }

 private:
  Vector3 acceleration(const float* p, double time) const {
    Vector3 sum = breeze_.acceleration;
    for (const BreezeWave& gust : breeze_.waves) {
      const float place = dot(gust.wave_vector, {p[0], p[1], p[2]});
      sum += gust.amplitude * wave(static_cast<double>(place) - static_cast<double>(gust.frequency) * time);
    }
    return sum;
  }

  const Breeze& breeze_;
  double dt_;
  clothc_region region_;
  std::vector<float> positions_;
  Buffer buffer_;
};

class PinInput : public FrameInput {
 public:
  PinInput(clothc_device device, const SceneCloth& cloth, const SimulatedCloth& simulated) {
    std::map<uint32_t, Pin> pins;  // by particle: regions ascend, and of pins given twice the last one counts
    for (const PinGroup& group : cloth.pins) {
      for (uint32_t vertex : group.vertices) {
        const uint32_t particle = simulated.info.first_particle + simulated.vertex_map[vertex];
        pins[particle] = {&group, cloth.mesh.positions[vertex]};
      }
    }
    for (const auto& [particle, pin] : pins) {
      if (!pin.group->motion.empty()) add(particle, pin);
    }
    buffer_ = create_buffer(device, CLOTHC_FORMAT_FLOAT3, pins_.size());
  }

  void apply(clothc_solver solver, uint32_t frame) override {
    {
      const Mapped<Vector3> positions(buffer_.get(), CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD);
      for (size_t i = 0; i < pins_.size(); ++i) positions[i] = position(pins_[i], static_cast<float>(frame));
    }
    check(clothc_solver_set(solver, CLOTHC_CHANNEL_POSITION, buffer_.get(), nullptr, regions_.data(),
                            static_cast<uint32_t>(regions_.size()), CLOTHC_SET_AT_REST));
  }

 private:
  struct Pin {
    const PinGroup* group;
    Vector3 at_rest;
  };

  void add(uint32_t particle, const Pin& pin) {
    const auto source = static_cast<uint32_t>(pins_.size());
    pins_.push_back(pin);
    if (!regions_.empty() && regions_.back().target_offset + regions_.back().count == particle) {
      ++regions_.back().count;
    } else {
      regions_.push_back({source, particle, 1});
    }
  }

  static Vector3 position(const Pin& pin, float frame) {
    const PinPlacement placement = value_at(pin.group->motion, frame);
    return pin.group->pivot + placement.scale * (pin.at_rest - pin.group->pivot) + placement.translation;
  }

  std::vector<Pin> pins_;
  std::vector<clothc_region> regions_;
  Buffer buffer_;
};

// Centres and radii of all particles, before the first update and, if they move, before every one.
class LimitsInput : public FrameInput {
 public:
  LimitsInput(clothc_device device, const MotionLimits& limits, const SimulatedCloth& simulated)
      : limits_(limits),
        region_{0, simulated.info.first_particle, simulated.info.particle_count},
        positions_(read_fabric<float>(simulated.fabric.get(), CLOTHC_FABRIC_POSITIONS)),
        buffer_(create_buffer(device, CLOTHC_FORMAT_FLOAT4, region_.count)) {}

  void apply(clothc_solver solver, uint32_t frame) override {
    if (frame > 1 && limits_.translation.empty()) return;
    const Vector3 translation =
        limits_.translation.empty() ? Vector3{} : value_at(limits_.translation, static_cast<float>(frame));
    {
      const Mapped<float> spheres(buffer_.get(), CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD);
      for (size_t i = 0; i < 4 * size_t{region_.count}; i += 4) {
        spheres[i] = positions_[i] + translation.x;
        spheres[i + 1] = positions_[i + 1] + translation.y;
        spheres[i + 2] = positions_[i + 2] + translation.z;
        spheres[i + 3] = limits_.radius;
      }
    }
    check(clothc_solver_set(solver, CLOTHC_CHANNEL_MOTION_CONSTRAINT, buffer_.get(), nullptr, &region_, 1, 0));
  }

 private:
  const MotionLimits& limits_;
  clothc_region region_;
  std::vector<float> positions_;
  Buffer buffer_;
};

class ColliderInput : public FrameInput {
 public:
  ColliderInput(const SceneColliders& colliders, clothc_collider_set_id set) : colliders_(colliders), set_(set) {}
  void apply(clothc_solver solver, uint32_t frame) override {
    write_colliders(solver, set_, colliders_, static_cast<float>(frame));
  }

 private:
  const SceneColliders& colliders_;
  clothc_collider_set_id set_;
};

void append(std::vector<float>& values, Vector3 v, float w) { values.insert(values.end(), {v.x, v.y, v.z, w}); }

}  // namespace

std::unique_ptr<FrameInput> make_gravity_input(const SceneCloth& cloth, const SimulatedCloth& simulated) {
  if (cloth.gravity.empty()) return nullptr;
  return std::make_unique<GravityInput>(cloth, simulated.id);
}

std::unique_ptr<FrameInput> make_breeze_input(clothc_device device, float dt, const SceneCloth& cloth,
                                              const SimulatedCloth& simulated) {
  if (!cloth.breeze) return nullptr;
  return std::make_unique<BreezeInput>(device, dt, *cloth.breeze, simulated);
}

std::unique_ptr<FrameInput> make_pin_input(clothc_device device, const SceneCloth& cloth,
                                           const SimulatedCloth& simulated) {
  const bool moves = std::any_of(cloth.pins.begin(), cloth.pins.end(), [](const auto& g) { return !g.motion.empty(); });
  if (!moves) return nullptr;
  return std::make_unique<PinInput>(device, cloth, simulated);
}

std::unique_ptr<FrameInput> make_limits_input(clothc_device device, const SceneCloth& cloth,
                                              const SimulatedCloth& simulated) {
  if (!cloth.limits) return nullptr;
  return std::make_unique<LimitsInput>(device, *cloth.limits, simulated);
}

std::unique_ptr<FrameInput> make_collider_input(const SceneColliders& colliders, clothc_collider_set_id set) {
  const bool moves =
      std::any_of(colliders.spheres.begin(), colliders.spheres.end(), [](const auto& keys) { return keys.size() > 1; });
  if (!moves) return nullptr;
  return std::make_unique<ColliderInput>(colliders, set);
}

void write_colliders(clothc_solver solver, clothc_collider_set_id set, const SceneColliders& colliders, float frame) {
  std::vector<float> spheres, starts, planes;
  for (const auto& keys : colliders.spheres) {
    const SphereState state = value_at(keys, frame), start = value_at(keys, std::max(frame - 1, 0.0f));
    append(spheres, state.center, state.radius);
    append(starts, start.center, start.radius);
  }
  std::vector<uint32_t> ends, members;
  const auto add_plane = [&](const ScenePlane& plane) {
    members.push_back(static_cast<uint32_t>(planes.size() / 4));
    append(planes, plane.normal, plane.offset);
  };
  for (const ScenePlane& plane : colliders.planes) {
    add_plane(plane);
    ends.push_back(static_cast<uint32_t>(members.size()));
  }
  for (const auto& convex : colliders.convexes) {
    for (const ScenePlane& plane : convex) add_plane(plane);
    ends.push_back(static_cast<uint32_t>(members.size()));
  }
  auto shapes = initialised<clothc_collider_shapes>();
  shapes.sphere_count = static_cast<uint32_t>(spheres.size() / 4);
  shapes.spheres = spheres.data();
  shapes.sphere_starts = starts.data();
  shapes.plane_count = static_cast<uint32_t>(planes.size() / 4);
  shapes.planes = planes.data();
  if (!colliders.convexes.empty()) {  // then every half-space is a convex of one plane
    shapes.convex_count = static_cast<uint32_t>(ends.size());
    shapes.convex_ends = ends.data();
    shapes.convex_planes = members.data();
  }
  check(clothc_collider_set_write(solver, set, &shapes));
}

}  // namespace clothc_tool
