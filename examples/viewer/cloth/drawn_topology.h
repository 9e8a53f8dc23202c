// drawn_topology.h - a topology in memory of the device, as the renderer reads it.
#pragma once

#include "cloth/topology.h"
#include "render/memory.h"

namespace clothc_viewer {

struct DrawnTopology {
  DrawnTopology(const clothc_renderer::Graphics& graphics, const Topology& topology);

  clothc_renderer::DeviceBuffer memory;
  clothc_renderer::BufferRange triangles, edges;

  // Of each phase.
  std::vector<clothc_renderer::BufferRange> pairs, rest_lengths;
};

}  // namespace clothc_viewer
