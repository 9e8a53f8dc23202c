// session.cpp - see session.h.
#include "parity/golden/session.h"

#include <algorithm>
#include <utility>

#include "parity/golden/task_thread.h"

namespace golden {

// A device with a solver and the fabrics made on it.
struct Session::Setup {
  explicit Setup(const Configuration& configuration);
  ~Setup();
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  clothc_device device = nullptr;
  clothc_solver solver = nullptr;
  std::vector<clothc_fabric> fabrics;
  std::unique_ptr<TaskThread> task_thread;
};

Session::Setup::Setup(const Configuration& configuration) {
  clothc_device_desc device_desc = initialised<clothc_device_desc>();
  device_desc.backend = configuration.backend;
  device_desc.device_index = configuration.device_index;
  device_desc.worker_count = configuration.threads;
  if (configuration.threads > 1) device_desc.flags = CLOTHC_DEVICE_TASKS_ONLY;
  device_desc.isa = configuration.isa;
  if (configuration.application_scheduler) {
    task_thread = std::make_unique<TaskThread>();
    device_desc.submit = TaskThread::submit;
    device_desc.submit_user = task_thread.get();
  }
  device = clothc_test::create_device(device_desc);
  clothc_solver_desc solver_desc = initialised<clothc_solver_desc>();
  solver_desc.schedule = configuration.schedule;
  solver = clothc_test::create_solver(device, solver_desc);
}

// A failure ends the program.
Session::Setup::~Setup() { require(clothc_device_destroy(device)); }

Session::Session(const Configuration& configuration, const Configuration* successor)
    : current_(std::make_unique<Setup>(configuration)) {
  solver = current_->solver;
  if (successor != nullptr) successor_ = std::make_unique<Setup>(*successor);
}

Session::~Session() = default;

// make: a function that makes the fabric on a device.
template <class Make>
clothc_fabric Session::make_fabric(Make make) {
  for (Setup* setup : {current_.get(), successor_.get()}) {
    if (setup == nullptr) continue;
    setup->fabrics.push_back(make(setup->device));
  }
  return current_->fabrics.back();
}

clothc_fabric Session::cook(const Mesh& mesh) {
  clothc_mesh_desc desc = initialised<clothc_mesh_desc>();
  desc.flags = mesh.flags;
  desc.vertex_count = mesh.positions.size() / 3;
  desc.positions = mesh.positions.data();
  desc.inverse_masses = mesh.inverse_masses.data();
  desc.quad_count = mesh.quads.size() / 4;
  desc.quads = mesh.quads.data();
  desc.tethers_per_particle = mesh.tethers_per_particle;
  std::copy_n(mesh.long_range_edges, 2, desc.long_range_edges);
  return make_fabric([&](clothc_device device) { return clothc_test::cook_fabric(device, desc); });
}

clothc_fabric Session::create(const clothc_fabric_desc& desc) {
  return make_fabric([&](clothc_device device) { return clothc_test::create_fabric(device, desc); });
}

clothc_cloth_id Session::add(const clothc_cloth_desc& desc) { return clothc_test::add_cloth(solver, desc); }

void Session::set(clothc_cloth_id cloth, clothc_channel channel, const std::vector<Point>& points, uint32_t flags) {
  clothc_test::set_particles(current_->device, solver, cloth, channel, points, flags);
}

void Session::update(float dt) {
  clothc_test::update_solver(solver, dt);
  if (++frame_ == handover_frame && successor_) hand_over();
}

void Session::hand_over() {
  const std::vector<uint8_t> snapshot = clothc_test::take_snapshot(solver);
  const std::vector<clothc_fabric>& fabrics = successor_->fabrics;
  require(clothc_solver_restore(successor_->solver, snapshot.data(), snapshot.size(), fabrics.data(),
                                static_cast<uint32_t>(fabrics.size())));
  current_ = std::move(successor_);
  solver = current_->solver;
}

uint64_t Session::hash() { return clothc_test::state_hash(solver); }

}  // namespace golden
