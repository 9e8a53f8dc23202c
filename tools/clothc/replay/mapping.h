// How a reference's fabric, parameters and colliders are said in the public API.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/api.h"
#include "replay/reference.h"

namespace clothc_tool {

Fabric reference_fabric(clothc_device device, const ReferenceCloth& cloth);

// Overwrites the parameters that the file names; those of features the library does not have are ignored here. Sleep is
// reported only, and virtual particles collide.
// Throws InputError for a wrong number of components.
void apply_parameters(const std::map<std::string, std::vector<double>>& values, clothc_cloth_parameters& parameters);

std::vector<clothc_phase_config> reference_phases(const ReferenceCloth& cloth);

// Pairs of spheres; none while there are no spheres. Throws InputError if one names a sphere that does not exist.
std::vector<uint32_t> capsule_list(const std::vector<uint32_t>& capsules, std::size_t sphere_count);

// Planes act through convexes only; a convex is a bit mask over the planes.
struct ConvexLists {
  std::vector<uint32_t> ends, planes;  // inclusive prefix sums; planes of each convex
};
// None while there are no planes. Throws InputError if a mask names a plane that does not exist. Empty masks are left out.
ConvexLists convex_lists(const std::vector<uint32_t>& masks, std::size_t plane_count);

}  // namespace clothc_tool
