// running_out_test.cpp - memory runs out at the n-th allocation, for every n. The call fails with OUT_OF_MEMORY,
// changes nothing, and succeeds once there is memory again.
#include <cstring>

#include "support/debug_lines.h"
#include "support/running_out.h"

using namespace clothc_test;

namespace errors_running_out_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(RunningOut);

void nothing(Scene&) {}

TEST_P(RunningOut, while_a_cloth_is_added_changes_nothing) {
  expect_strong(GetParam(), "cloth_add", nothing, [](Scene& s, bool) {
    const clothc_cloth_desc desc = s.cloth_desc();
    clothc_cloth_id id = 0;
    return clothc_cloth_add(s.solver, &desc, &id);
  });
}

// Uses a separate fabric that is so large that the solver's arrays must grow.
TEST_P(RunningOut, while_the_solvers_arrays_grow_changes_nothing) {
  expect_strong(GetParam(), "cloth_add", nothing, [](Scene& s, bool) {
    const int64_t allowed = std::exchange(allowed_allocations, -1);
    const Sheet sheet(15, 14);
    const clothc_mesh_desc mesh = sheet.desc();
    clothc_cloth_desc desc = s.cloth_desc();
    clothc_cloth_id id = 0;
    EXPECT_OK(clothc_fabric_cook(s.device, &mesh, &desc.fabric));
    allowed_allocations = allowed;
    const clothc_result result = clothc_cloth_add(s.solver, &desc, &id);
    EXPECT_OK(clothc_fabric_destroy(desc.fabric));
    return result;
  });
}

TEST_P(RunningOut, while_a_cloth_is_cloned_changes_nothing) {
  expect_strong(GetParam(), "cloth_clone", busy, [](Scene& s, bool) {
    clothc_cloth_id id = 0;
    return clothc_cloth_clone(s.solver, s.cloth, &id);
  });
}

TEST_P(RunningOut, while_settings_are_set_changes_nothing) {
  expect_strong(GetParam(), "set_phases", busy, [](Scene& s, bool few) {
    clothc_phase_config configs[300];
    for (clothc_phase_config& config : configs) config = initialised<clothc_phase_config>();
    return clothc_cloth_set_phases(s.solver, s.cloth, configs, few ? 5 : 300);
  });
  expect_strong(GetParam(), "set_collider_sets", busy, [](Scene& s, bool) {
    // The id of the first set.
    const clothc_collider_set_id set = 1u << 20;
    return clothc_cloth_set_collider_sets(s.solver, s.cloth, &set, 1);
  });
  expect_strong(GetParam(), "collider_set_create", busy, [](Scene& s, bool) {
    clothc_collider_set_id set = 0;
    return clothc_collider_set_create(s.solver, &set);
  });
}

// Setting frames allocates nothing, so it never fails for lack of memory.
TEST_P(RunningOut, while_wind_is_turned_on_frames_are_set_or_cloths_reset_changes_nothing) {
  // The cloth is so large, and so little memory is left, that there is not enough for the impulses of its triangles.
  clothc_cloth_id large = 0;
  const auto with_large = [&](Scene& s) {
    busy(s);
    const Sheet sheet(20, 20);
    clothc_cloth_desc desc = s.cloth_desc();
    desc.fabric = cook_fabric(s.device, sheet.desc());
    large = s.add(desc);
    const std::vector<float> spheres(4 * 1000, 0.25f);
    clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
    shapes.spheres = spheres.data();
    shapes.sphere_count = 1000;
    clothc_collider_set_id set = 0;
    EXPECT_OK(clothc_collider_set_create(s.solver, &set));
    EXPECT_OK(clothc_collider_set_write(s.solver, set, &shapes));
  };
  expect_strong(GetParam(), "set_parameters", with_large, [&](Scene& s, bool) {
    clothc_cloth_parameters windy = initialised<clothc_cloth_parameters>();
    windy.drag_coefficient = 0.5f, windy.wind_velocity[2] = 3;
    return clothc_cloth_set_parameters(s.solver, large, &windy);
  });
  expect_strong(GetParam(), "reset", busy,
                [](Scene& s, bool) { return clothc_cloth_reset(s.solver, s.cloth, nullptr); });
  Memory scene(GetParam());
  busy(scene);
  clothc_cloth_frame frame = initialised<clothc_cloth_frame>();
  EXPECT_EQ(exhaust(scene, scene, "set_frame",
                    [&](bool) {
                      frame.translation[0] += 1;
                      return clothc_cloth_set_frame(scene.solver, scene.cloth, &frame);
                    }),
            0);
}

// First the host's memory runs out with three of the cloths, then the device's memory with all seven.
TEST_P(RunningOut, while_winds_need_more_memory_takes_none_of_the_records) {
  std::vector<std::pair<Scene*, clothc_buffer>> buffers;
  const auto many = [&](Scene& s) {
    busy(s);
    for (int k = 0; k < 6; ++k) s.add();
    std::vector<clothc_cloth_parameters> windy(7, initialised<clothc_cloth_parameters>());
    for (clothc_cloth_parameters& p : windy) p.lift_coefficient = 0.5f;
    buffers.emplace_back(&s, s.buffer(7, CLOTHC_FORMAT_RECORD, sizeof(windy[0])));
    EXPECT_OK(clothc_buffer_write(buffers.back().second, 0, windy.size() * sizeof(windy[0]), windy.data()));
  };
  expect_strong(GetParam(), "wind records", many, [&](Scene& s, bool first) {
    const clothc_region region{0, 0, first ? 3u : 7u};
    return clothc_solver_set(s.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, buffers[&s == buffers[0].first ? 0 : 1].second,
                             nullptr, &region, 1, 0);
  });
}

TEST_P(RunningOut, while_shapes_are_written_changes_nothing) {
  expect_strong(GetParam(), "collider_set_write", busy, [](Scene& s, bool few) {
    const int64_t allowed = std::exchange(allowed_allocations, -1);
    const std::vector<float> spheres(400 * 4, 0.25f);
    allowed_allocations = allowed;
    clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
    shapes.spheres = spheres.data();
    shapes.sphere_count = few ? 3 : 400;
    return clothc_collider_set_write(s.solver, 1u << 20, &shapes);
  });
}

TEST_P(RunningOut, during_an_update_changes_nothing) {
  static clothc_fence fences[2];
  Memory scene(GetParam());
  Scene twin(GetParam());
  int used = 0;
  for (Scene* s : {static_cast<Scene*>(&scene), &twin}) {
    busy(*s);
    s->set(CLOTHC_CHANNEL_VELOCITY, s->cloth, std::vector<float>(60, 0.25f));
    s->set(CLOTHC_CHANNEL_MOTION_CONSTRAINT, s->cloth, std::vector<float>(60, 0.75f));
    s->write_sphere(1u << 20, 0.5f, 0.7f, 0.5f, 0.3f);
    s->add();
    fences[used++] = s->fence();
  }
  clothc_update update = initialised<clothc_update>();
  update.wait_fence = update.signal_fence = fences[0];
  update.signal_value = 0;
  const int failures = exhaust(scene, scene, "solver_update", [&](bool) {
    ++update.signal_value;
    const clothc_result result = clothc_solver_update(scene.solver, &update, nullptr);
    // The failing call has not promised this value.
    if (result != CLOTHC_SUCCESS) --update.signal_value;
    return result;
  });
  EXPECT_GE(failures, fewest_failures);
  twin.step(2);
  for (int frame = 0; frame < 5; ++frame) {
    EXPECT_EQ(scene.hash(), twin.hash()) << "frame " << frame;
    scene.step();
    twin.step();
  }
}

TEST_P(RunningOut, while_channels_are_bound_or_bound_ones_written_changes_nothing) {
  Memory scene(GetParam());
  Scene twin(GetParam());
  for (Scene* s : {static_cast<Scene*>(&scene), &twin}) {
    busy(*s);
    EXPECT_OK(clothc_cloth_bind(s->solver, s->cloth, CLOTHC_CHANNEL_VELOCITY, s->buffer(30), nullptr));
  }
  const clothc_buffer positions = scene.buffer(30);
  EXPECT_GE(exhaust(scene, scene, "cloth_bind",
                    [&](bool) {
                      return clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, positions, nullptr);
                    }),
            fewest_failures);
  const clothc_update update = initialised<clothc_update>();
  const int failures = exhaust(scene, scene, "solver_update",
                               [&](bool) { return clothc_solver_update(scene.solver, &update, nullptr); });
  EXPECT_GE(failures, fewest_failures);
  twin.step(2);
  EXPECT_EQ(scene.hash(), twin.hash());
  std::vector<float> bound(120);
  ASSERT_OK(clothc_buffer_read(positions, 0, bound.size() * 4, bound.data()));
  EXPECT_EQ(bound, scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth));
}

TEST_P(RunningOut, while_setting_and_getting_changes_nothing) {
  std::vector<clothc_channel> channels = {CLOTHC_CHANNEL_INTERSECTION_COUNT};
  for (clothc_channel channel = CLOTHC_CHANNEL_POSITION; channel <= CLOTHC_CHANNEL_TANGENT; ++channel)
    channels.push_back(channel);
  for (const clothc_channel channel : channels) {
    const bool is_settable = channel != CLOTHC_CHANNEL_CLOTH_STATUS && channel < CLOTHC_CHANNEL_NORMAL;
    const bool is_record = channel == CLOTHC_CHANNEL_CLOTH_PARAMETERS || channel == CLOTHC_CHANNEL_CLOTH_STATUS ||
                           channel == CLOTHC_CHANNEL_CLOTH_FRAME;
    const clothc_format format =
        channel == CLOTHC_CHANNEL_INTERSECTION_COUNT ? CLOTHC_FORMAT_UINT : CLOTHC_FORMAT_FLOAT4;
    Memory scene(GetParam());
    Scene twin(GetParam());
    Scene* const both[2] = {&scene, &twin};
    clothc_buffer buffers[2];
    for (int k = 0; k < 2; ++k) {
      Scene* const s = both[k];
      busy(*s);
      const clothc_buffer buffer = buffers[k] =
          is_record ? s->buffer(1, CLOTHC_FORMAT_RECORD, 256) : s->buffer(30, format);
      // The first get of intersections, for which there is a test below, lays out edges.
      if ((is_record && is_settable) || format == CLOTHC_FORMAT_UINT) {
        EXPECT_OK(clothc_solver_get(s->solver, channel, buffer, nullptr, nullptr, 0, 0));
      }
    }
    const std::vector<clothc_region> regions(is_record ? 1 : 60, {0, 0, 1});
    const auto get = [&](Scene& s, clothc_buffer buffer) {
      return clothc_solver_get(s.solver, channel, buffer, nullptr, regions.data(),
                               static_cast<uint32_t>(regions.size()), 0);
    };
    const auto set = [&](Scene& s, clothc_buffer buffer) {
      return clothc_solver_set(s.solver, channel, buffer, nullptr, regions.data(),
                               static_cast<uint32_t>(regions.size()), 0);
    };
    if (is_settable) {
      EXPECT_GE(exhaust(scene, scene, "solver_set", [&](bool) { return set(scene, buffers[0]); }), fewest_failures);
      for (int k = 0; k < 2; ++k) ASSERT_OK(set(twin, buffers[1]));
    }
    EXPECT_GE(exhaust(scene, scene, "solver_get", [&](bool) { return get(scene, buffers[0]); }), fewest_failures);
    scene.step(3);
    twin.step(3);
    EXPECT_EQ(scene.hash(), twin.hash()) << "channel " << channel;
  }
}

TEST_P(RunningOut, while_edges_are_laid_out_loses_nothing) {
  int64_t allowed = 0;
  for (clothc_result result = CLOTHC_ERROR_OUT_OF_MEMORY; result != CLOTHC_SUCCESS; ++allowed) {
    Memory scene(GetParam());
    const uint64_t before = scene.hash();
    const clothc_buffer buffer = scene.buffer(30, CLOTHC_FORMAT_UINT);
    const clothc_region region = {0, 0, 30};
    const auto get = [&] {
      return clothc_solver_get(scene.solver, CLOTHC_CHANNEL_INTERSECTION_COUNT, buffer, nullptr, &region, 1, 0);
    };
    allowed_allocations = allowed;
    result = get();
    allowed_allocations = -1;
    if (result != CLOTHC_SUCCESS) {
      ASSERT_EQ(result, CLOTHC_ERROR_OUT_OF_MEMORY) << clothc_last_error_message();
    }
    EXPECT_EQ(scene.hash(), before) << "at allocation " << allowed;
    ASSERT_OK(get());
    std::vector<uint32_t> counts(30, 1);
    ASSERT_OK(clothc_buffer_read(buffer, 0, 120, counts.data()));
    EXPECT_EQ(counts, std::vector<uint32_t>(30, 0)) << "at allocation " << allowed;
  }
  EXPECT_GE(allowed, 20 * fewest_failures);
}

// What it has read from the device by then has advanced the timeline.
TEST_P(RunningOut, while_debug_lines_are_drawn_changes_no_state) {
  Memory scene(GetParam());
  busy(scene);
  const clothc_debug_desc desc = debug_desc((1u << 11) - 1);
  const std::vector<clothc_debug_line> lines = debug_lines(scene.solver, desc);
  const uint64_t before = scene.hash();
  int failures = 0;
  for (const bool in_device : {false, true}) {
    for (int64_t allowed = 0; allowed < 2000; ++allowed) {
      uint32_t count = 12345;
      scene.allowed = in_device ? allowed : -1;
      allowed_allocations = in_device ? -1 : allowed;
      const clothc_result result = clothc_solver_get_debug_lines(scene.solver, &desc, nullptr, &count);
      allowed_allocations = -1;
      scene.allowed = -1;
      if (result == CLOTHC_SUCCESS) break;
      ++failures;
      ASSERT_EQ(result, CLOTHC_ERROR_OUT_OF_MEMORY) << clothc_last_error_message();
      EXPECT_EQ(count, 12345u);
      ASSERT_EQ(scene.hash(), before) << "at allocation " << allowed;
    }
  }
  EXPECT_GE(failures, fewest_failures);
  EXPECT_TRUE(are_same(debug_lines(scene.solver, desc), lines));
}

TEST_P(RunningOut, while_state_is_hashed_saved_restored_removed_or_compacted_changes_nothing) {
  const auto hash = [](Scene& s, bool) {
    uint64_t value = 0;
    return clothc_solver_state_hash(s.solver, &value);
  };
  expect_strong(GetParam(), "state_hash", busy, hash);
  const auto scaled = [](Scene& s) {
    clothc_cloth_desc desc = s.cloth_desc();
    desc.scale = 0.5f;
    s.add(desc);
  };
  expect_strong(GetParam(), "state_hash of a scaled cloth", scaled, hash);
  expect_strong(GetParam(), "snapshot", busy, [](Scene& s, bool) {
    uint64_t size = 0;
    return clothc_solver_snapshot(s.solver, nullptr, &size);
  });
  std::vector<uint8_t> bytes;
  const auto save = [&](Scene& s) {
    busy(s);
    s.add();
    bytes = s.snapshot();
    s.step(2);
  };
  expect_strong(GetParam(), "restore", save, [&](Scene& s, bool) {
    return clothc_solver_restore(s.solver, bytes.data(), bytes.size(), &s.fabric, 1);
  });
  const auto scattered = [](Scene& s) {
    for (int k = 0; k < 7; ++k) s.add();
    uint32_t count = 8;
    clothc_cloth_id ids[8];
    EXPECT_OK(clothc_cloth_list(s.solver, ids, &count));
    for (const int k : {0, 3, 5}) EXPECT_OK(clothc_cloth_remove(s.solver, ids[k]));
    s.step(2);
  };
  expect_strong(GetParam(), "compact", scattered, [](Scene& s, bool) {
    clothc_move moves[8];
    uint32_t count = 8;
    return clothc_solver_compact(s.solver, moves, &count);
  });
}

// Makes an object while memory runs out. No object must be made and no memory must leak.
template <class Make>
void expect_none(DeviceAllocator& allocator, const char* name, Make make) {
  int failures = 0;
  for (const bool in_device : {false, true}) {
    for (int64_t allowed = 0; allowed < 100000; allowed += allowed < 300 ? 1 : 97) {
      const int64_t living = living_allocations;
      const int64_t device_living = allocator.living;
      void* made = nullptr;
      allocator.allowed = in_device ? allowed : -1;
      allowed_allocations = in_device ? -1 : allowed;
      const clothc_result result = make(&made);
      allowed_allocations = -1;
      allocator.allowed = -1;
      if (result == CLOTHC_SUCCESS) break;
      ++failures;
      EXPECT_EQ(result, CLOTHC_ERROR_OUT_OF_MEMORY) << name << ": " << clothc_last_error_message();
      EXPECT_EQ(made, nullptr) << name;
      // Internal tables may have grown.
      EXPECT_LE(living_allocations, living + 4) << name << " leaks at " << allowed;
      EXPECT_EQ(allocator.living, device_living) << name << " leaks at " << allowed;
    }
  }
  EXPECT_GE(failures, fewest_failures) << name;
}

TEST_P(RunningOut, while_objects_are_made_makes_none_and_leaks_nothing) {
  DeviceAllocator allocator;
  SceneOptions options(GetParam());
  allocator.use_in(options.device);
  options.device.backend = CLOTHC_BACKEND_AUTO;
  expect_none(allocator, "device_create", [&](void** out) {
    const clothc_result result = clothc_device_create(&options.device, reinterpret_cast<clothc_device*>(out));
    if (result == CLOTHC_SUCCESS) clothc_device_destroy(static_cast<clothc_device>(*out));
    return result;
  });
  Scene scene(options);
  // This waits until the cloth has been added. Memory that growing arrays replace is freed when the copy has run.
  scene.hash();
  clothc_buffer_desc buffer_desc = initialised<clothc_buffer_desc>();
  buffer_desc.count = 10;
  expect_none(allocator, "buffer_create", [&](void** out) {
    return clothc_buffer_create(scene.device, &buffer_desc, reinterpret_cast<clothc_buffer*>(out));
  });
  expect_none(allocator, "fence_create",
              [&](void** out) { return clothc_fence_create(scene.device, 0, reinterpret_cast<clothc_fence*>(out)); });
  expect_none(allocator, "solver_create", [&](void** out) {
    return clothc_solver_create(scene.device, &options.solver, reinterpret_cast<clothc_solver*>(out));
  });
  const clothc_mesh_desc mesh = scene.sheet.desc();
  expect_none(allocator, "fabric_cook", [&](void** out) {
    return clothc_fabric_cook(scene.device, &mesh, reinterpret_cast<clothc_fabric*>(out));
  });
  uint64_t blob_size = 0;
  ASSERT_OK(clothc_fabric_save(scene.fabric, nullptr, &blob_size));
  std::vector<uint8_t> blob(blob_size);
  ASSERT_OK(clothc_fabric_save(scene.fabric, blob.data(), &blob_size));
  expect_none(allocator, "fabric_save", [&](void**) {
    uint64_t size = blob.size();
    return clothc_fabric_save(scene.fabric, blob.data(), &size);
  });
  expect_none(allocator, "fabric_load", [&](void** out) {
    return clothc_fabric_load(scene.device, blob.data(), blob.size(), reinterpret_cast<clothc_fabric*>(out));
  });
  const uint32_t zero = 0, one = 1, pair[2] = {0, 1};
  const float length = 1;
  clothc_fabric_desc fabric = initialised<clothc_fabric_desc>();
  fabric.particle_count = 2;
  fabric.phase_count = fabric.set_count = 1;
  fabric.constraint_count = 1;
  fabric.phase_sets = &zero;
  fabric.set_ends = &one;
  fabric.indices = pair;
  fabric.rest_lengths = &length;
  expect_none(allocator, "fabric_create", [&](void** out) {
    return clothc_fabric_create(scene.device, &fabric, reinterpret_cast<clothc_fabric*>(out));
  });
  clothc_result result = CLOTHC_ERROR_OUT_OF_MEMORY;
  for (int64_t allowed = 0; result != CLOTHC_SUCCESS; ++allowed) {
    ASSERT_EQ(result, CLOTHC_ERROR_OUT_OF_MEMORY);
    // The solver must still work.
    scene.hash();
    allowed_allocations = allowed;
    result = clothc_device_destroy(scene.device);
    allowed_allocations = -1;
  }
  scene.device = nullptr;
  EXPECT_EQ(allocator.living, 0);
}

}  // namespace
}  // namespace errors_running_out_test
