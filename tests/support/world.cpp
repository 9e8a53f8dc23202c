// world.cpp - see world.h.
#include "support/world.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "support/shared_devices.h"

namespace physics {
namespace {

const char* name_of_backend(clothc_backend backend) {
  switch (backend) {
    case CLOTHC_BACKEND_CPU:
      return "cpu";
    case CLOTHC_BACKEND_CUDA:
      return "cuda";
    case CLOTHC_BACKEND_VULKAN:
      return "vulkan";
    default:
      return "unknown";
  }
}

std::vector<Target> find_targets() {
  std::vector<Target> targets;
  for (const clothc_device_info& info : clothc_test::enumerate_devices()) {
    if (info.available == 0) {
      std::fprintf(stderr, "skipping %s device %u: %s\n", name_of_backend(info.backend), info.device_index,
                   info.reason);
      continue;
    }
    targets.push_back({info.backend, info.device_index, CLOTHC_SCHEDULE_CLOTH});
    targets.push_back({info.backend, info.device_index, CLOTHC_SCHEDULE_PASS});
  }
  return targets;
}

std::string label(const Target& target) {
  return std::string(name_of_backend(target.backend)) + std::to_string(target.device_index) +
         (target.schedule == CLOTHC_SCHEDULE_AUTO   ? ""
          : target.schedule == CLOTHC_SCHEDULE_PASS ? "_pass"
                                                    : "_cloth");
}

std::vector<float> poses_of(const std::vector<Instance>& instances) {
  std::vector<float> poses;
  for (const Instance& instance : instances) {
    poses.insert(poses.end(), instance.translation, instance.translation + 3);
    poses.insert(poses.end(), instance.rotation, instance.rotation + 4);
    poses.push_back(instance.scale);
  }
  return poses;
}

}  // namespace

const std::vector<Target>& all_targets() {
  static const std::vector<Target> targets = find_targets();
  return targets;
}

std::vector<Target> all_devices() {
  std::vector<Target> devices;
  for (const Target& target : all_targets()) {
    if (target.schedule == CLOTHC_SCHEDULE_CLOTH) {
      devices.push_back({target.backend, target.device_index, CLOTHC_SCHEDULE_AUTO});
    }
  }
  return devices;
}

std::string name_of(const testing::TestParamInfo<Target>& info) { return label(info.param); }

bool is_software(const Target& target) {
  if (target.backend == CLOTHC_BACKEND_CPU) return false;
  const World world(target);
  auto info = initialised<clothc_device_info>();
  require(clothc_device_get_info(world.device, &info));
  return (info.capabilities & CLOTHC_CAPABILITY_SOFTWARE_DEVICE) != 0;
}

clothc_cloth_parameters default_parameters() { return initialised<clothc_cloth_parameters>(); }

clothc_cloth_parameters plain_parameters(float solver_frequency) {
  clothc_cloth_parameters parameters = default_parameters();
  parameters.gravity[1] = 0;
  parameters.solver_frequency = solver_frequency;
  parameters.stiffness_frequency = 1000;
  return parameters;
}

clothc_phase_config phase_config(uint32_t phase, float stiffness) {
  clothc_phase_config config = initialised<clothc_phase_config>();
  config.phase = phase;
  config.stiffness = stiffness;
  return config;
}

void fill(float (&field)[3], float value) { std::fill(field, field + 3, value); }

bool same_bits(const std::vector<Point>& a, const std::vector<Point>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Point)) == 0;
}

// Returns a device that all tests share.
clothc_device device_of(const Target& target) {
  clothc_device_desc desc = initialised<clothc_device_desc>();
  desc.backend = target.backend;
  desc.device_index = target.device_index;
  desc.worker_count = 2;
  return clothc_test::shared_device(desc);
}

World::World(const Target& target, uint32_t cloth_capacity) : device(device_of(target)) {
  clothc_solver_desc solver_desc = initialised<clothc_solver_desc>();
  solver_desc.schedule = target.schedule;
  if (cloth_capacity != 0) {
    solver_desc.cloth_capacity = cloth_capacity;
    solver_desc.particle_capacity = 64 * cloth_capacity;
  }
  solver = clothc_test::create_solver(device, solver_desc);
}

World::~World() { clothc_solver_destroy(solver); }

clothc_cloth_id World::add(const Plan& plan, const clothc_cloth_parameters& parameters,
                           const std::vector<clothc_phase_config>& phases,
                           const std::vector<clothc_collider_set_id>& colliders) {
  std::vector<uint32_t> phase_sets, set_ends, indices;
  std::vector<float> rest_lengths;
  for (const std::vector<Link>& links : plan.phases) {
    for (const Link& link : links) {
      indices.insert(indices.end(), {link.a, link.b});
      rest_lengths.push_back(link.rest);
    }
    phase_sets.push_back(static_cast<uint32_t>(set_ends.size()));
    set_ends.push_back(static_cast<uint32_t>(rest_lengths.size()));
  }
  clothc_fabric_desc desc = initialised<clothc_fabric_desc>();
  desc.particle_count = static_cast<uint32_t>(plan.points.size());
  desc.phase_count = static_cast<uint32_t>(phase_sets.size());
  desc.set_count = static_cast<uint32_t>(set_ends.size());
  desc.constraint_count = rest_lengths.size();
  desc.phase_sets = phase_sets.data();
  desc.set_ends = set_ends.data();
  desc.indices = indices.data();
  desc.rest_lengths = rest_lengths.data();
  desc.stiffness_values = plan.stiffness.empty() ? nullptr : plan.stiffness.data();
  desc.tethers_per_particle = plan.tethers_per_particle;
  desc.tether_anchors = plan.anchors.data();
  desc.tether_lengths = plan.reaches.data();
  desc.triangle_count = static_cast<uint32_t>(plan.triangles.size() / 3);
  desc.triangles = plan.triangles.data();
  desc.phase_types = plan.phase_types.empty() ? nullptr : plan.phase_types.data();
  desc.virtual_particle_count = static_cast<uint32_t>(plan.virtual_particles.size() / 4);
  desc.virtual_particles = plan.virtual_particles.data();
  desc.virtual_weight_count = static_cast<uint32_t>(plan.virtual_weights.size() / 3);
  desc.virtual_weights = plan.virtual_weights.data();
  const clothc_fabric fabric = clothc_test::create_fabric(device, desc);
  const clothc_cloth_id cloth = add(fabric, parameters, plan.points, phases, colliders);
  require(clothc_fabric_destroy(fabric));
  return cloth;
}

clothc_cloth_id World::add(clothc_fabric fabric, const clothc_cloth_parameters& parameters,
                           const std::vector<Point>& points, const std::vector<clothc_phase_config>& phases,
                           const std::vector<clothc_collider_set_id>& colliders) {
  clothc_cloth_desc desc = initialised<clothc_cloth_desc>();
  desc.fabric = fabric;
  desc.positions = points.empty() ? nullptr : &points[0].x;
  desc.parameters = &parameters;
  desc.phase_configs = phases.data();
  desc.phase_config_count = static_cast<uint32_t>(phases.size());
  desc.collider_sets = colliders.data();
  desc.collider_set_count = static_cast<uint32_t>(colliders.size());
  return clothc_test::add_cloth(solver, desc);
}

clothc_collider_set_id World::add_colliders(const Shapes& shapes) {
  clothc_collider_set_id set = 0;
  require(clothc_collider_set_create(solver, &set));
  write(set, shapes);
  return set;
}

void World::write(clothc_collider_set_id set, const Shapes& shapes) {
  std::vector<uint32_t> convex_ends, convex_planes;
  for (const std::vector<uint32_t>& convex : shapes.convexes) {
    convex_planes.insert(convex_planes.end(), convex.begin(), convex.end());
    convex_ends.push_back(static_cast<uint32_t>(convex_planes.size()));
  }
  std::vector<clothc_collider_asset_id> instance_assets;
  for (const Instance& instance : shapes.instances) {
    clothc_collider_asset_id& asset = assets_[instance.asset];
    if (asset == 0) asset = create(solver, *instance.asset);
    instance_assets.push_back(asset);
  }
  const std::vector<float> instances = poses_of(shapes.instances), starts = poses_of(shapes.instance_starts);
  clothc_collider_shapes desc = initialised<clothc_collider_shapes>();
  desc.sphere_count = static_cast<uint32_t>(shapes.spheres.size());
  desc.spheres = shapes.spheres.empty() ? nullptr : &shapes.spheres[0].x;
  desc.sphere_starts = shapes.sphere_starts.empty() ? nullptr : &shapes.sphere_starts[0].x;
  desc.plane_count = static_cast<uint32_t>(shapes.planes.size());
  desc.planes = shapes.planes.empty() ? nullptr : &shapes.planes[0].x;
  desc.plane_starts = shapes.plane_starts.empty() ? nullptr : &shapes.plane_starts[0].x;
  desc.convex_count = static_cast<uint32_t>(convex_ends.size());
  desc.convex_ends = convex_ends.data();
  desc.convex_planes = convex_planes.data();
  desc.capsule_count = static_cast<uint32_t>(shapes.capsules.size() / 2);
  desc.capsules = shapes.capsules.data();
  desc.ellipsoid_count = static_cast<uint32_t>(shapes.ellipsoids.size());
  desc.ellipsoids = shapes.ellipsoids.empty() ? nullptr : shapes.ellipsoids[0].centre;
  desc.ellipsoid_starts = shapes.ellipsoid_starts.empty() ? nullptr : shapes.ellipsoid_starts[0].centre;
  desc.box_count = static_cast<uint32_t>(shapes.boxes.size());
  desc.boxes = shapes.boxes.empty() ? nullptr : shapes.boxes[0].centre;
  desc.box_starts = shapes.box_starts.empty() ? nullptr : shapes.box_starts[0].centre;
  desc.vertex_count = static_cast<uint32_t>(shapes.vertices.size());
  desc.vertices = shapes.vertices.empty() ? nullptr : &shapes.vertices[0].x;
  desc.vertex_starts = shapes.vertex_starts.empty() ? nullptr : &shapes.vertex_starts[0].x;
  desc.triangle_count = static_cast<uint32_t>(shapes.triangles.size() / 3);
  desc.triangles = shapes.triangles.data();
  desc.instance_count = static_cast<uint32_t>(instance_assets.size());
  desc.instance_assets = instance_assets.data();
  desc.instances = instances.data();
  desc.instance_starts = starts.empty() ? nullptr : starts.data();
  desc.triangle_reach = shapes.reach;
  desc.space = shapes.space;
  require(clothc_collider_set_write(solver, set, &desc));
}

void World::update(float dt, int count) {
  for (int k = 0; k < count; ++k) clothc_test::update_solver(solver, dt);
}

std::vector<Point> World::get(clothc_cloth_id cloth, clothc_channel channel) {
  return clothc_test::get_particles<Point>(device, solver, cloth, channel);
}

void World::set(clothc_cloth_id cloth, clothc_channel channel, const std::vector<Point>& points, uint32_t flags) {
  clothc_test::set_particles(device, solver, cloth, channel, points, flags);
}

clothc_cloth_status World::status(clothc_cloth_id cloth) { return clothc_test::cloth_status(solver, cloth); }

void World::set_parameters(clothc_cloth_id cloth, const clothc_cloth_parameters& parameters) {
  require(clothc_cloth_set_parameters(solver, cloth, &parameters));
}

void World::set_frame(clothc_cloth_id cloth, const clothc_cloth_frame& frame) {
  require(clothc_cloth_set_frame(solver, cloth, &frame));
}

uint64_t World::hash() { return clothc_test::state_hash(solver); }

bool wants_report() { return std::getenv("CLOTHC_REPORT") != nullptr; }

void print_row(const std::string& row) {
  if (wants_report()) std::printf("| %s |\n", row.c_str());
}

namespace {

// Fails if the page has a row of this name with other numbers. Rows on GPUs may be cut short, and other libraries of C than
// glibc on x86-64 round the last digits of what the tests compute otherwise.
void expect_as_shown(const Target& target, const std::string& row, const std::string& numbers) {
#if defined(__x86_64__) && defined(__GLIBC__)
  static const std::string page = [] {
    std::ifstream file(CLOTHC_SOURCE_DIR "/docs/validation.md");
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  if (target.backend != CLOTHC_BACKEND_CPU) return;
  const std::string name = "\n| " + row + " |";
  const size_t begin = page.find(name);
  if (begin == std::string::npos) return;
  EXPECT_EQ(page.compare(begin + name.size(), numbers.size() + 3, " " + numbers + " |"), 0)
      << "docs/validation.md shows other numbers than " << numbers << " for " << row;
#else
  (void)target, (void)row, (void)numbers;
#endif
}

}  // namespace

void expect_row(const Target& target, const std::string& row, double expected, double measured, double gate) {
  const double tolerance = expected == 0 ? gate : gate * std::fabs(expected);
  EXPECT_NEAR(measured, expected, tolerance) << row;
  const double error = expected == 0 ? measured : measured / expected - 1;
  char numbers[128];
  std::snprintf(numbers, sizeof(numbers), "%.6g | %.6g | %+.2g | %.2g", expected, measured, error, gate);
  expect_as_shown(target, row, numbers);
  print_row(label(target) + " | " + row + " | " + numbers);
}

void expect_at_most(const Target& target, const std::string& row, double limit, double measured) {
  EXPECT_LE(measured, limit) << row;
  char numbers[128];
  std::snprintf(numbers, sizeof(numbers), "at most %.6g | %.6g", limit, measured);
  expect_as_shown(target, row, numbers);
  print_row(label(target) + " | " + row + " | " + numbers + " | |");
}

}  // namespace physics
