// frame.cpp - bench/bindings/frame.c in C++: prints the median time of a frame of update, get, map and unmap in
// nanoseconds. Usage: frame [FRAMES [DT]].
#include <algorithm>
#include <array>
#include <chrono>
#include <clothc.hpp>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr uint32_t columns = 40, rows = 25;
constexpr size_t warm_up = 200;

clothc::Fabric cook(const clothc::Device& device) {
  std::vector<std::array<float, 3>> positions;
  std::vector<float> inverse_masses;
  std::vector<std::array<uint32_t, 4>> quads;
  for (uint32_t vertex = 0; vertex < columns * rows; ++vertex) {
    const uint32_t column = vertex % columns, row = vertex / columns;
    positions.push_back({0.05f * static_cast<float>(column), 0, 0.05f * static_cast<float>(row)});
    inverse_masses.push_back(row == 0 ? 0.0f : 1.0f);
    if (column + 1 < columns && row + 1 < rows)
      quads.push_back({vertex, vertex + 1, vertex + 1 + columns, vertex + columns});
  }
  auto mesh = clothc::initialised<clothc_mesh_desc>();
  mesh.vertex_count = positions.size();
  mesh.positions = positions[0].data();
  mesh.inverse_masses = inverse_masses.data();
  mesh.quad_count = quads.size();
  mesh.quads = quads.data();
  return device.cook(mesh).value();
}

}  // namespace

int main(int argument_count, char** arguments) {
  const size_t frame_count = argument_count > 1 ? static_cast<size_t>(std::atoi(arguments[1])) : 2000;
  auto device_desc = clothc::initialised<clothc_device_desc>();
  device_desc.backend = CLOTHC_BACKEND_CPU;
  device_desc.worker_count = 1;
  const clothc::Device device = clothc::Device::create(device_desc).value();
  const clothc::Solver solver = device.create_solver().value();
  const clothc::Fabric fabric = cook(device);
  auto desc = clothc::initialised<clothc_cloth_desc>();
  desc.fabric = fabric;
  (void)solver.add(desc).value();
  const clothc::Buffer buffer = device.create_buffer(CLOTHC_FORMAT_FLOAT4, columns * rows).value();
  auto update = clothc::initialised<clothc_update>();
  if (argument_count > 2) update.dt = static_cast<float>(std::atof(arguments[2]));

  std::vector<int64_t> times;
  float height = 0;
  for (size_t frame = 0; frame < warm_up + frame_count; ++frame) {
    const auto begin = std::chrono::steady_clock::now();
    solver.update(update).check();
    solver.get(CLOTHC_CHANNEL_POSITION, buffer).check();
    {
      const auto positions = buffer.map<const std::array<float, 4>>().value();
      height += positions[columns * rows - 1][1];
    }
    times.push_back(std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count());
  }
  times.erase(times.begin(), times.begin() + warm_up);
  std::sort(times.begin(), times.end());
  std::printf("median_ns %lld\n", static_cast<long long>(times[frame_count / 2]));
  // The sum of the heights keeps the read. It is finite.
  return height - height == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
