// barriers_test.cpp - barriers stand wherever the order of two passes matters and nowhere else. This is checked by what
// kernels declare, and by running real updates in the worst orders that the barriers allow.
#include "core/schedule/barriers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <set>
#include <string>

#include "unit/core/host_backend.h"
#include "unit/core/host_scene.h"
#include "unit/core/recorded_scene.h"

namespace clothc::test::barriers_test {
namespace {

std::string name_of_pass(const Schedule& schedule, uint32_t pass) {
  if (schedule.passes[pass].operation != no_operation) return "pass " + std::to_string(pass) + ", an operation";
  const Job& job = schedule.jobs[schedule.passes[pass].first_job];
  return "pass " + std::to_string(pass) + ", " + info_of(static_cast<Kernel>(job.kernel)).name;
}

// ---- Checks by what kernels declare.

bool conflict(const Schedule& schedule, uint32_t a, uint32_t b) {
  const auto accessed = [&](uint32_t pass, uint32_t KernelInfo::*direction) {
    const Pass& p = schedule.passes[pass];
    uint32_t data = p.operation != no_operation ? schedule.operations[p.operation].access : 0;
    for (uint32_t k = 0; k < p.job_count; ++k) {
      data |= info_of(static_cast<Kernel>(schedule.jobs[p.first_job + k].kernel)).*direction;
    }
    return data;
  };
  const uint32_t a_writes = accessed(a, &KernelInfo::writes), b_writes = accessed(b, &KernelInfo::writes);
  const uint32_t a_reads = accessed(a, &KernelInfo::reads), b_reads = accessed(b, &KernelInfo::reads);
  return (a_writes & (b_reads | b_writes)) != 0 || (b_writes & a_reads) != 0;
}

// Returns the first two conflicting passes without a barrier between them, or an empty string.
std::string race(const Schedule& schedule, uint32_t repeat_count) {
  const std::vector<uint32_t> order = unroll(schedule, repeat_count);
  for (size_t later = 0; later < order.size(); ++later) {
    for (size_t earlier = later; earlier-- > 0;) {
      if (schedule.passes[order[earlier + 1]].barrier) break;
      if (!conflict(schedule, order[earlier], order[later])) continue;
      return name_of_pass(schedule, order[earlier]) + " and " + name_of_pass(schedule, order[later]);
    }
  }
  return "";
}

std::vector<uint32_t> passes_with_barriers(const Schedule& schedule) {
  std::vector<uint32_t> passes;
  for (uint32_t k = 0; k < schedule.passes.size(); ++k) {
    if (schedule.passes[k].barrier) passes.push_back(k);
  }
  return passes;
}

void expect_right_barriers(const Schedule& schedule) {
  for (const uint32_t repeat_count : {1u, 2u, 3u}) EXPECT_EQ(race(schedule, repeat_count), "");
  for (const uint32_t pass : passes_with_barriers(schedule)) {
    Schedule without = schedule;
    without.passes[pass].barrier = false;
    EXPECT_NE(race(without, 3), "") << name_of_pass(schedule, pass) << " has a barrier for nothing";
  }
}

TEST(Barriers, real_schedules_have_those_that_their_kernels_need) {
  const RecordedScene scene;
  ASSERT_GT(scene.recordings().size(), 10u);
  for (const Recording& recording : scene.recordings()) expect_right_barriers(*recording.dispatch.schedule);
}

TEST(Barriers, any_schedule_has_those_that_its_kernels_need) {
  std::mt19937 random(7);
  const auto below = [&](size_t end) { return static_cast<uint32_t>(random() % end); };
  for (int round = 0; round < 3000 && !testing::Test::HasFailure(); ++round) {
    Schedule schedule;
    const uint32_t counts[] = {below(4), below(6), below(4)};
    for (const Access access : {access_cloth_bvh, access_reports, access_colliders})
      schedule.operations.push_back({TableOperation::Kind::scan, 0, 0, 0, 1, access});
    for (uint32_t k = counts[0] + counts[1] + counts[2]; k > 0; --k) {
      schedule.passes.push_back({static_cast<uint32_t>(schedule.jobs.size()), 1 + below(2)});
      if (below(4) == 0) {
        schedule.passes.back().job_count = 0;
        schedule.passes.back().operation = below(3);
      }
      for (uint32_t w = 0; w < schedule.passes.back().job_count; ++w) {
        schedule.jobs.push_back({below(static_cast<size_t>(Kernel::count)), 0, 0, 16, 0});
      }
    }
    schedule.repeat_begin = counts[0];
    schedule.repeat_end = counts[0] + counts[1];
    derive_barriers(schedule);
    expect_right_barriers(schedule);
  }
}

// ---- Checks by running updates.

// A job of a pass, or its operation if job is null.
struct Item {
  uint32_t pass;
  const Job* job;
};
using Items = std::vector<Item>;
using Order = std::function<void(Items&)>;

Items interleaved(const Items& items) {
  Items result;
  const size_t half = (items.size() + 1) / 2;
  for (size_t k = 0; k < half; ++k) {
    if (half + k < items.size()) result.push_back(items[half + k]);
    result.push_back(items[k]);
  }
  return result;
}

// Returns orders in which to run the jobs between two barriers.
const std::vector<Order>& orders() {
  static const std::vector<Order> all = {
      [](Items& items) { std::reverse(items.begin(), items.end()); },
      [](Items& items) {
        std::rotate(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2), items.end());
      },
      [](Items& items) { items = interleaved(items); },
      [](Items& items) { std::shuffle(items.begin(), items.end(), std::mt19937(1)); },
  };
  return all;
}

// Runs the recording with the jobs between two barriers in the given order and returns the final state. no_barrier: a
// pass whose barrier is left out.
State run_in_order(const Recording& recording, const Order& order, uint32_t no_barrier = 0xffffffffu) {
  const Dispatch& dispatch = recording.dispatch;
  const Schedule& schedule = *dispatch.schedule;
  restore(dispatch, recording.before);
  Items items;
  const auto run_items = [&] {
    order(items);
    for (const Item& item : items) {
      if (item.job != nullptr) {
        run_job(dispatch, item.pass, *item.job);
      } else {
        run_operation(dispatch, schedule.operations[schedule.passes[item.pass].operation]);
      }
    }
    items.clear();
  };
  for (const uint32_t k : unroll(schedule, dispatch.repeat_count)) {
    const Pass& pass = schedule.passes[k];
    if (pass.barrier && k != no_barrier) run_items();
    if (pass.operation != no_operation) items.push_back({k, nullptr});
    for (uint32_t w = 0; w < pass.job_count; ++w) items.push_back({k, &schedule.jobs[pass.first_job + w]});
  }
  run_items();
  return save(dispatch);
}

// Compares only what a program or a later update can observe: particles and GroupRecord.state.
bool same_outcome(const State& a, const State& b) {
  const auto state_of = [](const State& s, size_t cloth) {
    return s.cloths.data() + cloth * sizeof(GroupRecord) + offsetof(GroupRecord, state);
  };
  for (size_t k = 0; k < a.cloths.size() / sizeof(GroupRecord); ++k) {
    if (!std::equal(state_of(a, k), state_of(a, k) + sizeof(GroupState), state_of(b, k))) return false;
  }
  return a.particles == b.particles;
}

TEST(Barriers, between_barriers_the_order_does_not_matter) {
  const RecordedScene scene;
  for (const Recording& recording : scene.recordings()) {
    const State expected = run_in_order(recording, [](Items&) {});
    for (size_t k = 0; k < orders().size(); ++k) {
      EXPECT_TRUE(run_in_order(recording, orders()[k]) == expected)
          << "order " << k << ", " << name_of_pass(*recording.dispatch.schedule, 0);
    }
  }
}

// The scene has three cloths that collide with themselves and with each other, in iterations and at the update's end,
// and that sleep.
TEST(Barriers, of_cloths_that_collide_are_those_that_they_need) {
  HostScene scene;
  for (uint32_t k = 0; k < 3; ++k) {
    clothc_cloth_parameters parameters = inter_collision(k);
    parameters.inter_collision_friction = 0.4f;
    parameters.self_collision_distance = 0.12f;
    parameters.self_collision_damping = 0.5f;
    parameters.sleep_threshold = 0.1f;
    parameters.sleep_test_interval = 10;
    scene.add(parameters, 40, 0.05f * static_cast<float>(k), 0.1f * static_cast<float>(k));
  }
  for (int update = 0; update < 3; ++update) {
    ASSERT_EQ(scene.update().size(), 2u);
    for (const Recording& recording : scene.recordings()) {
      expect_right_barriers(*recording.dispatch.schedule);
      const State expected = run_in_order(recording, [](Items&) {});
      for (size_t k = 0; k < orders().size(); ++k)
        EXPECT_TRUE(run_in_order(recording, orders()[k]) == expected) << "order " << k << ", update " << update;
    }
  }
}

// The barriers between begin_group and these kernels are not needed: they write different words of tables, but the
// kernels' declarations do not tell them apart.
bool is_about_tables_alone(const Schedule& schedule, uint32_t pass) {
  const uint32_t kernel = schedule.jobs[schedule.passes[pass].first_job].kernel;
  return kernel == static_cast<uint32_t>(Kernel::refit_shape_blocks) ||
         kernel == static_cast<uint32_t>(Kernel::find_pinned_particles);
}

// Velocities keep their pass once they were set, but it does nothing in updates before which none were set.
bool applies_no_velocities(const Recording& recording, uint32_t pass) {
  const Schedule& schedule = *recording.dispatch.schedule;
  const auto begin = schedule.jobs.begin() + schedule.passes[pass].first_job;
  return std::all_of(begin, begin + schedule.passes[pass].job_count, [&](const Job& job) {
    GroupSettings settings;
    std::memcpy(&settings, recording.before.cloths.data() + job.record * sizeof(GroupRecord), sizeof(settings));
    return job.kernel == static_cast<uint32_t>(Kernel::apply_velocity) && settings.velocity_block == 0;
  });
}

// Some passes have jobs of other cloths than all passes since the barrier before theirs. What barriers are derived from
// does not tell cloths apart.
bool is_about_other_cloths(const Schedule& schedule, uint32_t pass) {
  const auto cloths_of = [&](uint32_t k, std::set<uint32_t>& cloths) {
    for (uint32_t w = 0; w < schedule.passes[k].job_count; ++w)
      cloths.insert(schedule.jobs[schedule.passes[k].first_job + w].record);
  };
  std::set<uint32_t> own, before;
  cloths_of(pass, own);
  for (uint32_t k = pass; k-- > 0;) {
    cloths_of(k, before);
    if (schedule.passes[k].barrier) break;
  }
  return std::none_of(own.begin(), own.end(), [&](uint32_t cloth) { return before.count(cloth) != 0; });
}

TEST(Barriers, across_each_barrier_the_order_matters) {
  const RecordedScene scene(false);
  for (const Recording& recording : scene.recordings()) {
    const Schedule& schedule = *recording.dispatch.schedule;
    const State expected = run_in_order(recording, [](Items&) {});
    for (const uint32_t pass : passes_with_barriers(schedule)) {
      if (is_about_tables_alone(schedule, pass) || applies_no_velocities(recording, pass) ||
          is_about_other_cloths(schedule, pass))
        continue;
      const bool matters = std::any_of(orders().begin(), orders().end(), [&](const Order& order) {
        return !same_outcome(run_in_order(recording, order, pass), expected);
      });
      EXPECT_TRUE(matters) << "run " << &recording - scene.recordings().data() << ", " << name_of_pass(schedule, pass)
                           << " could do without its barrier";
    }
  }
}

}  // namespace
}  // namespace clothc::test::barriers_test
