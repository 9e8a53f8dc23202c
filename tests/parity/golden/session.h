// session.h - a device and a solver in a given configuration, for scenes that must give the same bits in all
// configurations, and a change to another configuration half-way, which must not affect results either. It uses
// clothc.h only and no test framework, so that every platform can build it.
#pragma once

#include <clothc.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "support/calls.h"

namespace golden {

// How a scene is run. Nothing in it may change results.
struct Configuration {
  uint32_t threads = 1;
  clothc_schedule schedule = CLOTHC_SCHEDULE_AUTO;
  clothc_isa isa = CLOTHC_ISA_AUTO;

  // If set, tasks run on one thread of the program.
  bool application_scheduler = false;

  // If set, the program has switched on flush-to-zero and denormals-are-zero.
  bool flush_to_zero = false;
  clothc_backend backend = CLOTHC_BACKEND_CPU;
  uint32_t device_index = 0;
};

struct Point {
  float x, y, z, w;
};

using clothc_test::initialised;
using clothc_test::require;

// A mesh of columns x rows vertices and quads.
struct Mesh {
  std::vector<float> positions;
  std::vector<float> inverse_masses;
  std::vector<uint32_t> quads;
  uint32_t flags = 0;
  uint32_t tethers_per_particle = 1;
  uint32_t long_range_edges[2] = {0, 0};
};

// Number of the update after which a session with a successor continues in the successor.
constexpr int handover_frame = 30;

class Session {
 public:
  // successor: takes over after handover_frame by way of a snapshot; null if there is none.
  explicit Session(const Configuration& configuration, const Configuration* successor = nullptr);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Fabrics live until the session ends, on the successor's device too.
  clothc_fabric cook(const Mesh& mesh);
  clothc_fabric create(const clothc_fabric_desc& desc);
  clothc_cloth_id add(const clothc_cloth_desc& desc);
  void set(clothc_cloth_id cloth, clothc_channel channel, const std::vector<Point>& points, uint32_t flags = 0);
  void update(float dt);
  uint64_t hash();

  // The successor's solver once it has taken over.
  clothc_solver solver = nullptr;

 private:
  struct Setup;

  template <class Make>
  clothc_fabric make_fabric(Make make);
  void hand_over();

  std::unique_ptr<Setup> current_, successor_;
  int frame_ = 0;
};

}  // namespace golden
