// surface_search.h - finds distances along the surface from one node of a graph to the nodes around it.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/hierarchy/graph.h"

namespace clothc::cook {

// Which paths a search takes: those along the surface, or those that quads that shear can straighten out, which keep to
// edges and to triangles.
enum class Paths : uint8_t { surface, edges };

class SurfaceSearch {
 public:
  explicit SurfaceSearch(const Graph& graph);

  // Finds the distances from the source to all nodes that are not much farther away than the farthest of the wanted
  // nodes.
  void run(uint32_t source, const std::vector<uint32_t>& wanted, Paths paths);

  // Distance of a node in the last search, in m, or infinity if it has not been reached.
  double distance(uint32_t node) const;

  // The nodes that the last search has reached.
  const std::vector<uint32_t>& reached() const { return reached_; }

 private:
  struct Visit {
    double distance;
    uint32_t node;
  };
  struct Later {
    bool operator()(const Visit& a, const Visit& b) const;
  };
  struct State {
    double distance;
    // The search that the state is of.
    uint32_t search;
    uint32_t reopen_count;
    bool is_expanded;
    bool is_wanted;
  };

  State& state_of(uint32_t node);
  void offer(uint32_t node, double distance);
  void expand(uint32_t node, Paths paths);
  void cross(uint32_t triangle, uint32_t at, uint32_t base, uint32_t apex);

  const Graph& graph_;
  uint32_t search_ = 0;
  std::vector<State> states_;
  std::vector<uint32_t> reached_;
  // A heap.
  std::vector<Visit> queue_;
};

}  // namespace clothc::cook
