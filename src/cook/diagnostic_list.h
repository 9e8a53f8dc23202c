// diagnostic_list.h - collects the diagnostics of a mesh while it is cooked. It counts all diagnostics of each kind and
// keeps the first diagnostics_kept_per_kind of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cook/fabric_data.h"

namespace clothc::cook {

// Values of clothc_diagnostic_kind.
constexpr uint32_t diagnostic_repeated_vertex = 1;
constexpr uint32_t diagnostic_flat_face = 2;
constexpr uint32_t diagnostic_duplicate_face = 3;
constexpr uint32_t diagnostic_non_manifold_edge = 4;
constexpr uint32_t diagnostic_flipped_face = 5;
constexpr uint32_t diagnostic_isolated_vertex = 6;
constexpr uint32_t diagnostic_unpinned_piece = 7;
constexpr uint32_t diagnostic_unwelded_vertex = 8;
constexpr uint32_t diagnostic_many_edges = 9;
constexpr uint32_t diagnostic_short_edge = 10;
constexpr uint32_t diagnostic_low_precision = 11;
constexpr uint32_t diagnostic_mass_limited = 12;
constexpr uint32_t diagnostic_pieces = 13;

class DiagnosticList {
 public:
  // first and second are vertices or faces of the mesh. Callers add the diagnostics of one kind in the order of the
  // mesh.
  void add(uint32_t kind, uint32_t first, uint32_t second = no_index, double value = 0) {
    if (counts_[kind]++ >= diagnostics_kept_per_kind) return;
    kept_[kind].push_back({kind, first, second, static_cast<float>(value)});
  }

  void write_to(FabricData& fabric) const {
    fabric.diagnostics.clear();
    for (const auto& kept : kept_) fabric.diagnostics.insert(fabric.diagnostics.end(), kept.begin(), kept.end());
    fabric.diagnostic_counts.assign(counts_.begin(), counts_.end());
  }

 private:
  std::array<std::vector<Diagnostic>, diagnostic_kind_count> kept_;
  std::array<uint64_t, diagnostic_kind_count> counts_{};
};

}  // namespace clothc::cook
