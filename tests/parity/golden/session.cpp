// session.cpp - see session.h.
#include "parity/golden/session.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "parity/golden/task_thread.h"

namespace golden {

void require(clothc_result result) {
  if (result == CLOTHC_SUCCESS) return;
  std::fprintf(stderr, "%s: %s\n", clothc_result_name(result), clothc_last_error_message());
  std::exit(2);
}

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
  clothc_device_desc device_desc = initialised<clothc_device_desc>(CLOTHC_STRUCT_DEVICE_DESC);
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
  require(clothc_device_create(&device_desc, &device));
  clothc_solver_desc solver_desc = initialised<clothc_solver_desc>(CLOTHC_STRUCT_SOLVER_DESC);
  solver_desc.schedule = configuration.schedule;
  require(clothc_solver_create(device, &solver_desc, &solver));
}

Session::Setup::~Setup() { require(clothc_device_destroy(device)); }

Session::Session(const Configuration& configuration, const Configuration* successor)
    : current_(std::make_unique<Setup>(configuration)) {
  solver = current_->solver;
  if (successor != nullptr) successor_ = std::make_unique<Setup>(*successor);
}

Session::~Session() = default;

// make: a function (device, pointer to the fabric) -> result.
template <class Make>
clothc_fabric Session::make_fabric(Make make) {
  for (Setup* setup : {current_.get(), successor_.get()}) {
    if (setup == nullptr) continue;
    clothc_fabric fabric = nullptr;
    require(make(setup->device, &fabric));
    setup->fabrics.push_back(fabric);
  }
  return current_->fabrics.back();
}

clothc_fabric Session::cook(const Mesh& mesh) {
  clothc_mesh_desc desc = initialised<clothc_mesh_desc>(CLOTHC_STRUCT_MESH_DESC);
  desc.flags = mesh.flags;
  desc.vertex_count = mesh.positions.size() / 3;
  desc.positions = mesh.positions.data();
  desc.inverse_masses = mesh.inverse_masses.data();
  desc.quad_count = mesh.quads.size() / 4;
  desc.quads = mesh.quads.data();
  desc.tethers_per_particle = mesh.tethers_per_particle;
  std::copy_n(mesh.long_range_edges, 2, desc.long_range_edges);
  return make_fabric(
      [&](clothc_device device, clothc_fabric* fabric) { return clothc_fabric_cook(device, &desc, fabric); });
}

clothc_fabric Session::create(const clothc_fabric_desc& desc) {
  return make_fabric(
      [&](clothc_device device, clothc_fabric* fabric) { return clothc_fabric_create(device, &desc, fabric); });
}

clothc_cloth_id Session::add(const clothc_cloth_desc& desc) {
  clothc_cloth_id cloth = 0;
  require(clothc_cloth_add(solver, &desc, &cloth));
  return cloth;
}

void Session::set(clothc_cloth_id cloth, clothc_channel channel, const std::vector<Point>& points, uint32_t flags) {
  clothc_cloth_info info = initialised<clothc_cloth_info>(CLOTHC_STRUCT_CLOTH_INFO);
  require(clothc_cloth_get_info(solver, cloth, &info));
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>(CLOTHC_STRUCT_BUFFER_DESC);
  desc.count = points.size();
  clothc_buffer buffer = nullptr;
  require(clothc_buffer_create(current_->device, &desc, &buffer));
  require(clothc_buffer_write(buffer, 0, points.size() * sizeof(Point), points.data()));
  const clothc_region region = {0, info.first_particle, static_cast<uint32_t>(points.size())};
  require(clothc_solver_set(solver, channel, buffer, nullptr, &region, 1, flags));
  require(clothc_buffer_destroy(buffer));
}

void Session::update(float dt) {
  clothc_update update = initialised<clothc_update>(CLOTHC_STRUCT_UPDATE);
  update.dt = dt;
  require(clothc_solver_update(solver, &update, nullptr));
  if (++frame_ == handover_frame && successor_) hand_over();
}

void Session::hand_over() {
  uint64_t size = 0;
  require(clothc_solver_snapshot(solver, nullptr, &size));
  std::vector<uint8_t> snapshot(size);
  require(clothc_solver_snapshot(solver, snapshot.data(), &size));
  const std::vector<clothc_fabric>& fabrics = successor_->fabrics;
  require(clothc_solver_restore(successor_->solver, snapshot.data(), size, fabrics.data(),
                                static_cast<uint32_t>(fabrics.size())));
  current_ = std::move(successor_);
  solver = current_->solver;
}

uint64_t Session::hash() {
  uint64_t value = 0;
  require(clothc_solver_state_hash(solver, &value));
  return value;
}

}  // namespace golden
