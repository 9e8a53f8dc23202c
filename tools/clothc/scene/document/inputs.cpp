// inputs.cpp - the inputs that write gravity and wind velocity, breezes and motion limits.
#include "scene/document/inputs.h"

#include "scene/cloth/wind.h"
#include "scene/frames/wave.h"

namespace clothc_tool {
namespace {

void store(Vector3 v, float (&components)[3]) {
  components[0] = v.x;
  components[1] = v.y;
  components[2] = v.z;
}

class ParameterInput : public FrameInput {
 public:
  ParameterInput(const Scene& scene, const SceneCloth& cloth, clothc_cloth_id id)
      : scene_(scene), cloth_(cloth), id_(id) {}
  void apply(clothc_solver solver, uint32_t frame) override {
    clothc_cloth_parameters parameters = cloth_.parameters;
    if (!cloth_.gravity.empty()) store(value_at(cloth_.gravity, static_cast<float>(frame)), parameters.gravity);
    if (scene_.wind) store(wind_at(*scene_.wind, frame, scene_.dt), parameters.wind_velocity);
    check(clothc_cloth_set_parameters(solver, id_, &parameters));
  }

 private:
  const Scene& scene_;
  const SceneCloth& cloth_;
  clothc_cloth_id id_;
};

class BreezeInput : public FrameInput {
 public:
  BreezeInput(clothc_device device, float dt, const Breeze& breeze, const SimulatedCloth& simulated)
      : breeze_(breeze),
        dt_(static_cast<double>(dt)),
        region_{0, simulated.info.first_particle, simulated.info.particle_count},
        positions_(read_fabric<float>(simulated.fabric, CLOTHC_FABRIC_POSITIONS)),
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
      const float projected = dot(gust.wave_vector, {p[0], p[1], p[2]});
      sum += gust.amplitude * wave(static_cast<double>(projected) - static_cast<double>(gust.frequency) * time);
    }
    return sum;
  }

  const Breeze& breeze_;
  double dt_;
  clothc_region region_;
  std::vector<float> positions_;
  Buffer buffer_;
};

// Writes the spheres of all motion constraints before the first update and, if they move, before every update.
class LimitsInput : public FrameInput {
 public:
  LimitsInput(clothc_device device, const MotionLimits& limits, const SimulatedCloth& simulated)
      : limits_(limits),
        region_{0, simulated.info.first_particle, simulated.info.particle_count},
        positions_(read_fabric<float>(simulated.fabric, CLOTHC_FABRIC_POSITIONS)),
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

}  // namespace

std::unique_ptr<FrameInput> make_parameter_input(const Scene& scene, const SceneCloth& cloth,
                                                 const SimulatedCloth& simulated) {
  if (cloth.gravity.empty() && !scene.wind) return nullptr;
  return std::make_unique<ParameterInput>(scene, cloth, simulated.id);
}

std::unique_ptr<FrameInput> make_breeze_input(clothc_device device, float dt, const SceneCloth& cloth,
                                              const SimulatedCloth& simulated) {
  if (!cloth.breeze) return nullptr;
  return std::make_unique<BreezeInput>(device, dt, *cloth.breeze, simulated);
}

std::unique_ptr<FrameInput> make_limits_input(clothc_device device, const SceneCloth& cloth,
                                              const SimulatedCloth& simulated) {
  if (!cloth.limits) return nullptr;
  return std::make_unique<LimitsInput>(device, *cloth.limits, simulated);
}

}  // namespace clothc_tool
