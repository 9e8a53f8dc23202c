// flag.cpp - flag.c in C++: the flag of scenes/flag.json, a sheet on a mast in gusty wind. Prints its stretch and the hash
// of its state. Usage: flag [FRAMES]. Without the number it simulates 300 frames, which are 5 seconds.
#include <algorithm>
#include <array>
#include <clothc.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using Vector3 = std::array<float, 3>;

constexpr uint32_t columns = 81, rows = 53;

// 2 m x 1.3 m. The inverse mass 0 pins the left edge.
clothc::Fabric cook_sheet(const clothc::Device& device) {
  std::vector<Vector3> positions;
  std::vector<float> inverse_masses;
  std::vector<std::array<uint32_t, 4>> quads;
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      const float u = static_cast<float>(column) / (columns - 1),
                  v = static_cast<float>(row) / (rows - 1);
      positions.push_back({-1.0f + u * 2.0f, 2.6f - v * 1.3f, 0});
      inverse_masses.push_back(column == 0 ? 0.0f : 1.0f);
      const uint32_t vertex = row * columns + column;
      if (column + 1 < columns && row + 1 < rows)
        quads.push_back({vertex, vertex + 1, vertex + 1 + columns, vertex + columns});
    }
  }
  auto mesh = clothc::initialised<clothc_mesh_desc>();
  mesh.vertex_count = positions.size();
  mesh.positions = positions[0].data();
  mesh.inverse_masses = inverse_masses.data();
  mesh.quad_count = quads.size();
  mesh.quads = quads.data();
  mesh.areal_density = 0.35f;
  return device.cook(mesh).value();
}

// The ground, and a mast that is 4 cm thick. Each convex is a list of planes.
clothc::ColliderSet add_colliders(const clothc::Solver& solver) {
  constexpr float planes[][4] = {{0, 1, 0, 0},     {-1, 0, 0, -1.05f}, {1, 0, 0, 1.01f},
                                 {0, -1, 0, 0},    {0, 1, 0, -2.7f},   {0, 0, -1, -0.02f},
                                 {0, 0, 1, -0.02f}};
  constexpr uint32_t members[] = {0, 1, 2, 3, 4, 5, 6}, ends[] = {1, 7};
  auto shapes = clothc::initialised<clothc_collider_shapes>();
  shapes.plane_count = 7;
  shapes.planes = planes[0];
  shapes.convex_count = 2;
  shapes.convex_planes = members;
  shapes.convex_ends = ends;
  const clothc::ColliderSet set = solver.create_collider_set().value();
  set.write(shapes).check();
  return set;
}

// A sine of period 1, approximated by parabolas, so that it is the same with every C library.
float wave(double phase) {
  const double x = 2 * (phase - std::floor(phase + 0.5));
  const double parabola = 4 * x * (1 - std::fabs(x));
  return static_cast<float>(parabola + 0.225 * parabola * (std::fabs(parabola) - 1));
}

// 7 m/s from the mast to the free end, with gusts.
Vector3 wind_at(double time) {
  struct Gust {
    Vector3 velocity;
    float frequency, phase;
  };
  constexpr Gust gusts[] = {{{1.2f, 0, 1.8f}, 0.41f, 0},
                            {{0.6f, 0.4f, 1.6f}, 1.37f, 0.2f},
                            {{0.3f, 0.3f, 1.0f}, 3.1f, 0.6f}};
  Vector3 velocity = {7, 0.5f, 0};
  for (const Gust& gust : gusts) {
    const float strength =
        wave(static_cast<double>(gust.frequency) * time + static_cast<double>(gust.phase));
    for (size_t axis = 0; axis < 3; ++axis) velocity[axis] += gust.velocity[axis] * strength;
  }
  return velocity;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const int frame_count = argument_count > 1 ? std::atoi(arguments[1]) : 300;
  auto device_desc = clothc::initialised<clothc_device_desc>();
  device_desc.backend = CLOTHC_BACKEND_CPU;
  const clothc::Device device = clothc::Device::create(device_desc).value();
  const clothc::Fabric fabric = cook_sheet(device);
  const clothc::Solver solver = device.create_solver().value();

  auto parameters = clothc::initialised<clothc_cloth_parameters>();
  parameters.solver_frequency = 900;
  for (float& damping : parameters.damping) damping = 0.3f;
  parameters.drag_coefficient = 0.012f;
  parameters.lift_coefficient = 0.025f;
  parameters.fluid_density = 1.2f;
  parameters.statistics = CLOTHC_STATISTIC_STRETCH;
  const clothc_collider_set_id colliders = add_colliders(solver).id();
  auto desc = clothc::initialised<clothc_cloth_desc>();
  desc.fabric = fabric;
  desc.parameters = &parameters;
  desc.collider_sets = &colliders;
  desc.collider_set_count = 1;
  const clothc::Cloth cloth = solver.add(desc).value();

  const auto update = clothc::initialised<clothc_update>();
  for (int frame = 1; frame <= frame_count; ++frame) {
    const Vector3 wind = wind_at(frame * static_cast<double>(update.dt));
    std::copy(wind.begin(), wind.end(), parameters.wind_velocity);
    cloth.set_parameters(parameters).check();
    solver.update(update).check();
  }

  std::printf("stretch %.3f %%\n",
              100 * static_cast<double>(cloth.status().value().largest_stretch));
  std::printf("state hash %016llx\n", static_cast<unsigned long long>(solver.state_hash().value()));
}
