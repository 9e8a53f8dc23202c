// parameters.cpp - values for parameters of cloths, which come from the library's table of them, frames and positions.
#include <algorithm>
#include <string>

#include "parity/lockstep/calls.h"

namespace lockstep {
namespace {

std::vector<clothc_parameter_info> describe_parameters() {
  std::vector<clothc_parameter_info> infos;
  auto info = initialised<clothc_parameter_info>();
  for (uint32_t index = 0; clothc_parameter_describe(index, &info) == CLOTHC_SUCCESS; ++index) infos.push_back(info);
  return infos;
}

const std::vector<clothc_parameter_info>& parameter_infos() {
  static const std::vector<clothc_parameter_info> infos = describe_parameters();
  return infos;
}

// More iterations than this only take time.
constexpr float most_frequency = 900;

float draw_real(Random& random, const clothc_parameter_info& info, uint32_t component) {
  const auto least = static_cast<float>(info.least), most = static_cast<float>(info.most);
  const bool is_frequency = info.name == std::string("solver_frequency");
  if (random.one_in(100)) return random.odd();
  if (random.one_in(20)) return random.one_in(2) ? least : is_frequency ? most_frequency : most;
  if (random.one_in(5)) return static_cast<float>(info.initial[component]);
  if (is_frequency) return random.real(30, most_frequency / 2);
  if (most <= 1) return random.real(least, most);
  const float sizes[] = {0.03f, 0.2f, 1, 10};
  return std::max(least, random.real(least < 0 ? -1.0f : 0.0f, 1) * sizes[random.below(4)]);
}

uint32_t draw_word(Random& random, const clothc_parameter_info& info) {
  const auto least = static_cast<uint32_t>(info.least), most = static_cast<uint32_t>(info.most);
  if (random.one_in(100)) return static_cast<uint32_t>(random.next());
  if (info.type == CLOTHC_PARAMETER_FLAGS) return static_cast<uint32_t>(random.next()) & most;
  if (random.one_in(20)) return random.one_in(2) ? least : most;
  return least + random.below(std::min(most - least, 20u) + 1);
}

void draw_parameter(Random& random, const clothc_parameter_info& info, clothc_cloth_parameters& parameters) {
  uint8_t* const field = reinterpret_cast<uint8_t*>(&parameters) + info.offset;
  const bool is_real = info.type == CLOTHC_PARAMETER_FLOAT || info.type == CLOTHC_PARAMETER_FLOAT3;
  for (uint32_t k = 0; k < (info.type == CLOTHC_PARAMETER_FLOAT3 ? 3u : 1u); ++k) {
    const float real = is_real ? draw_real(random, info, k) : 0;
    const uint32_t word = is_real ? 0 : draw_word(random, info);
    std::memcpy(field + 4 * k, is_real ? static_cast<const void*>(&real) : &word, 4);
  }
}

}  // namespace

clothc_cloth_parameters draw_parameters(Random& random, clothc_cloth_parameters parameters) {
  // What costs most and meets most of the rest is drawn more often than others.
  if (random.one_in(4)) parameters.inter_collision_distance = random.real(0.01f, 0.3f);
  if (random.one_in(4)) parameters.self_collision_distance = random.real(0.01f, 0.1f);
  if (random.one_in(6)) parameters.wind_velocity[random.below(3)] = random.real(-20, 20);
  if (random.one_in(6)) parameters.drag_coefficient = parameters.lift_coefficient = random.real(0, 1);
  if (random.one_in(6)) parameters.collision_flags = random.below(8);
  if (random.one_in(6)) parameters.statistics = random.below(8);
  if (random.one_in(6)) parameters.friction = parameters.self_collision_friction = random.real(0, 1);
  if (random.one_in(10)) {
    parameters.sleep_threshold = random.real(0, 1);
    parameters.sleep_after_count = random.between(1, 3);
    parameters.sleep_test_interval = random.between(1, 60);
  }
  for (uint32_t k = random.below(4); k > 0; --k) draw_parameter(random, random.pick(parameter_infos()), parameters);
  return parameters;
}

clothc_cloth_frame draw_frame(Random& random) {
  auto frame = initialised<clothc_cloth_frame>();
  frame.flags = random.one_in(2) ? 0 : random.below(32);
  for (float& x : frame.translation) x = random.real(-0.3f, 0.3f);
  for (float& x : frame.start_translation) x = random.real(-0.3f, 0.3f);
  if (random.one_in(2)) random.rotation(frame.rotation);
  if (random.one_in(2)) random.rotation(frame.start_rotation);
  if (random.one_in(60)) frame.translation[random.below(3)] = random.odd();
  spoil_size(random, frame);
  return frame;
}

std::vector<float> draw_positions(Random& random, uint32_t count) {
  std::vector<float> positions;
  for (uint32_t k = 0; k < count; ++k) {
    for (int axis = 0; axis < 3; ++axis) positions.push_back(random.real(-1, 1));
    positions.push_back(random.one_in(10) ? 0 : random.one_in(5) ? random.real(0.01f, 100) : 1);
  }
  if (random.one_in(40) && count > 0) positions[random.below(4 * count)] = random.odd();
  return positions;
}

}  // namespace lockstep
