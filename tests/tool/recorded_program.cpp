// recorded_program.cpp - a program whose calls the tests of `clothc record` record. The argument chooses what it does. It
// prints the state hash of each solver at its end.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <clothc.hpp>
#include <clothc_vulkan.hpp>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr uint32_t SIDE = 8;
constexpr uint32_t COUNT = SIDE * SIDE;

struct Sheet {
  std::vector<float> positions, inverse_masses;
  std::vector<uint32_t> quads;

  Sheet() {
    for (uint32_t i = 0; i < COUNT; ++i) {
      positions.insert(positions.end(), {0.1f * static_cast<float>(i % SIDE), 1, 0.1f * static_cast<float>(i / SIDE)});
      inverse_masses.push_back(i < SIDE ? 0.0f : 1.0f);
      if (i % SIDE + 1 == SIDE || i / SIDE + 1 == SIDE) continue;
      quads.insert(quads.end(), {i, i + 1, i + SIDE + 1, i + SIDE});
    }
  }
  clothc::Fabric cook(const clothc::Device& device) const {
    auto mesh = clothc::initialised<clothc_mesh_desc>();
    mesh.vertex_count = COUNT;
    mesh.positions = positions.data();
    mesh.inverse_masses = inverse_masses.data();
    mesh.quad_count = quads.size() / 4;
    mesh.quads = quads.data();
    return device.cook(mesh).value();
  }
};

struct Scene {
  explicit Scene(const clothc::Device& device, clothc_fabric fabric) {
    auto desc = clothc::initialised<clothc_solver_desc>();
    desc.particle_capacity = 256;
    solver = device.create_solver(desc).value();
    auto cloth_desc = clothc::initialised<clothc_cloth_desc>();
    cloth_desc.fabric = fabric;
    clothc::check(clothc_cloth_add(solver.get(), &cloth_desc, &cloth));
  }
  void step(clothc_fence wait = nullptr, clothc_fence signal = nullptr, uint64_t value = 0) {
    auto update = clothc::initialised<clothc_update>();
    update.wait_fence = wait;
    update.wait_value = value;
    update.signal_fence = signal;
    update.signal_value = value;
    clothc::check(clothc_solver_update(solver.get(), &update, nullptr));
  }
  void set(clothc_channel channel, clothc_buffer buffer) {
    clothc::check(clothc_solver_set(solver.get(), channel, buffer, nullptr, nullptr, 0, 0));
  }
  void get(clothc_channel channel, clothc_buffer buffer) {
    clothc::check(clothc_solver_get(solver.get(), channel, buffer, nullptr, nullptr, 0, 0));
  }
  void print_hash() const {
    uint64_t hash = 0;
    clothc::check(clothc_solver_state_hash(solver.get(), &hash));
    std::printf("%016" PRIx64 "\n", hash);
  }
  clothc::Solver solver;
  clothc_cloth_id cloth = 0;
};

clothc::Device make_device() {
  auto desc = clothc::initialised<clothc_device_desc>();
  desc.backend = CLOTHC_BACKEND_CPU;
  return clothc::Device::create(desc).value();
}

clothc::Buffer make_buffer(const clothc::Device& device, clothc_buffer_kind kind, void* memory = nullptr) {
  auto desc = clothc::initialised<clothc_buffer_desc>();
  desc.kind = kind;
  desc.count = COUNT;
  desc.memory = memory;
  return clothc::Buffer::create(device.get(), desc).value();
}

void* map(clothc_buffer buffer, uint32_t flags) {
  void* memory = nullptr;
  clothc::check(clothc_buffer_map(buffer, flags, &memory));
  return memory;
}

// A solver whose accelerations come from memory of the program, to which the library writes too.
void use_wrapped_memory(const clothc::Device& device, clothc_fabric fabric) {
  Scene scene(device, fabric);
  alignas(64) static float memory[4 * COUNT] = {};
  const clothc::Buffer buffer = make_buffer(device, CLOTHC_BUFFER_WRAPPED_HOST, memory);
  for (int frame = 0; frame < 12; ++frame) {
    memory[4 * (20 + frame)] = static_cast<float>(frame);
    scene.set(CLOTHC_CHANNEL_ACCELERATION, buffer.get());
    scene.step();
    if (frame % 4 != 3) {
      clothc::check(clothc_solver_wait(scene.solver.get(), UINT64_MAX, CLOTHC_WAIT_FOREVER));
      continue;
    }
    // Positions that were got become velocities, but for one value, which was the same before the get.
    scene.get(CLOTHC_CHANNEL_POSITION, buffer.get());
    clothc::check(clothc_solver_wait(scene.solver.get(), UINT64_MAX, CLOTHC_WAIT_FOREVER));
    memory[4 * 20] = 0;
    scene.set(CLOTHC_CHANNEL_VELOCITY, buffer.get());
    clothc::check(clothc_solver_wait(scene.solver.get(), UINT64_MAX, CLOTHC_WAIT_FOREVER));
  }
  scene.print_hash();
}

// A solver whose values come from buffers that are mapped, written, and got from it.
void use_mapped_memory(const clothc::Device& device, clothc_fabric fabric) {
  Scene scene(device, fabric);
  const clothc::Buffer host = make_buffer(device, CLOTHC_BUFFER_HOST);
  const clothc::Buffer other = make_buffer(device, CLOTHC_BUFFER_HOST);
  const clothc::Buffer local = make_buffer(device, CLOTHC_BUFFER_DEVICE);
  for (int frame = 0; frame < 12; ++frame) {
    auto* const values = static_cast<float*>(map(host.get(), CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD));
    for (uint32_t i = 0; i < 4 * COUNT; ++i) values[i] = i % 7 == 0 ? static_cast<float>(frame % 3) : 0;
    clothc::check(clothc_buffer_unmap(host.get()));
    scene.set(CLOTHC_CHANNEL_ACCELERATION, host.get());
    scene.step();
    scene.get(CLOTHC_CHANNEL_POSITION, other.get());
    auto* const positions = static_cast<float*>(map(other.get(), CLOTHC_MAP_READ | CLOTHC_MAP_WRITE));
    positions[4 * (40 + frame)] += 0.01f;
    clothc::check(clothc_buffer_unmap(other.get()));
    scene.set(CLOTHC_CHANNEL_POSITION, other.get());
    scene.get(CLOTHC_CHANNEL_VELOCITY, local.get());
    const float still[4] = {};
    clothc::check(clothc_buffer_write(local.get(), 30 * sizeof still, sizeof still, still));
    scene.set(CLOTHC_CHANNEL_VELOCITY, local.get());
  }
  scene.print_hash();
}

// A solver whose accelerations come from, and whose positions go to, buffers that the processor makes in place of those
// that another API could share.
void use_replacements(const clothc::Device& device, clothc_fabric fabric) {
  Scene scene(device, fabric);
  auto desc = clothc::initialised<clothc_buffer_desc>();
  desc.count = COUNT;
  desc.flags = CLOTHC_BUFFER_HOST_IF_UNSUPPORTED;
  desc.kind = CLOTHC_BUFFER_EXPORTABLE;
  const clothc::Buffer shared = clothc::Buffer::create(device.get(), desc).value();
  desc.kind = CLOTHC_BUFFER_WRAPPED_DEVICE;
  const auto vulkan = clothc::initialised<clothc_vulkan_buffer_desc>();
  const clothc::Buffer vertices = clothc::create_vulkan_buffer(device.get(), desc, vulkan).value();
  for (int frame = 0; frame < 12; ++frame) {
    auto* const values = static_cast<float*>(map(shared.get(), CLOTHC_MAP_READ | CLOTHC_MAP_WRITE));
    values[4 * (20 + frame)] = static_cast<float>(frame);
    clothc::check(clothc_buffer_unmap(shared.get()));
    scene.set(CLOTHC_CHANNEL_ACCELERATION, shared.get());
    scene.step();
    scene.get(CLOTHC_CHANNEL_POSITION, vertices.get());
    static_cast<float*>(map(vertices.get(), CLOTHC_MAP_READ | CLOTHC_MAP_WRITE))[4 * (40 + frame)] += 0.01f;
    clothc::check(clothc_buffer_unmap(vertices.get()));
    scene.set(CLOTHC_CHANNEL_POSITION, vertices.get());
  }
  scene.print_hash();
}

// Two threads with a solver each; the updates of one wait for those of the other, and once for the host.
void use_threads(const clothc::Device& device, clothc_fabric fabric) {
  Scene first(device, fabric), second(device, fabric);
  const clothc::Fence fence = device.create_fence().value();
  const clothc::Fence start = device.create_fence().value();
  std::thread ahead([&] {
    first.step(start.get(), nullptr, 1);
    for (uint64_t value = 1; value <= 15; ++value) first.step(nullptr, fence.get(), value);
  });
  std::thread behind([&] {
    for (uint64_t value = 1; value <= 15; ++value) second.step(fence.get(), nullptr, value);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  clothc::check(clothc_fence_signal(start.get(), 1));
  ahead.join();
  behind.join();
  first.print_hash();
  second.print_hash();
}

// Calls that fail, some with arguments that cannot be read.
void fail(const clothc::Device& device, clothc_fabric fabric) {
  Scene scene(device, fabric);
  scene.step();
  auto desc = clothc::initialised<clothc_cloth_desc>();
  desc.fabric = fabric;
  while (true) {
    clothc_cloth_id cloth = 0;
    if (clothc_cloth_add(scene.solver.get(), &desc, &cloth) < 0) break;
  }
  clothc_cloth_parameters never_initialised;
  std::memset(&never_initialised, 0xcd, sizeof never_initialised);
  const bool refused = clothc_cloth_set_parameters(scene.solver.get(), scene.cloth, &never_initialised) < 0 &&
                       clothc_cloth_set_parameters(scene.solver.get(), 12345, nullptr) < 0 &&
                       clothc_buffer_unmap(nullptr) < 0;
  auto mesh = clothc::initialised<clothc_mesh_desc>();
  mesh.vertex_count = uint64_t{1} << 40;
  mesh.positions = &mesh.weld_distance;
  clothc_fabric cooked = nullptr;
  const bool too_large = clothc_fabric_cook(device.get(), &mesh, &cooked) < 0;
  scene.step();
  scene.print_hash();
  std::printf("%s\n", clothc_last_error_message());
  std::exit(refused && too_large ? 3 : 4);
}

// A program that crashes.
[[noreturn]] void crash(const clothc::Device& device, clothc_fabric fabric) {
  Scene scene(device, fabric);
  for (int frame = 0; frame < 7; ++frame) scene.step();
  scene.print_hash();
  std::fflush(stdout);
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  // Sanitizers have handlers of their own.
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
  std::abort();
}

// A child that uses the library goes on beside the program.
void fork_once(const clothc::Device& device, clothc_fabric fabric) {
  Scene scene(device, fabric);
  scene.step();
  const pid_t child = fork();
  if (child == 0) {
    const clothc::Device own = make_device();
    const Scene other(own, Sheet().cook(own).get());
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  scene.step();
  scene.print_hash();
  if (status != 0) std::exit(5);
}

}  // namespace

int main(int argument_count, char** arguments) {
  const std::string task = argument_count == 2 ? arguments[1] : "";
  const clothc::Device device = make_device();
  const clothc::Fabric fabric = Sheet().cook(device);
  const struct {
    const char* name;
    void (*run)(const clothc::Device&, clothc_fabric);
  } tasks[] = {{"wrapped", use_wrapped_memory},
               {"mapped", use_mapped_memory},
               {"replacements", use_replacements},
               {"threads", use_threads},
               {"failures", fail},
               {"crash", crash},
               {"fork", fork_once}};
  for (const auto& known : tasks) {
    if (task != known.name) continue;
    known.run(device, fabric.get());
    return 0;
  }
  std::fprintf(stderr, "no task '%s'\n", task.c_str());
  return 2;
}
