// contacts.cpp - see contacts.h.
#include "cloth/contacts.h"

#include <algorithm>
#include <map>

#include "cloth/vertices.h"

namespace clothc_viewer {
namespace {

constexpr glm::vec4 POINT_COLOUR = {1, 0.85f, 0, 1}, NORMAL_COLOUR = {1, 0.85f, 0, 0.8f};

// Of the mean side of the cloth's triangles.
constexpr float CONTACT_NORMAL = 1.5f;

}  // namespace

uint64_t add_contacts(const Source& source, clothc_renderer::DrawList& list) {
  if (!source.solver() || source.cloths().empty()) return 0;
  auto solver_info = clothc::initialised<clothc_solver_info>();
  clothc::check(clothc_solver_get_info(source.solver(), &solver_info));
  if (solver_info.contact_capacity == 0) return 0;

  uint32_t count = 0;
  const auto count_buffer = clothc::Buffer::create(source.device(), CLOTHC_FORMAT_UINT, 1).value();
  clothc::check(clothc_solver_get(source.solver(), CLOTHC_CHANNEL_CONTACT_COUNT, count_buffer, nullptr, nullptr, 0, 0));
  count_buffer.read<uint32_t>({&count, 1}).check();
  count = std::min(count, solver_info.contact_capacity);
  if (count == 0) return sizeof count;

  auto desc = clothc::initialised<clothc_buffer_desc>();
  desc.format = CLOTHC_FORMAT_RECORD;
  desc.stride = sizeof(clothc_contact);
  desc.count = count;
  const auto buffer = clothc::Buffer::create(source.device(), desc).value();
  const clothc_region region = {0, 0, count};
  clothc::check(clothc_solver_get(source.solver(), CLOTHC_CHANNEL_CONTACT, buffer, nullptr, &region, 1, 0));

  struct Place {
    glm::mat4 world;
    float length;
  };
  std::map<clothc_cloth_id, Place> places;
  for (const SourceCloth& cloth : source.cloths())
    places[cloth.cloth.id()] = {world_of(cloth.cloth), CONTACT_NORMAL * cloth.topology->mean_side};
  const auto contacts = buffer.map<const clothc_contact>().value();
  for (const clothc_contact& contact : contacts) {
    const auto place = places.find(contact.cloth);
    if (place == places.end()) continue;
    const auto [world, length] = place->second;
    const glm::vec3 point = world * glm::vec4(contact.point[0], contact.point[1], contact.point[2], 1);
    const glm::vec3 normal = world * glm::vec4(contact.normal[0], contact.normal[1], contact.normal[2], 0);
    list.discs.push_back({point, clothc_renderer::packed_colour(POINT_COLOUR)});
    list.lines.push_back({point, clothc_renderer::packed_colour(NORMAL_COLOUR)});
    list.lines.push_back({point + length * normal, clothc_renderer::packed_colour(NORMAL_COLOUR)});
  }
  return sizeof count + count * sizeof(clothc_contact);
}

}  // namespace clothc_viewer
