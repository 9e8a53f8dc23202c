// sheets.h - two small sheets of cloth laid out by hand in the arenas, and the work of one update of both, with every
// kernel of kernels.def in it.
#pragma once

#include <vector>

#include "dialect/arenas.h"

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
};

constexpr float spacing = 0.04f;  // m
constexpr uint32_t sphere_count = 2;
constexpr uint32_t plane_count = 6;

struct Scene {
  Arenas arenas;
  std::vector<Sheet> sheets;  // one per cloth slot
};

Scene make_scene();

// Moves the colliders and motion constraints on, and empties or fills the exchange block.
void prepare_frame(const Scene& scene, Arenas& arenas, int frame);

std::vector<Work> work_of_frame(const Scene& scene, int frame, uint32_t iterations);

}  // namespace clothc::probes
