// uploads_test.cpp - what updates upload and allocate for shapes: nothing for shapes at rest, only the changed set when
// shapes move, and one row per vertex for triangles that move in every frame.
#include "support/allocations.h"
#include "support/every_shape.h"

using namespace clothc_test;

namespace uploads_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(ColliderUploads);

uint64_t upload(Scene& scene) {
  scene.step();
  return scene.info().last_update_upload;
}

TEST_P(ColliderUploads, shapes_of_every_kind_send_nothing_at_rest) {
  for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
    SceneOptions options(GetParam());
    options.solver.schedule = schedule;
    Scene scene(options);
    Shapes in_world = every_shape();
    in_world.space = CLOTHC_COLLIDER_SPACE_WORLD;
    const clothc_collider_set_id set = make_set(scene, every_shape());
    list(scene, {set, make_set(scene, in_world)});
    EXPECT_GT(upload(scene), 0u);
    for (int frame = 0; frame < 30; ++frame) ASSERT_EQ(upload(scene), 0u) << "frame " << frame;
    Shapes shapes = every_shape();
    shapes.sink(0.125f);
    write(scene, set, shapes);
    EXPECT_GT(upload(scene), 0u);
    EXPECT_GT(upload(scene), 0u) << "starts are where the targets were";
    EXPECT_EQ(upload(scene), 0u);
  }
}

TEST_P(ColliderUploads, a_moving_sphere_sends_its_own_set_only) {
  uint64_t sent[2];
  for (const bool with_others : {false, true}) {
    Scene scene(GetParam());
    const clothc_collider_set_id sphere = scene.sphere_set(0.5f, 0.5f, 0.5f, 0.2f);
    if (with_others) {
      list(scene, {sphere, make_set(scene, every_shape()), make_set(scene, every_shape())});
    } else {
      list(scene, {sphere});
    }
    scene.step(3);
    for (int frame = 0; frame < 10; ++frame) {
      scene.write_sphere(sphere, 0.5f, 0.5f + 0.01f * static_cast<float>(frame), 0.5f, 0.2f);
      sent[with_others ? 1 : 0] = upload(scene);
    }
  }
  EXPECT_EQ(sent[0], sent[1]);
  EXPECT_LE(sent[0], 250u);
}

TEST_P(ColliderUploads, assets_are_sent_once_and_instances_that_move_send_their_poses) {
  Scene scene(GetParam());
  Shapes shapes;
  shapes.instances = every_shape().instances;
  shapes.instance_assets = every_shape().instance_assets;
  SdfAsset sdf;
  sdf.counts[0] = 40, sdf.counts[1] = 20, sdf.counts[2] = 20;
  sdf.values.assign(16000, 1.0f);
  ASSERT_EQ(make_asset(scene, MeshAsset()), first_mesh);
  ASSERT_EQ(make_asset(scene, sdf), first_sdf);
  EXPECT_GE(upload(scene), 64000u) << "though no set shows them yet";
  EXPECT_EQ(upload(scene), 0u);
  const clothc_collider_set_id set = make_set(scene, shapes);
  list(scene, {set});
  constexpr uint64_t most = 700;
  EXPECT_LE(upload(scene), most + 700) << "the cloth has changed too";
  EXPECT_EQ(upload(scene), 0u);
  for (int frame = 1; frame < 10; ++frame) {
    shapes.sink(0.01f);
    write(scene, set, shapes);
    const uint64_t sent = upload(scene);
    EXPECT_GT(sent, 0u);
    EXPECT_LE(sent, most) << "frame " << frame;
  }
  EXPECT_LE(upload(scene), most) << "starts are where the targets were";
  EXPECT_EQ(upload(scene), 0u);
  make_asset(scene, MeshAsset());
  const uint64_t of_another = upload(scene);
  EXPECT_GT(of_another, 0u);
  EXPECT_LE(of_another, 1500u) << "its own vertices, triangles and header";
  EXPECT_EQ(upload(scene), 0u);
}

// Returns triangles with three separate vertices each, side by side above a floor.
Shapes soup(uint32_t triangle_count, float depth) {
  Shapes shapes;
  for (uint32_t k = 0; k < triangle_count; ++k) {
    const float x = 0.1f * static_cast<float>(k % 20) - 0.5f, z = 0.1f * static_cast<float>(k / 20) - 0.5f;
    shapes.vertices.insert(shapes.vertices.end(), {x, 0.5f, z, x, 0.5f, z + 0.1f, x + 0.1f, 0.5f, z});
  }
  shapes.sink(depth);
  return shapes;
}

void write_soup(const Scene& scene, clothc_collider_set_id set, const Shapes& shapes) {
  clothc_collider_shapes desc = shapes.desc();
  desc.triangle_count = desc.vertex_count / 3;
  EXPECT_OK(clothc_collider_set_write(scene.solver, set, &desc));
}

TEST_P(ColliderUploads, triangles_that_move_in_every_frame_send_a_row_per_vertex) {
  // The headers of the set and of the BVH.
  constexpr uint64_t most_else = 400;
  for (const uint32_t count : {7u, 300u}) {
    Scene scene(GetParam());
    const clothc_collider_set_id set = make_set(scene, Shapes{});
    write_soup(scene, set, soup(count, 0));
    list(scene, {set});
    scene.step(3);
    const uint64_t rows = uint64_t{count} * 3 * 16;
    for (int frame = 1; frame < 40; ++frame) {
      write_soup(scene, set, soup(count, 0.01f * static_cast<float>(frame)));
      const uint64_t sent = upload(scene);
      EXPECT_GE(sent, rows) << "frame " << frame;
      EXPECT_LE(sent, rows + most_else) << "frame " << frame << ": starts are there already";
    }
    EXPECT_LE(upload(scene), most_else) << "at rest: they are where they went";
    EXPECT_EQ(upload(scene), 0u);
    write_soup(scene, set, soup(count, 0.39f));
    EXPECT_LE(upload(scene), most_else) << "they are there already";
    EXPECT_EQ(upload(scene), 0u);
    Shapes elsewhere = soup(count, 0.5f);
    elsewhere.vertex_starts = soup(count, 0.25f).vertices;
    write_soup(scene, set, elsewhere);
    EXPECT_GE(upload(scene), 2 * rows) << "starts of their own are sent too";
  }
}

// Number of allocations in the host and in the device.
struct Allocated {
  uint64_t in_write, in_update, in_device;
};

// Returns the allocations of each frame's write and of the update after it.
template <class Write>
std::vector<Allocated> allocated_in(Scene& scene, const DeviceAllocator& allocator, int frames, Write write_frame) {
  std::vector<Allocated> all(static_cast<size_t>(frames));
  const clothc_update update = initialised<clothc_update>();
  for (int frame = 0; frame < frames; ++frame) {
    const uint64_t start = allocation_count, device_start = allocator.count;
    write_frame(frame);
    const uint64_t written = allocation_count;
    EXPECT_OK(clothc_solver_update(scene.solver, &update, nullptr));
    EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
    all[static_cast<size_t>(frame)] = {written - start, allocation_count - written, allocator.count - device_start};
  }
  return all;
}

TEST_P(ColliderUploads, allocate_nothing_in_updates_but_a_little_for_triangles_that_move) {
  constexpr int frames = 120, warm = 80;
  for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
    DeviceAllocator allocator;
    SceneOptions options(GetParam());
    options.solver.schedule = schedule;
    allocator.use_in(options.device);
    Scene scene(options);
    const clothc_collider_set_id set = make_set(scene, every_shape()), triangles = make_set(scene, Shapes{});
    write_soup(scene, triangles, soup(300, 0));
    list(scene, {set, triangles});
    std::vector<Shapes> moved(frames, every_shape()), soups;
    for (int frame = 0; frame < frames; ++frame) {
      const float depth = 0.001f * static_cast<float>(frame);
      soups.push_back(soup(300, depth));
      const std::vector<float> ground = every_shape().vertices;
      moved[static_cast<size_t>(frame)].sink(depth);
      moved[static_cast<size_t>(frame)].vertices = ground;
    }
    std::vector<Allocated> found = allocated_in(
        scene, allocator, frames, [&](int frame) { write_soup(scene, triangles, soups[static_cast<size_t>(frame)]); });
    for (int frame = warm; frame < frames; ++frame) {
      const Allocated &first = found[warm], &now = found[static_cast<size_t>(frame)];
      EXPECT_EQ(now.in_write, first.in_write) << "frame " << frame;
      EXPECT_EQ(now.in_update, first.in_update) << "frame " << frame;
      EXPECT_EQ(now.in_device, 0u) << "frame " << frame;
    }
    EXPECT_LE(found[warm].in_write, 40u);
    EXPECT_LE(found[warm].in_update, 20u);
    RecordProperty("allocations_per_write_of_triangles", static_cast<int>(found[warm].in_write));
    RecordProperty("allocations_per_update_of_triangles", static_cast<int>(found[warm].in_update));
    found = allocated_in(scene, allocator, frames,
                         [&](int frame) { write(scene, set, moved[static_cast<size_t>(frame)]); });
    for (int frame = warm; frame < frames; ++frame) {
      EXPECT_EQ(found[static_cast<size_t>(frame)].in_update, 0u) << "of other shapes that move, frame " << frame;
      EXPECT_EQ(found[static_cast<size_t>(frame)].in_device, 0u) << "frame " << frame;
    }
    found = allocated_in(scene, allocator, frames, [](int) {});
    for (int frame = warm; frame < frames; ++frame) {
      EXPECT_EQ(found[static_cast<size_t>(frame)].in_update, 0u) << "at rest, frame " << frame;
    }
  }
}

}  // namespace
}  // namespace uploads_test
