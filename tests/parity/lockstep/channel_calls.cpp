// channel_calls.cpp - values go into channels and come out of them, by sets, gets and bindings.
#include "parity/lockstep/calls.h"
#include "parity/lockstep/observation.h"

namespace lockstep {
namespace {

// A channel that is there, or now and then one that is not.
clothc_channel_info pick_channel(const World& world, Random& random) {
  const std::vector<clothc_channel_info> channels = list_channels(world.solver);
  clothc_channel_info info = random.pick(channels);
  if (random.one_in(60)) info.channel = random.below(static_cast<uint32_t>(channels.size()) + 3);
  return info;
}

// Regions within a cloth's particles on the channel's side, which may overlap; sometimes beyond them.
std::vector<clothc_region> draw_regions(Random& random, const clothc_cloth_info& cloth, bool is_record, bool sets) {
  std::vector<clothc_region> regions;
  const uint32_t first = is_record ? cloth.index : cloth.first_particle;
  const uint32_t count = is_record ? 1 : cloth.particle_count;
  for (uint32_t k = random.one_in(3) ? 3 : 1; k > 0; --k) {
    const uint32_t skipped = random.one_in(2) || count == 0 ? 0 : random.below(count);
    uint32_t length = random.one_in(2) ? count - skipped : random.below(count - skipped + 1);
    if (random.one_in(60)) length += random.below(100);
    const uint32_t in_buffer = random.one_in(2) ? 0 : random.below(10);
    regions.push_back(sets ? clothc_region{in_buffer, first + skipped, length}
                           : clothc_region{first + skipped, in_buffer, length});
  }
  return regions;
}

// The bytes of a buffer of so many elements for a set.
std::vector<uint8_t> draw_elements(Random& random, const clothc_channel_info& channel, uint32_t count) {
  std::vector<uint8_t> bytes(size_t{count} * channel.element_size);
  if (channel.channel == CLOTHC_CHANNEL_CLOTH_PARAMETERS || channel.channel == CLOTHC_CHANNEL_CLOTH_FRAME) {
    for (uint32_t k = 0; k < count; ++k) {
      const auto parameters = draw_parameters(random, initialised<clothc_cloth_parameters>());
      const clothc_cloth_frame frame = draw_frame(random);
      const bool is_frame = channel.channel == CLOTHC_CHANNEL_CLOTH_FRAME;
      std::memcpy(&bytes[size_t{k} * channel.element_size], is_frame ? static_cast<const void*>(&frame) : &parameters,
                  channel.element_size);
    }
    return bytes;
  }
  const float range = random.one_in(4) ? 5 : 1;
  const uint32_t odd = random.one_in(6) ? random.between(2, 40) : 0;
  for (size_t at = 0; at < bytes.size(); at += 4) {
    float value = random.real(-range, range);
    // The fourth is an inverse mass or a radius.
    if (at % 16 == 12) value = random.one_in(4) ? 0 : random.real(-0.1f, 1);
    if (odd > 0 && random.one_in(odd)) value = random.odd();
    const uint32_t word = random.below(4) | (random.one_in(2) ? CLOTHC_PARTICLE_PHASE_SELF_COLLIDE : 0);
    std::memcpy(&bytes[at], channel.format == CLOTHC_FORMAT_UINT ? static_cast<const void*>(&word) : &value, 4);
  }
  return bytes;
}

struct Transfer {
  clothc_channel_info channel;
  std::vector<clothc_region> regions;
  clothc_buffer buffer = nullptr;
  clothc_view view = initialised<clothc_view>();
  bool has_view = false;
  uint32_t element_count = 0;
};

// Draws what is transferred, and makes its buffer.
Transfer draw_transfer(const World& world, Random& random, bool sets, Log& log) {
  Transfer transfer;
  transfer.channel = pick_channel(world, random);
  const bool is_record = transfer.channel.format == CLOTHC_FORMAT_RECORD;
  const clothc_cloth_id cloth = world.pick_cloth(random);
  const clothc_cloth_info info = world.info_of(cloth);
  transfer.regions = draw_regions(random, info, is_record, sets);
  transfer.element_count = (is_record ? 1 : info.particle_count) + 12;
  transfer.buffer = clothc_test::create_buffer(world.place.device, transfer.element_count, transfer.channel.format,
                                               is_record ? transfer.channel.element_size : 0);
  transfer.has_view = random.one_in(5);
  transfer.view.format = random.one_in(3) ? random.between(1, 5) : uint32_t{CLOTHC_FORMAT_FLOAT3};
  transfer.view.byte_offset = 4 * random.below(3);
  spoil_size(random, transfer.view);
  log.note("%s cloth %x %zu regions, first %u %u %u%s", transfer.channel.name, cloth, transfer.regions.size(),
           transfer.regions[0].source_offset, transfer.regions[0].target_offset, transfer.regions[0].count,
           transfer.has_view ? ", with a view" : "");
  return transfer;
}

void set(World& world, Random& random, Log& log) {
  const Transfer transfer = draw_transfer(world, random, true, log);
  const std::vector<uint8_t> bytes = draw_elements(random, transfer.channel, transfer.element_count);
  require(clothc_buffer_write(transfer.buffer, 0, bytes.size(), bytes.data()));
  const uint32_t flags = random.one_in(3) ? CLOTHC_SET_AT_REST : 0;
  log.result("clothc_solver_set",
             clothc_solver_set(world.solver, transfer.channel.channel, transfer.buffer,
                               transfer.has_view ? &transfer.view : nullptr, transfer.regions.data(),
                               static_cast<uint32_t>(transfer.regions.size()), flags));
  require(clothc_buffer_destroy(transfer.buffer));
}

void get(World& world, Random& random, Log& log) {
  if (!world.has_contacts) return;
  const Transfer transfer = draw_transfer(world, random, false, log);
  log.result("clothc_solver_get",
             clothc_solver_get(world.solver, transfer.channel.channel, transfer.buffer,
                               transfer.has_view ? &transfer.view : nullptr, transfer.regions.data(),
                               static_cast<uint32_t>(transfer.regions.size()), 0));
  std::vector<uint32_t> words(size_t{transfer.element_count} * transfer.channel.element_size / 4);
  require(clothc_buffer_read(transfer.buffer, 0, words.size() * 4, words.data()));
  log.values(std::string("elements of ") + transfer.channel.name, words);
  require(clothc_buffer_destroy(transfer.buffer));
}

void clear(World& world, Random& random, Log& log) {
  const clothc_cloth_id cloth = world.pick_cloth(random);
  const clothc_channel_info channel = pick_channel(world, random);
  log.note("cloth %x %s", cloth, channel.name);
  log.result("clothc_cloth_clear", clothc_cloth_clear(world.solver, cloth, channel.channel));
}

void bind(World& world, Random& random, Log& log) {
  const clothc_channel channels[] = {CLOTHC_CHANNEL_POSITION,       CLOTHC_CHANNEL_PREVIOUS_POSITION,
                                     CLOTHC_CHANNEL_START_POSITION, CLOTHC_CHANNEL_VELOCITY,
                                     CLOTHC_CHANNEL_NORMAL,         CLOTHC_CHANNEL_TANGENT};
  const clothc_cloth_id cloth = world.pick_cloth(random);
  const clothc_channel channel = random.one_in(20) ? random.below(30) : channels[random.below(6)];
  const clothc_buffer buffer = random.one_in(6) ? nullptr : random.pick(world.buffers);
  auto view = initialised<clothc_view>();
  view.format = random.one_in(2) ? CLOTHC_FORMAT_FLOAT3 : CLOTHC_FORMAT_FLOAT4;
  view.byte_offset = 4 * random.below(5);
  view.flags = random.one_in(2) ? CLOTHC_VIEW_WORLD : 0;
  if (random.one_in(4)) view.stride = 4 * random.between(3, 12);
  const bool has_view = !random.one_in(4);
  log.note("cloth %x channel %u", cloth, channel);
  log.result("clothc_cloth_bind", clothc_cloth_bind(world.solver, cloth, channel, buffer, has_view ? &view : nullptr));
}

// Updates fail while a bound buffer is mapped.
void map(World& world, Random& random, Log& log) {
  const clothc_buffer buffer = random.pick(world.buffers);
  const uint32_t flags = random.below(8);
  void* pointer = nullptr;
  if (!log.result("clothc_buffer_map", clothc_buffer_map(buffer, flags, &pointer))) return;
  if ((flags & CLOTHC_MAP_DISCARD) != 0) {
    auto info = initialised<clothc_buffer_info>();
    require(clothc_buffer_get_info(buffer, &info));
    std::memset(pointer, 0, info.size);
  }
  const auto update = initialised<clothc_update>();
  log.result("clothc_solver_update", clothc_solver_update(world.solver, &update, nullptr));
  require(clothc_buffer_unmap(buffer));
}

// What was bound to the old buffer is bound no longer.
void replace_buffer(World& world, Random& random, Log& log) {
  clothc_buffer& buffer = world.buffers[random.below(static_cast<uint32_t>(world.buffers.size()))];
  auto info = initialised<clothc_buffer_info>();
  require(clothc_buffer_get_info(buffer, &info));
  require(clothc_buffer_destroy(buffer));
  // The message names the handle, which other devices number in another way.
  log.value("clothc_buffer_destroy twice", clothc_buffer_destroy(buffer));
  buffer = clothc_test::create_buffer(world.place.device, info.count, info.format, info.stride);
}

}  // namespace

std::vector<Call> channel_calls() {
  return {{"solver_set", 16, Nature::queues, set},   {"solver_get", 5, Nature::waits, get},
          {"cloth_clear", 3, Nature::queues, clear}, {"cloth_bind", 4, Nature::queues, bind},
          {"buffer_map", 1, Nature::waits, map},     {"buffer_destroy", 1, Nature::queues, replace_buffer}};
}

}  // namespace lockstep
