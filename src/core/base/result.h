// result.h - how a call fails: CLOTHC_REQUIRE formats a message and throws a Failure, and guard turns the Failure into
// the result of the call. No exception leaves the library. Each thread stores its own message.
#pragma once

#include <cmath>
#include <new>
#include <system_error>

#include "clothc.h"
#include "core/base/float_environment.h"
#include "platform/compiler.h"

namespace clothc {

// Converts a float to double, the type that printf takes.
constexpr double as_double(float value) { return value; }

// A failure. It holds the result only; the message is stored as the pending message of the thread.
struct Failure {
  clothc_result result = CLOTHC_ERROR_INTERNAL;
};

// The application's callback for messages. Those of failing calls go to it in addition to clothc_last_error_message.
struct MessageSink {
  clothc_message_callback callback = nullptr;
  void* user = nullptr;
};

// Formats the message of a failing call. The Failure returned may be thrown, or reported directly, which needs no
// memory.
Failure make_failure(clothc_result result, const char* format, ...) CLOTHC_PRINTF(2, 3);
// Formats the message of a failing call and throws the Failure.
[[noreturn]] void fail(clothc_result result, const char* format, ...) CLOTHC_PRINTF(2, 3);

// Every exported function calls this first. It clears the message sink that the thread's previous call set.
void begin_call();
// Sets the message callback for the rest of this call: that of the device which the call uses.
void set_message_sink(const MessageSink& sink);
// Stores the message as the thread's last one, passes it to the callback, and returns the result.
clothc_result report(const Failure& failure);
clothc_result report(clothc_result result, const char* message);
// Formats a message of a call that does not fail and passes it to the callback, with CLOTHC_SUCCESS.
void inform(const char* format, ...) CLOTHC_PRINTF(1, 2);
// Returns the message that was last reported on this thread.
const char* last_message();
// Returns the message of the last Failure made on this thread, whether it has been reported or not.
const char* failure_message();

// Runs the body of an exported function in the default floating-point environment and turns exceptions into results.
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

// Returns true for finite values in [low, high], false for others and NaN.
inline bool in_range(float value, float low, float high) { return value >= low && value <= high; }

}  // namespace clothc
