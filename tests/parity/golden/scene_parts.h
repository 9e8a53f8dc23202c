// scene_parts.h - the building blocks of scenes.
#pragma once

#include "parity/golden/scenes.h"

namespace golden {

// Generates numbers 0 .. 255 with a linear congruential generator (Numerical Recipes).
class Noise {
 public:
  float next() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<float>(state_ >> 24);
  }

 private:
  uint32_t state_ = 7;
};

// Makes a level sheet of columns x rows vertices with slightly irregular positions. Masses differ by a factor of up to
// four.
inline Mesh make_sheet(uint32_t columns, uint32_t rows, float spacing) {
  Mesh mesh;
  Noise noise;
  for (uint32_t i = 0; i < columns * rows; ++i) {
    const uint32_t x = i % columns, y = i / columns;
    mesh.positions.push_back(static_cast<float>(x) * spacing + noise.next() / 65536);
    mesh.positions.push_back(noise.next() / 65536);
    mesh.positions.push_back(static_cast<float>(y) * spacing + noise.next() / 65536);
    mesh.inverse_masses.push_back(1 + noise.next() * 3 / 256);
    if (x + 1 < columns && y + 1 < rows) mesh.quads.insert(mesh.quads.end(), {i, i + 1, i + columns + 1, i + columns});
  }
  return mesh;
}

inline void pin_row(Mesh& mesh, uint32_t columns) {
  for (uint32_t x = 0; x < columns; ++x) mesh.inverse_masses[x] = 0;
}

inline clothc_cloth_parameters make_parameters(float damping) {
  clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
  parameters.solver_frequency = 240;
  parameters.damping[0] = parameters.damping[1] = parameters.damping[2] = damping;
  return parameters;
}

inline clothc_cloth_id add_cloth(Session& session, clothc_fabric fabric, const clothc_cloth_parameters& parameters,
                                 clothc_collider_set_id set = 0) {
  clothc_cloth_desc desc = initialised<clothc_cloth_desc>();
  desc.fabric = fabric;
  desc.parameters = &parameters;
  desc.collider_sets = &set;
  desc.collider_set_count = set == 0 ? 0 : 1;
  return session.add(desc);
}

// Steps 60 frames. before_frame applies the changes for a frame and returns its time step.
template <class BeforeFrame>
std::vector<uint64_t> run_frames(Session& session, BeforeFrame before_frame) {
  std::vector<uint64_t> hashes;
  for (int frame = 1; frame <= 60; ++frame) {
    session.update(before_frame(frame));
    for (const int hashed : hashed_frames) {
      if (frame == hashed) hashes.push_back(session.hash());
    }
  }
  return hashes;
}

constexpr float sixtieth = 1.0f / 60;

// Defined in pile_scene.cpp.
std::vector<uint64_t> run_pile(Session& session);

}  // namespace golden
