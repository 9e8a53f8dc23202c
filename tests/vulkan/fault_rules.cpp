// fault_rules.cpp - see fault_rules.h. Parses the rules and implements the C interface of fault_layer.h.
#include "vulkan/fault_rules.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#include "vulkan/fault_layer.h"

#define FAULT_LAYER_EXPORT __attribute__((visibility("default")))

namespace clothc::faults {

const char* const function_names[] = {
#define FAULT_FUNCTION(name, counted_as) "vk" #name,
#include "vulkan/fault_functions.def"
#undef FAULT_FUNCTION
};

namespace {

constexpr size_t fingerprint_digits = 16;

// The calls to which a rule applies: those with a number, or those that create one module.
struct Choice {
  uint64_t first = 0;
  bool and_later = false;
  std::optional<uint64_t> module;
};

struct Rule {
  Function function;
  Choice choice;
  Effect effect;
};

struct State {
  std::mutex mutex;
  std::vector<Rule> rules;

  // Number of calls since the counts were reset.
  uint64_t calls[function_count] = {};

  // Number of calls since the rules were set.
  uint64_t calls_under_rules[function_count] = {};
};

// Threads may still make calls while the program ends, so the state is never destroyed.
State& state() {
  static State* const only = new State;
  return *only;
}

template <typename Result, typename... Arguments>
constexpr bool gives_result(Result(VKAPI_PTR*)(Arguments...)) {
  return std::is_same_v<Result, VkResult>;
}

bool has_result(Function function) {
  constexpr bool table[] = {
#define FAULT_FUNCTION(name, counted_as) gives_result(PFN_vk##name{}),
#include "vulkan/fault_functions.def"
#undef FAULT_FUNCTION
  };
  return table[static_cast<size_t>(function)];
}

// Returns whether the loader writes into the object that a successful call creates.
bool makes_dispatched_object(Function function) {
  return function == Function::CreateInstance || function == Function::CreateDevice ||
         function == Function::AllocateCommandBuffers;
}

std::optional<Function> find_function(const std::string& name) {
  for (size_t k = 0; k < function_count; ++k) {
    if (name == function_names[k]) return counted_as(static_cast<Function>(k));
  }
  return std::nullopt;
}

// Parses a text that consists of one number and nothing else.
std::optional<long> read_number(const std::string& text) {
  const size_t digits = text.find_first_of("0123456789");
  if (digits != 0 && !(digits == 1 && text[0] == '-')) return std::nullopt;
  char* end = nullptr;
  const long number = std::strtol(text.c_str(), &end, 10);
  return *end == '\0' ? std::optional<long>(number) : std::nullopt;
}

std::optional<Effect> read_effect(Function function, const std::string& text) {
  if (text == "skip") return makes_dispatched_object(function) ? std::nullopt : std::optional<Effect>(Effect());
  if (text == "unknown" && function == Function::GetPhysicalDeviceProperties2)
    return Effect{VK_NOT_READY, std::nullopt};
  const std::optional<ModuleFault> planted = find_module_fault(text);
  if (planted && function == Function::CreateShaderModule) return Effect{VK_SUCCESS, planted};
  const std::optional<long> number = read_number(text);
  if (!number || *number < INT32_MIN || *number > INT32_MAX || !has_result(function)) return std::nullopt;
  if (makes_dispatched_object(function) && *number >= 0) return std::nullopt;
  return Effect{static_cast<VkResult>(*number), std::nullopt};
}

std::optional<Choice> read_choice(Function function, std::string text) {
  Choice choice;
  if (!text.empty() && text.front() == '@' && function == Function::CreateShaderModule) {
    char* end = nullptr;
    choice.module = std::strtoull(text.c_str() + 1, &end, 16);
    return text.size() == 1 + fingerprint_digits && *end == '\0' ? std::optional<Choice>(choice) : std::nullopt;
  }
  choice.and_later = !text.empty() && text.back() == '+';
  if (choice.and_later) text.pop_back();
  const std::optional<long> first = read_number(text);
  if (!first || *first < 1) return std::nullopt;
  choice.first = static_cast<uint64_t>(*first);
  return choice;
}

std::optional<Rule> read_rule(const std::string& text) {
  const size_t colon = text.find(':');
  const size_t equals = text.find('=');
  if (colon == std::string::npos || equals == std::string::npos || equals < colon) return std::nullopt;
  const std::optional<Function> function = find_function(text.substr(0, colon));
  if (!function) return std::nullopt;
  const std::optional<Choice> choice = read_choice(*function, text.substr(colon + 1, equals - colon - 1));
  const std::optional<Effect> effect = read_effect(*function, text.substr(equals + 1));
  if (!choice || !effect) return std::nullopt;
  return Rule{*function, *choice, *effect};
}

bool applies(const Choice& choice, uint64_t number, uint64_t module) {
  if (choice.module) return choice.module == module;
  return number == choice.first || (choice.and_later && number > choice.first);
}

bool replace_rules(const std::string& text) {
  std::vector<Rule> rules;
  for (size_t begin = 0; !text.empty() && begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::optional<Rule> rule = read_rule(text.substr(begin, end - begin));
    if (!rule) return false;
    rules.push_back(*rule);
    begin = end + 1;
  }
  State& shared = state();
  const std::lock_guard lock(shared.mutex);
  shared.rules = std::move(rules);
  for (uint64_t& calls : shared.calls_under_rules) calls = 0;
  return true;
}

[[maybe_unused]] const bool environment_read = [] {
  const char* text = std::getenv("CLOTHC_FAULTS");
  if (text && !replace_rules(text)) std::fprintf(stderr, "clothc fault layer: CLOTHC_FAULTS=%s is wrong\n", text);
  return true;
}();

}  // namespace

std::optional<Effect> count_call(Function function, uint64_t module) {
  const Function core = counted_as(function);
  State& shared = state();
  const std::lock_guard lock(shared.mutex);
  ++shared.calls[static_cast<size_t>(core)];
  const uint64_t number = ++shared.calls_under_rules[static_cast<size_t>(core)];
  for (const Rule& rule : shared.rules) {
    if (rule.function == core && applies(rule.choice, number, module)) return rule.effect;
  }
  return std::nullopt;
}

}  // namespace clothc::faults

extern "C" {

FAULT_LAYER_EXPORT int clothc_faults_set(const char* rules) {
  return rules && clothc::faults::replace_rules(rules) ? 0 : 1;
}

FAULT_LAYER_EXPORT uint64_t clothc_faults_count(const char* function) {
  using namespace clothc::faults;
  const std::optional<Function> found = find_function(function ? function : "");
  if (!found) return 0;
  const std::lock_guard lock(state().mutex);
  return state().calls[static_cast<size_t>(*found)];
}

FAULT_LAYER_EXPORT void clothc_faults_reset_counts(void) {
  using namespace clothc::faults;
  const std::lock_guard lock(state().mutex);
  for (uint64_t& calls : state().calls) calls = 0;
}
}
