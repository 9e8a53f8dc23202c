// log.cpp - see log.h.
#include "parity/lockstep/log.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace lockstep {
namespace {

// A word of an entry as people read it: a string's bytes as they are, others as an integer and a float.
std::string show(const Entry& entry, size_t at) {
  if (entry.element_size == 1) return "\"" + std::string(entry.bytes.begin(), entry.bytes.end()) + "\"";
  uint32_t word = 0;
  std::memcpy(&word, &entry.bytes[at], std::min<size_t>(4, entry.bytes.size() - at));
  float real = 0;
  std::memcpy(&real, &word, 4);
  char text[80];
  std::snprintf(text, sizeof(text), "%u (0x%08x, %.9g)", word, word, static_cast<double>(real));
  return text;
}

std::string compare(const Entry& a, const std::string& name_a, const Entry& b, const std::string& name_b) {
  if (a.label != b.label) return name_a + " has " + a.label + " where " + name_b + " has " + b.label;
  const size_t size_a = a.bytes.size() / a.element_size, size_b = b.bytes.size() / b.element_size;
  const size_t common = std::min(a.bytes.size(), b.bytes.size());
  size_t at = 0;
  while (at < common && a.bytes[at] == b.bytes[at]) ++at;
  if (a.element_size == 1 && size_a < 1000 && size_b < 1000)
    return a.label + " differs: " + name_a + " " + show(a, 0) + ", " + name_b + " " + show(b, 0);
  std::string text = a.label;
  if (size_a != size_b)
    text +=
        " has " + std::to_string(size_a) + " elements in " + name_a + ", " + std::to_string(size_b) + " in " + name_b;
  if (at == common) return text;
  const size_t width = std::max<size_t>(a.element_size, 4), element = at / width, word = at % width / 4;
  text += " element " + std::to_string(element) + " word " + std::to_string(word) + " differs: ";
  at = element * width + word * 4;
  const Entry words_a = {"", 4, a.bytes}, words_b = {"", 4, b.bytes};
  return text + name_a + " " + show(words_a, at) + ", " + name_b + " " + show(words_b, at);
}

}  // namespace

bool Log::result(const char* function, clothc_result result) {
  value(function, result);
  if (result >= CLOTHC_SUCCESS) {
    ++successes_;
    return result == CLOTHC_SUCCESS;
  }
  ++failures_;
  const char* message = clothc_last_error_message();
  bytes(std::string("message of ") + function, message, std::strlen(message), 1);
  return false;
}

void Log::bytes(const std::string& label, const void* data, size_t size, size_t element_size) {
  Entry entry = {label, element_size, std::vector<uint8_t>(size)};
  if (size > 0) std::memcpy(entry.bytes.data(), data, size);
  entries_.push_back(std::move(entry));
}

void Log::note(const char* format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  notes_ += (notes_.empty() ? "" : " ") + std::string(text);
}

std::string first_difference(const Log& a, const std::string& name_a, const Log& b, const std::string& name_b) {
  const size_t common = std::min(a.entries().size(), b.entries().size());
  for (size_t k = 0; k < common; ++k) {
    const Entry &left = a.entries()[k], &right = b.entries()[k];
    if (left.label != right.label || left.bytes != right.bytes) return compare(left, name_a, right, name_b);
  }
  if (a.entries().size() == b.entries().size()) return "";
  const Log& longer = a.entries().size() > common ? a : b;
  return "only " + (&longer == &a ? name_a : name_b) + " has " + longer.entries()[common].label;
}

}  // namespace lockstep
