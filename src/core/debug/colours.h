// colours.h - the colours of debug lines, and how they tell of strain. docs/solver.md has the same list.
#pragma once

#include <cstdint>

namespace clothc {

struct LineColour {
  uint8_t red, green, blue;
};

// The colours at a strain of 0 and, on either side of it, at the full strain and beyond.
struct StrainColours {
  LineColour compressed, at_rest, stretched;
};
constexpr StrainColours colours_of_lengths{{0, 64, 255}, {208, 208, 208}, {255, 0, 0}};
// Of constraints that only hold what gets too far apart.
constexpr StrainColours colours_of_limits{{64, 64, 64}, {255, 208, 0}, {255, 0, 0}};

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

// full_strain: above 0.
LineColour colour_of_strain(const StrainColours& colours, double strain, double full_strain);

}  // namespace clothc
