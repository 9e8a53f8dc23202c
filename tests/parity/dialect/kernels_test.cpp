// kernels_test.cpp - runs every kernel of the library over several updates of two sheets and checks that all
// instruction sets and Vulkan give the bits of the scalar code.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "parity/dialect/ptx_runner.h"
#include "parity/dialect/sheets.h"
#include "parity/dialect/vulkan_runner.h"
#include "support/long_form.h"

namespace clothc::probes::kernels_test {
namespace {

// After 28 updates every occasional event has happened at least once and the second sheet's ring of time steps has
// wrapped around; after 70 the first sheet's ring has wrapped around too.
const int frame_count = clothc_test::long_form() ? 70 : 28;
// Emulated divisions take lavapipe three times as long, and the tests of divisions cover their operands.
const int strict_frame_count = clothc_test::long_form() ? 70 : 8;
constexpr uint32_t iteration_count = 4;

// Returns the arenas of the scene after each update, computed by the scalar code.
const std::vector<Arenas>& scalar_frames() {
  static const std::vector<Arenas> all = [] {
    std::vector<Arenas> frames;
    const Scene scene = make_scene();
    Arenas arenas = scene.arenas;
    for (int frame = 0; frame < frame_count; ++frame) {
      prepare_frame(scene, arenas, frame);
      run({&cpu::scalar_kernels, scalar_functions}, arenas, jobs_of_frame(scene, frame, iteration_count));
      frames.push_back(arenas);
    }
    return frames;
  }();
  return all;
}

TEST(Kernels, the_scene_uses_every_kernel) {
  const Scene scene = make_scene();
  std::set<uint32_t> used;
  for (int frame = 0; frame < frame_count; ++frame) {
    for (const Job& job : jobs_of_frame(scene, frame, iteration_count)) used.insert(job.kernel);
  }
  for (uint32_t k = 0; k < kernel_count; ++k) EXPECT_EQ(used.count(k), 1u) << kernel_infos[k].name;
}

// The anchors of a row of tethers are one slot, slots one after the other, or a row of slots.
TEST(Kernels, the_scene_has_anchors_of_every_form_in_lattices) {
  const Scene scene = make_scene();
  for (const Sheet& sheet : scene.sheets) {
    std::set<uint32_t> forms;
    const uint32_t row_count = sheet.lattice.slot_count() / lane_padding * lattice_tethers_per_particle;
    for (uint32_t row = 0; row < row_count; ++row) {
      const uint32_t first = scene.arenas.topology[sheet.lattice_tethers + row * LatticeTethers::row_words];
      forms.insert(first >> 31 == 0 ? 2 : ~first % 2);
    }
    EXPECT_EQ(forms, (std::set<uint32_t>{0, 1, 2}));
  }
}

// AVX-512 handles two batches of 16 at a time when there are more than 128 items, and half a batch when eight or fewer
// remain.
TEST(Kernels, the_scene_has_constraints_and_tethers_of_every_width) {
  const Scene scene = make_scene();
  std::set<Kernel> wide, whole, half;
  const auto add = [&](Kernel kernel, uint32_t count) {
    const uint32_t behind_pairs = count % 32 <= 16 ? count % 32 : 0;
    const uint32_t rest = count > 128 ? behind_pairs : count;
    if (count > 128) wide.insert(kernel);
    if (rest > 8) whole.insert(kernel);
    if (rest % 16 >= 1 && rest % 16 <= 8) half.insert(kernel);
  };
  for (const Sheet& sheet : scene.sheets) {
    for (const Colour& colour : sheet.colours) {
      if (info_of(colour.kernel).class_of_items == KernelClass::constraints_wide)
        add(colour.kernel, colour.end - colour.begin);
    }
    add(Kernel::constrain_tethers, sheet.tether_count);
  }
  const std::set<Kernel> all = {
      Kernel::constrain_tethers,       Kernel::solve_long_range,           Kernel::solve_edges,
      Kernel::solve_edges_with_limits, Kernel::solve_edges_with_stiffness, Kernel::solve_rings,
      Kernel::solve_rings_with_limits};
  // The sheets have no particles for so many rings; the hashes of larger cloths compare these.
  std::set<Kernel> but_rings = all;
  but_rings.erase(Kernel::solve_rings);
  but_rings.erase(Kernel::solve_rings_with_limits);
  EXPECT_EQ(wide, but_rings);
  EXPECT_EQ(whole, all);
  EXPECT_EQ(half, all);
}

TEST(Kernels, the_scene_stays_sane) {
  const std::vector<Arenas>& frames = scalar_frames();
  for (const GroupRecord& cloth : frames.back().records) {
    EXPECT_GT(cloth.state.status.minimum_y, -2.0f);
    EXPECT_LT(cloth.state.status.minimum_y, -0.3f);
    EXPECT_LT(cloth.state.status.maximum_y, 1.0f);
    EXPECT_GT(cloth.state.status.non_finite_count, 0u);
  }
  EXPECT_NE(frames[0].records[0].state.hash_low, frames[1].records[0].state.hash_low);
}

// Returns the particles after several updates without the kind of shape that the given counter counts.
std::vector<float> particles_without(const Scene& scene, uint32_t GroupSettings::*shapes, int updates) {
  Arenas arenas = scene.arenas;
  for (GroupRecord& cloth : arenas.records) {
    if (shapes != nullptr) cloth.settings.*shapes = 0;
  }
  for (int frame = 0; frame < updates; ++frame) {
    prepare_frame(scene, arenas, frame);
    run({&cpu::scalar_kernels, scalar_functions}, arenas, jobs_of_frame(scene, frame, iteration_count));
  }
  return arenas.particles;
}

TEST(Kernels, shapes_of_every_kind_overlap_both_sheets) {
  const Scene scene = make_scene();
  const std::vector<float> with_all = particles_without(scene, nullptr, 15);
  const size_t second = size_t{4} * scene.arenas.records[1].settings.first_particle;
  const struct {
    const char* name;
    uint32_t GroupSettings::*count;
  } kinds[] = {{"spheres", &GroupSettings::sphere_count},
               {"capsules", &GroupSettings::capsule_count},
               {"convexes", &GroupSettings::convex_count},
               {"ellipsoids", &GroupSettings::ellipsoid_count},
               {"boxes", &GroupSettings::box_count},
               {"triangles", &GroupSettings::mesh_count},
               {"signed distance fields", &GroupSettings::sdf_count}};
  for (const auto& kind : kinds) {
    const std::vector<float> without = particles_without(scene, kind.count, 15);
    const auto differ = [&](size_t begin, size_t end) {
      return !std::equal(&with_all[begin], &with_all[end], &without[begin]);
    };
    EXPECT_TRUE(differ(0, second) && differ(second, 2 * second)) << kind.name;
  }
}

TEST(Kernels, every_instruction_set_gives_the_scalar_bits) {
  const Scene scene = make_scene();
  const std::vector<Arenas>& expected = scalar_frames();
  for_each_instruction_set([&](const InstructionSet& set) {
    Arenas arenas = scene.arenas;
    for (int frame = 0; frame < frame_count; ++frame) {
      prepare_frame(scene, arenas, frame);
      run(set, arenas, jobs_of_frame(scene, frame, iteration_count));
      const std::string difference = first_difference(expected[static_cast<size_t>(frame)], arenas);
      ASSERT_EQ(difference, "") << set.kernels->name << ", update " << frame;
    }
  });
}

std::vector<int> first_updates(int count) {
  std::vector<int> updates(static_cast<size_t>(count));
  std::iota(updates.begin(), updates.end(), 0);
  return updates;
}

// Returns the first difference between the PTX and the scalar code over the jobs of the given updates, or an empty
// string. Updates that are left out, the scalar code does.
std::string ptx_difference(PtxRunner& runner, const PtxWay& way, const std::vector<int>& updates) {
  const Scene scene = make_scene();
  const std::vector<Arenas>& expected = scalar_frames();
  for (const int frame : updates) {
    Arenas arenas = frame == 0 ? scene.arenas : expected[static_cast<size_t>(frame - 1)];
    prepare_frame(scene, arenas, frame);
    runner.run(arenas, jobs_of_frame(scene, frame, iteration_count), way);
    const std::string difference = first_difference(expected[static_cast<size_t>(frame)], arenas);
    if (!difference.empty()) return "update " + std::to_string(frame) + ", " + difference;
  }
  return "";
}

// Updates that are enough for every kernel.
const std::vector<int> few_updates = {0, 2, 3};
TEST(Kernels, are_all_run_by_a_few_updates) {
  const Scene scene = make_scene();
  std::set<uint32_t> run;
  for (const int frame : few_updates) {
    for (const Job& job : jobs_of_frame(scene, frame, iteration_count)) run.insert(job.kernel);
  }
  for (uint32_t kernel = 0; kernel < kernel_count; ++kernel) EXPECT_EQ(run.count(kernel), 1u) << kernel;
}

// The interpreter also looks for accesses outside of the arenas, and for writes to what kernels only read.
TEST(Kernels, the_ptx_gives_the_scalar_bits_in_every_order_without_races) {
  const std::vector<int> updates = clothc_test::long_form() ? first_updates(frame_count) : few_updates;
  const std::unique_ptr<PtxRunner> runner = PtxRunner::create(CLOTHC_PTX_FOLDER);
  EXPECT_EQ(ptx_difference(*runner, {ptx::Order::forward, false}, updates), "");
  EXPECT_EQ(ptx_difference(*runner, {ptx::Order::backward, true}, updates), "");
  EXPECT_EQ(ptx_difference(*runner, {ptx::Order::permuted, true}, updates), "");
  EXPECT_EQ(ptx::take_races(), std::vector<std::string>());
}

// Two colours in one job share particles.
TEST(Kernels, the_ptx_of_colours_that_overlap_has_races) {
  const std::unique_ptr<PtxRunner> runner = PtxRunner::create(CLOTHC_PTX_FOLDER);
  const Scene scene = make_scene();
  Arenas arenas = scene.arenas;
  prepare_frame(scene, arenas, 0);
  std::vector<Job> jobs = jobs_of_frame(scene, 0, 1);
  const auto is_edge_job = [](const Job& job) { return job.kernel == number_of(Kernel::solve_edges); };
  const auto first = std::find_if(jobs.begin(), jobs.end(), is_edge_job);
  ASSERT_NE(first, jobs.end());
  const auto second = std::find_if(first + 1, jobs.end(), [&](const Job& job) {
    return is_edge_job(job) && job.record == first->record && job.argument == first->argument;
  });
  ASSERT_NE(second, jobs.end());
  const Job both = {first->kernel, first->record, std::min(first->begin, second->begin),
                    std::max(first->end, second->end), first->argument};
  for (const ptx::Order order : {ptx::Order::forward, ptx::Order::backward, ptx::Order::permuted}) {
    runner->run(arenas, {*first, *second}, {order});
    EXPECT_EQ(ptx::take_races(), std::vector<std::string>());
    runner->run(arenas, {both}, {order});
    EXPECT_NE(ptx::take_races(), std::vector<std::string>());
  }
}

// Returns the first difference between Vulkan and the scalar code over the jobs of the first updates, or an empty
// string.
std::string vulkan_difference(VulkanRunner& vulkan, int frames) {
  const Scene scene = make_scene();
  const std::vector<Arenas>& expected = scalar_frames();
  Arenas arenas = scene.arenas;
  for (int frame = 0; frame < frames; ++frame) {
    prepare_frame(scene, arenas, frame);
    vulkan.run(arenas, jobs_of_frame(scene, frame, iteration_count));
    const std::string difference = first_difference(expected[static_cast<size_t>(frame)], arenas);
    if (!difference.empty()) return "update " + std::to_string(frame) + ", " + difference;
  }
  return "";
}

// Native kernels have the right bits on software devices only. These take minutes to compile all kernels once more, so that
// the strict ones run there in the long form only, and otherwise on the device whose division is wrong.
TEST(Kernels, vulkan_gives_the_scalar_bits) {
  for (const bool strict : {false, true}) {
    std::string reason;
    const std::unique_ptr<VulkanRunner> vulkan = VulkanRunner::create(CLOTHC_SHADER_FOLDER, {strict, false}, reason);
    if (!vulkan) GTEST_SKIP() << reason;
    const bool is_tested = vulkan->divides_exactly() ? !strict || clothc_test::long_form() : strict;
    if (is_tested) {
      EXPECT_EQ(vulkan_difference(*vulkan, frame_count), "") << (strict ? "strict" : "native");
    }
  }
}

TEST(Kernels, strict_shaders_give_the_scalar_bits_on_a_device_that_divides_wrongly) {
  std::string reason;
  const std::unique_ptr<VulkanRunner> vulkan = VulkanRunner::create(CLOTHC_SHADER_FOLDER, {true, true}, reason);
  if (!vulkan) GTEST_SKIP() << reason;
  EXPECT_EQ(vulkan_difference(*vulkan, strict_frame_count), "");
}

TEST(Kernels, native_shaders_do_not_on_a_device_that_divides_wrongly) {
  std::string reason;
  const std::unique_ptr<VulkanRunner> vulkan = VulkanRunner::create(CLOTHC_SHADER_FOLDER, {false, true}, reason);
  if (!vulkan) GTEST_SKIP() << reason;
  const Scene scene = make_scene();
  Arenas expected = scene.arenas, arenas = scene.arenas;
  prepare_frame(scene, expected, 0);
  prepare_frame(scene, arenas, 0);
  const std::vector<Job> dividing = {{number_of(Kernel::begin_group), 1, 1, 2, 0}};
  run({&cpu::scalar_kernels, scalar_functions}, expected, dividing);
  vulkan->run(arenas, dividing);
  EXPECT_NE(first_difference(expected, arenas), "");
}

}  // namespace
}  // namespace clothc::probes::kernels_test
