// sheets.h - two small sheets of cloth laid out by hand in the arenas, and the work of one update of both, with every
// kernel of kernels.def in it.
#pragma once

#include <memory>
#include <vector>

#include "cook/fabric_data.h"
#include "core/collision/collider_set.h"
#include "parity/dialect/arenas.h"

namespace clothc::probes {

// Constraints of one kind and colour: no two share a particle.
struct Colour {
  Kernel kernel;
  uint32_t phase;
  uint32_t begin, end;
};

struct Sheet {
  uint32_t columns, rows;
  uint32_t particle_count;
  uint32_t padded_count;
  uint32_t tether_count;  // slots
  std::vector<Colour> colours;
  std::vector<Range> virtual_colours;
};

constexpr float spacing = 0.04f;  // m

struct Scene {
  Arenas arenas;
  std::vector<Sheet> sheets;                           // one per cloth slot
  std::vector<std::shared_ptr<ColliderAsset>> assets;  // what the sets show by instances
  std::vector<ColliderSet> sets;                       // where their tables are; their shapes are those of update 0
};

Scene make_scene();

// Moves the shapes and motion constraints on, and empties or fills the exchange block.
void prepare_frame(const Scene& scene, Arenas& arenas, int frame);

std::vector<Job> jobs_of_frame(const Scene& scene, int frame, uint32_t iterations);

}  // namespace clothc::probes
