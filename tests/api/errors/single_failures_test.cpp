// single_failures_test.cpp - each allocation of a call fails in turn while all others succeed. The call fails, unless
// it can do without that memory; then it gives the same result.
#include <set>

#include "support/allocations.h"
#include "support/every_shape.h"
#include "support/groups.h"

using namespace clothc_test;

namespace single_failures_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(SingleFailures);

struct Solver : DeviceAllocator, Scene {
  static SceneOptions options(clothc_backend backend, DeviceAllocator& allocator) {
    SceneOptions o(backend);
    o.solver.contact_capacity = 64;
    o.solver.cloth_capacity = 128;
    o.solver.particle_capacity = 1u << 13;
    if (backend == CLOTHC_BACKEND_CPU) allocator.use_in(o.device);
    return o;
  }
  explicit Solver(clothc_backend backend) : Scene(options(backend, *this)) {}
  clothc_collider_set_id set = 0;
  clothc_buffer buffer = Scene::buffer(30);
  clothc_group_id group = 0;
  clothc_buffer words = filled_buffer(device, std::vector<uint32_t>{0, 1, 1, 2, 2, 3});
  clothc_buffer lengths = filled_buffer(device, std::vector<float>{0.1f, 0.2f, 0.3f});
  std::vector<uint8_t> saved;
};

using Call = std::function<clothc_result(Solver&)>;

// Returns the calls of a typical program. Each may be made many times.
std::vector<std::pair<std::string, Call>> calls() {
  static const std::vector<clothc_region> regions(40, {0, 0, 1});
  static const std::vector<float> spheres(4 * 20, 0.25f);
  const auto parameters = [](Solver& s, clothc_cloth_id cloth, float wind) {
    clothc_cloth_parameters p = initialised<clothc_cloth_parameters>();
    p.drag_coefficient = 0.5f, p.wind_velocity[0] = wind, p.sleep_threshold = 1e-5f, p.statistics = 3;
    p.self_collision_distance = p.inter_collision_distance = 0.01f, p.collision_flags |= CLOTHC_COLLISION_REPORT;
    return clothc_cloth_set_parameters(s.solver, cloth, &p);
  };
  const auto update = [](Solver& s) {
    const clothc_update u = initialised<clothc_update>();
    return clothc_solver_update(s.solver, &u, nullptr);
  };
  const auto add = [=](Solver& s) {
    const clothc_cloth_desc desc = s.cloth_desc();
    clothc_cloth_id cloth = 0;
    return clothc_cloth_add(s.solver, &desc, &cloth);
  };
  const auto get = [](Solver& s) {
    return clothc_solver_get(s.solver, CLOTHC_CHANNEL_POSITION, s.buffer, nullptr, regions.data(), 40, 0);
  };
  return {
      {"solver_update", update},
      {"cloth_add", add},
      {"cloth_clone",
       [](Solver& s) {
         clothc_cloth_id cloth = 0;
         return clothc_cloth_clone(s.solver, s.cloth, &cloth);
       }},
      {"cloth_set_parameters", [=](Solver& s) { return parameters(s, s.cloth, 1); }},
      {"collider_set_create", [](Solver& s) { return clothc_collider_set_create(s.solver, &s.set); }},
      {"collider_set_write",
       [](Solver& s) {
         clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
         shapes.spheres = spheres.data();
         shapes.sphere_count = 20;
         return clothc_collider_set_write(s.solver, s.set, &shapes);
       }},
      {"cloth_set_collider_sets",
       [](Solver& s) { return clothc_cloth_set_collider_sets(s.solver, s.cloth, &s.set, 1); }},
      {"cloth_bind",
       [](Solver& s) { return clothc_cloth_bind(s.solver, s.cloth, CLOTHC_CHANNEL_POSITION, s.buffer, nullptr); }},
      {"group_add",
       [](Solver& s) {
         const clothc_group_desc desc = group_desc(spheres, 0.1f);
         return clothc_group_add(s.solver, &desc, &s.group);
       }},
      {"group_set_springs",
       [](Solver& s) { return clothc_group_set_springs(s.solver, s.group, s.words, s.lengths, s.lengths, 3); }},
      {"group_set_active", [](Solver& s) { return clothc_group_set_active(s.solver, s.group, s.words, 2); }},
      {"solver_update", update},
      {"solver_get", get},
      {"solver_set",
       [](Solver& s) {
         return clothc_solver_set(s.solver, CLOTHC_CHANNEL_MOTION_CONSTRAINT, s.buffer, nullptr, regions.data(), 40, 0);
       }},
      {"cloth_reset", [](Solver& s) { return clothc_cloth_reset(s.solver, s.cloth, nullptr); }},
      {"solver_update", update},
      {"solver_state_hash",
       [](Solver& s) {
         uint64_t value = 0;
         return clothc_solver_state_hash(s.solver, &value);
       }},
      {"solver_get_debug_lines",
       [](Solver& s) {
         clothc_debug_desc desc = initialised<clothc_debug_desc>();
         desc.flags = (1u << 11) - 1;
         uint32_t count = 0;
         return clothc_solver_get_debug_lines(s.solver, &desc, nullptr, &count);
       }},
      {"solver_snapshot",
       [](Solver& s) {
         uint64_t size = 0;
         return clothc_solver_snapshot(s.solver, nullptr, &size);
       }},
      {"solver_restore",
       [](Solver& s) { return clothc_solver_restore(s.solver, s.saved.data(), s.saved.size(), &s.fabric, 1); }},
      {"solver_update", update},
      {"solver_compact",
       [](Solver& s) {
         clothc_move moves[4];
         uint32_t count = 4;
         const clothc_result result = clothc_solver_compact(s.solver, moves, &count);
         return result == CLOTHC_INCOMPLETE ? CLOTHC_SUCCESS : result;
       }},
      {"fabric_cook",
       [](Solver& s) {
         clothc_mesh_desc mesh = s.sheet.desc();
         mesh.flags = CLOTHC_COOK_QUADIFY;
         mesh.virtual_particles_per_triangle = 1;
         clothc_fabric fabric = nullptr;
         return clothc_fabric_cook(s.device, &mesh, &fabric);
       }},
  };
}

// Calls that may succeed although an allocation failed. Such an allocation must be one of operator new(std::nothrow):
// - solver_update: std::stable_sort, which orders the jobs of passes and of bound channels, requests memory to merge
// into. If it gets none it merges in place, which takes longer and gives the same order.
const std::set<std::string> may_do_without = {"solver_update"};

TEST_P(SingleFailures, make_calls_fail_or_change_nothing_about_their_results) {
  Solver scene(GetParam()), twin(GetParam());
  for (const auto& [name, call] : calls()) {
    int successes = 0;
    if (name == "solver_restore") scene.saved = twin.saved = twin.snapshot();
    for (const bool in_device : {false, true}) {
      bool failed = true;
      for (int64_t n = 0; failed && n < 5000; ++n) {
        EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
        const uint64_t refused_before = refused_allocations, quietly_before = quietly_refused_allocations;
        scene.fails_once = fails_once = true;
        std::atomic<int64_t> allowed_here{-1};
        (in_device ? scene.allowed : allowed_here) = n;
        allowed_allocations = allowed_here;
        const clothc_result result = call(scene);
        failed = in_device ? scene.allowed < 0 : refused_allocations > refused_before;
        allowed_allocations = -1;
        scene.allowed = -1;
        scene.fails_once = fails_once = false;
        successes += result == CLOTHC_SUCCESS ? 1 : 0;
        const bool quietly = quietly_refused_allocations > quietly_before;
        if (!failed || (quietly && may_do_without.count(name) != 0)) {
          EXPECT_EQ(result, CLOTHC_SUCCESS) << name << " at " << n << ": " << clothc_last_error_message();
        } else {
          EXPECT_EQ(result, CLOTHC_ERROR_OUT_OF_MEMORY) << name << " at " << n << (in_device ? " of the device" : "");
        }
      }
      EXPECT_FALSE(failed) << name << " has no end";
    }
    for (int k = 0; k < successes; ++k) EXPECT_OK(call(twin)) << name;
    ASSERT_EQ(scene.hash(), twin.hash()) << name;
  }
}

}  // namespace
}  // namespace single_failures_test
