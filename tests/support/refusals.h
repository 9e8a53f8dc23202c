// refusals.h - descs with one mistake each, which a call must refuse with a message that names the mistake; values just
// outside of ranges; and a raw fabric to spoil.
#pragma once

#include <cmath>
#include <initializer_list>
#include <vector>

#include "support/scene.h"

namespace clothc_test {

inline float below(float x) { return std::nextafter(x, -infinity); }
inline float above(float x) { return std::nextafter(x, infinity); }

inline std::vector<float> outside(float low, float high) {
  return {not_a_number, infinity, -infinity, below(low), above(high)};
}

template <class Desc>
struct Refusal {
  const char* what;
  std::function<void(Desc&)> change;
  std::vector<const char*> parts;
};

// Expects every change to a good desc to make the call fail with a message that contains the given parts, without
// writing any output.
template <class Desc, class Handle, class Create>
void expect_refused(const Desc& good, const std::vector<Refusal<Desc>>& refusals, Create create,
                    clothc_result expected = CLOTHC_ERROR_INVALID_ARGUMENT) {
  for (const Refusal<Desc>& refusal : refusals) {
    Desc desc = good;
    refusal.change(desc);
    Handle out = Handle{};
    const clothc_result got = create(&desc, &out);
    EXPECT_EQ(got, expected) << refusal.what << ": " << clothc_last_error_message();
    for (const char* part : refusal.parts) {
      EXPECT_NE(std::string(clothc_last_error_message()).find(part), std::string::npos)
          << refusal.what << " says \"" << clothc_last_error_message() << "\", without \"" << part << "\"";
    }
    EXPECT_EQ(out, Handle{}) << refusal.what;
  }
}

// A fabric of two particles with one constraint and one tether each.
struct RawFabric {
  uint32_t phase_sets[1] = {0};
  uint32_t phase_types[1] = {CLOTHC_PHASE_STRETCH};
  uint32_t set_ends[1] = {1};
  uint32_t indices[2] = {0, 1};
  float rest_lengths[1] = {1};
  float stiffness_values[1] = {0.5f};
  uint32_t anchors[2] = {0, 0};
  float lengths[2] = {0, 1};
  uint32_t triangles[3] = {0, 1, 0};
  float positions[8] = {0, 0, 0, 0, 1, 0, 0, 1};
  clothc_fabric_desc desc() const {
    clothc_fabric_desc d = initialised<clothc_fabric_desc>();
    d.particle_count = 2;
    d.phase_count = d.set_count = 1;
    d.constraint_count = 1;
    d.phase_sets = phase_sets;
    d.phase_types = phase_types;
    d.set_ends = set_ends;
    d.indices = indices;
    d.rest_lengths = rest_lengths;
    d.stiffness_values = stiffness_values;
    d.tethers_per_particle = 1;
    d.tether_anchors = anchors;
    d.tether_lengths = lengths;
    d.triangle_count = 1;
    d.triangles = triangles;
    d.positions = positions;
    return d;
  }
};

}  // namespace clothc_test
