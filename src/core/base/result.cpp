// result.cpp - owns the messages of each thread: the pending one of the last failure made, and the last one reported.
#include "core/base/result.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace clothc {
namespace {

constexpr size_t message_capacity = 1024;
thread_local char pending_message[message_capacity] = "";
thread_local char last[message_capacity] = "";
thread_local MessageSink sink;

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

void begin_call() { sink = {}; }

void set_message_sink(const MessageSink& new_sink) { sink = new_sink; }

clothc_result report(const Failure& failure) { return report(failure.result, pending_message); }

clothc_result report(clothc_result result, const char* message) {
  std::snprintf(last, message_capacity, "%s", message);
  if (sink.callback != nullptr) sink.callback(result, last, sink.user);
  return result;
}

const char* last_message() { return last; }

const char* failure_message() { return pending_message; }

}  // namespace clothc
