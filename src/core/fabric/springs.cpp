// springs.cpp - see springs.h.
#include "core/fabric/springs.h"

#include <numeric>

#include "core/fabric/checks.h"

namespace clothc {

std::shared_ptr<const Fabric> make_springs(const std::shared_ptr<Device>& device, uint32_t particle_count,
                                           Springs springs) {
  FabricData data;
  data.particle_count = data.vertex_count = particle_count;
  data.vertex_map.resize(particle_count);
  std::iota(data.vertex_map.begin(), data.vertex_map.end(), 0u);
  data.phase_sets = {0};
  data.phase_types = {CLOTHC_PHASE_OTHER};
  data.set_ends = {static_cast<uint32_t>(springs.rest_lengths.size())};
  data.indices = std::move(springs.indices);
  data.rest_lengths = std::move(springs.rest_lengths);
  data.stiffness = std::move(springs.stiffness);
  data.exact_lengths = true;
  check_arrays(data, "springs");
  return std::make_shared<const Fabric>(device, std::move(data));
}

}  // namespace clothc
