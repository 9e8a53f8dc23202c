// solver_calls.cpp - updates and fences, and what concerns the state of a whole solver.
#include "parity/lockstep/calls.h"
#include "support/debug_lines.h"

namespace lockstep {
namespace {

float draw_dt(Random& random) {
  const uint32_t kind = random.below(40);
  if (kind < 22) return 1.0f / 60;
  if (kind < 26) return 1e-6f;
  if (kind < 29) return 0;
  if (kind < 32) return 0.05f;
  if (kind < 35) return random.real(1e-6f, 0.003f);
  if (kind < 39) return random.real(0.001f, 0.04f);
  return random.one_in(6) ? random.odd() : 0.4f;
}

// waits_for: the value of the gate that the update waits for; 0 = it does not wait.
void make_update(World& world, Random& random, uint64_t waits_for, Log& log) {
  auto update = initialised<clothc_update>();
  update.dt = draw_dt(random);
  // What a snapshot lacks is most likely to show in an update that is held back.
  if (random.one_in(2) && !world.has_contacts) update.dt = 1e-6f;
  if (random.one_in(6) && world.place.has_timers) update.flags = CLOTHC_UPDATE_TIMERS;
  if (waits_for > 0) update.wait_fence = world.gate, update.wait_value = waits_for;
  if (random.one_in(4)) {
    update.signal_fence = world.counter;
    update.signal_value = random.one_in(10) ? world.counter_value : world.counter_value + 1;
  }
  spoil_size(random, update);
  log.note("dt %g%s", static_cast<double>(update.dt), waits_for > 0 ? ", held" : "");
  if (!log.result("clothc_solver_update", clothc_solver_update(world.solver, &update, nullptr))) return;
  if (update.dt > 0) world.has_contacts = true;
  if (update.signal_fence != nullptr) world.counter_value = update.signal_value;
  if (waits_for > 0 || world.is_held()) ++world.held_updates;
}

// An update beyond those in flight would wait for the gate.
void make_room(World& world) {
  if (world.held_updates == world.desc.updates_in_flight) world.release();
}

void update(World& world, Random& random, Log& log) {
  make_room(world);
  make_update(world, random, 0, log);
}

// The calls that follow are made while this update has not begun, until one of them waits.
void update_held(World& world, Random& random, Log& log) {
  make_room(world);
  if (!world.is_held()) require(clothc_solver_wait(world.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  make_update(world, random, world.gate_value + 1, log);
  if (!world.is_held()) return;
  auto info = initialised<clothc_solver_info>();
  require(clothc_solver_get_info(world.solver, &info));
  log.result("clothc_solver_poll", clothc_solver_poll(world.solver, info.timeline_value, nullptr));
  log.result("clothc_solver_wait", clothc_solver_wait(world.solver, UINT64_MAX, 0));
  if (world.held_updates < world.desc.updates_in_flight) return;
  auto another = initialised<clothc_update>();
  another.flags = CLOTHC_UPDATE_NO_WAIT;
  log.result("clothc_solver_update", clothc_solver_update(world.solver, &another, nullptr));
}

void signal(World& world, Random& random, Log& log) {
  world.release();
  if (random.one_in(4)) log.result("clothc_fence_signal", clothc_fence_signal(world.gate, world.gate_value));
  require(clothc_solver_wait(world.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  log.result("clothc_solver_poll", clothc_solver_poll(world.solver, UINT64_MAX, nullptr));
  log.result("clothc_fence_wait", clothc_fence_wait(world.counter, world.counter_value + random.below(2), 0));
}

void get_timers(World& world, Random& random, Log& log) {
  auto timers = initialised<clothc_timers>();
  spoil_size(random, timers);
  log.result("clothc_solver_get_timers", clothc_solver_get_timers(world.solver, &timers));
}

void compact(World& world, Random& random, Log& log) {
  uint32_t count = random.one_in(4) ? random.below(3) : 100;
  std::vector<clothc_move> moves(count);
  const clothc_result result = clothc_solver_compact(world.solver, moves.data(), &count);
  log.result("clothc_solver_compact", result);
  log.values("moves", moves);
  log.value("number of moves", count);
}

void get_debug_lines(World& world, Random& random, Log& log) {
  clothc_debug_desc desc = clothc_test::debug_desc(random.below(4 * CLOTHC_DEBUG_FRAMES));
  if (!world.has_contacts) desc.flags &= ~uint32_t{CLOTHC_DEBUG_CONTACTS};
  if (random.one_in(2)) desc.cloth = world.pick_cloth(random);
  if (random.one_in(3)) desc.phase = random.below(4);
  if (random.one_in(3)) desc.size = random.real(0, 1);
  if (random.one_in(3)) desc.full_strain = random.real(0.01f, 1);
  spoil_size(random, desc);
  uint32_t count = random.below(500);
  std::vector<clothc_debug_line> lines(count);
  log.result("clothc_solver_get_debug_lines", clothc_solver_get_debug_lines(world.solver, &desc, lines.data(), &count));
  log.values("lines", lines);
  log.value("number of lines", count);
}

void save_state(World& world, Random&, Log& log) {
  world.save_state();
  log.bytes("clothc_solver_snapshot", world.saved_snapshot().data(), world.saved_snapshot().size(), 4);
}

void restore(World& world, Random&, Log& log) {
  if (!world.has_saved()) return;
  log.result("clothc_solver_restore", world.restore_saved());
}

void restore_damaged(World& world, Random& random, Log& log) {
  if (!world.has_saved()) return;
  const std::vector<uint8_t> whole = world.saved_snapshot();
  std::vector<uint8_t>& damaged = world.saved_snapshot();
  if (random.one_in(2)) damaged.resize(1 + random.below(static_cast<uint32_t>(damaged.size())));
  damaged[random.below(static_cast<uint32_t>(damaged.size()))] ^= 1u << random.below(8);
  log.result("clothc_solver_restore", world.restore_saved());
  world.saved_snapshot() = whole;
}

}  // namespace

std::vector<Call> solver_calls() {
  return {{"solver_update", 60, Nature::queues, update},
          {"solver_update (held)", 5, Nature::queues, update_held},
          {"fence_signal", 3, Nature::waits, signal},
          {"solver_get_timers", 1, Nature::asks, get_timers},
          {"solver_compact", 2, Nature::queues, compact},
          {"solver_get_debug_lines", 2, Nature::asks, get_debug_lines},
          {"solver_snapshot", 1, Nature::asks, save_state},
          {"solver_restore", 1, Nature::waits, restore},
          {"solver_restore (damaged)", 1, Nature::waits, restore_damaged}};
}

}  // namespace lockstep
