// drawing.h - draws the cloths of a source. On an adopted device each cloth has one VkBuffer of interleaved vertices,
// to which clothc_cloth_bind lets every update write; otherwise updates write to memory of the host, which is copied into
// each frame.
// Invariant: on an adopted device the host reads no positions, and host_copied_bytes() stays 0 for them.
#pragma once

#include <map>

#include "cloth/source.h"
#include "render/frames.h"

namespace clothc_viewer {

// What is shown.
struct Shown {
  bool surface = true;
  bool wireframe = false;
  bool strain = false;
  bool normals = false;
  bool contacts = false;
  bool colliders = true;

  // Of strain: the number of a phase of pairs; all cloths that have it.
  uint32_t phase = 0;

  // The strain whose colour is full.
  float full_strain = 0.05f;

  // Length of the normals in m; 0 = by the size of the cloth's triangles.
  float normal_length = 0;
};

class ClothDrawing {
 public:
  explicit ClothDrawing(const clothc_renderer::Graphics& graphics);
  ~ClothDrawing();

  // Makes buffers for the cloths of the source that have none yet and binds them. Call it before source.step() whenever
  // its generation has changed.
  void bind(const Source& source);

  // Adds the cloths to a frame. The positions are those after the last update that the source has queued.
  void add(const Source& source, const Shown& shown, clothc_renderer::Frame& frame, clothc_renderer::DrawList& list);

  // Bytes of particle data that the host copied in the last call of add(): uploads of positions and normals, and
  // contacts that were asked for.
  uint64_t host_copied_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clothc_viewer
