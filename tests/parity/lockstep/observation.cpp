// observation.cpp - see observation.h.
#include "parity/lockstep/observation.h"

#include "support/debug_lines.h"
#include "support/groups.h"

namespace lockstep {
namespace {

// Records a struct that is read by its handle and an id.
template <class T, class Read>
void observe_struct(const std::string& label, clothc_solver solver, clothc_cloth_id cloth, Read read, Log& log) {
  auto value = initialised<T>();
  const clothc_result result = read(solver, cloth, &value);
  log.value(label + " result", result);
  log.value(label, value);
}

void observe_lists(const World& world, const std::string& name, clothc_cloth_id cloth, Log& log) {
  uint32_t count = 0;
  require(clothc_cloth_get_phases(world.solver, cloth, nullptr, &count));
  std::vector<clothc_phase_config> phases(count, initialised<clothc_phase_config>());
  if (count > 0) require(clothc_cloth_get_phases(world.solver, cloth, phases.data(), &count));
  log.values(name + "clothc_cloth_get_phases", phases);
  auto info = initialised<clothc_group_info>();
  if (clothc_group_get_info(world.solver, cloth, &info) == CLOTHC_SUCCESS)
    log.values(name + "clothc_group_get_active", clothc_test::get_active(world.solver, cloth));
}

void observe_elements(const World& world, const std::string& name, const clothc_channel_info& channel, uint32_t first,
                      uint32_t count, Log& log) {
  if (count == 0) return;
  const bool is_record = channel.format == CLOTHC_FORMAT_RECORD;
  const clothc_buffer buffer =
      clothc_test::create_buffer(world.place.device, count, channel.format, is_record ? channel.element_size : 0);
  const clothc_region region = {first, 0, count};
  require(clothc_solver_get(world.solver, channel.channel, buffer, nullptr, &region, 1, 0));
  std::vector<uint8_t> bytes(size_t{count} * channel.element_size);
  require(clothc_buffer_read(buffer, 0, bytes.size(), bytes.data()));
  require(clothc_buffer_destroy(buffer));
  log.bytes(name + "channel " + channel.name, bytes.data(), bytes.size(), channel.element_size);
}

void observe_cloth(const World& world, clothc_cloth_id cloth, const std::vector<clothc_channel_info>& channels,
                   Log& log) {
  const clothc_cloth_info info = world.info_of(cloth);
  const std::string name = "cloth " + std::to_string(info.index) + " ";
  const clothc_solver solver = world.solver;
  observe_struct<clothc_cloth_info>(name + "clothc_cloth_get_info", solver, cloth, clothc_cloth_get_info, log);
  observe_struct<clothc_cloth_status>(name + "clothc_cloth_get_status", solver, cloth, clothc_cloth_get_status, log);
  observe_struct<clothc_cloth_parameters>(name + "clothc_cloth_get_parameters", solver, cloth,
                                          clothc_cloth_get_parameters, log);
  observe_struct<clothc_cloth_frame>(name + "clothc_cloth_get_frame", solver, cloth, clothc_cloth_get_frame, log);
  observe_struct<clothc_group_info>(name + "clothc_group_get_info", solver, cloth, clothc_group_get_info, log);
  observe_lists(world, name, cloth, log);
  for (const clothc_channel_info& channel : channels) {
    if (channel.gettable != 0 && channel.count == world.desc.particle_capacity)
      observe_elements(world, name, channel, info.first_particle, info.particle_count, log);
  }
}

void observe_debug_lines(const World& world, Log& log) {
  clothc_debug_desc desc = clothc_test::debug_desc(2 * CLOTHC_DEBUG_FRAMES - 1);
  if (!world.has_contacts) desc.flags &= ~uint32_t{CLOTHC_DEBUG_CONTACTS};
  log.values("clothc_solver_get_debug_lines", clothc_test::debug_lines(world.solver, desc));
}

void observe_buffers(const World& world, Log& log) {
  for (size_t k = 0; k < world.buffers.size(); ++k) {
    auto info = initialised<clothc_buffer_info>();
    require(clothc_buffer_get_info(world.buffers[k], &info));
    std::vector<uint32_t> words(info.size / 4);
    require(clothc_buffer_read(world.buffers[k], 0, info.size, words.data()));
    log.values("buffer " + std::to_string(k), words);
  }
}

}  // namespace

std::vector<clothc_channel_info> list_channels(clothc_solver solver) {
  std::vector<clothc_channel_info> channels;
  auto info = initialised<clothc_channel_info>();
  for (clothc_channel channel = 1; clothc_channel_describe(solver, channel, &info) == CLOTHC_SUCCESS; ++channel)
    channels.push_back(info);
  return channels;
}

void mask(clothc_solver_info& info) {
  // Worlds that were restored have queued less.
  info.update_count = info.timeline_value = info.completed_value = 0;
  // How the work is done.
  info.uploaded_byte_count = info.last_update_upload = info.last_update_passes = info.last_update_submissions = 0;
  info.last_update_dispatches = info.device_allocation_count = 0;
}

void observe(const World& world, Log& log) {
  log.value("clothc_solver_state_hash", clothc_test::state_hash(world.solver));
  auto info = initialised<clothc_solver_info>();
  require(clothc_solver_get_info(world.solver, &info));
  mask(info);
  log.value("clothc_solver_get_info", info);
  uint32_t count = 0;
  require(clothc_cloth_list(world.solver, nullptr, &count));
  std::vector<clothc_cloth_id> cloths(count);
  if (count > 0) require(clothc_cloth_list(world.solver, cloths.data(), &count));
  log.values("clothc_cloth_list", cloths);
  const std::vector<clothc_channel_info> channels = list_channels(world.solver);
  for (const clothc_cloth_id cloth : cloths) observe_cloth(world, cloth, channels, log);
  for (const clothc_channel_info& channel : channels) {
    const bool is_contact =
        channel.channel == CLOTHC_CHANNEL_CONTACT || channel.channel == CLOTHC_CHANNEL_CONTACT_COUNT;
    if (is_contact && !world.has_contacts) continue;
    if (channel.gettable != 0 && channel.count != world.desc.particle_capacity)
      observe_elements(world, "", channel, 0, static_cast<uint32_t>(channel.count), log);
  }
  observe_debug_lines(world, log);
  observe_buffers(world, log);
  uint64_t value = 0;
  require(clothc_fence_get_value(world.counter, &value));
  log.value("clothc_fence_get_value", value);
  const std::vector<uint8_t> snapshot = clothc_test::take_snapshot(world.solver);
  log.bytes("clothc_solver_snapshot", snapshot.data(), snapshot.size(), 4);
}

}  // namespace lockstep
