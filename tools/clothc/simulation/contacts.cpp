// contacts.cpp - sorts the particles along one axis and measures the pairs that are close enough along it.
#include "simulation/contacts.h"

#include <algorithm>
#include <cmath>

#include "scene/frames/poses.h"

namespace clothc_tool {
namespace {

struct Particle {
  Vector3 position;
  Vector3 rest;
  bool has_rest;
  uint32_t cloth;
};

double distance(Vector3 a, Vector3 b) {
  const auto square = [](float x, float y) { return (double{x} - double{y}) * (double{x} - double{y}); };
  return std::sqrt(square(a.x, b.x) + square(a.y, b.y) + square(a.z, b.z));
}

bool collides_with_itself(const clothc_cloth_parameters& p) {
  return p.self_collision_distance > 0 && p.self_collision_stiffness > 0;
}

bool collide(const clothc_cloth_parameters& a, const clothc_cloth_parameters& b) {
  const auto wants = [](const clothc_cloth_parameters& p, const clothc_cloth_parameters& other) {
    return p.inter_collision_distance > 0 && p.inter_collision_stiffness > 0 &&
           (p.inter_collision_mask & other.inter_collision_group) != 0;
  };
  return wants(a, b) && wants(b, a);
}

// Returns the distance that two particles should keep, or 0 if they do not collide.
double wanted_distance(const Scene& scene, const Particle& a, const Particle& b) {
  const clothc_cloth_parameters& p = scene.cloths[a.cloth].parameters;
  const clothc_cloth_parameters& q = scene.cloths[b.cloth].parameters;
  if (a.cloth == b.cloth) {
    if (!collides_with_itself(p)) return 0;
    const double wanted = static_cast<double>(p.self_collision_distance);
    return a.has_rest && b.has_rest && distance(a.rest, b.rest) < wanted ? 0 : wanted;
  }
  return collide(p, q) ? 0.5 * (double{p.inter_collision_distance} + double{q.inter_collision_distance}) : 0;
}

std::vector<Particle> particles_of(const SceneSimulation& simulation) {
  const Scene& scene = simulation.scene();
  std::vector<Particle> particles;
  for (uint32_t k = 0; k < scene.cloths.size(); ++k) {
    const auto read = [&](clothc_channel channel) {
      return simulation.cloths()[k].cloth.read<float>(simulation.device(), channel, CLOTHC_FORMAT_FLOAT4).value();
    };
    const std::vector<float> positions = read(CLOTHC_CHANNEL_POSITION), rest = read(CLOTHC_CHANNEL_REST_POSITION);
    std::vector<Vector3> points;
    for (size_t i = 0; i < positions.size(); i += 4)
      points.push_back({positions[i], positions[i + 1], positions[i + 2]});
    points = in_scene(scene, scene.cloths[k], std::move(points), simulation.frame());
    for (size_t i = 0; i < points.size(); ++i) {
      const float* r = &rest[4 * i];
      particles.push_back({points[i], {r[0], r[1], r[2]}, r[3] > 0, k});
    }
  }
  return particles;
}

}  // namespace

ContactSummary contacts_of(const SceneSimulation& simulation) {
  const Scene& scene = simulation.scene();
  ContactSummary summary;
  double largest_distance = 0;
  for (const SceneCloth& a : scene.cloths) {
    if (collides_with_itself(a.parameters))
      largest_distance = std::max(largest_distance, double{a.parameters.self_collision_distance});
    for (const SceneCloth& b : scene.cloths) {
      if (&a != &b && collide(a.parameters, b.parameters))
        largest_distance = std::max(largest_distance, double{a.parameters.inter_collision_distance});
    }
  }
  summary.any_cloth = largest_distance > 0;
  if (!summary.any_cloth) return summary;
  std::vector<Particle> particles = particles_of(simulation);
  particles.erase(std::remove_if(particles.begin(), particles.end(),
                                 [](const Particle& p) { return !(std::fabs(p.position.x) < 1e30f); }),
                  particles.end());
  std::sort(particles.begin(), particles.end(),
            [](const Particle& a, const Particle& b) { return a.position.x < b.position.x; });
  for (auto a = particles.begin(); a != particles.end(); ++a) {
    for (auto b = a + 1; b != particles.end() && double{b->position.x} - double{a->position.x} < largest_distance;
         ++b) {
      const double apart = distance(a->position, b->position);
      if (!(apart < largest_distance)) continue;
      const double wanted = wanted_distance(scene, *a, *b);
      if (wanted <= 0 || !(apart < wanted)) continue;
      summary.nearest = std::min(summary.nearest, apart / wanted);
      summary.contact_count += apart < 0.999 * wanted;
      summary.close += apart < 0.5 * wanted;
    }
  }
  return summary;
}

}  // namespace clothc_tool
