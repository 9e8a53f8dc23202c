// finding_list.h - collects what the cooker notices in a mesh: of each kind the first few, and how many there were.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cook/fabric_data.h"

namespace clothc::cook {

// Values of clothc_finding_kind.
constexpr uint32_t finding_repeated_vertex = 1;
constexpr uint32_t finding_flat_face = 2;
constexpr uint32_t finding_duplicate_face = 3;
constexpr uint32_t finding_non_manifold_edge = 4;
constexpr uint32_t finding_flipped_face = 5;
constexpr uint32_t finding_isolated_vertex = 6;
constexpr uint32_t finding_unpinned_piece = 7;
constexpr uint32_t finding_unwelded_vertex = 8;
constexpr uint32_t finding_many_edges = 9;
constexpr uint32_t finding_short_edge = 10;
constexpr uint32_t finding_low_precision = 11;
constexpr uint32_t finding_mass_limited = 12;
constexpr uint32_t finding_pieces = 13;

class FindingList {
 public:
  // first, second: vertices or faces of the mesh. Findings of one kind are added in the order of the mesh.
  void add(uint32_t kind, uint32_t first, uint32_t second = no_index, double value = 0) {
    if (counts_[kind]++ >= findings_kept_per_kind) return;
    kept_[kind].push_back({kind, first, second, static_cast<float>(value)});
  }

  void write_to(FabricData& fabric) const {
    fabric.findings.clear();
    for (const auto& kept : kept_) fabric.findings.insert(fabric.findings.end(), kept.begin(), kept.end());
    fabric.finding_counts.assign(counts_.begin(), counts_.end());
  }

 private:
  std::array<std::vector<Finding>, finding_kind_count> kept_;
  std::array<uint64_t, finding_kind_count> counts_{};
};

}  // namespace clothc::cook
