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
  ParameterInput(const Scene& scene, const SceneCloth& source, clothc::Cloth cloth)
      : scene_(scene), source_(source), cloth_(cloth) {}
  void apply(const clothc::Solver&, uint32_t frame) override {
    clothc_cloth_parameters parameters = source_.parameters;
    if (!source_.gravity.empty()) store(value_at(source_.gravity, static_cast<float>(frame)), parameters.gravity);
    if (scene_.wind) store(wind_at(*scene_.wind, frame, scene_.dt), parameters.wind_velocity);
    cloth_.set_parameters(parameters).check();
  }

 private:
  const Scene& scene_;
  const SceneCloth& source_;
  clothc::Cloth cloth_;
};

class BreezeInput : public FrameInput {
 public:
  BreezeInput(const clothc::Device& device, float dt, const Breeze& breeze, const SimulatedCloth& simulated)
      : breeze_(breeze),
        dt_(static_cast<double>(dt)),
        region_{0, simulated.info.first_particle, simulated.info.particle_count},
        positions_(simulated.fabric->read<float>(CLOTHC_FABRIC_POSITIONS).value()),
        buffer_(device.create_buffer(CLOTHC_FORMAT_FLOAT3, region_.count).value()) {}

  void apply(const clothc::Solver& solver, uint32_t frame) override {
    const double time = frame * dt_;
    {
      const auto accelerations = buffer_.map<Vector3>(CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD).value();
      for (size_t i = 0; i < region_.count; ++i) accelerations[i] = acceleration(&positions_[4 * i], time);
    }
    solver.set(CLOTHC_CHANNEL_ACCELERATION, buffer_, {&region_, 1}).check();
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
  clothc::Buffer buffer_;
};

// Writes the spheres of all motion constraints before the first update and, if they move, before every update.
class LimitsInput : public FrameInput {
 public:
  LimitsInput(const clothc::Device& device, const MotionLimits& limits, const SimulatedCloth& simulated)
      : limits_(limits),
        region_{0, simulated.info.first_particle, simulated.info.particle_count},
        positions_(simulated.fabric->read<float>(CLOTHC_FABRIC_POSITIONS).value()),
        buffer_(device.create_buffer(CLOTHC_FORMAT_FLOAT4, region_.count).value()) {}

  void apply(const clothc::Solver& solver, uint32_t frame) override {
    if (frame > 1 && limits_.translation.empty()) return;
    const Vector3 translation =
        limits_.translation.empty() ? Vector3{} : value_at(limits_.translation, static_cast<float>(frame));
    {
      const auto spheres = buffer_.map<float>(CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD).value();
      for (size_t i = 0; i < 4 * size_t{region_.count}; i += 4) {
        spheres[i] = positions_[i] + translation.x;
        spheres[i + 1] = positions_[i + 1] + translation.y;
        spheres[i + 2] = positions_[i + 2] + translation.z;
        spheres[i + 3] = limits_.radius;
      }
    }
    solver.set(CLOTHC_CHANNEL_MOTION_CONSTRAINT, buffer_, {&region_, 1}).check();
  }

 private:
  const MotionLimits& limits_;
  clothc_region region_;
  std::vector<float> positions_;
  clothc::Buffer buffer_;
};

}  // namespace

std::unique_ptr<FrameInput> make_parameter_input(const Scene& scene, const SceneCloth& cloth,
                                                 const SimulatedCloth& simulated) {
  if (cloth.gravity.empty() && !scene.wind) return nullptr;
  return std::make_unique<ParameterInput>(scene, cloth, simulated.cloth);
}

std::unique_ptr<FrameInput> make_breeze_input(const clothc::Device& device, float dt, const SceneCloth& cloth,
                                              const SimulatedCloth& simulated) {
  if (!cloth.breeze) return nullptr;
  return std::make_unique<BreezeInput>(device, dt, *cloth.breeze, simulated);
}

std::unique_ptr<FrameInput> make_limits_input(const clothc::Device& device, const SceneCloth& cloth,
                                              const SimulatedCloth& simulated) {
  if (!cloth.limits) return nullptr;
  return std::make_unique<LimitsInput>(device, *cloth.limits, simulated);
}

}  // namespace clothc_tool
