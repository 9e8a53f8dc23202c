// flushing_test.cpp - devices that flush denormals give the same state. A processor that flushes stands in for them: it
// runs the scalar code on the two sheets, and on the same sheets in the plane z = 0, where constraints between neighbours
// pass a push from particle to particle, each time a small part of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "parity/dialect/sheets.h"
#include "platform/compiler.h"

namespace clothc::probes::flushing_test {
namespace {

#if defined(CLOTHC_X86)
// Denormal results are zero, and so are denormal operands.
constexpr platform::FloatControl flushes = 0x8040;
#elif defined(CLOTHC_ARM64)
constexpr platform::FloatControl flushes = 1u << 24;
#else
constexpr platform::FloatControl flushes = 0;
#endif

constexpr int frame_count = 28;
constexpr uint32_t iteration_count = 4;

class Processor {
 public:
  explicit Processor(bool flushing) : saved_(platform::float_control()) {
    platform::set_float_control(platform::default_float_control | (flushing ? flushes : 0));
  }
  ~Processor() { platform::set_float_control(saved_); }

 private:
  platform::FloatControl saved_;
};

void run_jobs(Arenas& arenas, const std::vector<Job>& jobs, bool flushing) {
  const Processor processor(flushing);
  run({&cpu::scalar_kernels, scalar_functions}, arenas, jobs);
}

size_t count_of_denormals(const Arenas& arenas) {
  return static_cast<size_t>(std::count_if(arenas.particles.begin(), arenas.particles.end(),
                                           [](float v) { return std::fpclassify(v) == FP_SUBNORMAL; }));
}

// The sheets in the plane z = 0, out of which one particle of each has been pushed by a distance that is just not tiny.
Scene make_flat_scene() {
  Scene scene = make_scene();
  Arenas& arenas = scene.arenas;
  for (size_t slot = 0; slot < scene.sheets.size(); ++slot) {
    const uint32_t first = arenas.records[slot].settings.first_particle, count = scene.sheets[slot].particle_count;
    for (uint32_t i = first; i < first + count; ++i) {
      for (const uint32_t block : {arenas.frame.position, arenas.frame.previous})
        element(arenas, block, i)[2] = i == first + count / 2 ? 1e-18f : 0.0f;
    }
  }
  return scene;
}

// Whether a job moves no particle out of its plane, other than by a constraint between neighbours.
bool stays_in_plane(const Job& job) {
  switch (static_cast<Kernel>(job.kernel)) {
    case Kernel::begin_group:
    case Kernel::begin_iteration:
    case Kernel::integrate:
    case Kernel::solve_edges:
    case Kernel::solve_edges_with_limits:
    case Kernel::solve_edges_with_stiffness:
    case Kernel::reduce_bounds:
    case Kernel::combine_results:
    case Kernel::end_group:
      return true;
    default:
      return false;
  }
}

std::vector<Job> flat_jobs(const Scene& scene, Arenas& arenas, int frame) {
  prepare_frame(scene, arenas, frame);
  for (GroupRecord& record : arenas.records) {
    record.settings.acceleration_block = 0;
    record.frame = {};
    record.frame.start_rotation_w = record.frame.target_rotation_w = 1.0f;
  }
  std::vector<Job> jobs = jobs_of_frame(scene, frame, iteration_count);
  jobs.erase(std::remove_if(jobs.begin(), jobs.end(), [](const Job& job) { return !stays_in_plane(job); }), jobs.end());
  return jobs;
}

TEST(Flushing, gives_the_same_particles_after_each_update_of_the_sheets) {
  const Scene scene = make_scene();
  Arenas keeping = scene.arenas, flushing = scene.arenas;
  for (int frame = 0; frame < frame_count; ++frame) {
    prepare_frame(scene, keeping, frame);
    prepare_frame(scene, flushing, frame);
    const std::vector<Job> jobs = jobs_of_frame(scene, frame, iteration_count);
    run_jobs(keeping, jobs, false);
    run_jobs(flushing, jobs, true);
    ASSERT_EQ(first_difference(keeping, flushing), "") << "update " << frame;
  }
}

TEST(Flushing, gives_the_same_particles_after_each_update_of_flat_sheets) {
  const Scene scene = make_flat_scene();
  Arenas keeping = scene.arenas, flushing = scene.arenas;
  for (int frame = 0; frame < frame_count; ++frame) {
    const std::vector<Job> jobs = flat_jobs(scene, keeping, frame);
    flat_jobs(scene, flushing, frame);
    run_jobs(keeping, jobs, false);
    run_jobs(flushing, jobs, true);
    ASSERT_EQ(first_difference(keeping, flushing), "") << "update " << frame;
    ASSERT_EQ(count_of_denormals(keeping), 0u) << "update " << frame;
  }
}

// Otherwise the other tests would say nothing.
TEST(Flushing, makes_a_difference_within_an_iteration_of_flat_sheets) {
  const Scene scene = make_flat_scene();
  Arenas keeping = scene.arenas, flushing = scene.arenas;
  std::vector<Job> jobs = flat_jobs(scene, keeping, 0);
  flat_jobs(scene, flushing, 0);
  const auto ends = [](const Job& job) { return job.kernel == number_of(Kernel::reduce_bounds); };
  jobs.erase(std::find_if(jobs.begin(), jobs.end(), ends), jobs.end());
  run_jobs(keeping, jobs, false);
  run_jobs(flushing, jobs, true);
  EXPECT_GT(count_of_denormals(keeping), 0u);
  EXPECT_EQ(count_of_denormals(flushing), 0u);
}

}  // namespace
}  // namespace clothc::probes::flushing_test
