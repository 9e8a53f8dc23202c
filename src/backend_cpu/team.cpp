// team.cpp - the order of a schedule's programs and passes, and what a tile is.
#include "backend_cpu/team.h"

namespace clothc::cpu {

namespace {

KernelContext context_of(const Arenas& arenas, const FrameConstants& frame) {
  KernelContext context;
  context.particles = static_cast<float*>(arenas.particles->host_pointer());
  context.fabric = static_cast<const uint32_t*>(arenas.fabric->host_pointer());
  context.cloths = static_cast<ClothRecord*>(arenas.cloths->host_pointer());
  context.tables = static_cast<uint32_t*>(arenas.tables->host_pointer());
  context.frame = frame;
  return context;
}

}  // namespace

uint32_t Team::begin(const Dispatch& dispatch) {
  dispatch_ = &dispatch;
  context_ = context_of(dispatch.arenas, dispatch.frame);
  in_programs_ = true;
  pass_ = 0;
  repetitions_ = 0;
  item_count_ = static_cast<uint32_t>(dispatch.schedule->programs.size());
  first_item_ = 0;
  repeated_ = false;
  if (item_count_ == 0 && !advance_position()) return 0;
  divide_into_tiles();
  const uint32_t tiles = tile_count_;
  publish(tiles);
  return tiles;
}

void Team::divide_into_tiles() {
  items_per_tile_ = (item_count_ + Shares::most_tiles - 1) / Shares::most_tiles;
  tile_count_ = (item_count_ + items_per_tile_ - 1) / items_per_tile_;
}

// Moves to the next pass that has works; false at the end.
bool Team::advance_position() {
  const Schedule& schedule = *dispatch_->schedule;
  uint32_t next = in_programs_ ? 0 : pass_ + 1;
  in_programs_ = false;
  while (true) {
    const bool at_end_of_range = next == schedule.repeat_end && schedule.repeat_begin < schedule.repeat_end;
    if (at_end_of_range && repeated_) {
      ++repetitions_;
      repeated_ = false;
      if (repetitions_ < dispatch_->repeat_count) next = schedule.repeat_begin;
    }
    if (next == schedule.repeat_begin && repetitions_ >= dispatch_->repeat_count) next = schedule.repeat_end;
    if (next >= schedule.passes.size()) return false;
    pass_ = next;
    repeated_ = next >= schedule.repeat_begin && next < schedule.repeat_end;
    first_item_ = schedule.passes[next].first_work;
    item_count_ = schedule.passes[next].work_count;
    if (item_count_ > 0) return true;
    ++next;
  }
}

bool Team::next_pass() {
  if (!advance_position()) {
    tile_count_ = 0;
    return false;
  }
  divide_into_tiles();
  return true;
}

void Team::publish(uint32_t tiles) {
  remaining_.store(tiles, std::memory_order_relaxed);
  shares_.publish(tiles);
}

bool Team::is_wanted(const Work& work) const {
  return !repeated_ || runs_always(info_of(static_cast<Kernel>(work.kernel)).domain) ||
         context_.cloths[work.cloth].step.running != 0;
}

void Team::run_tile(uint32_t tile) {
  const Schedule& schedule = *dispatch_->schedule;
  const uint32_t begin = first_item_ + tile * items_per_tile_;
  const uint32_t last = first_item_ + item_count_;
  const uint32_t end = begin + items_per_tile_ < last ? begin + items_per_tile_ : last;
  for (uint32_t k = begin; k < end; ++k) {
    if (in_programs_) {
      run_program(schedule.programs[k]);
    } else if (is_wanted(schedule.works[k])) {
      run_work(schedule.works[k]);
    }
  }
}

void Team::run_work(const Work& work) const {
  const Domain domain = info_of(static_cast<Kernel>(work.kernel)).domain;
  const KernelTable& table = is_scalar(domain) ? scalar_kernels : kernels_;
  table.functions[work.kernel](context_, work);
}

void Team::run_program(const Program& program) {
  const std::vector<Work>& works = dispatch_->schedule->works;
  for (uint32_t k = program.before; k < program.iteration; ++k) run_work(works[k]);
  const uint32_t iterations = context_.cloths[program.cloth].step.iteration_count;
  for (uint32_t iteration = 0; iteration < iterations; ++iteration) {
    for (uint32_t k = program.iteration; k < program.after; ++k) run_work(works[k]);
  }
  for (uint32_t k = program.after; k < program.end; ++k) run_work(works[k]);
}

}  // namespace clothc::cpu
