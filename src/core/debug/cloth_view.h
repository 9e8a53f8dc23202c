// cloth_view.h - a cloth as it is drawn: the host's record of it, and what was read from the device.
#pragma once

#include <vector>

#include "core/cloth/cloth.h"
#include "core/debug/placement.h"

namespace clothc {

struct ClothView {
  const Cloth* cloth = nullptr;

  // [particles][4] by storage index. Empty if the cloth does not have the channel or nothing that is drawn needs it.
  // x y z and the working inverse mass, which is negative for inactive particles of groups.
  std::vector<float> positions;
  // x y z and the inverse mass that the program set.
  std::vector<float> previous;
  // Centres and radii of motion and separation constraints at the begin of the next update. Starts are those of
  // constraints that it moves.
  std::vector<float> motion_starts, motion_targets;
  std::vector<float> separation_starts, separation_targets;

  // [particles][4] in the order of the mesh, as programs read the channels.
  std::vector<float> normals;
  std::vector<float> velocities;

  // The words that the cloth's layout describes.
  const uint32_t* words = nullptr;
  // Contacts of the last update.
  std::vector<clothc_contact> contacts;

  // m, clothc_debug_desc.size or what stands for it.
  double size = 0;

  Vector position(uint32_t storage_index) const { return vector_at(&positions[size_t{storage_index} * 4]); }
  bool is_active(uint32_t storage_index) const { return positions[size_t{storage_index} * 4 + 3] >= 0; }
  bool is_pinned(uint32_t storage_index) const { return previous[size_t{storage_index} * 4 + 3] == 0; }
  // Calls visit with each particle that is active and its storage index, in the order of the mesh.
  template <class Visit>
  void for_each_particle(Visit visit) const {
    for (uint32_t particle = 0; particle < cloth->particle_count(); ++particle) {
      const uint32_t stored = cloth->layout().storage_index(particle);
      if (is_active(stored)) visit(particle, stored);
    }
  }
};

struct Ball {
  Vector centre;
  double radius;
};

// Returns the ball around the box that bounds the active particles, in the cloth's frame. Its radius is at least the
// size of the view; if no particle is active, it is around the frame's origin.
Ball ball_around(const ClothView& view);

}  // namespace clothc
