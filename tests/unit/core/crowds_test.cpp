// crowds_test.cpp - which cloths are solved together, and the programs of crowds.
#include "core/schedule/crowds.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "unit/core/made_cloths.h"

namespace clothc::test::crowds_test {
namespace {

constexpr uint32_t particles = 100;

DeviceLimits limits_for(uint32_t workers) {
  DeviceLimits limits;
  limits.worker_count = workers;
  limits.lanes_per_worker = 8;
  limits.forms_crowds = true;
  return limits;
}

// Cloths of one fabric with two phases. change: changes cloth k before its jobs are built.
std::vector<Cloth> make_cloths(
    uint32_t count, const std::function<void(uint32_t, Cloth&)>& change = [](auto, auto&) {},
    const std::shared_ptr<FabricLayout>& fabric = make_fabric(particles, {{40, 30}, {20}})) {
  std::vector<Cloth> cloths;
  for (uint32_t k = 0; k < count; ++k) {
    cloths.push_back(make_cloth(k, fabric, shapes_for(false, true)));
    if (k > 0) cloths[k].topology = cloths[0].topology;
    change(k, cloths[k]);
    build_jobs(cloths[k], shapes_for(false, true), {}, cloths[k].jobs);
  }
  return cloths;
}

Division divide(std::vector<Cloth>& cloths, const DeviceLimits& limits,
                clothc_schedule wanted = CLOTHC_SCHEDULE_CLOTH) {
  std::vector<Cloth*> pointers;
  for (Cloth& cloth : cloths) pointers.push_back(&cloth);
  return clothc::divide(pointers, wanted, limits);
}

std::vector<uint32_t> slots_of(const std::vector<const Cloth*>& cloths) {
  std::vector<uint32_t> slots;
  for (const Cloth* cloth : cloths) slots.push_back(cloth->slot);
  return slots;
}

TEST(Crowds, have_16_cloths_that_solve_the_same_constraints_of_one_fabric) {
  std::vector<Cloth> cloths = make_cloths(36);
  const Division division = divide(cloths, limits_for(1));
  ASSERT_EQ(division.crowds.size(), 2u);
  for (uint32_t c = 0; c < 2; ++c) {
    std::vector<uint32_t> expected;
    for (uint32_t k = 0; k < crowd_size; ++k) expected.push_back(crowd_size * c + k);
    EXPECT_EQ(slots_of(division.crowds[c].cloths), expected);
  }
  EXPECT_EQ(slots_of(division.alone), (std::vector<uint32_t>{32, 33, 34, 35}));
}

size_t crowd_count(std::vector<Cloth> cloths, const DeviceLimits& limits = limits_for(1),
                   clothc_schedule wanted = CLOTHC_SCHEDULE_CLOTH) {
  const Division division = divide(cloths, limits, wanted);
  EXPECT_EQ(division.alone.size() + division.in_passes.size() + crowd_size * division.crowds.size(), cloths.size());
  return division.crowds.size();
}

TEST(Crowds, are_formed_only_where_they_pay) {
  EXPECT_EQ(crowd_count(make_cloths(15)), 0u);
  EXPECT_EQ(crowd_count(make_cloths(16)), 1u);
  EXPECT_EQ(crowd_count(make_cloths(16), limits_for(2)), 0u) << "two workers take 8 each";
  EXPECT_EQ(crowd_count(make_cloths(64), limits_for(4)), 4u);
  EXPECT_EQ(crowd_count(make_cloths(64), limits_for(16)), 0u);
  EXPECT_EQ(crowd_count(make_cloths(64), DeviceLimits{1, 8}), 0u) << "a device that cannot";
  EXPECT_EQ(crowd_count(make_cloths(64), limits_for(1), CLOTHC_SCHEDULE_PASS), 0u);
  const auto nothing = [](auto, auto&) {};
  EXPECT_EQ(crowd_count(make_cloths(16, nothing, make_fabric(particles, {{16, 15}}))), 0u) << "few constraints";
  EXPECT_EQ(crowd_count(make_cloths(16, nothing, make_fabric(513, {{64}}))), 0u) << "too large";
}

TEST(Crowds, take_only_cloths_that_run_the_same_kernels_over_the_same_constraints) {
  const auto odd = [](const std::function<void(Cloth&)>& change) {
    return make_cloths(32, [=](uint32_t k, Cloth& cloth) {
      if (k % 2 == 1) change(cloth);
    });
  };
  EXPECT_EQ(crowd_count(odd([](Cloth&) {})), 2u);
  // These form crowds of their own.
  EXPECT_EQ(crowd_count(odd([](Cloth& cloth) { std::swap(cloth.phases[0].phase, cloth.phases[1].phase); })), 2u);
  EXPECT_EQ(crowd_count(odd([](Cloth& cloth) { cloth.phases[1].stiffness = 0; })), 2u);
  const std::vector<Cloth> limited = odd([](Cloth& cloth) {
    cloth.phases[1].stiffness_multiplier = 0.5f;
    cloth.phases[1].stretch_limit = 1.1f;
  });
  EXPECT_EQ(crowd_count(limited), 2u);
  // A stiffness differs only in what the records say.
  std::vector<Cloth> stiff = odd([](Cloth& cloth) { cloth.phases[0].stiffness = 0.5f; });
  EXPECT_EQ(slots_of(divide(stiff, limits_for(1)).crowds[0].cloths)[1], 1u);
  std::vector<Cloth> others = make_cloths(32);
  for (uint32_t k = 0; k < 32; k += 2) {
    const auto own = std::make_shared<ClothTopology>();
    own->layout = others[k].topology->layout;
    others[k].topology = own;
  }
  EXPECT_EQ(crowd_count(std::move(others)), 1u) << "those of one fabric";
  const auto mixed = make_fabric(particles, {{40}, {40}});
  mixed->phase_types[1] = CLOTHC_PHASE_LONG_RANGE;
  EXPECT_EQ(crowd_count(make_cloths(
                16, [](auto, auto&) {}, mixed)),
            1u)
      << "long-range constraints come behind";
  mixed->phase_sets.push_back(0);
  mixed->phase_types.push_back(CLOTHC_PHASE_OTHER);
  EXPECT_EQ(crowd_count(make_cloths(
                16, [](auto, auto&) {}, mixed)),
            0u)
      << "between";
}

TEST(Crowds, run_all_jobs_of_their_cloths_but_solve_phases_once) {
  std::vector<Cloth> cloths = make_cloths(19, [](uint32_t, Cloth& cloth) {
    cloth.phases[1].stiffness_multiplier = 0.5f;
    cloth.phases[1].stretch_limit = 1.1f;
  });
  Division division = divide(cloths, limits_for(1));
  ASSERT_EQ(division.crowds.size(), 1u);
  const uint32_t word = division.crowds[0].word = 3200;
  const auto schedule = build_schedule(division, limits_for(1));
  ASSERT_EQ(schedule->programs.size(), 4u);
  const Program& program = schedule->programs[0];
  ASSERT_EQ(program.record_count, crowd_size);
  std::map<Kernel, std::vector<Job>> jobs;
  for (uint32_t k = program.iteration; k < program.after; ++k) {
    const Job& job = schedule->jobs[k];
    const auto kernel = static_cast<Kernel>(job.kernel);
    jobs[kernel].push_back(job);
    const bool is_alone = kernel == Kernel::solve_edges || kernel == Kernel::solve_edges_with_limits;
    const bool is_together = info_of(kernel).reads & access_crowd || info_of(kernel).writes & access_crowd;
    EXPECT_EQ(is_alone, program.alone <= k && k < program.rest) << name_of(job);
    EXPECT_EQ(is_together, program.together <= k && k < program.alone) << name_of(job);
  }
  EXPECT_EQ(jobs[Kernel::solve_edges].size(), 2 * crowd_size);
  for (const Kernel kernel : {Kernel::begin_iteration, Kernel::integrate, Kernel::join_crowd, Kernel::collide_curved}) {
    ASSERT_EQ(jobs[kernel].size(), crowd_size) << info_of(kernel).name;
    for (uint32_t k = 0; k < crowd_size; ++k) EXPECT_EQ(jobs[kernel][k].record, k);
  }
  for (uint32_t k = 0; k < crowd_size; ++k) EXPECT_EQ(jobs[Kernel::join_crowd][k].argument, word + k);
  const auto expect_job = [&](Kernel kernel, size_t index, uint32_t begin, uint32_t end, uint32_t phase) {
    ASSERT_GT(jobs[kernel].size(), index) << info_of(kernel).name;
    const Job& job = jobs[kernel][index];
    EXPECT_EQ(job.begin, 16 * begin);
    EXPECT_EQ(job.end, 16 * end);
    EXPECT_EQ(job.argument, word + crowd_head_words + phase * crowd_phase_words);
  };
  expect_job(Kernel::enter_crowd, 0, 0, padded(particles), 0);
  expect_job(Kernel::solve_edges_of_crowd, 0, 0, 40, 0);
  expect_job(Kernel::solve_edges_of_crowd, 1, 48, 78, 0);
  expect_job(Kernel::solve_edges_of_crowd_with_limits, 0, 0, 20, 1);
  expect_job(Kernel::leave_crowd, 0, 0, padded(particles), 0);
  for (uint32_t k = 0; k < crowd_size; ++k) EXPECT_EQ(schedule->program_records[program.first_record + k], k);
  EXPECT_EQ(words_of(division.crowds[0]), crowd_head_words + 2 * crowd_phase_words + 64 * padded(particles));
  // The others are as they would be without a crowd.
  EXPECT_EQ(schedule->programs[1].record, 16u);
  EXPECT_EQ(schedule->programs[1].record_count, 0u);
  const uint64_t loops = schedule->loops_per_iteration;
  EXPECT_EQ(loops, build_schedule(divide(cloths, DeviceLimits{1, 8}), DeviceLimits{1, 8})->loops_per_iteration);
}

}  // namespace
}  // namespace clothc::test::crowds_test
