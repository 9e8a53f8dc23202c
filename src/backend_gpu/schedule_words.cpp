// schedule_words.cpp - see schedule_words.h.
#include "backend_gpu/schedule_words.h"

namespace clothc::gpu {
namespace {

constexpr uint32_t kernel_bits = 8;
static_assert(static_cast<uint32_t>(Kernel::count) <= 1u << kernel_bits, "the words of a job hold its kernel");

static_assert(sizeof(FrameConstants) == 4 * sizeof(uint32_t), "has_same_blocks compares every block");
// Returns whether the offsets of all per-particle blocks are the same: everything but the time step.
bool has_same_blocks(const FrameConstants& a, const FrameConstants& b) {
  return a.position == b.position && a.previous == b.previous && a.exchange == b.exchange;
}

}  // namespace

void write_schedule(const Schedule& schedule, uint32_t first, void* words) {
  auto* word = static_cast<uint32_t*>(words);
  for (const Program& program : schedule.programs) {
    for (const uint32_t job : {program.before, program.iteration, program.after, program.end})
      *word++ = words_of_job(schedule, first, job);
  }
  for (const Job& job : schedule.jobs) {
    *word++ = job.kernel << (32 - kernel_bits) | job.record;
    *word++ = job.begin;
    *word++ = job.end;
    *word++ = job.argument;
  }
}

bool are_recorded_alike(const Dispatch& a, const Dispatch& b) {
  return a.schedule == b.schedule && a.arenas.particles == b.arenas.particles &&
         a.arenas.topology == b.arenas.topology && a.arenas.records == b.arenas.records &&
         a.arenas.tables == b.arenas.tables && has_same_blocks(a.frame, b.frame);
}

}  // namespace clothc::gpu
