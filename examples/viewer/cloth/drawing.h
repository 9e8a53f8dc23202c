// drawing.h - draws the cloths of a source. On the renderer's device, updates write positions and normals straight into
// the vertices that it draws (clothc_cloth_bind); on another device they write to memory of the host, which is copied into
// every frame.
// Invariant: on the renderer's device the host reads no particle data, and host_copied_bytes() is 0, unless contacts are
// shown.
#pragma once

#include "cloth/source.h"

namespace clothc_viewer {

// What is shown.
struct Shown {
  bool surface = true;
  bool wireframe = false;
  bool normals = false;
  bool contacts = false;

  // The shapes that cloths collide with as lines.
  bool colliders = false;

  // Constraints of a phase of pairs, coloured by their strain.
  bool strain = false;

  // Which one, in each cloth's Topology::phases.
  uint32_t phase = 0;

  // The strain whose colour is full.
  float full_strain = 0.05f;

  // m; 0 = by the size of the cloth's triangles.
  float normal_length = 0;
};

class ClothDrawing {
 public:
  // Each source has a drawing of its own. is_adopted: whether the source's device is the renderer's.
  ClothDrawing(const clothc_renderer::Graphics& graphics, bool is_adopted);
  ~ClothDrawing();

  // Makes vertices for the cloths of the source, if they are others than before, and binds them. Call it before the
  // source's next step, and before the first add(). Bound vertices show the current state from then on, without a step.
  void attach(const Source& source);

  // Adds the cloths as they are after everything that the source has queued.
  void add(const Source& source, const Shown& shown, clothc_renderer::Frame& frame, clothc_renderer::DrawList& list);

  // Bytes of particle data that the host copied in the last call of add().
  uint64_t host_copied_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clothc_viewer
