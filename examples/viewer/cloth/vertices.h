// vertices.h - the vertices of all cloths of a source: position and normal of each, interleaved.
// Invariant: what clothc writes to is not destroyed before clothc's own buffers on it.
#pragma once

#include <cstddef>
#include <vector>

#include "cloth/source.h"

namespace clothc_viewer {

// As the renderer draws it.
struct Vertex {
  float position[3], normal[3];
};

class ClothVertices {
 public:
  // Makes the vertices for these cloths. is_adopted: in one VkBuffer of the renderer, in which each cloth has a part;
  // otherwise in host memory of the device.
  ClothVertices(const clothc_renderer::Graphics& graphics, const Source& source, bool is_adopted);

  // Lets every update write to them.
  void bind(const Source& source) const;

  // Copies the current state to them, where updates do not write it.
  void get(const Source& source) const;

  // Returns where the renderer finds the vertices of a cloth in this frame, and adds what the host has copied for that.
  clothc_renderer::Vertices in_frame(const SourceCloth& cloth, size_t index, bool is_bound,
                                     clothc_renderer::Frame& frame, uint64_t& host_copied_bytes) const;

 private:
  bool is_adopted_;
  clothc_renderer::DeviceBuffer memory_;

  // Bytes from the begin of the memory to each cloth's part.
  std::vector<VkDeviceSize> offsets_;

  // clothc's view of each cloth's part, or its own memory.
  std::vector<clothc::Buffer> buffers_;
};

// Where the frame of a cloth is in the world.
glm::mat4 world_of(const clothc::Cloth& cloth);

}  // namespace clothc_viewer
