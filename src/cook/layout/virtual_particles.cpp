// virtual_particles.cpp - owns the order of virtual particles. Invariants: no two virtual particles of a colour share a
// particle, pinned or not, so that the displacements of a colour can be applied to particles in any order; within a
// colour, virtual particles keep the order in which the fabric lists them, and with it their locality.
#include "cook/layout/virtual_particles.h"

#include <cstddef>

#include "cook/order/free_colours.h"

namespace clothc::cook {
namespace {

// Number of colours tried before a virtual particle gets a new one, see FreeColours.
constexpr uint32_t most_colour_tries = 1024;

// Returns the colour of each virtual particle, and fills sizes with the number of virtual particles of each colour.
std::vector<uint32_t> colour_virtual_particles(const FabricData& fabric, std::vector<uint32_t>& sizes) {
  const size_t count = fabric.virtual_particle_count();
  FreeColours free_colours(fabric.particle_count, count * 3, most_colour_tries);
  std::vector<uint32_t> colours(count);
  for (size_t v = 0; v < count; ++v) {
    colours[v] = free_colours.take(&fabric.virtual_particles[v * 4], 3);
    if (colours[v] == sizes.size()) sizes.push_back(0);
    ++sizes[colours[v]];
  }
  return colours;
}

}  // namespace

void lay_out_virtual_particles(FabricData& fabric) {
  fabric.virtual_stride = 0;
  fabric.virtual_colours.clear();
  fabric.laid_out_virtual_corners.clear();
  fabric.laid_out_virtual_weights.clear();
  if (fabric.virtual_particles.empty()) return;

  std::vector<uint32_t> sizes, next;
  const std::vector<uint32_t> colours = colour_virtual_particles(fabric, sizes);
  for (const uint32_t size : sizes) {
    next.push_back(fabric.virtual_stride);
    fabric.virtual_colours.push_back({fabric.virtual_stride, fabric.virtual_stride + size});
    fabric.virtual_stride += (size + lane_padding - 1) / lane_padding * lane_padding;
  }
  const size_t stride = fabric.virtual_stride;
  fabric.laid_out_virtual_corners.assign(stride * 3, fabric.particle_count);
  fabric.laid_out_virtual_weights.assign(stride * 3, 0.0f);
  for (size_t v = 0; v < colours.size(); ++v) {
    const uint32_t* virtual_particle = &fabric.virtual_particles[v * 4];
    const float* weights = &fabric.virtual_weights[size_t{virtual_particle[3]} * 3];
    const size_t slot = next[colours[v]]++;
    for (size_t k = 0; k < 3; ++k) {
      fabric.laid_out_virtual_corners[k * stride + slot] = fabric.storage_index(virtual_particle[k]);
      fabric.laid_out_virtual_weights[k * stride + slot] = weights[k];
    }
  }
}

}  // namespace clothc::cook
