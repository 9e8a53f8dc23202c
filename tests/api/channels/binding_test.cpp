// binding_test.cpp - buffers bound to channels follow every update, one element per mesh vertex, including the vertices
// of split seams.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <thread>

#include "support/scene.h"

using namespace clothc_test;

namespace binding_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Bindings);

// The scene's sheet with separate vertices for every face, as an exporter writes a mesh with seams everywhere.
struct SplitSheet : Sheet {
  SplitSheet(uint32_t columns, uint32_t rows) : Sheet(columns, rows) {
    const Sheet plain = *this;
    positions.clear();
    inverse_masses.clear();
    for (size_t k = 0; k < plain.quads.size(); ++k) {
      const size_t v = plain.quads[k];
      positions.insert(positions.end(), &plain.positions[v * 3], &plain.positions[v * 3] + 3);
      inverse_masses.push_back(plain.inverse_masses[v]);
      quads[k] = static_cast<uint32_t>(k);
    }
  }
};

struct SplitScene : Scene {
  uint32_t vertex_count;
  explicit SplitScene(const SceneOptions& options, uint32_t columns = 6, uint32_t rows = 5)
      : Scene(options), vertex_count((columns - 1) * (rows - 1) * 4) {
    const SplitSheet split(columns, rows);
    const clothc_mesh_desc mesh = split.desc();
    replace_fabric(mesh);
    cloth = add();
  }
  std::vector<uint32_t> vertex_map() const {
    std::vector<uint32_t> map(vertex_count);
    uint64_t size = map.size() * 4;
    EXPECT_OK(clothc_fabric_read(fabric, CLOTHC_FABRIC_VERTEX_MAP, map.data(), &size));
    return map;
  }
  std::vector<float> read(clothc_buffer from, uint64_t count) const {
    std::vector<float> values(count);
    EXPECT_OK(clothc_buffer_read(from, 0, count * 4, values.data()));
    return values;
  }
  // Returns what a bound buffer must hold: the channel's value of each vertex's particle.
  std::vector<float> expected(clothc_channel channel) const {
    const std::vector<float> particles = get(channel, cloth);
    std::vector<float> values;
    for (const uint32_t particle : vertex_map())
      values.insert(values.end(), &particles[particle * size_t{4}], &particles[particle * size_t{4}] + 4);
    return values;
  }
};

SceneOptions without_cloth(clothc_backend backend) {
  SceneOptions options(backend);
  options.has_cloth = false;
  return options;
}

TEST_P(Bindings, follow_every_update_vertex_by_vertex) {
  SplitScene scene(without_cloth(GetParam()));
  const clothc_channel channels[] = {CLOTHC_CHANNEL_POSITION, CLOTHC_CHANNEL_PREVIOUS_POSITION,
                                     CLOTHC_CHANNEL_VELOCITY};
  clothc_buffer buffers[3];
  for (size_t k = 0; k < 3; ++k) {
    buffers[k] = scene.buffer(scene.vertex_count);
    ASSERT_OK(clothc_cloth_bind(scene.solver, scene.cloth, channels[k], buffers[k], nullptr));
  }
  for (int frame = 0; frame < 10; ++frame) {
    scene.step();
    for (size_t k = 0; k < 3; ++k)
      ASSERT_EQ(scene.read(buffers[k], scene.vertex_count * 4), scene.expected(channels[k])) << "frame " << frame;
  }
  // Vertices of the same particle coincide, so the seams are closed.
  const std::vector<uint32_t> map = scene.vertex_map();
  const std::vector<float> positions = scene.read(buffers[0], scene.vertex_count * 4);
  size_t seams = 0;
  for (size_t a = 0; a < map.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      if (map[a] != map[b]) continue;
      ++seams;
      ASSERT_TRUE(std::equal(&positions[a * 4], &positions[a * 4] + 4, &positions[b * 4]));
    }
  }
  EXPECT_GT(seams, 40u);
}

TEST_P(Bindings, write_into_interleaved_vertices_and_nothing_else) {
  SplitScene scene(without_cloth(GetParam()));
  const clothc_buffer vertices = scene.buffer(scene.vertex_count, CLOTHC_FORMAT_RECORD, 32);
  std::vector<float> before(scene.vertex_count * 8, 77.0f);
  ASSERT_OK(clothc_buffer_write(vertices, 0, before.size() * 4, before.data()));
  clothc_view view = initialised<clothc_view>();
  view.format = CLOTHC_FORMAT_FLOAT3;
  view.byte_offset = 8;
  ASSERT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, vertices, &view));
  EXPECT_EQ(scene.read(vertices, before.size()), before) << "only updates write";
  scene.step(3);
  const std::vector<float> expected = scene.expected(CLOTHC_CHANNEL_POSITION);
  const std::vector<float> after = scene.read(vertices, before.size());
  for (size_t v = 0; v < scene.vertex_count; ++v) {
    for (size_t k = 0; k < 8; ++k) ASSERT_EQ(after[v * 8 + k], k >= 2 && k < 5 ? expected[v * 4 + k - 2] : 77.0f);
  }
}

TEST_P(Bindings, of_many_vertices_go_through_a_small_solver_in_parts) {
  SceneOptions options = without_cloth(GetParam());
  // 20 x 20 particles fit, but their 1444 vertices would not.
  options.solver.particle_capacity = 480;
  SplitScene scene(options, 20, 20);
  const clothc_buffer positions = scene.buffer(scene.vertex_count), velocities = scene.buffer(scene.vertex_count);
  ASSERT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, positions, nullptr));
  ASSERT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_VELOCITY, velocities, nullptr));
  scene.step(4);
  EXPECT_EQ(scene.read(positions, scene.vertex_count * 4), scene.expected(CLOTHC_CHANNEL_POSITION));
  EXPECT_EQ(scene.read(velocities, scene.vertex_count * 4), scene.expected(CLOTHC_CHANNEL_VELOCITY));
}

TEST_P(Bindings, show_what_is_set_in_an_update_without_time) {
  SplitScene scene(without_cloth(GetParam()));
  const clothc_buffer bound = scene.buffer(scene.vertex_count);
  ASSERT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, bound, nullptr));
  std::vector<float> moved = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  for (size_t k = 0; k < moved.size(); k += 4) moved[k] += 3;
  scene.set(CLOTHC_CHANNEL_POSITION, scene.cloth, moved);
  scene.step(1, 0);
  EXPECT_EQ(scene.read(bound, scene.vertex_count * 4), scene.expected(CLOTHC_CHANNEL_POSITION));
}

// A scene whose cloth moves in a moving frame, with bindings in the frame's and the world's coordinates.
struct TravellingScene : Scene {
  std::map<clothc_channel, clothc_buffer> local, world;

  explicit TravellingScene(clothc_backend backend) : Scene(backend) {
    clothc_view view = initialised<clothc_view>();
    for (const clothc_channel channel :
         {CLOTHC_CHANNEL_POSITION, CLOTHC_CHANNEL_PREVIOUS_POSITION, CLOTHC_CHANNEL_START_POSITION,
          CLOTHC_CHANNEL_VELOCITY, CLOTHC_CHANNEL_NORMAL}) {
      view.flags = 0;
      local[channel] = buffer(30);
      world[channel] = buffer(30);
      EXPECT_OK(clothc_cloth_bind(solver, cloth, channel, local[channel], &view));
    }
  }
  // Binds all channels once more, to the buffers of the other coordinates.
  void bind(bool in_world) {
    clothc_view view = initialised<clothc_view>();
    view.flags = in_world ? uint32_t{CLOTHC_VIEW_WORLD} : 0u;
    for (const auto& [channel, bound] : in_world ? world : local)
      EXPECT_OK(clothc_cloth_bind(solver, cloth, channel, bound, &view));
  }
  // Moves the frame to x, turned by a quarter per step around z, and runs an update.
  void travel(float x, int quarters, float dt = 1.0f / 60) {
    clothc_cloth_frame moved = initialised<clothc_cloth_frame>();
    const float half = static_cast<float>(quarters % 4) * 0.7853981634f;
    moved.translation[0] = x;
    moved.translation[1] = 2;
    moved.rotation[2] = std::sin(half);
    moved.rotation[3] = std::cos(half);
    EXPECT_OK(clothc_cloth_set_frame(solver, cloth, &moved));
    step(1, dt);
  }
  std::vector<float> read(const std::map<clothc_channel, clothc_buffer>& from, clothc_channel channel) const {
    std::vector<float> values(120);
    EXPECT_OK(clothc_buffer_read(from.at(channel), 0, 480, values.data()));
    return values;
  }
};

TEST_P(Bindings, turn_vectors_and_move_points_into_the_world) {
  TravellingScene in_frame(GetParam()), in_world(GetParam());
  in_world.bind(true);
  for (Scene* scene : {static_cast<Scene*>(&in_frame), static_cast<Scene*>(&in_world)})
    scene->change_parameters(scene->cloth, [](clothc_cloth_parameters& p) { p.linear_inertia[0] = 0.5f; });
  for (int frame = 0; frame < 5; ++frame) {
    const auto x = static_cast<float>(frame);
    in_frame.travel(x, frame);
    in_world.travel(x, frame);
    for (const auto& [channel, bound] : in_frame.local) {
      const std::vector<float> local = in_frame.read(in_frame.local, channel),
                               world = in_world.read(in_world.world, channel);
      const bool is_start = channel == CLOTHC_CHANNEL_START_POSITION;
      const bool is_point =
          is_start || channel == CLOTHC_CHANNEL_POSITION || channel == CLOTHC_CHANNEL_PREVIOUS_POSITION;
      // A new cloth's frame is at the origin until its first update.
      const int turns = is_start ? std::max(frame - 1, 0) : frame;
      const float at[2] = {is_start ? std::max(x - 1, 0.0f) : x, is_start && frame == 0 ? 0.0f : 2.0f};
      const float sine[] = {0, 1, 0, -1}, cosine[] = {1, 0, -1, 0};
      const float s = sine[turns % 4], c = cosine[turns % 4];
      for (size_t k = 0; k < 120; k += 4) {
        const float expected[4] = {c * local[k] - s * local[k + 1] + (is_point ? at[0] : 0),
                                   s * local[k] + c * local[k + 1] + (is_point ? at[1] : 0), local[k + 2],
                                   local[k + 3]};
        for (size_t axis = 0; axis < 4; ++axis)
          ASSERT_NEAR(world[k + axis], expected[axis], 3e-6f * (1 + std::abs(local[k]) + std::abs(local[k + 1])))
              << "channel " << channel << " frame " << frame << " element " << k + axis;
      }
    }
  }
}

TEST_P(Bindings, of_start_positions_have_what_the_update_before_ended_with) {
  TravellingScene scene(GetParam());
  for (const bool in_world : {false, true}) {
    scene.bind(in_world);
    const auto& bound = in_world ? scene.world : scene.local;
    scene.travel(0, 1);
    for (int frame = 2; frame < 5; ++frame) {
      const std::vector<float> before = scene.read(bound, CLOTHC_CHANNEL_POSITION);
      scene.travel(static_cast<float>(frame) * 0.25f, frame);
      EXPECT_EQ(scene.read(bound, CLOTHC_CHANNEL_START_POSITION), before);
      EXPECT_NE(scene.read(bound, CLOTHC_CHANNEL_POSITION), before);
    }
  }
}

// The frame waits for an update that moves something.
TEST_P(Bindings, in_the_world_follow_the_frame_only_as_far_as_it_has_moved) {
  TravellingScene scene(GetParam());
  scene.bind(true);
  scene.travel(1, 1);
  const std::vector<float> before = scene.read(scene.world, CLOTHC_CHANNEL_POSITION);
  scene.travel(7, 2, 0);
  EXPECT_EQ(scene.read(scene.world, CLOTHC_CHANNEL_POSITION), before);
  scene.step();
  EXPECT_GT(scene.read(scene.world, CLOTHC_CHANNEL_POSITION)[0], before[0] + 4);
}

TEST_P(Bindings, in_the_world_have_the_same_bits_on_every_backend) {
  TravellingScene scene(GetParam()), on_processor(CLOTHC_BACKEND_CPU);
  for (TravellingScene* each : {&scene, &on_processor}) {
    each->bind(true);
    for (int frame = 0; frame < 4; ++frame) {
      clothc_cloth_frame moved = initialised<clothc_cloth_frame>();
      const float angle = 0.3f * static_cast<float>(frame);
      moved.translation[2] = 0.1f * static_cast<float>(frame);
      moved.rotation[0] = 0.6f * std::sin(angle);
      moved.rotation[1] = 0.8f * std::sin(angle);
      moved.rotation[3] = std::cos(angle);
      EXPECT_OK(clothc_cloth_set_frame(each->solver, each->cloth, &moved));
      each->step();
    }
  }
  for (const auto& [channel, bound] : scene.world) {
    const std::vector<float> here = scene.read(scene.world, channel),
                             there = on_processor.read(on_processor.world, channel);
    EXPECT_EQ(std::memcmp(here.data(), there.data(), 480), 0) << "channel " << channel;
  }
}

TEST_P(Bindings, change_no_state) {
  SplitScene bound(without_cloth(GetParam())), plain(without_cloth(GetParam()));
  for (const clothc_channel channel : {CLOTHC_CHANNEL_POSITION, CLOTHC_CHANNEL_VELOCITY}) {
    const clothc_buffer buffer = bound.buffer(bound.vertex_count);
    ASSERT_OK(clothc_cloth_bind(bound.solver, bound.cloth, channel, buffer, nullptr));
  }
  for (SplitScene* scene : {&bound, &plain}) {
    scene->set(CLOTHC_CHANNEL_VELOCITY, scene->cloth, std::vector<float>(120, 0.5f));
    scene->step(5);
  }
  EXPECT_EQ(bound.hash(), plain.hash());
}

TEST_P(Bindings, last_through_compaction_and_end_with_the_cloth_the_buffer_or_null) {
  SceneOptions options(GetParam());
  SplitScene scene(options);
  clothc_cloth_id first = 0;
  uint32_t count = 1;
  ASSERT_EQ(clothc_cloth_list(scene.solver, &first, &count), CLOTHC_INCOMPLETE);
  const clothc_buffer bound = scene.buffer(scene.vertex_count);
  ASSERT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, bound, nullptr));
  scene.step();
  ASSERT_OK(clothc_cloth_remove(scene.solver, first));
  count = 0;
  ASSERT_EQ(clothc_solver_compact(scene.solver, nullptr, &count), CLOTHC_INCOMPLETE);
  scene.step();
  EXPECT_EQ(scene.read(bound, scene.vertex_count * 4), scene.expected(CLOTHC_CHANNEL_POSITION));

  const std::vector<float> last = scene.read(bound, scene.vertex_count * 4);
  ASSERT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, nullptr, nullptr));
  scene.step();
  EXPECT_EQ(scene.read(bound, scene.vertex_count * 4), last) << "unbound";

  const clothc_buffer other = scene.buffer(scene.vertex_count);
  ASSERT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, bound, nullptr));
  ASSERT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, other, nullptr));
  scene.step();
  EXPECT_EQ(scene.read(bound, scene.vertex_count * 4), last) << "replaced";
  EXPECT_EQ(scene.read(other, scene.vertex_count * 4), scene.expected(CLOTHC_CHANNEL_POSITION));
  ASSERT_OK(clothc_buffer_destroy(other));
  scene.step(2);
  ASSERT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, bound, nullptr));
  ASSERT_OK(clothc_cloth_remove(scene.solver, scene.cloth));
  scene.step();
  EXPECT_EQ(scene.read(bound, scene.vertex_count * 4), last) << "of a removed cloth";
}

TEST_P(Bindings, to_a_mapped_buffer_stop_the_update_without_a_trace) {
  SplitScene scene(without_cloth(GetParam()));
  const clothc_buffer bound = scene.buffer(scene.vertex_count);
  ASSERT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, bound, nullptr));
  scene.step();
  const uint64_t hash = scene.hash();
  void* pointer = nullptr;
  ASSERT_OK(clothc_buffer_map(bound, CLOTHC_MAP_READ, &pointer));
  const clothc_update update = initialised<clothc_update>();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_solver_update(scene.solver, &update, nullptr), "mapped");
  EXPECT_EQ(scene.hash(), hash);
  ASSERT_OK(clothc_buffer_unmap(bound));
  scene.step();
  EXPECT_NE(scene.hash(), hash);
  EXPECT_EQ(scene.read(bound, scene.vertex_count * 4), scene.expected(CLOTHC_CHANNEL_POSITION));
}

// ThreadSanitizer sees here whether an update writes to memory that another thread has mapped or reads. Updates that
// follow one another without a pause leave the other thread a moment only if they give way to it.
TEST_P(Bindings, are_written_by_one_thread_while_another_maps_and_reads) {
  SplitScene scene(without_cloth(GetParam()));
  const clothc_buffer bound = scene.buffer(scene.vertex_count);
  ASSERT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, bound, nullptr));
  std::atomic<bool> ends{false};
  std::thread updating([&] {
    clothc_update update = initialised<clothc_update>();
    update.dt = 0.01f;
    while (!ends) {
      const clothc_result result = clothc_solver_update(scene.solver, &update, nullptr);
      EXPECT_TRUE(result == CLOTHC_SUCCESS || result == CLOTHC_ERROR_INVALID_STATE) << result;
    }
  });
  const size_t count = size_t{4} * scene.vertex_count;
  for (int round = 0; round < 50; ++round) {
    void* pointer = nullptr;
    ASSERT_OK(clothc_buffer_map(bound, CLOTHC_MAP_READ, &pointer));
    const float* const values = static_cast<const float*>(pointer);
    const std::vector<float> first(values, values + count);
    std::this_thread::yield();
    EXPECT_TRUE(std::equal(first.begin(), first.end(), values)) << "round " << round;
    ASSERT_OK(clothc_buffer_unmap(bound));
    scene.read(bound, count);
  }
  ends = true;
  updating.join();
}

TEST_P(Bindings, that_cannot_be_are_refused) {
  SplitScene scene(without_cloth(GetParam()));
  const clothc_buffer good = scene.buffer(scene.vertex_count), small = scene.buffer(scene.vertex_count - 1),
                      words = scene.buffer(scene.vertex_count, CLOTHC_FORMAT_UINT);
  const auto bind = [&](clothc_channel channel, clothc_buffer buffer) {
    return clothc_cloth_bind(scene.solver, scene.cloth, channel, buffer, nullptr);
  };
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, bind(CLOTHC_CHANNEL_ACCELERATION, good), "channel 4", "POSITION");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, bind(999, good), "channel 999");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, bind(CLOTHC_CHANNEL_POSITION, small), "79 elements", "80 vertices");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, bind(CLOTHC_CHANNEL_POSITION, words), "format");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE,
               clothc_cloth_bind(scene.solver, 12345, CLOTHC_CHANNEL_POSITION, good, nullptr), "0x3039");
  Scene stranger(with_own_device(GetParam()));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, bind(CLOTHC_CHANNEL_POSITION, stranger.buffer(500)), "another device");
  clothc_view view = initialised<clothc_view>();
  view.flags = 2;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT,
               clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, good, &view), "view.flags is 0x2");
  EXPECT_OK(bind(CLOTHC_CHANNEL_POSITION, nullptr));
}

}  // namespace
}  // namespace binding_test
