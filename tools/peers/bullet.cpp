// bullet.cpp - the program peer_bullet: measures the sheet of the `clothc bench` case sheetN in Bullet, whose soft
// bodies solve the same kind of constraints by the same kind of projections. Prints a JSON document like that of
// `clothc bench --json`, measured beside the same yardstick.
//     peer_bullet COLUMNS [REPETITIONS [FRAMES]]
#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bench/processors.h"
#include "bench/yardstick.h"

namespace {

using Json = nlohmann::ordered_json;
constexpr int iterations = 4;

// A sheet 1 m wide with a mass of 0.2 kg that hangs from two corners. Stretch links connect neighbours along rows and
// columns, shear links the diagonals, and bend links every particle with the next but one. Everything else has Bullet's
// defaults, without collisions.
class HangingSheet {
 public:
  explicit HangingSheet(int columns) : columns_(columns) {
    world_.setGravity(gravity_);
    world_.getWorldInfo().m_gravity = gravity_;
    std::vector<btVector3> positions;
    const float spacing = 1.0f / static_cast<float>(columns - 1);
    for (int row = 0; row < columns; ++row) {
      for (int column = 0; column < columns; ++column)
        positions.emplace_back(spacing * static_cast<float>(column), 0.0f, spacing * static_cast<float>(row));
    }
    const std::vector<btScalar> masses(positions.size(), 0.2f / static_cast<float>(positions.size()));
    body_ = new btSoftBody(&world_.getWorldInfo(), static_cast<int>(positions.size()), positions.data(), masses.data());
    body_->setMass(0, 0);
    body_->setMass(columns - 1, 0);
    link_all();
    body_->m_cfg.piterations = iterations;
    body_->m_cfg.viterations = body_->m_cfg.diterations = body_->m_cfg.citerations = body_->m_cfg.collisions = 0;
    // Bullet's own cloths do this, too.
    body_->randomizeConstraints();
    world_.addSoftBody(body_);
  }
  ~HangingSheet() {
    world_.removeSoftBody(body_);
    delete body_;
  }
  HangingSheet(const HangingSheet&) = delete;
  HangingSheet& operator=(const HangingSheet&) = delete;

  void step() { world_.stepSimulation(1.0f / 60, 0); }
  int particles() const { return body_->m_nodes.size(); }
  int links() const { return body_->m_links.size(); }
  // Returns the largest length / rest length - 1 of the links along rows and columns.
  double max_stretch() const {
    double most = 0;
    for (int k = 0; k < stretch_links_; ++k) {
      const btVector3 d = at(stretch_pairs_[k].first) - at(stretch_pairs_[k].second);
      most = std::max(most, static_cast<double>(d.length()) * (columns_ - 1) - 1);
    }
    return most;
  }

 private:
  btVector3 at(int particle) const { return body_->m_nodes[particle].m_x; }
  void link(int column_a, int row_a, int column_b, int row_b) {
    if (column_b < 0 || column_b >= columns_ || row_b >= columns_) return;
    body_->appendLink(row_a * columns_ + column_a, row_b * columns_ + column_b);
  }
  template <class LinkFrom>
  void for_each_particle(LinkFrom link_from) {
    for (int row = 0; row < columns_; ++row) {
      for (int column = 0; column < columns_; ++column) link_from(column, row);
    }
  }
  void link_all() {
    for_each_particle([this](int c, int r) { link(c, r, c + 1, r), link(c, r, c, r + 1); });
    stretch_links_ = links();
    for (int k = 0; k < stretch_links_; ++k) {
      const btSoftBody::Link& pair = body_->m_links[k];
      stretch_pairs_.emplace_back(pair.m_n[0] - &body_->m_nodes[0], pair.m_n[1] - &body_->m_nodes[0]);
    }
    for_each_particle([this](int c, int r) { link(c, r, c + 1, r + 1), link(c, r, c - 1, r + 1); });
    for_each_particle([this](int c, int r) { link(c, r, c + 2, r), link(c, r, c, r + 2); });
  }

  const btVector3 gravity_{0, -9.81f, 0};
  btSoftBodyRigidBodyCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btSoftRigidDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  int columns_;
  btSoftBody* body_ = nullptr;
  int stretch_links_ = 0;
  std::vector<std::pair<int, int>> stretch_pairs_;
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

struct Repetition {
  // Per frame.
  double ms = 0;

  // E, the mean of its values before and after the repetition; 0 if it is not available.
  double edge_ns = 0;
};

Repetition measure_repetition(HangingSheet& sheet, int frames, clothc_tool::EdgeYardstick& yardstick) {
  Repetition repetition;
  // Measures again if the machine's speed has changed during the repetition.
  for (int attempt = 0; attempt < 3; ++attempt) {
    const double before = yardstick.available() ? yardstick.measure() : 0;
    std::vector<double> times;
    for (int k = 0; k < frames; ++k) {
      const auto begin = std::chrono::steady_clock::now();
      sheet.step();
      times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    const double after = yardstick.available() ? yardstick.measure() : 0;
    repetition = {median(times), (before + after) / 2};
    if (std::abs(after - before) <= 0.05 * before) break;
  }
  return repetition;
}

Json measure(int columns, int repetitions, int frames) {
  const clothc_tool::OnProcessors one(clothc_tool::divide_processors(1).of_workers);
  HangingSheet sheet(columns);
  clothc_tool::EdgeYardstick yardstick;
  for (int k = 0; k < 30; ++k) sheet.step();
  std::vector<double> times, edges, ratios;
  for (int k = 0; k < repetitions; ++k) {
    const Repetition repetition = measure_repetition(sheet, frames, yardstick);
    times.push_back(repetition.ms);
    edges.push_back(repetition.edge_ns);
    ratios.push_back(repetition.ms * 1e6 / repetition.edge_ns);
  }
  std::sort(times.begin(), times.end());
  const double per_particle = static_cast<double>(sheet.particles()) * iterations;
  const double per_link = static_cast<double>(sheet.links()) * iterations;
  Json result;
  result["case"] = "sheet" + std::to_string(columns);
  result["backend"] = "bullet " + std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
  result["isa"] = nullptr;
  result["threads"] = 1;
  result["schedule"] = nullptr;
  result["cloths"] = 1;
  result["particles"] = sheet.particles();
  result["constraints"] = sheet.links();
  result["iterations"] = iterations;
  result["repetitions"] = repetitions;
  result["frames_per_repetition"] = frames;
  result["ms_per_frame"] = times[times.size() / 2];
  result["ms_per_frame_quartiles"] = {times[times.size() / 4], times[times.size() * 3 / 4]};
  result["cpu_ms_per_frame"] = nullptr;
  result["ns_per_particle_iteration"] = times[times.size() / 2] * 1e6 / per_particle;
  result["ns_per_constraint"] = times[times.size() / 2] * 1e6 / per_link;
  const auto if_measured = [&](double value) { return yardstick.available() ? Json(value) : Json(); };
  result["edge_ns"] = if_measured(median(edges));
  result["particle_iteration_in_e"] = if_measured(median(ratios) / per_particle);
  result["constraint_in_e"] = if_measured(median(ratios) / per_link);
  result["max_stretch"] = sheet.max_stretch();
  result["hash"] = nullptr;
  result["hash_frame"] = nullptr;
  return result;
}

int argument(int count, char** arguments, int index, int otherwise) {
  return count > index ? std::atoi(arguments[index]) : otherwise;
}

}  // namespace

int main(int count, char** arguments) {
  const int columns = argument(count, arguments, 1, 0);
  const int repetitions = argument(count, arguments, 2, 9);
  const int frames = argument(count, arguments, 3, 100);
  if (columns < 3 || columns > 2000 || repetitions < 1 || frames < 1) {
    std::fprintf(stderr, "usage: peer_bullet COLUMNS [REPETITIONS [FRAMES]], COLUMNS from 3 to 2000\n");
    return 2;
  }
  Json document;
  document["results"] = Json::array({measure(columns, repetitions, frames)});
  std::printf("%s\n", document.dump(1).c_str());
  return 0;
}
