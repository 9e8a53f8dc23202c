// mapping.h - translates a reference's fabric, parameters and colliders into the structs of clothc.h.
#pragma once

#include <clothc.hpp>
#include <map>
#include <string>
#include <vector>

#include "replay/reference.h"

namespace clothc_tool {

clothc::Fabric reference_fabric(const clothc::Device& device, const ReferenceCloth& cloth);

// Overwrites the parameters that the file contains; parameters of features that the library does not have are ignored
// here. The sleep policy is always REPORT, and virtual particles always collide. Throws InputError if a parameter has a
// wrong number of components.
void apply_parameters(const std::map<std::string, std::vector<double>>& values, clothc_cloth_parameters& parameters);

std::vector<clothc_phase_config> reference_phases(const ReferenceCloth& cloth);

// Returns pairs of sphere indices, or none while there are no spheres. Throws InputError if a capsule refers to a
// sphere that does not exist.
std::vector<uint32_t> capsule_list(const std::vector<uint32_t>& capsules, std::size_t sphere_count);

// The convexes of a cloth. In references, planes collide only as parts of convexes, which are bit masks over the
// planes.
struct ConvexLists {
  // Inclusive prefix sums of the numbers of planes, and the plane indices of each convex.
  std::vector<uint32_t> ends, planes;
};

// Returns no convexes while there are no planes, and skips empty masks. Throws InputError if a mask refers to a plane
// that does not exist.
ConvexLists convex_lists(const std::vector<uint32_t>& masks, std::size_t plane_count);

}  // namespace clothc_tool
