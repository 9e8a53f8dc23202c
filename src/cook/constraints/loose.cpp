// loose.cpp - see loose.h. Constraints with a length of 0 are not solved and hold nothing.
#include "cook/constraints/loose.h"

#include <algorithm>
#include <numeric>

namespace clothc::cook {

HeldParts::HeldParts(const FabricData& fabric) {
  const auto is_loose_type = [](uint32_t type) { return is_of_shape(static_cast<ConstraintType>(type)); };
  if (std::none_of(fabric.constraint_types.begin(), fabric.constraint_types.end(), is_loose_type)) return;
  next_.resize(fabric.particle_count);
  std::iota(next_.begin(), next_.end(), 0u);
  size_t pair = 0;
  for (const uint64_t end : fabric.set_ends) {
    bool joins = false;
    for (; pair < end; ++pair)
      joins = join(fabric.indices[pair * 2], fabric.indices[pair * 2 + 1], fabric.rest_lengths[pair]) || joins;
    joining_sets_.push_back(joins);
  }
  const uint32_t* particles = fabric.constraint_particles.data();
  const float* parameters = fabric.constraint_parameters.data();
  for (size_t s = 0; s < fabric.constraint_types.size(); ++s) {
    const ConstraintTypeInfo& type = *find_constraint_type(fabric.constraint_types[s]);
    const bool is_of_pairs = type.arity == 2 && type.stage == ConstraintStage::phase;
    bool joins = false;
    for (uint32_t c = 0; c < fabric.constraint_counts[s]; ++c) {
      joins = (is_of_pairs && join(particles[0], particles[1], parameters[0])) || joins;
      particles += type.arity;
      parameters += type.width;
    }
    joining_sets_.push_back(joins);
  }
}

bool HeldParts::hold_together(const uint32_t* particles, uint32_t count) {
  const uint32_t part = part_of(particles[0]);
  return std::all_of(particles, particles + count, [&](uint32_t particle) { return part_of(particle) == part; });
}

uint32_t HeldParts::part_of(uint32_t particle) {
  while (next_[particle] != particle) {
    next_[particle] = next_[next_[particle]];
    particle = next_[particle];
  }
  return particle;
}

bool HeldParts::join(uint32_t a, uint32_t b, float length) {
  if (length <= 0 || part_of(a) == part_of(b)) return false;
  next_[part_of(a)] = part_of(b);
  return true;
}

}  // namespace clothc::cook
