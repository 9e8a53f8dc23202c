// arguments_test.cpp - both sides of every documented range, struct sizes, null pointers and unknown flags. Each
// mistake gives an error and a message with the value seen, and changes nothing.
#include <cmath>

#include "support/refusals.h"

using namespace clothc_test;

namespace errors_arguments_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Arguments);

TEST(Structs, init_fills_defaults_and_refuses_unknown_kinds_and_sizes) {
  unsigned char bytes[1024];
  for (clothc_struct_kind kind = 0; kind < last_struct_kind() + 3; ++kind) {
    const bool known = is_struct_kind(kind);
    int accepted = 0;
    for (size_t size = 0; size <= sizeof(bytes); ++size) {
      std::memset(bytes, 0xa5, sizeof(bytes));
      if (clothc_struct_init(kind, bytes, size) != CLOTHC_SUCCESS) {
        EXPECT_EQ(bytes[0], 0xa5);
        continue;
      }
      ++accepted;
      uint32_t struct_size;
      std::memcpy(&struct_size, bytes, 4);
      EXPECT_EQ(struct_size, size);
      if (size < sizeof(bytes)) {
        EXPECT_EQ(bytes[size], 0xa5) << "wrote beyond the size";
      }
    }
    EXPECT_EQ(accepted > 0, known) << "kind " << kind;
  }
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_struct_init(CLOTHC_STRUCT_UPDATE, nullptr, 16), "null");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_struct_init(99, bytes, 16), "99");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_struct_init(CLOTHC_STRUCT_UPDATE, bytes, 8), "size is 8",
               std::to_string(sizeof(clothc_update)).c_str());
}

// Makes calls with a struct whose struct_size is wrong in several ways.
template <class T, class Call>
void expect_size_checked(T value, const char* name, Call call) {
  const T good = value;
  for (const uint32_t size : {0u, 1u, 4u, good.struct_size + 4, good.struct_size - 1, 0xffffffffu, 0xcdcdcdcdu}) {
    value = good;
    value.struct_size = size;
    const T before = value;
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_STRUCT, call(&value), name, std::to_string(size).c_str(), "clothc_struct_init");
    EXPECT_EQ(std::memcmp(&value, &before, sizeof(T)), 0) << name << " was written";
  }
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, call(static_cast<T*>(nullptr)), "null");
}

TEST_P(Arguments, a_wrong_struct_size_is_found_out_by_every_export) {
  Scene scene(GetParam());
  const clothc_solver solver = scene.solver;
  const clothc_buffer buffer = scene.buffer(4);
  const clothc_collider_set_id set = scene.sphere_set(0, 0, 0, 1);
  clothc_buffer_desc buffer_desc = initialised<clothc_buffer_desc>();
  buffer_desc.count = 4;
  void* out = nullptr;
  uint32_t count = 1;
  clothc_cloth_id cloth = 0;
  const uint64_t hash = scene.hash();
  expect_size_checked(SceneOptions(GetParam()).device, "clothc_device_desc", [&](clothc_device_desc* p) {
    return clothc_device_create(p, reinterpret_cast<clothc_device*>(&out));
  });
  expect_size_checked(initialised<clothc_device_info>(), "clothc_device_info",
                      [&](clothc_device_info* p) { return clothc_device_get_info(scene.device, p); });
  expect_size_checked(buffer_desc, "clothc_buffer_desc", [&](clothc_buffer_desc* p) {
    return clothc_buffer_create(scene.device, p, reinterpret_cast<clothc_buffer*>(&out));
  });
  expect_size_checked(initialised<clothc_buffer_info>(), "clothc_buffer_info",
                      [&](clothc_buffer_info* p) { return clothc_buffer_get_info(buffer, p); });
  expect_size_checked(scene.sheet.desc(), "clothc_mesh_desc", [&](clothc_mesh_desc* p) {
    return clothc_fabric_cook(scene.device, p, reinterpret_cast<clothc_fabric*>(&out));
  });
  expect_size_checked(initialised<clothc_fabric_desc>(), "clothc_fabric_desc", [&](clothc_fabric_desc* p) {
    return clothc_fabric_create(scene.device, p, reinterpret_cast<clothc_fabric*>(&out));
  });
  expect_size_checked(initialised<clothc_fabric_info>(), "clothc_fabric_info",
                      [&](clothc_fabric_info* p) { return clothc_fabric_get_info(scene.fabric, p); });
  expect_size_checked(initialised<clothc_solver_desc>(), "clothc_solver_desc", [&](clothc_solver_desc* p) {
    return clothc_solver_create(scene.device, p, reinterpret_cast<clothc_solver*>(&out));
  });
  expect_size_checked(initialised<clothc_solver_info>(), "clothc_solver_info",
                      [&](clothc_solver_info* p) { return clothc_solver_get_info(solver, p); });
  expect_size_checked(initialised<clothc_update>(), "clothc_update",
                      [&](clothc_update* p) { return clothc_solver_update(solver, p, nullptr); });
  expect_size_checked(scene.cloth_desc(), "clothc_cloth_desc",
                      [&](clothc_cloth_desc* p) { return clothc_cloth_add(solver, p, &cloth); });
  expect_size_checked(initialised<clothc_cloth_info>(), "clothc_cloth_info",
                      [&](clothc_cloth_info* p) { return clothc_cloth_get_info(solver, scene.cloth, p); });
  expect_size_checked(initialised<clothc_cloth_status>(), "clothc_cloth_status",
                      [&](clothc_cloth_status* p) { return clothc_cloth_get_status(solver, scene.cloth, p); });
  expect_size_checked(initialised<clothc_cloth_parameters>(), "clothc_cloth_parameters",
                      [&](clothc_cloth_parameters* p) { return clothc_cloth_set_parameters(solver, scene.cloth, p); });
  expect_size_checked(initialised<clothc_cloth_parameters>(), "clothc_cloth_parameters",
                      [&](clothc_cloth_parameters* p) { return clothc_cloth_get_parameters(solver, scene.cloth, p); });
  expect_size_checked(
      initialised<clothc_phase_config>(), "clothc_phase_config",
      [&](clothc_phase_config* p) -> clothc_result { return clothc_cloth_set_phases(solver, scene.cloth, p, 1); });
  expect_size_checked(initialised<clothc_collider_shapes>(), "clothc_collider_shapes",
                      [&](clothc_collider_shapes* p) { return clothc_collider_set_write(solver, set, p); });
  expect_size_checked(initialised<clothc_channel_info>(), "clothc_channel_info", [&](clothc_channel_info* p) {
    return clothc_channel_describe(solver, CLOTHC_CHANNEL_POSITION, p);
  });
  clothc_view view = initialised<clothc_view>();
  view.struct_size = 0;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STRUCT,
               clothc_solver_get(solver, CLOTHC_CHANNEL_POSITION, buffer, &view, nullptr, 0, 0), "clothc_view", "0");
  clothc_device_info info = initialised<clothc_device_info>();
  info.struct_size = 7;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STRUCT, clothc_device_enumerate(&info, &count), "7");
  clothc_phase_config config = initialised<clothc_phase_config>();
  config.struct_size = 7;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STRUCT, clothc_cloth_get_phases(solver, scene.cloth, &config, &count), "7");
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(out, nullptr);
  EXPECT_EQ(cloth, 0u);
  EXPECT_EQ(scene.hash(), hash);
}

TEST_P(Arguments, null_outputs_are_refused) {
  Scene scene(GetParam());
  const clothc_device_desc device_desc = SceneOptions(GetParam()).device;
  clothc_buffer_desc buffer_desc = initialised<clothc_buffer_desc>();
  buffer_desc.count = 4;
  const clothc_solver_desc solver_desc = SceneOptions(GetParam()).solver;
  const clothc_mesh_desc mesh = scene.sheet.desc();
  const clothc_cloth_desc cloth_desc = scene.cloth_desc();
  const clothc_buffer buffer = scene.buffer(4);
  const clothc_fence fence = scene.fence();
  const clothc_result bad = CLOTHC_ERROR_INVALID_ARGUMENT;
  EXPECT_FAILS(bad, clothc_device_create(&device_desc, nullptr), "null");
  EXPECT_FAILS(bad, clothc_device_enumerate(nullptr, nullptr), "null");
  EXPECT_FAILS(bad, clothc_buffer_create(scene.device, &buffer_desc, nullptr), "null");
  EXPECT_FAILS(bad, clothc_buffer_map(buffer, CLOTHC_MAP_READ, nullptr), "null");
  EXPECT_FAILS(bad, clothc_buffer_read(buffer, 0, 4, nullptr), "null");
  EXPECT_FAILS(bad, clothc_buffer_write(buffer, 0, 4, nullptr), "null");
  EXPECT_FAILS(bad, clothc_fence_create(scene.device, 0, nullptr), "null");
  EXPECT_FAILS(bad, clothc_fence_get_value(fence, nullptr), "null");
  EXPECT_FAILS(bad, clothc_fabric_cook(scene.device, &mesh, nullptr), "null");
  EXPECT_FAILS(bad, clothc_fabric_read(scene.fabric, CLOTHC_FABRIC_INDICES, nullptr, nullptr), "null");
  EXPECT_FAILS(bad, clothc_fabric_save(scene.fabric, nullptr, nullptr), "null");
  EXPECT_FAILS(bad, clothc_fabric_load(scene.device, "blob", 4, nullptr), "null");
  EXPECT_FAILS(bad, clothc_fabric_get_diagnostic(scene.fabric, 0, nullptr), "null");
  EXPECT_FAILS(bad, clothc_solver_create(scene.device, &solver_desc, nullptr), "null");
  EXPECT_FAILS(bad, clothc_solver_state_hash(scene.solver, nullptr), "null");
  EXPECT_FAILS(bad, clothc_solver_snapshot(scene.solver, nullptr, nullptr), "null");
  EXPECT_FAILS(bad, clothc_solver_restore(scene.solver, nullptr, 100, nullptr, 0), "null");
  EXPECT_FAILS(bad, clothc_solver_restore(scene.solver, &mesh, 100, nullptr, 1), "fabrics", "1");
  EXPECT_FAILS(bad, clothc_solver_compact(scene.solver, nullptr, nullptr), "null");
  uint32_t count = 3;
  EXPECT_FAILS(bad, clothc_solver_compact(scene.solver, nullptr, &count), "null", "3");
  EXPECT_FAILS(bad, clothc_cloth_add(scene.solver, &cloth_desc, nullptr), "null");
  EXPECT_FAILS(bad, clothc_cloth_clone(scene.solver, scene.cloth, nullptr), "null");
  EXPECT_FAILS(bad, clothc_cloth_list(scene.solver, nullptr, nullptr), "null");
  EXPECT_FAILS(bad, clothc_cloth_get_phases(scene.solver, scene.cloth, nullptr, nullptr), "null");
  EXPECT_FAILS(bad, clothc_cloth_set_collider_sets(scene.solver, scene.cloth, nullptr, 1), "null", "1");
  EXPECT_FAILS(bad, clothc_collider_set_create(scene.solver, nullptr), "null");
  EXPECT_FAILS(bad, clothc_solver_set(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 2, 0), "regions",
               "2");
  clothc_device_info info = initialised<clothc_device_info>();
  count = 0;
  EXPECT_FAILS(bad, clothc_device_enumerate(&info, &count), "0");
}

TEST_P(Arguments, a_device_desc_out_of_range_is_refused) {
  using D = clothc_device_desc;
  const D good = SceneOptions(GetParam()).device;
  const auto create = [](const D* d, clothc_device* out) { return clothc_device_create(d, out); };
  expect_refused<D, clothc_device>(
      good,
      {{"backend", [](D& d) { d.backend = 4; }, {"backend is 4"}},
       {"isa", [](D& d) { d.isa = 6; }, {"isa is 6"}},
       {"workers", [](D& d) { d.worker_count = 257; }, {"worker_count is 257", "256"}},
       {"flags", [](D& d) { d.flags = 4; }, {"flags is 0x4", "CLOTHC_DEVICE_"}},
       {"only free", [](D& d) { d.free = [](void*, void*) {}; }, {"only one of allocate and free"}},
       {"only allocate",
        [](D& d) { d.allocate = [](size_t, size_t, void*) -> void* { return nullptr; }; },
        {"only one"}}},
      create);
  expect_refused<D, clothc_device>(good, {{"device_index", [](D& d) { d.device_index = 99; }, {"99"}}}, create,
                                   CLOTHC_ERROR_UNSUPPORTED);
  clothc_device_info info = initialised<clothc_device_info>();
  Scene scene(GetParam());
  ASSERT_OK(clothc_device_get_info(scene.device, &info));
  for (clothc_isa isa = CLOTHC_ISA_SCALAR; isa <= CLOTHC_ISA_NEON; ++isa) {
    if ((info.isa_mask & 1u << isa) != 0 || info.backend != CLOTHC_BACKEND_CPU) continue;
    expect_refused<D, clothc_device>(good, {{"isa", [&](D& d) { d.isa = isa; }, {"does not run", "scalar"}}}, create,
                                     CLOTHC_ERROR_UNSUPPORTED);
  }
}

TEST(Devices, auto_says_what_it_chose_and_why_it_passed_over_the_others) {
  clothc_device_desc desc = initialised<clothc_device_desc>();
  desc.worker_count = 1;
  clothc_device device = nullptr;
  ASSERT_OK(clothc_device_create(&desc, &device));
  clothc_device_info info = initialised<clothc_device_info>();
  ASSERT_OK(clothc_device_get_info(device, &info));
  EXPECT_NE(std::string(info.reason).find("best"), std::string::npos) << info.reason;
  EXPECT_EQ(info.available, 1u);
  EXPECT_NE(info.name[0], 0);
  ASSERT_OK(clothc_device_destroy(device));
}

TEST(Devices, enumerate_lists_every_backend_and_says_when_the_array_is_short) {
  uint32_t count = 77;
  ASSERT_OK(clothc_device_enumerate(nullptr, &count));
  ASSERT_GE(count, 3u);
  std::vector<clothc_device_info> infos(count, initialised<clothc_device_info>());
  uint32_t written = count - 1;
  EXPECT_EQ(clothc_device_enumerate(infos.data(), &written), CLOTHC_INCOMPLETE);
  EXPECT_EQ(written, count - 1);
  written = count;
  EXPECT_OK(clothc_device_enumerate(infos.data(), &written));
  uint32_t backends = 0;
  for (const clothc_device_info& info : infos) {
    backends |= 1u << info.backend;
    EXPECT_TRUE(info.available != 0 || info.reason[0] != 0);
  }
  EXPECT_EQ(backends, 1u << CLOTHC_BACKEND_CPU | 1u << CLOTHC_BACKEND_CUDA | 1u << CLOTHC_BACKEND_VULKAN);
}

TEST_P(Arguments, a_buffer_desc_out_of_range_is_refused) {
  using D = clothc_buffer_desc;
  Scene scene(GetParam());
  D good = initialised<D>();
  good.count = 4;
  alignas(16) static float memory[17];
  expect_refused<D, clothc_buffer>(
      good,
      {{"kind 0", [](D& d) { d.kind = 0; }, {"kind is 0"}},
       {"kind 9", [](D& d) { d.kind = 9; }, {"kind is 9"}},
       {"format 0", [](D& d) { d.format = 0; }, {"format is 0"}},
       {"format 6", [](D& d) { d.format = 6; }, {"format is 6"}},
       {"stride below", [](D& d) { d.stride = 12; }, {"stride is 12", "16 to 4096"}},
       {"stride odd", [](D& d) { d.stride = 18; }, {"stride is 18", "multiple of 4"}},
       {"stride above", [](D& d) { d.stride = 4100; }, {"stride is 4100"}},
       {"record without stride", [](D& d) { d.format = CLOTHC_FORMAT_RECORD; }, {"stride is 0", "RECORD"}},
       {"count 0", [](D& d) { d.count = 0; }, {"count is 0"}},
       {"count above", [](D& d) { d.count = (uint64_t{1} << 31) + 1; }, {"count is 2147483649"}},
       {"memory of HOST", [](D& d) { d.memory = memory; }, {"want NULL"}},
       {"WRAPPED without memory", [](D& d) { d.kind = CLOTHC_BUFFER_WRAPPED_HOST; }, {"memory is null"}},
       {"WRAPPED misaligned",
        [](D& d) { d.kind = CLOTHC_BUFFER_WRAPPED_HOST, d.memory = reinterpret_cast<char*>(memory) + 2; },
        {"aligned to 4"}}},
      [&](const D* d, clothc_buffer* out) { return clothc_buffer_create(scene.device, d, out); });
}

TEST_P(Arguments, a_buffer_of_absurd_size_is_out_of_memory) {
  Scene scene(GetParam());
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.format = CLOTHC_FORMAT_RECORD;
  desc.stride = 4096;
  // The pool of the Vulkan backend counts units of 256 bytes. Of the second size it needs 7 x 2^32 + 16.
  for (const uint64_t count : {uint64_t{1} << 31, (uint64_t{7} << 28) + 1}) {
    desc.count = count;
    clothc_buffer buffer = nullptr;
    EXPECT_FAILS(CLOTHC_ERROR_OUT_OF_MEMORY, clothc_buffer_create(scene.device, &desc, &buffer), "out of memory");
    EXPECT_EQ(buffer, nullptr);
  }
}

TEST_P(Arguments, a_solver_desc_out_of_range_is_refused) {
  using D = clothc_solver_desc;
  Scene scene(GetParam());
  expect_refused<D, clothc_solver>(
      SceneOptions(GetParam()).solver,
      {{"particles 0", [](D& d) { d.particle_capacity = 0; }, {"particle_capacity is 0"}},
       {"particles above", [](D& d) { d.particle_capacity = (1u << 26) + 1; }, {"particle_capacity is 67108865"}},
       {"cloths 0", [](D& d) { d.cloth_capacity = 0; }, {"cloth_capacity is 0"}},
       {"cloths above", [](D& d) { d.cloth_capacity = (1u << 20) + 1; }, {"cloth_capacity is 1048577"}},
       {"sets above", [](D& d) { d.collider_set_capacity = (1u << 20) + 1; }, {"collider_set_capacity is 1048577"}},
       {"schedule", [](D& d) { d.schedule = 3; }, {"schedule is 3"}},
       {"in flight 0", [](D& d) { d.updates_in_flight = 0; }, {"updates_in_flight is 0"}},
       {"in flight above", [](D& d) { d.updates_in_flight = 17; }, {"updates_in_flight is 17", "16"}}},
      [&](const D* d, clothc_solver* out) { return clothc_solver_create(scene.device, d, out); });
}

struct ParameterRange {
  const char* name;
  float clothc_cloth_parameters::*field;
  float low, high;
};
using P = clothc_cloth_parameters;
const ParameterRange parameter_ranges[] = {
    {"solver_frequency", &P::solver_frequency, 1, 100000},
    {"stiffness_frequency", &P::stiffness_frequency, 0.01f, 100000},
    {"friction", &P::friction, 0, 100},
    {"friction_smoothing", &P::friction_smoothing, 0, 1},
    {"tether_stiffness", &P::tether_stiffness, 0, 1},
    {"tether_scale", &P::tether_scale, 0, 1000},
    {"motion_constraint_stiffness", &P::motion_constraint_stiffness, 0, 1},
    {"motion_constraint_scale", &P::motion_constraint_scale, 0, 1000},
    {"motion_constraint_bias", &P::motion_constraint_bias, -1e6f, 1e6f},
};

TEST_P(Arguments, parameters_out_of_range_are_refused_and_the_ends_of_ranges_taken) {
  Scene scene(GetParam());
  const P good = scene.parameters(scene.cloth);
  const uint64_t hash = scene.hash();
  const auto refused = [&](const P& p, const char* name) {
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_set_parameters(scene.solver, scene.cloth, &p), name,
                 "want");
    clothc_cloth_desc desc = scene.cloth_desc();
    desc.parameters = &p;
    clothc_cloth_id id = 0;
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_add(scene.solver, &desc, &id), name);
    const P after = scene.parameters(scene.cloth);
    EXPECT_EQ(std::memcmp(&after, &good, sizeof(P)), 0);
  };
  for (const ParameterRange& range : parameter_ranges) {
    P p = good;
    for (const float bad : outside(range.low, range.high)) {
      p.*range.field = bad;
      refused(p, range.name);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    for (const float bad : outside(-1e6f, 1e6f)) {
      P p = good;
      p.gravity[axis] = bad;
      refused(p, "gravity");
    }
    for (const float bad : outside(0, 1)) {
      P p = good;
      p.damping[axis] = bad;
      refused(p, "damping");
    }
  }
  for (const uint32_t width : {0u, 257u, 0xffffffffu}) {
    P p = good;
    p.acceleration_filter_width = width;
    refused(p, "acceleration_filter_width");
  }
  EXPECT_EQ(scene.hash(), hash);
  EXPECT_EQ(scene.info().cloth_count, 1u);
  for (const ParameterRange& range : parameter_ranges) {
    for (const float value : {range.low, range.high}) {
      P p = good;
      p.*range.field = value;
      EXPECT_OK(clothc_cloth_set_parameters(scene.solver, scene.cloth, &p)) << range.name;
      scene.step(1, 1e-3f);
      EXPECT_EQ(scene.status(scene.cloth).flags, 0u) << range.name << " at " << value;
    }
  }
}

TEST_P(Arguments, phase_configs_out_of_range_are_refused) {
  using C = clothc_phase_config;
  Scene scene(GetParam());
  const uint64_t hash = scene.hash();
  const C good = initialised<C>();
  const auto refused = [&](const C& bad, const char* name) {
    const C configs[2] = {good, bad};
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_set_phases(scene.solver, scene.cloth, configs, 2),
                 "phase_config[1]", name);
    clothc_cloth_desc desc = scene.cloth_desc();
    desc.phase_configs = configs;
    desc.phase_config_count = 2;
    clothc_cloth_id id = 0;
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_add(scene.solver, &desc, &id), "phase_config[1]", name);
  };
  const struct {
    const char* name;
    float C::*field;
    float low, high;
  } ranges[] = {{"stiffness", &C::stiffness, 0, 1},
                {"stiffness_multiplier", &C::stiffness_multiplier, 0, 1},
                {"compression_limit", &C::compression_limit, 0.01f, 1},
                {"stretch_limit", &C::stretch_limit, 1, 100}};
  for (const auto& range : ranges) {
    for (const float value : outside(range.low, range.high)) {
      C bad = good;
      bad.*range.field = value;
      refused(bad, range.name);
    }
  }
  C bad = good;
  bad.phase = fabric_info(scene.fabric).phase_count;
  refused(bad, "phase is 3");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_set_phases(scene.solver, scene.cloth, &good, (1u << 20) + 1),
               "1048577");
  EXPECT_EQ(scene.hash(), hash);
}

TEST_P(Arguments, a_cloth_desc_with_wrong_particles_flags_or_fabric_is_refused) {
  Scene scene(GetParam());
  const uint64_t hash = scene.hash();
  clothc_cloth_id id = 0;
  const auto refused = [&](const clothc_cloth_desc& desc, std::initializer_list<const char*> parts) {
    expect_failure(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_add(scene.solver, &desc, &id), parts, "cloth_add");
    EXPECT_EQ(id, 0u);
  };
  clothc_cloth_desc desc = scene.cloth_desc();
  desc.flags = 2;
  refused(desc, {"flags is 0x2"});
  const clothc_phase_config config = initialised<clothc_phase_config>();
  desc.flags = CLOTHC_CLOTH_NO_PHASES;
  desc.phase_configs = &config;
  desc.phase_config_count = 1;
  refused(desc, {"NO_PHASES", "1 phase configs"});
  desc = scene.cloth_desc();
  desc.phase_config_count = 2;
  refused(desc, {"phase configs", "null", "2"});
  desc = scene.cloth_desc();
  desc.collider_set_count = 1;
  refused(desc, {"collider sets", "null", "1"});
  std::vector<float> particles = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  desc = scene.cloth_desc();
  desc.positions = particles.data();
  for (const float bad : outside(-1e9f, 1e9f)) {
    particles[4 * 9 + 2] = bad;
    refused(desc, {"particle 9 is at"});
  }
  particles[4 * 9 + 2] = 0;
  for (const float bad : outside(0, 1e9f)) {
    particles[4 * 9 + 3] = bad;
    refused(desc, {"particle 9 has inverse mass"});
  }
  RawFabric raw;
  clothc_fabric_desc fabric_desc = raw.desc();
  fabric_desc.positions = nullptr;
  clothc_fabric bare = nullptr;
  ASSERT_OK(clothc_fabric_create(scene.device, &fabric_desc, &bare));
  desc = scene.cloth_desc();
  desc.fabric = bare;
  refused(desc, {"positions is null", "fabric has no positions"});
  const clothc_collider_set_id set = scene.sphere_set(0, 0, 0, 1);
  const clothc_collider_set_id twice[2] = {set, set};
  desc = scene.cloth_desc();
  desc.collider_sets = twice;
  desc.collider_set_count = 2;
  refused(desc, {"listed twice"});
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_set_collider_sets(scene.solver, scene.cloth, twice, 2),
               "listed twice");
  EXPECT_EQ(scene.hash(), hash);
}

TEST_P(Arguments, an_update_out_of_range_is_refused_and_does_nothing) {
  Scene scene(GetParam());
  const uint64_t hash = scene.hash();
  const clothc_solver_info before = scene.info();
  clothc_update update = initialised<clothc_update>();
  uint64_t value = 77;
  for (const float bad : {not_a_number, infinity, -infinity, -1e-9f, 9e-7f, above(10)}) {
    update.dt = bad;
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_solver_update(scene.solver, &update, &value), "dt is",
                 "1e-6 to 10");
  }
  update = initialised<clothc_update>();
  update.flags = 6;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_solver_update(scene.solver, &update, &value), "flags is 0x6");
  update = initialised<clothc_update>();
  update.reserved = 5;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_solver_update(scene.solver, &update, &value), "reserved 5");
  EXPECT_EQ(value, 77u);
  const clothc_solver_info after = scene.info();
  EXPECT_EQ(after.update_count, before.update_count);
  EXPECT_EQ(after.timeline_value, before.timeline_value);
  EXPECT_EQ(scene.hash(), hash);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_solver_wait(scene.solver, after.timeline_value + 100, 0),
               "has not been queued");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_solver_poll(scene.solver, after.timeline_value + 100, &value),
               "has not been queued");
  EXPECT_EQ(value, 77u);
}

TEST_P(Arguments, only_optional_channels_can_be_cleared) {
  Scene scene(GetParam());
  for (clothc_channel channel = 0; channel < 17; ++channel) {
    const bool optional = channel == CLOTHC_CHANNEL_ACCELERATION || channel == CLOTHC_CHANNEL_MOTION_CONSTRAINT ||
                          channel == CLOTHC_CHANNEL_SEPARATION_CONSTRAINT || channel == CLOTHC_CHANNEL_REST_POSITION;
    const clothc_result got = clothc_cloth_clear(scene.solver, scene.cloth, channel);
    EXPECT_EQ(got, optional ? CLOTHC_SUCCESS : CLOTHC_ERROR_INVALID_ARGUMENT) << channel;
  }
}

TEST(Results, every_result_has_a_name) {
  for (clothc_result result = -9; result <= 3; ++result) {
    EXPECT_EQ(std::string(clothc_result_name(result)).rfind("CLOTHC_", 0), 0u) << result;
  }
  EXPECT_STREQ(clothc_result_name(-10), "unknown result");
  EXPECT_STREQ(clothc_result_name(4), "unknown result");
  EXPECT_EQ(clothc_version(), uint32_t{CLOTHC_VERSION_MAJOR << 16 | CLOTHC_VERSION_MINOR << 8 | CLOTHC_VERSION_PATCH});
}

}  // namespace
}  // namespace errors_arguments_test
