// without_exceptions.cpp - clothc.hpp in a program that is compiled without exceptions: errors are tested, and value()
// of a result without one calls the program's CLOTHC_FAIL.
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

int failures = 0;

// The program ends successfully if the one failure that it provokes on purpose is the expected one.
[[noreturn]] void end(int result, const char* message) {
  const bool expected = result == -1 && std::strstr(message, "particle_capacity is 0") != nullptr;
  if (!expected) std::printf("CLOTHC_FAIL got %d: %s\n", result, message);
  std::exit(expected && failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

}  // namespace

#define CLOTHC_FAIL(result, message) end(result, message)
#include <clothc.hpp>

namespace {

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("failed: %s\n", what);
  ++failures;
}

}  // namespace

int main() {
  auto desc = clothc::initialised<clothc_device_desc>();
  desc.backend = 99;
  const auto refused = clothc::Device::create(desc);
  expect(!refused, "a device with an unknown backend is refused");
  expect(refused.status() == CLOTHC_ERROR_INVALID_ARGUMENT, "the result says why");
  expect(std::strstr(refused.status().message(), "99") != nullptr, "the message has the value seen");

  desc.backend = CLOTHC_BACKEND_CPU;
  const clothc::Device device = clothc::Device::create(desc).value();
  expect(clothc::Fence::create(device, 7).value().value().value() == 7, "a fence has its first value");
  auto solver_desc = clothc::initialised<clothc_solver_desc>();
  solver_desc.particle_capacity = 0;
  (void)device.create_solver(solver_desc).value();
  expect(false, "value() does not return without a value");
  return EXIT_FAILURE;
}
