// collider_snapshot_test.cpp - snapshots while shapes of every kind move, in the cloth's frame and in the world,
// continue with the same bits on every device. Damaged shapes are refused or give a solver that works.
#include <cmath>

#include "support/every_shape.h"
#include "support/moving.h"
#include "support/snapshot_damage.h"

using namespace clothc_test;

namespace collider_snapshot_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(ColliderSnapshots);

// A cloth in a moving frame between two sets of every shape, one of which is in the world, and a second cloth at rest.
struct Colliding : Scene {
  clothc_collider_set_id local = 0, world = 0;
  clothc_cloth_id second_cloth = 0;
  explicit Colliding(const SceneOptions& options) : Scene(options), second_cloth(add()) {
    local = make_set(*this, every_shape());
    world = make_set(*this, in_world(0));
    list(*this, {world, local});
    EXPECT_OK(clothc_cloth_set_collider_sets(solver, second_cloth, &local, 1));
    change_parameters(cloth, [](auto& p) {
      p.friction = 0.5f, p.contact_margin = 0.01f, p.collision_mass_scale = 100;
      p.collision_flags |= CLOTHC_COLLISION_CONTINUOUS;
    });
  }
  static Shapes in_world(float depth) {
    Shapes shapes = every_shape();
    shapes.space = CLOTHC_COLLIDER_SPACE_WORLD;
    shapes.triangle_reach = infinity;
    shapes.sink(0.25f + depth);
    return shapes;
  }
  // Runs one frame of a game that moves every shape most of the time and occasionally gives it a start.
  void drive(int frame) {
    const clothc_cloth_frame pose = Moving::target(frame);
    EXPECT_OK(clothc_cloth_set_frame(solver, cloth, &pose));
    const float height = 0.1f * std::sin(static_cast<float>(frame) / 5), angle = static_cast<float>(frame) / 30;
    if (frame % 4 != 3) {
      Shapes shapes = every_shape();
      if (frame % 3 == 2) {
        shapes.sink(-0.02f - height);
        shapes.start_here();
        shapes.sink(0.02f + height);
      }
      shapes.sink(-height);
      for (std::vector<float>* posed : {&shapes.ellipsoids, &shapes.boxes, &shapes.instances}) {
        (*posed)[3] = std::sin(angle), (*posed)[4] = (*posed)[5] = 0, (*posed)[6] = std::cos(angle);
      }
      write(*this, local, shapes);
    }
    if (frame % 5 != 4) write(*this, world, in_world(height));
    step(1, frame % 6 == 5 ? 1.0f / 45 : 1.0f / 60);
  }
};

TEST_P(ColliderSnapshots, continue_to_the_bit_on_every_device) {
  constexpr int begin = 9, end = 39;
  Colliding scene{SceneOptions(GetParam())};
  for (int frame = 0; frame < begin; ++frame) scene.drive(frame);
  // These shapes are pending: their starts differ from their targets.
  Shapes shapes = every_shape();
  shapes.sink(0.05f);
  shapes.start_here();
  shapes.sink(-0.1f);
  write(scene, scene.local, shapes);
  write(scene, scene.world, Colliding::in_world(-0.05f));
  const uint64_t hash = scene.hash();
  const std::vector<uint8_t> bytes = scene.snapshot();
  EXPECT_EQ(scene.hash(), hash);
  std::vector<uint64_t> expected;
  scene.step(2);
  for (int frame = begin; frame < end; ++frame) {
    scene.drive(frame);
    expected.push_back(scene.hash());
  }
  EXPECT_EQ(scene.status(scene.cloth).non_finite_count, 0u);
  const std::vector<uint8_t> final_bytes = scene.snapshot();
  for (const SceneOptions& options : everywhere()) {
    SCOPED_TRACE(name_of(options));
    // The other solver has the same ids.
    Colliding other(options);
    other.step(3);
    ASSERT_OK(clothc_solver_restore(other.solver, bytes.data(), bytes.size(), &other.fabric, 1));
    EXPECT_EQ(other.hash(), hash);
    EXPECT_EQ(other.snapshot(), bytes);
    other.step(2);
    for (int frame = begin; frame < end; ++frame) {
      other.drive(frame);
      ASSERT_EQ(other.hash(), expected[static_cast<size_t>(frame - begin)]) << "frame " << frame;
    }
    EXPECT_EQ(other.snapshot(), final_bytes);
  }
}

// A snapshot does not contain cached data such as the shape of the BVH and the nearest triangles.
TEST_P(ColliderSnapshots, do_not_depend_on_what_was_worked_out_before) {
  Colliding scene{SceneOptions(GetParam())};
  for (int frame = 0; frame < 20; ++frame) scene.drive(frame);
  const std::vector<uint8_t> bytes = scene.snapshot();
  ASSERT_OK(clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), &scene.fabric, 1));
  Colliding never{SceneOptions(GetParam())};
  for (int frame = 0; frame < 20; ++frame) never.drive(frame);
  for (int frame = 20; frame < 40; ++frame) {
    scene.drive(frame);
    never.drive(frame);
    ASSERT_EQ(scene.hash(), never.hash()) << "frame " << frame;
  }
}

// A snapshot of every shape in motion, and the operations of the tests on it.
struct Damaged : Scene {
  std::vector<uint8_t> good;
  uint64_t good_hash = 0;
  static SceneOptions small(clothc_backend backend) {
    SceneOptions options(backend);
    options.columns = options.rows = 3;
    return options;
  }
  explicit Damaged(clothc_backend backend) : Scene(small(backend)) {
    Shapes shapes = every_shape();
    const clothc_collider_set_id set = make_set(*this, shapes);
    list(*this, {set});
    step(2);
    shapes.sink(0.125f);
    write(*this, set, shapes);
    good = snapshot();
    good_hash = hash();
  }
  clothc_result restore(const std::vector<uint8_t>& bytes) {
    return clothc_solver_restore(solver, bytes.data(), bytes.size(), &fabric, 1);
  }
  // Expects a snapshot with one changed word to be refused.
  template <class T>
  void refuses(size_t at, T word, const char* part) {
    static_assert(sizeof(T) == 4, "a word");
    std::vector<uint8_t> bytes = good;
    std::memcpy(&bytes[at], &word, 4);
    repair(bytes);
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, restore(bytes), part);
  }
};

TEST_P(ColliderSnapshots, with_shapes_that_could_not_be_written_are_refused) {
  Damaged scene(GetParam());
  const Shapes shapes = every_shape();
  const size_t capsules = offset_of<uint32_t>(scene.good, {2, 0, 1, 2, 1, 6});
  const size_t ends = capsules + 12, members = ends + 12;
  const size_t triangles = offset_of<uint32_t>(scene.good, {54, 0, 4, 1});
  const size_t assets = triangles + 4 + 54 * 4, space = assets + 12, reach = space + 4;
  for (const uint32_t count : {0u, 1u, 3u, 1000000u, 0xffffffffu}) scene.refuses(assets, count, "snapshot");
  for (const uint32_t bad : {0u, first_sdf + 1, first_mesh + (1u << 20), 0xffffffffu}) {
    scene.refuses(assets + 4, bad, "collider asset");
    scene.refuses(assets + 8, bad, "collider asset");
  }
  for (const uint32_t bad : {3u, 0x80000000u}) {
    scene.refuses(capsules + 4, bad, "capsule 0");
    scene.refuses(capsules + 8, bad, "capsule 0");
  }
  scene.refuses(capsules + 8, 0u, "with itself");
  for (const uint32_t count : {0u, 1u, 3u, 1000000u, 0xffffffffu}) {
    scene.refuses(capsules, count, "snapshot");
    scene.refuses(ends, count, "");
    scene.refuses(members, count, "");
    scene.refuses(triangles, count, "");
  }
  scene.refuses(ends + 8, 5u, "cut off");
  scene.refuses(members + 8, 6u, "convex 1 has plane 6");
  scene.refuses(triangles + 4 + 17 * 12, 16u, "collider triangle 17");
  scene.refuses(space, 2u, "space is 2");
  for (const float bad : {0.0f, -1.0f, not_a_number}) scene.refuses(reach, bad, "triangle_reach");
  // The ellipsoid's targets are stored after their number, followed by its last position.
  const size_t ellipsoid = offset_of<float>(scene.good, {0.4f, shapes.ellipsoids[1] - 0.125f, 0.8f, 0.6f});
  scene.refuses(ellipsoid - 4, 9u, "snapshot");
  for (const float bad : {not_a_number, infinity}) {
    for (size_t k = 0; k < 10; ++k) scene.refuses(ellipsoid + 4 * k, bad, "");
  }
  scene.refuses(ellipsoid, 2e9f, "ellipsoid 0 has centre");
  scene.refuses(ellipsoid + 12, 0.0f, "of length");
  scene.refuses(ellipsoid + 28, -1.0f, "radii");
  const size_t consumed = ellipsoid + 44;
  scene.refuses(consumed, 2e9f, "ellipsoid 0 has centre");
  scene.refuses(consumed + 12, 0.0f, "of length");
  scene.refuses(consumed + 28, -1.0f, "radii");
  // An instance's targets and its last position.
  const size_t instance = offset_of<float>(scene.good, {0.45f, shapes.instances[1] - 0.125f, 0.55f, 0});
  for (const size_t first : {instance, instance + 68}) {
    scene.refuses(first, 2e9f, "instance 0 has translation");
    scene.refuses(first + 28, 0.0f, "scale");
    scene.refuses(first + 24, 0.0f, "of length");
    scene.refuses(first + 60, 2000.0f, "instance 1 has scale");
  }
  EXPECT_EQ(scene.hash(), scene.good_hash);
  EXPECT_EQ(scene.snapshot(), scene.good);
}

TEST_P(ColliderSnapshots, with_assets_that_could_not_be_made_are_refused) {
  Damaged scene(GetParam());
  const size_t mesh = offset_of<uint32_t>(scene.good, {0, 0, 18, 0x3f800000}), vertices = mesh + 12;
  const size_t triangles = vertices + 18 * 4;
  const size_t sdf = triangles + 4 + 24 * 4, counts = sdf + 8, values = counts + 28;
  // Gives the mesh the slot of the SDF.
  scene.refuses(mesh, 1u, "snapshot");
  scene.refuses(mesh, 5u, "");
  scene.refuses(mesh + 4, 1u, "");
  scene.refuses(sdf + 4, 0u, "");
  for (const uint32_t count : {0u, 1u, 17u, 1000000u, 0xffffffffu}) {
    scene.refuses(vertices - 4, count, "");
    scene.refuses(triangles, count, "");
    scene.refuses(values, count, "");
    for (const size_t axis : {0u, 1u, 2u}) scene.refuses(counts + 4 * axis, count, "");
  }
  for (const float bad : {not_a_number, infinity, 2e9f}) {
    scene.refuses(vertices, bad, "vertex 0");
    scene.refuses(counts + 12, bad, "origin[0]");
    scene.refuses(counts + 24, bad, "spacing");
    scene.refuses(values + 4, bad, "sdf value 0");
    scene.refuses(values + 320, bad, "sdf value 79");
  }
  scene.refuses(counts + 24, 0.0f, "spacing");
  scene.refuses(triangles + 96, 6u, "triangle 7");
  EXPECT_EQ(scene.hash(), scene.good_hash);
  EXPECT_EQ(scene.snapshot(), scene.good);
}

TEST_P(ColliderSnapshots, with_any_word_of_an_asset_or_a_set_spoilt_are_refused_or_give_a_solver_that_works) {
  Damaged scene(GetParam());
  const size_t end = offset_of<uint32_t>(scene.good, {54, 0, 4, 1}) + 60 * 4;
  // Drivers take long to make a solver.
  const size_t stride = GetParam() == CLOTHC_BACKEND_CPU ? 4 : 52;
  size_t refused = 0, taken = 0;
  // The data begins after the header, the generations of the slots and the number of assets.
  constexpr size_t begin = 56;
  for (size_t at = begin; at < end; at += stride) {
    for (const uint32_t flip : {1u, 0x80u, 0x00400000u, 0x80000000u, 0xffffffffu}) {
      std::vector<uint8_t> bytes = scene.good;
      uint32_t word;
      std::memcpy(&word, &bytes[at], 4);
      word ^= flip;
      std::memcpy(&bytes[at], &word, 4);
      repair(bytes);
      const clothc_result result = scene.restore(bytes);
      if (result != CLOTHC_SUCCESS) {
        ++refused;
        ASSERT_TRUE(result == CLOTHC_ERROR_INVALID_ARGUMENT || result == CLOTHC_ERROR_CAPACITY)
            << "byte " << at << ": " << clothc_result_name(result) << ", " << clothc_last_error_message();
        continue;
      }
      ++taken;
      scene.step(1, 0.004f);
      for (const float x : scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth)) ASSERT_TRUE(std::isfinite(x)) << at;
      ASSERT_OK(scene.restore(scene.good));
    }
  }
  EXPECT_EQ(scene.hash(), scene.good_hash);
  EXPECT_GT(refused, 30u);
  EXPECT_GT(taken, 30u);
}

}  // namespace
}  // namespace collider_snapshot_test
