// adoption_test.cpp - devices that work on the VkDevice and the queue of a program: order with the program's own work,
// buffers of both sides, what they need, errors, and what stays the program's.
#include <malloc.h>

#include <atomic>
#include <thread>

#include "support/busy_scene.h"
#include "vulkan/application.h"

using namespace clothc_test;

namespace adoption_test {
namespace {

class Adoption : public AsVulkanApplication {};

// A vertex as renderers have it.
struct Vertex {
  float position[3], normal[3], texture[2];
};

uint64_t hash_on_processor(int updates) {
  Scene scene(CLOTHC_BACKEND_CPU);
  scene.step(updates);
  return scene.hash();
}

void bind(const Scene& scene, clothc_buffer vertices) {
  clothc_view view = initialised<clothc_view>();
  view.format = CLOTHC_FORMAT_FLOAT3;
  EXPECT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, vertices, &view));
  view.byte_offset = offsetof(Vertex, normal);
  EXPECT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_NORMAL, vertices, &view));
}

std::vector<Vertex> vertices_in(const RawBuffer& buffer) {
  std::vector<Vertex> vertices(buffer.size / sizeof(Vertex));
  std::memcpy(vertices.data(), buffer.mapped, vertices.size() * sizeof(Vertex));
  return vertices;
}

void expect_positions(const std::vector<Vertex>& vertices, const std::vector<float>& positions) {
  ASSERT_EQ(vertices.size() * 4, positions.size());
  for (size_t k = 0; k < vertices.size(); ++k)
    EXPECT_EQ(std::memcmp(vertices[k].position, &positions[4 * k], 12), 0) << "vertex " << k;
}

TEST_F(Adoption, tells_what_the_device_must_have) {
  EXPECT_EQ(own_->required_extensions, "");
  EXPECT_NE(own_->optional_extensions.find("VK_EXT_external_memory_host"), std::string::npos);
  const OwnVulkan older(VK_API_VERSION_1_1);
  EXPECT_EQ(older.required_extensions, "VK_KHR_timeline_semaphore");
}

TEST_F(Adoption, computes_the_same_bits_on_every_version_of_vulkan) {
  for (const uint32_t version : {VK_API_VERSION_1_1, VK_API_VERSION_1_2, VK_API_VERSION_1_3}) {
    const OwnVulkan own(version);
    SceneOptions options(CLOTHC_BACKEND_VULKAN);
    options.given_device = own.adopt(own.objects(true));
    {
      Scene scene(options);
      scene.step(3);
      EXPECT_EQ(scene.hash(), hash_on_processor(3));
    }
    EXPECT_OK(clothc_device_destroy(options.given_device));
  }
}

TEST_F(Adoption, does_everything_that_a_device_does) {
  const clothc_device given = adopted(true).given_device;
  EXPECT_EQ(play_busy_scene(CLOTHC_BACKEND_VULKAN, CLOTHC_SCHEDULE_PASS, given),
            play_busy_scene(CLOTHC_BACKEND_CPU, CLOTHC_SCHEDULE_PASS));
}

TEST_F(Adoption, makes_no_instance_and_no_device) {
  const uint64_t instances = calls_of("vkCreateInstance"), made = calls_of("vkCreateDevice");
  Scene scene(adopted(true));
  scene.step();
  EXPECT_EQ(calls_of("vkCreateInstance"), instances);
  EXPECT_EQ(calls_of("vkCreateDevice"), made);
  clothc_device_info info = initialised<clothc_device_info>();
  EXPECT_OK(clothc_device_get_info(scene.device, &info));
  EXPECT_EQ(info.backend, uint32_t{CLOTHC_BACKEND_VULKAN});
  EXPECT_EQ(info.device_index, 0u);
  EXPECT_NE(info.capabilities & CLOTHC_CAPABILITY_WRAPPED_DEVICE, 0u);
}

// The program's copies have no barriers and no semaphores: the order of the queue is enough.
TEST_F(Adoption, orders_updates_and_the_program_as_they_are_called) {
  Scene scene(adopted(true));
  const RawBuffer vertices = own_->make_vertices(30 * sizeof(Vertex));
  std::vector<Vertex> original(30, Vertex{{1, 2, 3}, {4, 5, 6}, {7, 8}});
  std::memcpy(vertices.mapped, original.data(), vertices.size);
  bind(scene, wrap(scene.device, vertices, CLOTHC_FORMAT_RECORD, 30, sizeof(Vertex)));
  std::vector<RawBuffer> drawn;
  std::vector<std::vector<float>> positions;
  Scene alone(CLOTHC_BACKEND_CPU);
  for (int frame = 0; frame < 6; ++frame) {
    drawn.push_back(own_->make_vertices(vertices.size));
    scene.step();
    own_->copy(vertices, drawn.back());
    alone.step();
    positions.push_back(alone.get(CLOTHC_CHANNEL_POSITION, alone.cloth));
  }
  own_->wait_idle();
  for (size_t frame = 0; frame < drawn.size(); ++frame) {
    const std::vector<Vertex> seen = vertices_in(drawn[frame]);
    expect_positions(seen, positions[frame]);
    for (const Vertex& vertex : seen) EXPECT_EQ(std::memcmp(vertex.texture, original[0].texture, 8), 0);
  }
}

TEST_F(Adoption, locks_the_queue_around_each_submission) {
  Scene scene(adopted(true));
  const uint64_t submissions = calls_of("vkQueueSubmit"), locks = own_->lock_count;
  std::atomic<bool> ends{false};
  std::thread renderer([&] {
    while (!ends) own_->submit(own_->begin());
  });
  scene.step(8);
  ends = true;
  renderer.join();
  const uint64_t hash = scene.hash();
  EXPECT_EQ(hash, hash_on_processor(8));
  EXPECT_GE(own_->lock_count - locks, 9u);
  EXPECT_GE(calls_of("vkQueueSubmit") - submissions, own_->lock_count - locks);
  own_->wait_idle();
}

// An update that waits for a fence is submitted by a thread of the library.
TEST_F(Adoption, locks_the_queue_in_the_library_s_threads_too) {
  Scene scene(adopted(true));
  const clothc_fence gate = scene.fence();
  scene.block_behind(gate);
  const uint64_t locks = own_->lock_count;
  EXPECT_OK(clothc_fence_signal(gate, 1));
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, longest_work));
  EXPECT_EQ(own_->lock_count - locks, 1u);
}

TEST_F(Adoption, writes_nothing_beside_its_part_of_a_buffer) {
  Scene scene(adopted(true));
  const RawBuffer vertices = own_->make_vertices(40 * sizeof(Vertex));
  std::memset(vertices.mapped, 0x5a, vertices.size);
  const clothc_buffer part = wrap(scene.device, vertices, CLOTHC_FORMAT_RECORD, 30, sizeof(Vertex), 5 * sizeof(Vertex));
  bind(scene, part);
  scene.step(2);
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, longest_work));
  const auto* bytes = static_cast<const uint8_t*>(vertices.mapped);
  for (size_t k = 0; k < vertices.size; ++k) {
    const size_t vertex = k / sizeof(Vertex), within = k % sizeof(Vertex);
    if (vertex >= 5 && vertex < 35 && within < offsetof(Vertex, texture)) continue;
    ASSERT_EQ(bytes[k], 0x5a) << "byte " << k;
  }
  const std::vector<Vertex> all = vertices_in(vertices);
  expect_positions({all.begin() + 5, all.begin() + 35}, scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth));
}

TEST_F(Adoption, sets_from_and_gets_into_buffers_of_the_program) {
  Scene scene(adopted(true));
  const RawBuffer raw = own_->make_vertices(30 * 16);
  const clothc_buffer wrapped = wrap(scene.device, raw, CLOTHC_FORMAT_FLOAT4, 30);
  scene.step(2);
  const clothc_region all = {scene.info(scene.cloth).first_particle, 0, 30};
  const clothc_region back = {0, all.source_offset, 30};
  EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, wrapped, nullptr, &all, 1, 0));
  const uint64_t hash = scene.hash();
  scene.step(2);
  EXPECT_NE(scene.hash(), hash);
  EXPECT_OK(clothc_solver_set(scene.solver, CLOTHC_CHANNEL_POSITION, wrapped, nullptr, &back, 1, CLOTHC_SET_AT_REST));
  const std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  EXPECT_EQ(std::memcmp(positions.data(), raw.mapped, raw.size), 0);
  // What the program reads and writes through the library.
  std::vector<float> values(120, 2.5f), read(120);
  EXPECT_OK(clothc_buffer_write(wrapped, 0, raw.size, values.data()));
  EXPECT_OK(clothc_buffer_read(wrapped, 0, raw.size, read.data()));
  EXPECT_EQ(read, values);
}

TEST_F(Adoption, tells_the_vulkan_buffer_of_its_own_buffers) {
  Scene scene(adopted(true));
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.kind = CLOTHC_BUFFER_DEVICE;
  desc.count = 30;
  clothc_buffer buffer = nullptr;
  ASSERT_OK(clothc_buffer_create(scene.device, &desc, &buffer));
  const clothc_region all = {scene.info(scene.cloth).first_particle, 0, 30};
  scene.step();
  ASSERT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, &all, 1, 0));
  uint64_t handle = 0, offset = 1;
  ASSERT_OK(clothc_vulkan_buffer_get_handle(buffer, &handle, &offset));
  VkBuffer of_library = VK_NULL_HANDLE;
  std::memcpy(&of_library, &handle, sizeof(of_library));
  const RawBuffer copied = own_->make_vertices(30 * 16);
  const VkCommandBuffer commands = own_->begin();
  const VkBufferCopy region = {offset, 0, copied.size};
  own_->CmdCopyBuffer(commands, of_library, copied.buffer, 1, &region);
  own_->submit(commands);
  own_->wait_idle();
  EXPECT_EQ(std::memcmp(scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth).data(), copied.mapped, copied.size), 0);
  const RawBuffer raw = own_->make_vertices(64);
  ASSERT_OK(clothc_vulkan_buffer_get_handle(wrap(scene.device, raw, CLOTHC_FORMAT_FLOAT4, 2, 0, 32), &handle, &offset));
  EXPECT_EQ(handle, number_of(raw.buffer));
  EXPECT_EQ(offset, 32u);
}

// A buffer that another device owns meanwhile stands for one of another queue family, of which lavapipe has only one.
TEST_F(Adoption, acquires_and_releases_buffers_of_other_queue_families) {
  Scene scene(adopted(true));
  const RawBuffer raw = own_->make_vertices(30 * 16);
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.kind = CLOTHC_BUFFER_WRAPPED_DEVICE;
  desc.count = 30;
  clothc_vulkan_buffer_desc vulkan = initialised<clothc_vulkan_buffer_desc>();
  vulkan.buffer = number_of(raw.buffer);
  vulkan.size = raw.size;
  const auto barriers_of_an_update = [&] {
    clothc_buffer buffer = nullptr;
    EXPECT_OK(clothc_vulkan_buffer_create(scene.device, &desc, &vulkan, &buffer));
    EXPECT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, buffer, nullptr));
    scene.step(2);
    const uint64_t before = calls_of("vkCmdPipelineBarrier");
    scene.step();
    return calls_of("vkCmdPipelineBarrier") - before;
  };
  const uint64_t alone = barriers_of_an_update();
  // That of the device itself changes nothing.
  vulkan.queue_family = 0;
  EXPECT_EQ(barriers_of_an_update(), alone);
  vulkan.queue_family = VK_QUEUE_FAMILY_EXTERNAL;
  EXPECT_EQ(barriers_of_an_update(), alone + 2);
  clothc_buffer buffer = nullptr;
  ASSERT_OK(clothc_vulkan_buffer_create(scene.device, &desc, &vulkan, &buffer));
  float values[4] = {};
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_buffer_read(buffer, 0, sizeof(values), values), "queue family");
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_buffer_write(buffer, 0, sizeof(values), values), "queue family");
}

TEST_F(Adoption, leaves_the_program_s_device_and_buffers_usable) {
  const RawBuffer vertices = own_->make_vertices(30 * sizeof(Vertex)), copied = own_->make_vertices(vertices.size);
  {
    Scene scene(adopted(true));
    bind(scene, wrap(scene.device, vertices, CLOTHC_FORMAT_RECORD, 30, sizeof(Vertex)));
    scene.step(2);
  }
  EXPECT_OK(clothc_device_destroy(devices_.back()));
  devices_.clear();
  own_->copy(vertices, copied);
  own_->wait_idle();
  EXPECT_EQ(std::memcmp(vertices.mapped, copied.mapped, copied.size), 0);
  EXPECT_NE(vertices_in(copied)[7].position[1], 0.0f);
}

// --------------------------------------------------------------------------------------------------- the allocator

struct Allocations {
  std::atomic<int64_t> living{0}, made{0};
};
void* VKAPI_CALL allocate_here(void* user, size_t size, size_t alignment, VkSystemAllocationScope) {
  auto* counts = static_cast<Allocations*>(user);
  ++counts->living;
  ++counts->made;
  return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
void VKAPI_CALL free_here(void* user, void* memory) {
  if (memory != nullptr) --static_cast<Allocations*>(user)->living;
  free(memory);
}
void* VKAPI_CALL reallocate_here(void* user, void* old, size_t size, size_t alignment, VkSystemAllocationScope scope) {
  void* const fresh = size > 0 ? allocate_here(user, size, alignment, scope) : nullptr;
  if (fresh != nullptr && old != nullptr) std::memcpy(fresh, old, std::min(size, malloc_usable_size(old)));
  free_here(user, old);
  return fresh;
}

TEST_F(Adoption, makes_everything_with_the_program_s_allocator) {
  Allocations counts;
  VkAllocationCallbacks callbacks{};
  callbacks.pUserData = &counts;
  callbacks.pfnAllocation = allocate_here;
  callbacks.pfnReallocation = reallocate_here;
  callbacks.pfnFree = free_here;
  clothc_vulkan_device_desc objects = own_->objects(true);
  objects.allocation_callbacks = &callbacks;
  SceneOptions options(CLOTHC_BACKEND_VULKAN);
  options.given_device = own_->adopt(objects);
  callbacks = VkAllocationCallbacks{};
  {
    Scene scene(options);
    scene.step(2);
    EXPECT_EQ(scene.hash(), hash_on_processor(2));
  }
  EXPECT_OK(clothc_device_destroy(options.given_device));
  EXPECT_GT(counts.made, 20);
  EXPECT_EQ(counts.living, 0);
}

// --------------------------------------------------------------------------------------------------------- errors

TEST_F(Adoption, refuses_objects_that_do_not_fit) {
  const clothc_device_desc desc = initialised<clothc_device_desc>();
  clothc_device device = nullptr;
  const auto adopt = [&](auto change) {
    clothc_vulkan_device_desc objects = own_->objects(true);
    change(objects);
    return clothc_vulkan_device_create(&desc, &objects, &device);
  };
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, adopt([](auto& o) { o.instance = nullptr; }), "instance is null");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, adopt([](auto& o) { o.device = nullptr; }), "device is null");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, adopt([](auto& o) { o.physical_device = &o; }), "physical_device",
               "not one of the instance's");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, adopt([](auto& o) { o.api_version = VK_API_VERSION_1_0; }),
               "api_version is 0x400000");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, adopt([](auto& o) { o.unlock_queue = nullptr; }), "only one of");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, adopt([](auto& o) { o.reserved = 3; }), "reserved is 3");
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, adopt([](auto& o) { o.queue_family = 99; }), "queue_family 99",
               "no such queue family");
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, adopt([](auto& o) {
                 o.api_version = VK_API_VERSION_1_1;
                 o.extensions = nullptr;
               }),
               "api_version 1.1", "timeline semaphores");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STRUCT, adopt([](auto& o) { o.struct_size = 4; }), "struct_size");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_vulkan_device_create(&desc, nullptr, &device), "null");
  clothc_device_desc on_cpu = desc;
  on_cpu.backend = CLOTHC_BACKEND_CPU;
  const clothc_vulkan_device_desc objects = own_->objects(true);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_vulkan_device_create(&on_cpu, &objects, &device), "backend is 1");
  EXPECT_EQ(device, nullptr);
  clothc_vulkan_requirements required = initialised<clothc_vulkan_requirements>();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_vulkan_get_requirements(nullptr, &required), "null");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_vulkan_get_requirements(&objects, nullptr), "null");
}

// The program has enabled no extension, so the device reaches no memory but its own.
TEST_F(Adoption, has_host_buffers_in_place_of_those_that_need_extensions) {
  clothc_vulkan_device_desc objects = own_->objects(true);
  objects.extensions = own_->required_extensions.c_str();
  SceneOptions options(CLOTHC_BACKEND_VULKAN);
  options.given_device = own_->adopt(objects);
  devices_.push_back(options.given_device);
  Scene scene(options);
  float memory[120] = {};
  for (const clothc_buffer_kind kind : {CLOTHC_BUFFER_EXPORTABLE, CLOTHC_BUFFER_WRAPPED_HOST}) {
    clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
    desc.kind = kind;
    desc.count = 30;
    desc.memory = kind == CLOTHC_BUFFER_WRAPPED_HOST ? memory : nullptr;
    clothc_buffer buffer = nullptr;
    EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_buffer_create(scene.device, &desc, &buffer), "CLOTHC_CAPABILITY_");
    desc.flags = CLOTHC_BUFFER_HOST_IF_UNSUPPORTED;
    ASSERT_OK(clothc_buffer_create(scene.device, &desc, &buffer));
    clothc_buffer_info info = initialised<clothc_buffer_info>();
    EXPECT_OK(clothc_buffer_get_info(buffer, &info));
    EXPECT_EQ(info.kind, uint32_t{CLOTHC_BUFFER_HOST});
    EXPECT_EQ(info.requested_kind, kind);
    EXPECT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, buffer, nullptr));
    scene.step();
    std::vector<float> bound(120);
    EXPECT_OK(clothc_buffer_read(buffer, 0, 480, bound.data()));
    EXPECT_EQ(bound, scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth));
    EXPECT_OK(clothc_buffer_destroy(buffer));
  }
  EXPECT_EQ(std::vector<float>(memory, memory + 120), std::vector<float>(120));
}

TEST_F(Adoption, refuses_buffers_that_do_not_fit) {
  Scene scene(adopted(true));
  const RawBuffer raw = own_->make_vertices(1024);
  clothc_buffer buffer = nullptr;
  const auto create = [&](clothc_device device, auto change) {
    clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
    desc.kind = CLOTHC_BUFFER_WRAPPED_DEVICE;
    desc.count = 32;
    clothc_vulkan_buffer_desc vulkan = initialised<clothc_vulkan_buffer_desc>();
    vulkan.buffer = number_of(raw.buffer);
    vulkan.size = raw.size;
    change(desc, vulkan);
    return clothc_vulkan_buffer_create(device, &desc, &vulkan, &buffer);
  };
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, create(scene.device, [](auto& d, auto&) { d.count = 65; }), "size 1024",
               "1040 bytes");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, create(scene.device, [](auto&, auto& v) { v.offset = 6; }),
               "offset is 6");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, create(scene.device, [](auto&, auto& v) { v.offset = UINT64_MAX - 3; }),
               "offset is");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, create(scene.device, [](auto&, auto& v) { v.buffer = 0; }), "null");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, create(scene.device, [](auto& d, auto&) { d.kind = CLOTHC_BUFFER_HOST; }),
               "kind is 1");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, create(scene.device, [&](auto& d, auto&) { d.memory = raw.mapped; }),
               "memory is");
  // An address is nothing that Vulkan knows.
  clothc_buffer_desc address = initialised<clothc_buffer_desc>();
  address.kind = CLOTHC_BUFFER_WRAPPED_DEVICE;
  address.count = 4;
  address.memory = raw.mapped;
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_buffer_create(scene.device, &address, &buffer), "clothc_vulkan_buffer");
  // Devices of their own share no handles with the program.
  Scene other(CLOTHC_BACKEND_VULKAN), on_cpu(CLOTHC_BACKEND_CPU);
  for (const Scene* foreign : {&other, &on_cpu}) {
    EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, create(foreign->device, [](auto&, auto&) {}), "clothc_vulkan_device_create");
    uint64_t handle = 0, offset = 0;
    EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_vulkan_buffer_get_handle(foreign->buffer(4), &handle, &offset),
                 "clothc_vulkan_device_create");
  }
  EXPECT_EQ(buffer, nullptr);
}

}  // namespace
}  // namespace adoption_test
