// rules.cpp - see rules.h.
#include "cuda/device/driver/rules.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <filesystem>

namespace clothc::cuda_device {
namespace {

// A rule's text, NAME:KEY=VALUE. A part that is missing is empty.
struct Parts {
  std::string name, key, value;
};

Parts split(const std::string& text) {
  const size_t equals = std::min(text.find('='), text.size());
  const size_t colon = std::min(text.find(':'), equals);
  Parts parts;
  parts.name = text.substr(0, colon);
  if (colon < equals) parts.key = text.substr(colon + 1, equals - colon - 1);
  if (equals < text.size()) parts.value = text.substr(equals + 1);
  return parts;
}

// Parses a text that consists of one number and nothing else.
std::optional<int64_t> read_number(const std::string& text, int64_t least, int64_t most) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  errno = 0;
  const int64_t number = std::strtoll(text.c_str(), nullptr, 10);
  if (errno != 0 || number < least || number > most) return std::nullopt;
  return number;
}

template <typename Number>
bool read_into(Number& target, const std::string& text, int64_t least, int64_t most) {
  const std::optional<int64_t> number = read_number(text, least, most);
  if (number) target = static_cast<Number>(*number);
  return number.has_value();
}

// Sets the target to the value of the same number as the word.
template <typename Value>
bool choose(Value& target, const std::string& word, const std::vector<std::pair<const char*, Value>>& choices) {
  for (const auto& [name, value] : choices) {
    if (word != name) continue;
    target = value;
    return true;
  }
  return false;
}

bool read_loss(Rules& rules, const std::string& text) {
  const size_t slash = text.find('/');
  rules.loss = CUDA_ERROR_LAUNCH_FAILED;
  if (slash != std::string::npos && !read_into(rules.loss, text.substr(slash + 1), 1, 999)) return false;
  return read_into(rules.lost_operation, text.substr(0, slash), 1, INT64_MAX);
}

bool read_hang(Rules& rules, const std::string& text) {
  bool* const all = text.empty()          ? &rules.hangs
                    : text == "to_host"   ? &rules.hangs_to_host
                    : text == "from_host" ? &rules.hangs_from_host
                                          : nullptr;
  if (all == nullptr) return read_into(rules.hung_operation, text, 1, INT64_MAX);
  *all = true;
  return true;
}

bool read_folder(std::string& target, const std::string& path) {
  target = path;
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

bool read_attribute(Rules& rules, const Parts& parts) {
  int attribute = 0;
  return read_into(attribute, parts.key, 1, 1000) && read_into(rules.attributes[attribute], parts.value, 0, INT_MAX);
}

bool read_call_rule(Rules& rules, const Parts& parts) {
  CallRule rule{};
  rule.function = find_function(parts.name);
  if (!rule.function && parts.name != "*") return false;
  std::string first = parts.key;
  rule.and_later = !first.empty() && first.back() == '+';
  if (rule.and_later) first.pop_back();
  if (!read_into(rule.first, first, 1, INT64_MAX)) return false;
  if (parts.value != "skip" && !read_into(rule.result, parts.value, 1, 999)) return false;
  rules.calls.push_back(rule);
  return true;
}

bool read_setting(Rules& rules, const std::string& name, const std::string& value) {
  TextFault fault;
  if (choose<TextFault>(fault, name,
                        {{"contract", TextFault::contract},
                         {"divide_up", TextFault::divide_up},
                         {"no_barriers", TextFault::no_barriers}})) {
    rules.planted.push_back({fault, value});
    return !value.empty();
  }
  if (name == "hang") return read_hang(rules, value);
  if (name == "lose") return read_loss(rules, value);
  if (name == "execution") return choose<bool>(rules.manner.executes, value, {{"on", true}, {"off", false}});
  if (name == "stores")
    return choose<bool>(rules.manner.delays_stores, value, {{"immediate", false}, {"delayed", true}});
  if (name == "races") return choose<bool>(rules.manner.finds_races, value, {{"on", true}, {"off", false}});
  if (name == "counts") return choose<bool>(rules.manner.counts, value, {{"on", true}, {"off", false}});
  if (name == "start") {
    return choose<Start>(rules.start, value,
                         {{"normal", Start::normal}, {"early", Start::early}, {"late", Start::late}});
  }
  if (name == "order") {
    using ptx::Order;
    return choose<Order>(rules.manner.order, value,
                         {{"forward", Order::forward}, {"backward", Order::backward}, {"permuted", Order::permuted}});
  }
  if (name == "seed") return read_into(rules.manner.seed, value, 0, UINT32_MAX);
  if (name == "init") return read_into(rules.init, value, 0, 999);
  if (name == "devices") return read_into(rules.device_count, value, 0, 16);
  if (name == "driver") return read_into(rules.driver_version, value, 0, INT_MAX);
  if (name == "memory") return read_into(rules.memory_size, value, 0, INT64_MAX);
  if (name == "clock") return read_into(rules.clock_resolution, value, 1, INT64_MAX);
  if (name == "holes") {
    return choose<Holes>(rules.holes, value,
                         {{"unknown", Holes::unknown}, {"told", Holes::told}, {"outside", Holes::outside}});
  }
  if (name == "dedicated") return choose<bool>(rules.demands_dedicated, value, {{"on", true}, {"off", false}});
  if (name == "native") return read_folder(rules.native_folder, value);
  if (name != "kill" || !value.empty()) return false;
  rules.kills = true;
  return true;
}

bool read_rule(Rules& rules, const std::string& text) {
  const Parts parts = split(text);
  if (parts.name == "attribute") return read_attribute(rules, parts);
  return parts.key.empty() ? read_setting(rules, parts.name, parts.value) : read_call_rule(rules, parts);
}

}  // namespace

std::optional<Rules> read_rules(const std::string& text, Rules rules) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    if (!read_rule(rules, text.substr(begin, end - begin))) return std::nullopt;
    begin = end + 1;
  }
  return rules;
}

std::optional<CUresult> count_call(Rules& rules, Function function) {
  std::optional<CUresult> result;
  for (CallRule& rule : rules.calls) {
    if (rule.function && *rule.function != function) continue;
    ++rule.calls;
    const bool applies = rule.and_later ? rule.calls >= rule.first : rule.calls == rule.first;
    if (applies && !result) result = rule.result;
  }
  return result;
}

}  // namespace clothc::cuda_device
