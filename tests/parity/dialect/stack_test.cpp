// stack_test.cpp - measures how much stack kernels use. Tasks run on threads of the application, and small updates run
// on the calling thread, so clothc.h promises at most 64 KiB for a whole task.
#include "support/stack_use.h"

#include <cstdio>

#include "parity/dialect/sheets.h"

namespace clothc::probes::stack_test {
namespace {

TEST(Kernels, leave_a_quarter_of_the_promised_stack) {
  if (!stack_use_is_the_librarys) GTEST_SKIP() << "sanitizers take stack of their own";
  const Scene scene = make_scene();
  for_each_instruction_set([&](const InstructionSet& set) {
    Arenas arenas = scene.arenas;
    size_t most = 0;
    for (int frame = 0; frame < 3; ++frame) {
      prepare_frame(scene, arenas, frame);
      const std::vector<Job> jobs = jobs_of_frame(scene, frame, 4);
      most = std::max(most, stack_use([&] { run(set, arenas, jobs); }));
    }
    std::printf("%s: %zu bytes of stack\n", set.kernels->name, most);
    EXPECT_GT(most, 1024u);
    EXPECT_LE(most, size_t{48} * 1024) << set.kernels->name;
  });
}

}  // namespace
}  // namespace clothc::probes::stack_test
