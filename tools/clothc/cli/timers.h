// timers.h - the times of one update by part and stage, as text and as JSON.
#pragma once

#include <clothc.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace clothc_tool {

// Name of a CLOTHC_STAGE_...
const char* stage_name(uint32_t stage);

// Lines with the parts and the stages that took any time, as percentages of the update.
std::string timers_text(const clothc_timers& timers);
// Null if no times have arrived.
nlohmann::ordered_json timers_json(const clothc_timers& timers);

}  // namespace clothc_tool
