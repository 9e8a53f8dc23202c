// log.h - what came back from calls, as labelled bytes that are compared between worlds.
#pragma once

#include <clothc.h>

#include <cstring>
#include <string>
#include <vector>

namespace lockstep {

// One thing that came back. Its bytes are elements of the given size.
struct Entry {
  std::string label;
  size_t element_size;
  std::vector<uint8_t> bytes;
};

class Log {
 public:
  // Records the result of a call that may change the solver, and the message if it failed. Returns whether it succeeded.
  bool result(const char* function, clothc_result result);

  // The value has no bytes of padding.
  template <class T>
  void value(const std::string& label, const T& value) {
    bytes(label, &value, sizeof(value), sizeof(value));
  }
  template <class T>
  void values(const std::string& label, const std::vector<T>& values) {
    bytes(label, values.data(), values.size() * sizeof(T), sizeof(T));
  }
  void bytes(const std::string& label, const void* data, size_t size, size_t element_size);

  // Notes arguments for people. Notes are not compared.
  void note(const char* format, ...);

  const std::vector<Entry>& entries() const { return entries_; }
  const std::string& notes() const { return notes_; }
  // Whether calls failed and none succeeded.
  bool has_only_failed() const { return failures_ > 0 && successes_ == 0; }

 private:
  std::vector<Entry> entries_;
  std::string notes_;
  int successes_ = 0, failures_ = 0;
};

// Says what differs first, with the values of both sides, or returns "" if all is equal.
std::string first_difference(const Log& a, const std::string& name_a, const Log& b, const std::string& name_b);

}  // namespace lockstep
