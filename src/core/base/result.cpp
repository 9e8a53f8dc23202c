// result.cpp - owns the messages of each thread: the pending one of the last failure made, and the last one reported.
#include "core/base/result.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace clothc {
namespace {

constexpr size_t message_capacity = 1024;
thread_local char pending_message[message_capacity] = "";
thread_local char last_text[message_capacity] = "";
thread_local MessageSink current_sink;

}  // namespace

void fail(clothc_result result, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(pending_message, message_capacity, format, arguments);
  va_end(arguments);
  throw Failure{result};
}

Failure make_failure(clothc_result result, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(pending_message, message_capacity, format, arguments);
  va_end(arguments);
  return {result};
}

void begin_call() { current_sink = {}; }

void set_message_sink(const MessageSink& new_sink) { current_sink = new_sink; }

clothc_result report(const Failure& failure) { return report(failure.result, pending_message); }

clothc_result report(clothc_result result, const char* message) {
  std::snprintf(last_text, message_capacity, "%s", message);
  if (current_sink.callback != nullptr) current_sink.callback(result, last_text, current_sink.user);
  return result;
}

void inform(const char* format, ...) {
  if (current_sink.callback == nullptr) return;
  char text[message_capacity];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, message_capacity, format, arguments);
  va_end(arguments);
  current_sink.callback(CLOTHC_SUCCESS, text, current_sink.user);
}

const char* last_message() { return last_text; }

const char* failure_message() { return pending_message; }

}  // namespace clothc
