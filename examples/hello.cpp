// hello.cpp - hello.c in C++: hangs a sheet by its first row and prints where a free corner is after one second.
#include <array>
#include <clothc.hpp>
#include <cstdio>
#include <vector>

int main() {
  constexpr uint32_t side = 20;
  std::vector<std::array<float, 3>> positions;
  std::vector<float> inverse_masses;
  std::vector<std::array<uint32_t, 4>> quads;
  for (uint32_t vertex = 0; vertex < side * side; ++vertex) {
    positions.push_back(
        {0.05f * static_cast<float>(vertex % side), 0, 0.05f * static_cast<float>(vertex / side)});
    inverse_masses.push_back(vertex < side ? 0.0f : 1.0f);
    if (vertex % side + 1 < side && vertex / side + 1 < side)
      quads.push_back({vertex, vertex + 1, vertex + side + 1, vertex + side});
  }

  const clothc::Device device = clothc::Device::create().value();
  const clothc::Solver solver = device.create_solver().value();
  auto mesh = clothc::initialised<clothc_mesh_desc>();
  mesh.vertex_count = positions.size();
  mesh.positions = positions[0].data();
  mesh.inverse_masses = inverse_masses.data();
  mesh.quad_count = quads.size();
  mesh.quads = quads.data();
  const clothc::Fabric fabric = device.cook(mesh).value();
  auto desc = clothc::initialised<clothc_cloth_desc>();
  desc.fabric = fabric;
  const clothc::Cloth cloth = solver.add(desc).value();
  const clothc::Buffer buffer =
      device.create_buffer(CLOTHC_FORMAT_FLOAT4, positions.size()).value();

  for (int frame = 0; frame < 60; ++frame) solver.update().check();
  cloth.get(CLOTHC_CHANNEL_POSITION, buffer).check();
  const auto mapped = buffer.map<const std::array<float, 4>>().value();
  std::printf("after a second a free corner is at height %.3f m\n",
              static_cast<double>(mapped[side * side - 1][1]));
}
