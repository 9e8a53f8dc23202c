// solver.cpp - the exported functions for solvers and channels. They find the objects, check the arguments, and call
// the solver.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "core/api/update_arguments.h"
#include "core/objects/device.h"
#include "core/solver/solver.h"
#include "core/base/structs.h"

using namespace clothc;

namespace {

using ull = unsigned long long;

}  // namespace

// ------------------------------------------------------------------------------------------------ solver

clothc_result clothc_solver_create(clothc_device device, const clothc_solver_desc* desc, clothc_solver* solver) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) {
    const clothc_solver_desc s = adopt(desc);
    require_output(solver, "solver");
    CLOTHC_REQUIRE(s.particle_capacity >= 1 && s.particle_capacity <= 1u << 26,
                   "solver_desc.particle_capacity is %u; want 1 to 2^26", s.particle_capacity);
    CLOTHC_REQUIRE(s.cloth_capacity >= 1 && s.cloth_capacity <= 1u << 20,
                   "solver_desc.cloth_capacity is %u; want 1 to 2^20", s.cloth_capacity);
    CLOTHC_REQUIRE(s.collider_set_capacity <= 1u << 20, "solver_desc.collider_set_capacity is %u; want at most 2^20",
                   s.collider_set_capacity);
    CLOTHC_REQUIRE(s.schedule <= CLOTHC_SCHEDULE_PASS, "solver_desc.schedule is %u; want one of CLOTHC_SCHEDULE_...",
                   s.schedule);
    CLOTHC_REQUIRE(s.updates_in_flight >= 1 && s.updates_in_flight <= 16,
                   "solver_desc.updates_in_flight is %u; want 1 to 16", s.updates_in_flight);
    CLOTHC_REQUIRE(s.contact_capacity <= 1u << 24, "solver_desc.contact_capacity is %u; want at most 2^24",
                   s.contact_capacity);
    CLOTHC_REQUIRE(s.reserved == 0, "solver_desc.reserved is %u; want 0", s.reserved);
    publish(solver, std::make_shared<Solver>(d, s));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_solver_destroy(clothc_solver solver) {
  return destroy_with<Solver>(solver, [](const std::shared_ptr<Solver>& removed) { removed->close(); });
}

clothc_result clothc_solver_get_info(clothc_solver solver, clothc_solver_info* info) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    put(info, checked_output(info), s->info());
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_solver_get_timers(clothc_solver solver, clothc_timers* timers) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    put(timers, checked_output(timers), s->timers());
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_solver_update(clothc_solver solver, const clothc_update* update, uint64_t* value) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) -> clothc_result {
    return s->update(checked_update(*s, update), value) ? CLOTHC_SUCCESS : CLOTHC_NOT_READY;
  });
}

namespace {

// Returns the timeline value to wait for, where UINT64_MAX stands for the last one. Fails for values not yet queued.
uint64_t check_value(const Solver& solver, uint64_t value) {
  const uint64_t last = solver.timeline_value();
  if (value == UINT64_MAX) return last;
  CLOTHC_REQUIRE(value <= last, "timeline value %llu has not been queued; the last one is %llu",
                 static_cast<ull>(value), static_cast<ull>(last));
  return value;
}

}  // namespace

clothc_result clothc_solver_wait(clothc_solver solver, uint64_t value, uint64_t timeout_ns) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) -> clothc_result {
    return s->wait(check_value(*s, value), timeout_ns) ? CLOTHC_SUCCESS : CLOTHC_TIMEOUT;
  });
}

clothc_result clothc_solver_poll(clothc_solver solver, uint64_t value, uint64_t* completed) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) -> clothc_result {
    const uint64_t wanted = check_value(*s, value);
    const uint64_t reached = s->completed_value();
    if (reached < wanted) s->check();
    if (completed != nullptr) *completed = reached;
    return reached >= wanted ? CLOTHC_SUCCESS : CLOTHC_NOT_READY;
  });
}

clothc_result clothc_solver_state_hash(clothc_solver solver, uint64_t* hash) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    require_output(hash, "hash");
    *hash = s->state_hash();
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_solver_snapshot(clothc_solver solver, void* data, uint64_t* size) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    require_output(size, "size");
    const std::vector<uint8_t> bytes = s->snapshot();
    if (data != nullptr) {
      CLOTHC_REQUIRE(*size >= bytes.size(), "size is %llu; the snapshot has %zu bytes", static_cast<ull>(*size),
                     bytes.size());
      std::memcpy(data, bytes.data(), bytes.size());
    }
    *size = bytes.size();
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_solver_restore(clothc_solver solver, const void* data, uint64_t size, const clothc_fabric* fabrics,
                                    uint32_t fabric_count) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    CLOTHC_REQUIRE(data != nullptr, "the data pointer is null");
    CLOTHC_REQUIRE(fabric_count == 0 || fabrics != nullptr, "the fabrics pointer is null, but fabric_count is %u",
                   fabric_count);
    std::vector<std::shared_ptr<Fabric>> resolved;
    for (uint32_t k = 0; k < fabric_count; ++k) {
      resolved.push_back(resolve<Fabric>(fabrics[k]));
      CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, resolved.back()->device() == s->device(),
                        "fabrics[%u] belongs to another device than the solver", k);
    }
    s->restore(static_cast<const uint8_t*>(data), size, resolved);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_solver_compact(clothc_solver solver, clothc_move* moves, uint32_t* count) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) -> clothc_result {
    require_output(count, "count");
    CLOTHC_REQUIRE(moves != nullptr || *count == 0, "moves is null, but count is %u", *count);
    const std::vector<clothc_move> moved = s->cloths().compact();
    const uint32_t capacity = *count;
    std::copy_n(moved.begin(), std::min<size_t>(capacity, moved.size()), moves);
    *count = static_cast<uint32_t>(moved.size());
    return moved.size() > capacity ? CLOTHC_INCOMPLETE : CLOTHC_SUCCESS;
  });
}

// ------------------------------------------------------------------------------------------------ channels

clothc_result clothc_channel_describe(clothc_solver solver, clothc_channel channel, clothc_channel_info* info) {
  return guard([&] {
    const std::shared_ptr<Solver> s = solver != nullptr ? resolve<Solver>(solver) : nullptr;
    const ChannelInfo* found = find_channel(channel);
    CLOTHC_REQUIRE(found != nullptr, "channel %u is unknown; want one of CLOTHC_CHANNEL_...", channel);
    const size_t size = checked_output(info);
    clothc_channel_info filled = make_default<clothc_channel_info>();
    filled.channel = channel;
    filled.format = found->format;
    filled.element_size = found->element_size;
    filled.settable = found->settable ? 1 : 0;
    filled.gettable = is_gettable(*found) ? 1 : 0;
    filled.count = s != nullptr ? s->transfers().element_count(channel) : 0;
    std::snprintf(filled.name, sizeof(filled.name), "%s", found->name);
    put(info, size, filled);
    return CLOTHC_SUCCESS;
  });
}

namespace {

std::shared_ptr<Buffer> resolve_buffer(clothc_buffer handle, const Solver& solver) {
  std::shared_ptr<Buffer> buffer = resolve<Buffer>(handle);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, buffer->device() == solver.device(),
                    "the buffer belongs to another device than the solver");
  return buffer;
}

}  // namespace

clothc_result clothc_solver_set(clothc_solver solver, clothc_channel channel, clothc_buffer buffer,
                                const clothc_view* view, const clothc_region* regions, uint32_t region_count,
                                uint32_t flags) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    const Transfer transfer = check_transfer(true, channel, s->transfers().element_count(channel),
                                             resolve_buffer(buffer, *s), view, regions, region_count, flags);
    s->transfers().set(transfer);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_solver_get(clothc_solver solver, clothc_channel channel, clothc_buffer buffer,
                                const clothc_view* view, const clothc_region* regions, uint32_t region_count,
                                uint32_t flags) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    const Transfer transfer = check_transfer(false, channel, s->transfers().element_count(channel),
                                             resolve_buffer(buffer, *s), view, regions, region_count, flags);
    s->transfers().get(transfer);
    return CLOTHC_SUCCESS;
  });
}
