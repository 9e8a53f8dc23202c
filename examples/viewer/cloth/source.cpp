// source.cpp - see source.h.
#include "cloth/source.h"

namespace clothc_viewer {

std::optional<std::vector<uint32_t>> SourceCloth::active_particles() const {
  // What has triangles is no group, and what is no group has no such list.
  if (!topology->triangles.empty()) return std::nullopt;
  auto active = clothc::Group(cloth.solver(), cloth.id()).active();
  if (!active) return std::nullopt;
  return std::move(*active);
}

}  // namespace clothc_viewer
