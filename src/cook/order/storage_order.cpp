// storage_order.cpp - owns the choice of the storage order. The vertices of a mesh may be in any order, and those of
// scanned and decimated meshes are almost shuffled. A breadth-first order keeps the particles of a constraint within a
// front of the mesh. An order that is already about as good (such as a grid row by row) is kept. Invariant: the storage
// order never changes results, since the constraints of a colour commute.
// Source: Cuthill and McKee 1969, "Reducing the bandwidth of sparse symmetric matrices"; George and Liu 1979 (the start
// at the far end of a first search).
#include "cook/order/storage_order.h"

#include <algorithm>
#include <cstddef>

#include "cook/cook.h"
#include "cook/topology/incidence.h"

namespace clothc {
namespace cook {
namespace {

class Search {
 public:
  Search(uint32_t particle_count, const std::vector<uint32_t>& connections)
      : indices_(connections),
        met_(particle_count, 0),
        incidence_(find_incidence(particle_count, static_cast<uint32_t>(connections.size() / 2), 2,
                                  [&](uint32_t c, uint32_t i) { return connections[size_t{c} * 2 + i]; })) {
    order_.reserve(particle_count);
  }

  std::vector<uint32_t> run() {
    for (uint32_t p = 0; p < met_.size(); ++p) {
      if (met_[p] != 0) continue;
      const size_t begin = order_.size();
      const uint32_t far = visit(p, 1);
      order_.resize(begin);
      visit(far, 2);
    }
    std::vector<uint32_t> storage_order(order_.size());
    for (uint32_t index = 0; index < order_.size(); ++index) storage_order[order_[index]] = index;
    return storage_order;
  }

 private:
  // Appends to the order all particles that are connected to start, marks them, and returns the last one. Particles
  // that are reached from the same particle keep the order of their constraints.
  uint32_t visit(uint32_t start, uint8_t mark) {
    size_t next = order_.size();
    met_[start] = mark;
    order_.push_back(start);
    for (; next < order_.size(); ++next) {
      const uint32_t p = order_[next];
      for (uint32_t i = incidence_.begin[p]; i < incidence_.begin[p + 1]; ++i) {
        const uint32_t* ends = &indices_[size_t{incidence_.item[i]} * 2];
        const uint32_t other = ends[0] == p ? ends[1] : ends[0];
        if (met_[other] == mark) continue;
        met_[other] = mark;
        order_.push_back(other);
      }
    }
    return order_.back();
  }

  const std::vector<uint32_t>& indices_;
  // [particles] the mark of the last visit that reached the particle, or 0.
  std::vector<uint8_t> met_;
  Incidence incidence_;
  std::vector<uint32_t> order_;
};

}  // namespace

std::vector<uint32_t> find_connections(const FabricData& fabric) {
  std::vector<uint32_t> connections = fabric.indices;
  const uint32_t* particles = fabric.constraint_particles.data();
  for (size_t s = 0; s < fabric.constraint_types.size(); ++s) {
    const uint32_t arity = find_constraint_type(fabric.constraint_types[s])->arity;
    for (size_t c = 0; c < fabric.constraint_counts[s]; ++c, particles += arity) {
      for (uint32_t k = 1; k < arity; ++k) connections.insert(connections.end(), {particles[k - 1], particles[k]});
    }
  }
  return connections;
}

std::vector<uint32_t> find_storage_order(uint32_t particle_count, const std::vector<uint32_t>& connections) {
  return Search(particle_count, connections).run();
}

double mean_distance(const std::vector<uint32_t>& connections, const std::vector<uint32_t>& storage_order) {
  double sum = 0;
  for (size_t c = 0; c + 1 < connections.size(); c += 2) {
    const uint32_t a = connections[c], b = connections[c + 1];
    const int64_t difference = storage_order.empty() ? int64_t{a} - b : int64_t{storage_order[a]} - storage_order[b];
    sum += static_cast<double>(difference < 0 ? -difference : difference);
  }
  const size_t count = connections.size() / 2;
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

bool has_rows(const std::vector<uint32_t>& connections) {
  size_t adjacent_count = 0;
  for (size_t c = 0; c + 1 < connections.size(); c += 2) {
    const uint32_t a = connections[c], b = connections[c + 1];
    adjacent_count += std::max(a, b) - std::min(a, b) == 1;
  }
  // In grids, they are a sixth: for each particle, there is one along its row, one to the next row, two that shear and two
  // that bend.
  return adjacent_count >= connections.size() / 2 / 8;
}

}  // namespace cook

void choose_storage_order(FabricData& fabric) {
  fabric.storage_order.clear();
  // Mean distance, in particles, up to which the order is kept: neighbours this close share a page of the first-level
  // cache in any order. A grid that is stored row by row may have longer rows, because wind reads along them
  // (layout/wind.h).
  constexpr double near = 64, near_in_rows = 256;
  // Factor by which another order must reduce the mean distance. A smaller gain does not pay for converting arrays
  // between the order of particles and the storage order at the interface of the solver.
  constexpr double gain = 2;
  const std::vector<uint32_t> connections = cook::find_connections(fabric);
  const double distance = cook::mean_distance(connections, {});
  if (distance <= (cook::has_rows(connections) ? near_in_rows : near)) return;
  std::vector<uint32_t> storage_order = cook::find_storage_order(fabric.particle_count, connections);
  if (cook::mean_distance(connections, storage_order) * gain <= distance)
    fabric.storage_order = std::move(storage_order);
}

}  // namespace clothc
