// timers.cpp - names of the parts and stages of an update.
#include "cli/timers.h"

#include <cstdio>
#include <iterator>

namespace clothc_tool {
namespace {

const char* const kParts[] = {"upload", "programs",        "before",   "iterations",
                              "after",  "cloth collision", "contacts", "channels"};
const char* const kStages[] = {"begin",
                               "shapes",
                               "integration",
                               "wind",
                               "motion constraints",
                               "tethers",
                               "hierarchy",
                               "phases",
                               "separation constraints",
                               "collision",
                               "particle bvh",
                               "self-collision",
                               "cloth collision",
                               "sleep",
                               "end",
                               "contacts",
                               "program"};
static_assert(std::size(kParts) == CLOTHC_PART_COUNT && std::size(kStages) == CLOTHC_STAGE_COUNT, "each has a name");

std::string line(const char* title, const char* const* names, const uint64_t* ns, uint32_t count, uint64_t total) {
  std::string text = std::string("  ") + title;
  for (uint32_t k = 0; k < count; ++k) {
    if (ns[k] == 0) continue;
    char item[64];
    std::snprintf(item, sizeof item, "  %s %.1f%%", names[k],
                  100 * static_cast<double>(ns[k]) / static_cast<double>(total));
    text += item;
  }
  return text + "\n";
}

nlohmann::ordered_json list(const char* const* names, const uint64_t* ns, uint32_t count) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (uint32_t k = 0; k < count; ++k) json[names[k]] = ns[k];
  return json;
}

}  // namespace

const char* stage_name(uint32_t stage) { return kStages[stage]; }

std::string timers_text(const clothc_timers& timers) {
  if (timers.update == 0 || timers.total_ns == 0) return "  no times have arrived\n";
  char head[128];
  std::snprintf(head, sizeof head, "  update %llu: %.4f ms, %u constraints, %u contacts\n",
                static_cast<unsigned long long>(timers.update), static_cast<double>(timers.total_ns) / 1e6,
                timers.constraint_count, timers.contact_count);
  return head + line("parts: ", kParts, timers.part_ns, CLOTHC_PART_COUNT, timers.total_ns) +
         line("stages:", kStages, timers.stage_ns, CLOTHC_STAGE_COUNT, timers.total_ns);
}

nlohmann::ordered_json timers_json(const clothc_timers& timers) {
  if (timers.update == 0) return {};
  nlohmann::ordered_json json;
  json["update"] = timers.update;
  json["total_ns"] = timers.total_ns;
  json["parts_ns"] = list(kParts, timers.part_ns, CLOTHC_PART_COUNT);
  json["stages_ns"] = list(kStages, timers.stage_ns, CLOTHC_STAGE_COUNT);
  json["constraints"] = timers.constraint_count;
  json["contacts"] = timers.contact_count;
  return json;
}

}  // namespace clothc_tool
