// busy_scene.cpp - see busy_scene.h.
#include "support/busy_scene.h"

namespace clothc_test {
namespace {

// Number of particles of a cloth.
constexpr uint32_t particles = 30;

SceneOptions options_of(clothc_backend backend, clothc_schedule schedule, clothc_device given) {
  SceneOptions options(backend);
  options.given_device = given;
  options.solver.schedule = schedule;
  options.solver.cloth_capacity = 32;
  options.solver.particle_capacity = 4096;
  return options;
}

struct BusyScene : Scene {
  using Scene::Scene;

  // Sets and gets interleaved vertices: a float3 at byte 8 of 32.
  void set_and_get_strided(clothc_cloth_id id) {
    const clothc_buffer vertices = buffer(particles, CLOTHC_FORMAT_RECORD, 32);
    clothc_view view = initialised<clothc_view>();
    view.format = CLOTHC_FORMAT_FLOAT3;
    view.byte_offset = 8;
    const uint32_t first = info(id).first_particle;
    const clothc_region out[] = {{first, 0, 10}, {first + 10, 10, particles - 10}};
    EXPECT_OK(clothc_solver_get(solver, CLOTHC_CHANNEL_POSITION, vertices, &view, out, 2, 0));
    const clothc_region in[] = {{0, first, 20}, {20, first + 20, particles - 20}};
    EXPECT_OK(clothc_solver_set(solver, CLOTHC_CHANNEL_POSITION, vertices, &view, in, 2, CLOTHC_SET_AT_REST));
    EXPECT_OK(clothc_buffer_destroy(vertices));
  }

  void set_all_channels(clothc_cloth_id id) {
    std::vector<float> values = get(CLOTHC_CHANNEL_POSITION, id);
    set(CLOTHC_CHANNEL_PREVIOUS_POSITION, id, values);
    set(CLOTHC_CHANNEL_VELOCITY, id, std::vector<float>(particles * 4, 0.125f));
    set(CLOTHC_CHANNEL_ACCELERATION, id, std::vector<float>(particles * 4, 0.5f));
    for (size_t k = 3; k < values.size(); k += 4) values[k] = 0.5f;
    set(CLOTHC_CHANNEL_MOTION_CONSTRAINT, id, values);
    for (size_t k = 0; k < values.size(); k += 4) values[k] += 0.0625f;
    set(CLOTHC_CHANNEL_MOTION_CONSTRAINT_START, id, values);
    get(CLOTHC_CHANNEL_VELOCITY, id);
  }

  void count_intersections() {
    const clothc_buffer counts = buffer(info().particle_capacity, CLOTHC_FORMAT_UINT);
    EXPECT_OK(clothc_solver_get(solver, CLOTHC_CHANNEL_INTERSECTION_COUNT, counts, nullptr, nullptr, 0, 0));
    EXPECT_OK(clothc_buffer_destroy(counts));
  }

  clothc_collider_set_id write_all_shapes(clothc_collider_set_id set, float height) {
    if (set == 0) set = sphere_set(0, 0, 0, 1);
    const float spheres[] = {0.5f, 0.75f + height, 0.5f, 0.25f, 1, 0.5f + height, 0.75f, 0.125f};
    const float planes[] = {0, 1, 0, 1, 0, 1, 0, -0.5f, 1, 0, 0, -1, -1, 0, 0, 0};
    const uint32_t convex_ends[] = {1, 4};
    const uint32_t convex_planes[] = {0, 1, 2, 3};
    clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
    shapes.sphere_count = 2;
    shapes.spheres = spheres;
    shapes.plane_count = 4;
    shapes.planes = planes;
    shapes.convex_count = 2;
    shapes.convex_ends = convex_ends;
    shapes.convex_planes = convex_planes;
    EXPECT_OK(clothc_collider_set_write(solver, set, &shapes));
    return set;
  }

  void step_with_fences() {
    const clothc_fence gate = fence();
    const clothc_fence end = fence(5);
    clothc_update update = initialised<clothc_update>();
    update.wait_fence = gate;
    update.wait_value = 3;
    update.signal_fence = end;
    update.signal_value = 7;
    EXPECT_OK(clothc_solver_update(solver, &update, nullptr));
    EXPECT_OK(clothc_fence_signal(gate, 3));
    EXPECT_OK(clothc_fence_wait(end, 7, longest_work));
    EXPECT_OK(clothc_fence_destroy(gate));
    EXPECT_OK(clothc_fence_destroy(end));
  }

  // Adds fabrics of many sizes, so that the arena of fabrics grows while cloths use it.
  void grow() {
    for (uint32_t k = 0; k < 6; ++k) {
      const Sheet larger(8 + 3 * k, 9);
      clothc_cloth_desc desc = initialised<clothc_cloth_desc>();
      desc.fabric = cook_fabric(device, larger.desc());
      grown.push_back(add(desc));
      EXPECT_OK(clothc_fabric_destroy(desc.fabric));
      step();
    }
  }

  void remove_and_compact() {
    EXPECT_OK(clothc_cloth_remove(solver, grown[1]));
    EXPECT_OK(clothc_cloth_remove(solver, grown[4]));
    step();
    std::vector<clothc_move> moves(32);
    uint32_t count = static_cast<uint32_t>(moves.size());
    EXPECT_OK(clothc_solver_compact(solver, moves.data(), &count));
    EXPECT_GT(count, 0u);
    clothc_cloth_id copy = 0;
    EXPECT_OK(clothc_cloth_clone(solver, grown[0], &copy));
    EXPECT_OK(clothc_cloth_clear(solver, cloth, CLOTHC_CHANNEL_ACCELERATION));
    step(2);
    EXPECT_EQ(status(copy).non_finite_count, 0u);
  }

  void save_and_restore() {
    const std::vector<uint8_t> bytes = snapshot();
    const uint64_t before = hash();
    step(2);
    EXPECT_OK(clothc_solver_restore(solver, bytes.data(), bytes.size(), &fabric, 1));
    EXPECT_EQ(hash(), before);
    step();
  }

  std::vector<clothc_cloth_id> grown;
};

}  // namespace

uint64_t play_busy_scene(clothc_backend backend, clothc_schedule schedule, clothc_device given) {
  BusyScene scene(options_of(backend, schedule, given));
  const clothc_cloth_id second_cloth = scene.add();
  scene.step();
  const clothc_collider_set_id set = scene.write_all_shapes(0, 0);
  for (const clothc_cloth_id id : {scene.cloth, second_cloth})
    EXPECT_OK(clothc_cloth_set_collider_sets(scene.solver, id, &set, 1));
  scene.set_and_get_strided(second_cloth);
  scene.set_all_channels(scene.cloth);
  scene.step(2);
  scene.write_all_shapes(set, 0.0625f);
  scene.step_with_fences();
  scene.save_and_restore();
  scene.count_intersections();
  scene.grow();
  scene.count_intersections();
  scene.remove_and_compact();
  return scene.hash();
}

}  // namespace clothc_test
