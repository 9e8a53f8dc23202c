// grab.cpp - see grab.h. Source of the test of a ray and a triangle: Moeller and Trumbore 1997, "Fast, minimum storage
// ray-triangle intersection".
#include "cloth/grab.h"

#include <glm/gtx/norm.hpp>

#include "cloth/vertices.h"

namespace clothc_viewer {
namespace {

using clothc_renderer::Ray;

// Particles of a cloth in the world.
struct Particles {
  std::vector<glm::vec3> positions;
  std::vector<float> inverse_masses;
};

Particles read_particles(const SourceCloth& cloth) {
  const auto values = cloth.cloth.read<glm::vec4>(cloth.device, CLOTHC_CHANNEL_POSITION, CLOTHC_FORMAT_FLOAT4).value();
  const glm::mat4 world = world_of(cloth.cloth);
  Particles particles;
  for (const glm::vec4& value : values) {
    particles.positions.push_back(world * glm::vec4(glm::vec3(value), 1));
    particles.inverse_masses.push_back(value.w);
  }
  return particles;
}

// Returns the distance along the ray at which it hits the triangle, from either side.
std::optional<float> hit(const Ray& ray, glm::vec3 a, glm::vec3 b, glm::vec3 c) {
  const glm::vec3 ab = b - a, ac = c - a, p = glm::cross(ray.direction, ac);
  const float determinant = glm::dot(ab, p);
  if (std::fabs(determinant) < 1e-12f) return std::nullopt;
  const glm::vec3 offset = ray.origin - a, q = glm::cross(offset, ab);
  const float u = glm::dot(offset, p) / determinant, v = glm::dot(ray.direction, q) / determinant;
  const float distance = glm::dot(ac, q) / determinant;
  if (u < 0 || v < 0 || u + v > 1 || distance <= 0) return std::nullopt;
  return distance;
}

clothc::Buffer make_element(clothc_device device) {
  return clothc::Buffer::create(device, CLOTHC_FORMAT_FLOAT4, 1).value();
}

// The best particle so far. Lower scores are better.
class Best {
 public:
  void offer(float score, size_t cloth, uint32_t particle, const Particles& particles) {
    if (score >= score_ || particles.inverse_masses[particle] == 0) return;
    score_ = score;
    picked_ = {cloth, particle, particles.positions[particle], particles.inverse_masses[particle]};
  }
  float score() const { return score_; }
  const std::optional<PickedParticle>& picked() const { return picked_; }

 private:
  float score_ = INFINITY;
  std::optional<PickedParticle> picked_;
};

}  // namespace

std::optional<PickedParticle> pick(const Source& source, const Ray& ray, float reach) {
  Best of_triangles, of_particles;
  for (size_t i = 0; i < source.cloths().size(); ++i) {
    const SourceCloth& cloth = source.cloths()[i];
    const Particles particles = read_particles(cloth);
    const std::vector<uint32_t>& corners = cloth.topology->particle_triangles;
    for (size_t k = 0; k + 2 < corners.size(); k += 3) {
      const auto at = [&](size_t corner) { return particles.positions[corners[k + corner]]; };
      const auto distance = hit(ray, at(0), at(1), at(2));
      if (!distance || *distance >= of_triangles.score()) continue;
      const glm::vec3 point = ray.origin + *distance * ray.direction;
      Best of_corners;
      for (size_t corner = 0; corner < 3; ++corner)
        of_corners.offer(glm::distance2(point, at(corner)), i, corners[k + corner], particles);
      if (of_corners.picked()) of_triangles.offer(*distance, i, of_corners.picked()->particle, particles);
    }
    for (uint32_t particle = 0; particle < particles.positions.size(); ++particle) {
      const glm::vec3 offset = particles.positions[particle] - ray.origin;
      const float along = glm::dot(offset, ray.direction);
      if (along <= 0) continue;
      const float angle = glm::length(offset - along * ray.direction) / along;
      if (angle < reach) of_particles.offer(angle, i, particle, particles);
    }
  }
  return of_triangles.picked() ? of_triangles.picked() : of_particles.picked();
}

Grab::Grab(const Source& source, const PickedParticle& picked)
    : cloth_(source.cloths()[picked.cloth].cloth),
      picked_(picked),
      element_(source.cloths()[picked.cloth].info.first_particle + picked.particle),
      position_(make_element(source.cloths()[picked.cloth].device)),
      constraint_(make_element(source.cloths()[picked.cloth].device)),
      own_constraint_(constraint()) {
  set_inverse_mass(0);
}

void Grab::set_inverse_mass(float inverse_mass) {
  const clothc_region out = {element_, 0, 1}, in = {0, element_, 1};
  clothc::check(clothc_solver_get(cloth_.solver(), CLOTHC_CHANNEL_POSITION, position_, nullptr, &out, 1, 0));
  position_.map<glm::vec4>().value()[0].w = inverse_mass;
  clothc::check(clothc_solver_set(cloth_.solver(), CLOTHC_CHANNEL_POSITION, position_, nullptr, &in, 1, 0));
}

// Particles of cloths that have none are free.
glm::vec4 Grab::constraint() {
  const clothc_region region = {element_, 0, 1};
  clothc::check(
      clothc_solver_get(cloth_.solver(), CLOTHC_CHANNEL_MOTION_CONSTRAINT, constraint_, nullptr, &region, 1, 0));
  return constraint_.map<const glm::vec4>().value()[0];
}

void Grab::set_constraint(glm::vec4 constraint) {
  const clothc_region region = {0, element_, 1};
  constraint_.map<glm::vec4>(CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD).value()[0] = constraint;
  clothc::check(
      clothc_solver_set(cloth_.solver(), CLOTHC_CHANNEL_MOTION_CONSTRAINT, constraint_, nullptr, &region, 1, 0));
}

void Grab::pull(glm::vec3 target) {
  const glm::vec3 local = glm::inverse(world_of(cloth_)) * glm::vec4(target, 1);
  set_constraint(glm::vec4(local, 0));
}

void Grab::release() {
  set_inverse_mass(picked_.inverse_mass);
  set_constraint(own_constraint_);
}

}  // namespace clothc_viewer
