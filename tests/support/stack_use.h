// stack_use.h - measures how much stack a call uses.
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "support/sanitized.h"

constexpr bool stack_use_is_the_librarys = !is_sanitized;

// Returns how many bytes at the end of a new thread's stack of 1 MiB have changed after the thread made the call.
inline size_t stack_touched(const std::function<void()>& call) {
  struct alignas(4096) Page {
    uint8_t bytes[4096];
  };
  constexpr size_t pages = 256, size = pages * sizeof(Page);
  constexpr uint8_t untouched = 0xa5;
  std::vector<Page> stack(pages);
  uint8_t* const begin = stack.data()->bytes;
  std::fill_n(begin, size, untouched);
  const auto run = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_t thread;
  EXPECT_EQ(pthread_attr_init(&attributes), 0);
  EXPECT_EQ(pthread_attr_setstack(&attributes, begin, size), 0);
  const int started = pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&call));
  EXPECT_EQ(started, 0);
  if (started == 0) {
    EXPECT_EQ(pthread_join(thread, nullptr), 0);
  }
  EXPECT_EQ(pthread_attr_destroy(&attributes), 0);
  const uint8_t* const lowest = std::find_if(begin, begin + size, [](uint8_t byte) { return byte != untouched; });
  return size - static_cast<size_t>(lowest - begin);
}

// Returns the same without the part that the thread itself uses.
inline size_t stack_use(const std::function<void()>& call) {
  return stack_touched(call) - stack_touched([] {});
}
