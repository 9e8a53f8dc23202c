// parameters.h - the parameters of cloths as the library describes them: values, defaults, units, and the names of
// enumerators.
#pragma once

#include <clothc.hpp>
#include <string>
#include <vector>

namespace clothc_viewer {

// Of a parameter that is a CHOICE or FLAGS.
struct Enumerator {
  std::string name;
  uint32_t value = 0;
};

struct Parameter {
  clothc_parameter_info info;
  uint32_t component_count = 1;

  // As people write it: m/s², or empty.
  std::string unit;

  // In the order of their values.
  std::vector<Enumerator> enumerators;

  bool is_float() const { return info.type == CLOTHC_PARAMETER_FLOAT || info.type == CLOTHC_PARAMETER_FLOAT3; }

  // Its slider is logarithmic.
  bool is_wide() const { return info.most - info.least >= 100; }

  // A number whose bits count.
  bool is_mask() const { return unit == "bits"; }

  // The field in a struct.
  float* floats(clothc_cloth_parameters& parameters) const;
  uint32_t& number(clothc_cloth_parameters& parameters) const;

  bool is_equal(const clothc_cloth_parameters& a, const clothc_cloth_parameters& b) const;
  void copy(const clothc_cloth_parameters& from, clothc_cloth_parameters& to) const;

  // The value as text, with its unit.
  std::string text(const clothc_cloth_parameters& parameters) const;
};

// All of them, in the order of clothc_cloth_parameters.
const std::vector<Parameter>& all_parameters();

// Defaults of all parameters.
const clothc_cloth_parameters& default_parameters();

}  // namespace clothc_viewer
