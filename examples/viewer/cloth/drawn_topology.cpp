// drawn_topology.cpp - see drawn_topology.h. All arrays are in one buffer.
#include "cloth/drawn_topology.h"

#include <cstring>

namespace clothc_viewer {
namespace {

using clothc_renderer::BufferRange;

class Packing {
 public:
  template <class T>
  BufferRange add(const std::vector<T>& values) {
    const size_t offset = bytes_.size(), size = values.size() * sizeof(T);
    bytes_.resize(offset + size);
    if (size > 0) std::memcpy(&bytes_[offset], values.data(), size);
    return {VK_NULL_HANDLE, offset, size};
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace

DrawnTopology::DrawnTopology(const clothc_renderer::Graphics& graphics, const Topology& topology) {
  Packing packing;
  triangles = packing.add(topology.triangles);
  edges = packing.add(topology.edges);
  for (const Topology::Phase& phase : topology.phases) {
    pairs.push_back(packing.add(phase.pairs));
    rest_lengths.push_back(packing.add(phase.rest_lengths));
  }
  memory = clothc_renderer::DeviceBuffer::with_contents(graphics, packing.bytes().data(), packing.bytes().size());
  for (BufferRange* range : {&triangles, &edges}) range->buffer = memory.buffer();
  for (auto* ranges : {&pairs, &rest_lengths})
    for (BufferRange& range : *ranges) range.buffer = memory.buffer();
}

}  // namespace clothc_viewer
