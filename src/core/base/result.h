// result.h - how a call fails: CLOTHC_REQUIRE throws a Failure with a message, guard turns it into the call's result.
// No exception leaves the library; the message is kept per thread.
#pragma once

#include <cmath>
#include <new>
#include <system_error>

#include "clothc.h"
#include "core/base/float_environment.h"

namespace clothc {

// What printf wants of a float.
constexpr double as_double(float value) { return value; }

// Its message is the thread's pending one.
struct Failure {
  clothc_result result = CLOTHC_ERROR_INTERNAL;
};

// Where the messages of failing calls go, beside the thread's last message.
struct MessageSink {
  clothc_message_callback callback = nullptr;
  void* user = nullptr;
};

// Formats the message of a failing call, to be thrown, or reported without being thrown, which takes no memory.
Failure make_failure(clothc_result result, const char* format, ...) __attribute__((format(printf, 2, 3)));
// Formats the message of a failing call and throws.
[[noreturn]] void fail(clothc_result result, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Called first in every export: forgets the message sink of the thread's last call.
void begin_call();
// The device that the call is about has a message callback.
void set_message_sink(const MessageSink& sink);
// Makes the failure's message the thread's last one and hands it to the callback.
clothc_result report(const Failure& failure);
clothc_result report(clothc_result result, const char* message);
const char* last_message();
// What the Failure that was caught on this thread last would report.
const char* failure_message();

template <class Body>
clothc_result guard(Body body) {
  const FloatEnvironment environment;
  begin_call();
  try {
    return body();
  } catch (const Failure& failure) {
    return report(failure);
  } catch (const std::bad_alloc&) {
    return report(CLOTHC_ERROR_OUT_OF_MEMORY, "out of memory; free some, or lower the capacities in solver_desc");
  } catch (const std::system_error&) {
    return report(CLOTHC_ERROR_OUT_OF_MEMORY, "the system gives no more threads; lower device_desc.worker_count");
  } catch (...) {
    return report(CLOTHC_ERROR_INTERNAL, "unexpected exception inside clothc; please report how to reproduce it");
  }
}

#define CLOTHC_REQUIRE_AS(result, condition, ...)          \
  do {                                                     \
    if (!(condition)) ::clothc::fail(result, __VA_ARGS__); \
  } while (false)
#define CLOTHC_REQUIRE(condition, ...) CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_ARGUMENT, condition, __VA_ARGS__)

// True for finite values in [low, high].
inline bool in_range(float value, float low, float high) { return value >= low && value <= high; }

}  // namespace clothc
