// sheets.h - two small sheets of cloth laid out by hand in the arenas, and the jobs of one update of both, which use
// every kernel of kernels.def.
#pragma once

#include <memory>
#include <vector>

#include "cook/fabric_data.h"
#include "core/collision/collider_set.h"
#include "parity/dialect/arenas.h"

namespace clothc::probes {

// Constraints of one kind and colour. No two of them share a particle.
struct Colour {
  Kernel kernel;
  uint32_t phase;
  uint32_t begin, end;
};

struct Sheet {
  uint32_t columns, rows;
  uint32_t particle_count;
  uint32_t padded_count;

  // Number of tether slots.
  uint32_t tether_count;
  std::vector<Colour> colours;
  std::vector<Range> virtual_colours;
};

constexpr float spacing = 0.04f;  // m

struct OptionalChannel {
  Kernel write, read;
  uint32_t GroupSettings::*block;
  // Whether its elements are spheres, of which those with a negative radius do nothing.
  bool is_sphere;
};
constexpr OptionalChannel optional_channels[] = {
#define CLOTHC_IS_SPHERE_vector false
#define CLOTHC_IS_SPHERE_sphere true
#define CLOTHC_OPTIONAL_always(block, format)
#define CLOTHC_OPTIONAL_optional(block, format)                                                \
  {Kernel::write_channel_##block, Kernel::read_channel_##block, &GroupSettings::block##_block, \
   CLOTHC_IS_SPHERE_##format},
#define CLOTHC_CHANNEL(channel, name, block, format, write, read, group, presence, unset) \
  CLOTHC_OPTIONAL_##presence(block, format)
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL
#undef CLOTHC_OPTIONAL_optional
#undef CLOTHC_OPTIONAL_always
#undef CLOTHC_IS_SPHERE_sphere
#undef CLOTHC_IS_SPHERE_vector
};

struct Scene {
  Arenas arenas;

  // One sheet per cloth slot.
  std::vector<Sheet> sheets;

  // Assets of which the sets have instances.
  std::vector<std::shared_ptr<ColliderAsset>> assets;

  // Collider sets with the positions of their tables. Their shapes are those of update 0.
  std::vector<ColliderSet> sets;
};

Scene make_scene();

// Advances the shapes and motion constraints, and empties or fills the exchange block.
void prepare_frame(const Scene& scene, Arenas& arenas, int frame);

std::vector<Job> jobs_of_frame(const Scene& scene, int frame, uint32_t iterations);

}  // namespace clothc::probes
