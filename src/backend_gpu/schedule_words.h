// schedule_words.h - the words by which kernels of a GPU find the programs and jobs of a schedule: four for each
// program, then four for each job.
#pragma once

#include "core/backend/dispatch.h"

namespace clothc::gpu {

constexpr uint64_t schedule_unit_bytes = 16;

// Returns the size of the words of a schedule in bytes.
inline uint64_t schedule_bytes(const Schedule& schedule) {
  return (schedule.programs.size() + schedule.jobs.size()) * schedule_unit_bytes;
}
// Returns the index of a job's words, in units of four words, if those of the schedule begin at index first.
inline uint32_t words_of_job(const Schedule& schedule, uint32_t first, uint32_t job) {
  return first + static_cast<uint32_t>(schedule.programs.size()) + job;
}
// Writes the words. first is the index at which kernels find the first of them, in units of four words.
//
// A program is the indices of its jobs `before`, `iteration`, `after` and `end`. A job is its kernel, in the upper 8
// bits, and its record, in the lower 24; where it begins and ends; and its argument.
void write_schedule(const Schedule& schedule, uint32_t first, void* words);

// Returns whether two dispatches are of the same schedule and arenas, and their frames differ at most in the time step,
// so that what was recorded for the iterations of one serves the other.
bool are_recorded_alike(const Dispatch& a, const Dispatch& b);

}  // namespace clothc::gpu
