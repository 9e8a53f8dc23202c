// api_solver.cpp - exports for solvers, channels, cloths and collider sets: resolve, check, hand over.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "core/device.h"
#include "core/solver.h"
#include "core/structs.h"

using namespace clothc;

namespace {

using ull = unsigned long long;

void require_output(const void* pointer, const char* name) { CLOTHC_REQUIRE(pointer != nullptr, "the %s pointer is null", name); }

// A fence of the solver's device, or null for none.
std::shared_ptr<Fence> resolve_fence(clothc_fence handle, const Solver& solver, const char* name) {
  if (handle == nullptr) return nullptr;
  std::shared_ptr<Fence> fence = resolve<Fence>(handle);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, fence->device() == solver.device(), "update.%s belongs to another device than the solver", name);
  return fence;
}

std::vector<clothc_phase_config> read_configs(const clothc_phase_config* configs, uint32_t count, const FabricData& fabric) {
  constexpr uint32_t most = 1u << 20;
  CLOTHC_REQUIRE(count <= most, "phase config count is %u; want at most 2^20", count);
  CLOTHC_REQUIRE(count == 0 || configs != nullptr, "the phase configs pointer is null, but their count is %u", count);
  std::vector<clothc_phase_config> read;
  if (count > 0) checked_output(configs);
  for (uint32_t k = 0; k < count; ++k) {
    read.push_back(adopt(element(configs, k)));
    check_phase_config(read.back(), static_cast<uint32_t>(fabric.phase_sets.size()), k);
  }
  return read;
}

std::vector<clothc_phase_config> default_configs(const FabricData& fabric) {
  std::vector<clothc_phase_config> configs(fabric.phase_sets.size(), make_default<clothc_phase_config>());
  for (size_t k = 0; k < configs.size(); ++k) configs[k].phase = static_cast<uint32_t>(k);
  return configs;
}

std::vector<clothc_collider_set_id> read_collider_sets(const Solver& solver, const clothc_collider_set_id* sets, uint32_t count) {
  constexpr uint32_t most = 1u << 20;
  CLOTHC_REQUIRE(count <= most, "collider set count is %u; want at most 2^20", count);
  CLOTHC_REQUIRE(count == 0 || sets != nullptr, "the collider sets pointer is null, but their count is %u", count);
  std::vector<clothc_collider_set_id> read;
  for (uint32_t k = 0; k < count; ++k) {
    solver.collider_set(sets[k]);
    read.push_back(sets[k]);
  }
  std::vector<clothc_collider_set_id> sorted = read;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  CLOTHC_REQUIRE(twice == sorted.end(), "collider set 0x%x is listed twice", twice == sorted.end() ? 0 : *twice);
  return read;
}

void check_particles(const float* positions, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) {
    const float* p = positions + 4 * size_t{k};
    CLOTHC_REQUIRE(in_range(p[0], -1e9f, 1e9f) && in_range(p[1], -1e9f, 1e9f) && in_range(p[2], -1e9f, 1e9f),
                   "particle %u is at (%g, %g, %g); want finite coordinates within +-1e9", k, static_cast<double>(p[0]),
                   static_cast<double>(p[1]), static_cast<double>(p[2]));
    CLOTHC_REQUIRE(in_range(p[3], 0, 1e9f), "particle %u has inverse mass %g; want 0 to 1e9, 0 for a pinned one", k, static_cast<double>(p[3]));
  }
}

ClothSource read_cloth_desc(const Solver& solver, const clothc_cloth_desc& desc) {
  CLOTHC_REQUIRE((desc.flags & ~uint32_t{CLOTHC_CLOTH_NO_PHASES}) == 0, "cloth_desc.flags is 0x%x; want CLOTHC_CLOTH_... only", desc.flags);
  const std::shared_ptr<Fabric> fabric = resolve<Fabric>(desc.fabric);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, fabric->device() == solver.device(), "cloth_desc.fabric belongs to another device than the solver");
  ClothSource source;
  source.fabric = fabric->data();
  const FabricData& data = *source.fabric;
  source.positions = desc.positions != nullptr ? desc.positions : data.positions.empty() ? nullptr : data.positions.data();
  CLOTHC_REQUIRE(source.positions != nullptr, "cloth_desc.positions is null, and the fabric has no positions of its own");
  check_particles(source.positions, data.particle_count);
  source.parameters = desc.parameters != nullptr ? adopt(desc.parameters) : make_default<clothc_cloth_parameters>();
  check_parameters(source.parameters, "cloth_parameters");
  const bool use_defaults = desc.phase_config_count == 0 && (desc.flags & CLOTHC_CLOTH_NO_PHASES) == 0;
  CLOTHC_REQUIRE(desc.phase_config_count == 0 || (desc.flags & CLOTHC_CLOTH_NO_PHASES) == 0,
                 "cloth_desc has NO_PHASES and %u phase configs; want one or the other", desc.phase_config_count);
  source.phases = use_defaults ? default_configs(data) : read_configs(desc.phase_configs, desc.phase_config_count, data);
  source.collider_sets = read_collider_sets(solver, desc.collider_sets, desc.collider_set_count);
  return source;
}

}  // namespace

// ------------------------------------------------------------------------------------------------ solver

clothc_result clothc_solver_create(clothc_device device, const clothc_solver_desc* desc, clothc_solver* solver) {
  return guard([&] {
    const std::shared_ptr<Device> d = resolve<Device>(device);
    const clothc_solver_desc s = adopt(desc);
    require_output(solver, "solver");
    CLOTHC_REQUIRE(s.particle_capacity >= 1 && s.particle_capacity <= 1u << 26, "solver_desc.particle_capacity is %u; want 1 to 2^26",
                   s.particle_capacity);
    CLOTHC_REQUIRE(s.cloth_capacity >= 1 && s.cloth_capacity <= 1u << 20, "solver_desc.cloth_capacity is %u; want 1 to 2^20", s.cloth_capacity);
    CLOTHC_REQUIRE(s.collider_set_capacity <= 1u << 20, "solver_desc.collider_set_capacity is %u; want at most 2^20", s.collider_set_capacity);
    CLOTHC_REQUIRE(s.schedule <= CLOTHC_SCHEDULE_PASS, "solver_desc.schedule is %u; want one of CLOTHC_SCHEDULE_...", s.schedule);
    CLOTHC_REQUIRE(s.updates_in_flight >= 1 && s.updates_in_flight <= 16, "solver_desc.updates_in_flight is %u; want 1 to 16",
                   s.updates_in_flight);
    *solver = reinterpret_cast<clothc_solver>(handle_table().insert(std::make_shared<Solver>(d, s)));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_solver_destroy(clothc_solver solver) {
  return guard([&] {
    resolve_and_remove<Solver>(solver);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_solver_get_info(clothc_solver solver, clothc_solver_info* info) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    put(info, checked_output(info), s->info());
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_solver_update(clothc_solver solver, const clothc_update* update, uint64_t* value) {
  return guard([&]() -> clothc_result {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    const clothc_update u = adopt(update);
    CLOTHC_REQUIRE(in_range(u.dt, 0, 10), "update.dt is %g; want 0 to 10 s", static_cast<double>(u.dt));
    CLOTHC_REQUIRE((u.flags & ~uint32_t{CLOTHC_UPDATE_NO_WAIT}) == 0 && u.reserved == 0, "update.flags is 0x%x, reserved %u; want known flags and 0",
                   u.flags, u.reserved);
    const std::shared_ptr<Fence> wait = resolve_fence(u.wait_fence, *s, "wait_fence");
    const std::shared_ptr<Fence> signal = resolve_fence(u.signal_fence, *s, "signal_fence");
    return s->update(u, wait, signal, value) ? CLOTHC_SUCCESS : CLOTHC_NOT_READY;
  });
}

namespace {

uint64_t check_value(const Solver& solver, uint64_t value) {
  const uint64_t last = solver.timeline_value();
  if (value == UINT64_MAX) return last;
  CLOTHC_REQUIRE(value <= last, "timeline value %llu has not been queued; the last one is %llu", static_cast<ull>(value), static_cast<ull>(last));
  return value;
}

}  // namespace

clothc_result clothc_solver_wait(clothc_solver solver, uint64_t value, uint64_t timeout_ns) {
  return guard([&]() -> clothc_result {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    return s->wait(check_value(*s, value), timeout_ns) ? CLOTHC_SUCCESS : CLOTHC_TIMEOUT;
  });
}

clothc_result clothc_solver_poll(clothc_solver solver, uint64_t value, uint64_t* completed) {
  return guard([&]() -> clothc_result {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    const uint64_t wanted = check_value(*s, value);
    const uint64_t reached = s->completed_value();
    if (completed != nullptr) *completed = reached;
    return reached >= wanted ? CLOTHC_SUCCESS : CLOTHC_NOT_READY;
  });
}

clothc_result clothc_solver_state_hash(clothc_solver solver, uint64_t* hash) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    require_output(hash, "hash");
    *hash = s->state_hash();
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_solver_snapshot(clothc_solver solver, void* data, uint64_t* size) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    require_output(size, "size");
    const std::vector<uint8_t> bytes = s->snapshot();
    if (data != nullptr) {
      CLOTHC_REQUIRE(*size >= bytes.size(), "size is %llu; the snapshot has %zu bytes", static_cast<ull>(*size), bytes.size());
      std::memcpy(data, bytes.data(), bytes.size());
    }
    *size = bytes.size();
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_solver_restore(clothc_solver solver, const void* data, uint64_t size, const clothc_fabric* fabrics,
                                    uint32_t fabric_count) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    CLOTHC_REQUIRE(data != nullptr, "the data pointer is null");
    CLOTHC_REQUIRE(fabric_count == 0 || fabrics != nullptr, "the fabrics pointer is null, but fabric_count is %u", fabric_count);
    std::vector<std::shared_ptr<Fabric>> resolved;
    for (uint32_t k = 0; k < fabric_count; ++k) resolved.push_back(resolve<Fabric>(fabrics[k]));
    s->restore(static_cast<const uint8_t*>(data), size, resolved);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_solver_compact(clothc_solver solver, clothc_move* moves, uint32_t* count) {
  return guard([&]() -> clothc_result {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    require_output(count, "count");
    CLOTHC_REQUIRE(moves != nullptr || *count == 0, "moves is null, but count is %u", *count);
    const std::vector<clothc_move> moved = s->compact();
    const uint32_t room = *count;
    std::copy_n(moved.begin(), std::min<size_t>(room, moved.size()), moves);
    *count = static_cast<uint32_t>(moved.size());
    return moved.size() > room ? CLOTHC_INCOMPLETE : CLOTHC_SUCCESS;
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
    filled.gettable = 1;
    filled.count = s != nullptr ? s->element_count(channel) : 0;
    std::snprintf(filled.name, sizeof(filled.name), "%s", found->name);
    put(info, size, filled);
    return CLOTHC_SUCCESS;
  });
}

namespace {

std::shared_ptr<Buffer> resolve_buffer(clothc_buffer handle, const Solver& solver) {
  std::shared_ptr<Buffer> buffer = resolve<Buffer>(handle);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, buffer->device() == solver.device(), "the buffer belongs to another device than the solver");
  return buffer;
}

}  // namespace

clothc_result clothc_solver_set(clothc_solver solver, clothc_channel channel, clothc_buffer buffer, const clothc_view* view,
                                const clothc_region* regions, uint32_t region_count, uint32_t flags) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    const Transfer transfer =
        check_transfer(true, channel, s->element_count(channel), resolve_buffer(buffer, *s), view, regions, region_count, flags);
    s->set(transfer);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_solver_get(clothc_solver solver, clothc_channel channel, clothc_buffer buffer, const clothc_view* view,
                                const clothc_region* regions, uint32_t region_count, uint32_t flags) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    const Transfer transfer =
        check_transfer(false, channel, s->element_count(channel), resolve_buffer(buffer, *s), view, regions, region_count, flags);
    s->get(transfer);
    return CLOTHC_SUCCESS;
  });
}

// ------------------------------------------------------------------------------------------------ cloth

clothc_result clothc_cloth_add(clothc_solver solver, const clothc_cloth_desc* desc, clothc_cloth_id* cloth) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    const clothc_cloth_desc d = adopt(desc);
    require_output(cloth, "cloth");
    *cloth = s->add_cloth(read_cloth_desc(*s, d));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_clone(clothc_solver solver, clothc_cloth_id source, clothc_cloth_id* cloth) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    require_output(cloth, "cloth");
    *cloth = s->clone_cloth(s->cloth(source));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_remove(clothc_solver solver, clothc_cloth_id cloth) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    s->remove_cloth(s->cloth(cloth));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_list(clothc_solver solver, clothc_cloth_id* cloths, uint32_t* count) {
  return guard([&]() -> clothc_result {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    require_output(count, "count");
    const std::vector<Cloth*>& all = s->cloths();
    const size_t room = *count;
    *count = static_cast<uint32_t>(all.size());
    if (cloths == nullptr) return CLOTHC_SUCCESS;
    for (size_t k = 0; k < all.size() && k < room; ++k) cloths[k] = all[k]->id;
    return all.size() > room ? CLOTHC_INCOMPLETE : CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_get_info(clothc_solver solver, clothc_cloth_id cloth, clothc_cloth_info* info) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    const Cloth& c = s->cloth(cloth);
    const size_t size = checked_output(info);
    clothc_cloth_info filled = make_default<clothc_cloth_info>();
    filled.first_particle = c.first_particle;
    filled.particle_count = c.particle_count();
    filled.phase_config_count = static_cast<uint32_t>(c.phases.size());
    filled.collider_set_count = static_cast<uint32_t>(c.collider_sets.size());
    filled.index = static_cast<uint32_t>(std::find(s->cloths().begin(), s->cloths().end(), &c) - s->cloths().begin());
    filled.ordinal = c.ordinal;
    filled.fabric_hash = c.data().content_hash;
    put(info, size, filled);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_get_status(clothc_solver solver, clothc_cloth_id cloth, clothc_cloth_status* status) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    const Cloth& c = s->cloth(cloth);
    const size_t size = checked_output(status);
    put(status, size, s->status(c));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_set_parameters(clothc_solver solver, clothc_cloth_id cloth, const clothc_cloth_parameters* parameters) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    Cloth& c = s->cloth(cloth);
    const clothc_cloth_parameters p = adopt(parameters);
    check_parameters(p, "cloth_parameters");
    s->set_parameters(c, p);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_get_parameters(clothc_solver solver, clothc_cloth_id cloth, clothc_cloth_parameters* parameters) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    const Cloth& c = s->cloth(cloth);
    put(parameters, checked_output(parameters), c.parameters);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_set_phases(clothc_solver solver, clothc_cloth_id cloth, const clothc_phase_config* configs, uint32_t config_count) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    Cloth& c = s->cloth(cloth);
    s->set_phases(c, read_configs(configs, config_count, c.data()));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_get_phases(clothc_solver solver, clothc_cloth_id cloth, clothc_phase_config* configs, uint32_t* count) {
  return guard([&]() -> clothc_result {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    const Cloth& c = s->cloth(cloth);
    require_output(count, "count");
    const size_t room = *count;
    if (configs != nullptr && room > 0) {
      const size_t stride = checked_output(configs);
      for (size_t k = 0; k < c.phases.size() && k < room; ++k) put(element(configs, stride, k), stride, c.phases[k]);
    }
    *count = static_cast<uint32_t>(c.phases.size());
    return configs != nullptr && c.phases.size() > room ? CLOTHC_INCOMPLETE : CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_set_collider_sets(clothc_solver solver, clothc_cloth_id cloth, const clothc_collider_set_id* sets,
                                             uint32_t set_count) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    Cloth& c = s->cloth(cloth);
    s->set_collider_sets(c, read_collider_sets(*s, sets, set_count));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_clear(clothc_solver solver, clothc_cloth_id cloth, clothc_channel channel) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    Cloth& c = s->cloth(cloth);
    CLOTHC_REQUIRE(channel == CLOTHC_CHANNEL_ACCELERATION || channel == CLOTHC_CHANNEL_MOTION_CONSTRAINT,
                   "channel %u cannot be cleared; want CLOTHC_CHANNEL_ACCELERATION or MOTION_CONSTRAINT", channel);
    s->clear_channel(c, channel);
    return CLOTHC_SUCCESS;
  });
}

// ------------------------------------------------------------------------------------------------ colliders

clothc_result clothc_collider_set_create(clothc_solver solver, clothc_collider_set_id* set) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    require_output(set, "set");
    *set = s->create_collider_set();
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_collider_set_destroy(clothc_solver solver, clothc_collider_set_id set) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    s->destroy_collider_set(s->collider_set(set));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_collider_set_write(clothc_solver solver, clothc_collider_set_id set, const clothc_collider_shapes* shapes) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    ColliderSet& written = s->collider_set(set);
    const clothc_collider_shapes checked = adopt(shapes);
    check_shapes(checked);
    s->write_collider_set(written, checked);
    return CLOTHC_SUCCESS;
  });
}
