// colours.h - the colours of debug lines, and how they tell of strain. docs/solver.md has the same list.
#pragma once

#include <cstdint>

namespace clothc {

struct LineColour {
  uint8_t red, green, blue;
};

constexpr LineColour colour_at_rest{208, 208, 208};
constexpr LineColour colour_stretched{255, 0, 0};
constexpr LineColour colour_compressed{0, 64, 255};
constexpr LineColour colour_slack{64, 64, 64};
constexpr LineColour colour_taut{255, 208, 0};

constexpr LineColour colour_of_particles{255, 255, 255};
constexpr LineColour colour_of_pins{255, 0, 255};
constexpr LineColour colour_of_virtual_particles{160, 160, 160};
constexpr LineColour colour_of_normals{0, 208, 255};
constexpr LineColour colour_of_velocities{64, 224, 64};
constexpr LineColour colour_of_motion_constraints{255, 160, 0};
constexpr LineColour colour_of_separation_constraints{160, 96, 255};
constexpr LineColour colour_of_colliders{0, 176, 144};
constexpr LineColour colour_of_contacts{255, 255, 0};
constexpr LineColour colours_of_axes[3] = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}};

// Goes from colour_at_rest to colour_stretched, or to colour_compressed if the strain is negative, which it reaches at
// full_strain.
LineColour colour_of_strain(double strain, double full_strain);
// Of something that must not be longer than the limit: from colour_slack to colour_taut, which it has at the limit, and
// from there to colour_stretched, by the strain.
LineColour colour_below_limit(double length, double limit, double full_strain);

}  // namespace clothc
