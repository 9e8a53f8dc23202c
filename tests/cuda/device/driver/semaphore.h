// semaphore.h - the memory behind a handle that the software device imports as an external timeline semaphore. A test
// that plays another API, such as Vulkan, makes one with SharedSemaphore::create, duplicates its handle, and has the
// duplicate imported: the import owns the file descriptor that it is given, but not the NT handle.
//
// Layout: shared memory of 4096 bytes that begins with SemaphoreMemory. Whoever raises the value adds 1 to `changes` and
// wakes all waiters of the futex there, which is shared between processes; on Windows they look every millisecond.
// ThreadSanitizer sees no order in it, because each side maps the memory at an address of its own, so orders are
// declared.
#pragma once

#if !defined(_WIN32)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <ctime>
#include <random>
#include <thread>
#include <utility>

#include "cuda/device/driver/pages.h"
#include "cuda/device/driver/sanitizer.h"

namespace clothc::cuda_device {

// The point of the orders between threads of the program that signal and operations of the device that wait: an address
// that the program and the device have in common.
inline const void* order_of_signals() {
#if defined(_WIN32)
  return nullptr;
#else
  return &environ;
#endif
}

struct SemaphoreMemory {
  static constexpr uint64_t signature = 0x636c6f7468637365;
  uint64_t magic;
  // A number that no other semaphore has.
  uint64_t identity;
  std::atomic<uint64_t> value;
  std::atomic<uint32_t> changes;
};

class SharedSemaphore {
 public:
  static constexpr uint64_t size = page_size;

  static SharedSemaphore create(uint64_t value) {
    SharedSemaphore semaphore;
    semaphore.handle_ = create_shared(size);
    if (!semaphore.map(semaphore.handle_)) return {};
    std::random_device random;
    semaphore.memory_->magic = SemaphoreMemory::signature;
    semaphore.memory_->identity = uint64_t{random()} << 32 | random();
    semaphore.memory_->value = value;
    return semaphore;
  }

  // Takes over a file descriptor if it is that of a semaphore, or duplicates an NT handle. Otherwise is_open is false.
  static SharedSemaphore open(SharedHandle handle) {
    SharedSemaphore semaphore;
    if (size_of_shared(handle) != size || !semaphore.map(handle)) return semaphore;
    if (semaphore.memory_->magic != SemaphoreMemory::signature) return {};
#if defined(_WIN32)
    semaphore.handle_ = duplicate_shared(handle);
#else
    semaphore.handle_ = handle;
#endif
    return semaphore;
  }

  SharedSemaphore() = default;
  SharedSemaphore(SharedSemaphore&& other) noexcept
      : handle_(std::exchange(other.handle_, no_handle)), memory_(std::exchange(other.memory_, nullptr)) {}
  SharedSemaphore& operator=(SharedSemaphore&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~SharedSemaphore() {
    if (memory_) unmap_shared(reinterpret_cast<uint64_t>(memory_), size);
    if (handle_ != no_handle) close_shared(handle_);
  }

  bool is_open() const { return memory_ != nullptr; }
  SharedHandle handle() const { return handle_; }
  uint64_t identity() const { return memory_->identity; }
  uint64_t value() const { return memory_->value.load(); }

  // Sets the value, which must be larger than the present one. Returns false if it is not.
  bool signal(uint64_t value) {
    uint64_t present = memory_->value.load();
    do {
      if (value <= present) return false;
    } while (!memory_->value.compare_exchange_weak(present, value));
    memory_->changes.fetch_add(1);
#if !defined(_WIN32)
    syscall(SYS_futex, &memory_->changes, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
#endif
    return true;
  }

  // The same for a thread of the program that has written what others read when they have waited for the value.
  bool signal_in_order(uint64_t value) {
    const InsideDevice inside;
    begin_order(order_of_signals());
    return signal(value);
  }

  // Returns whether the value was reached in time.
  bool wait(uint64_t value, std::chrono::milliseconds time_out) const {
    const auto end = std::chrono::steady_clock::now() + time_out;
    while (true) {
      [[maybe_unused]] const uint32_t changes = memory_->changes.load();
      if (memory_->value.load() >= value) return true;
      const auto left = end - std::chrono::steady_clock::now();
      if (left <= left.zero()) return false;
#if defined(_WIN32)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
#else
      const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
      const timespec limit{nanoseconds / 1000000000, nanoseconds % 1000000000};
      syscall(SYS_futex, &memory_->changes, FUTEX_WAIT, changes, &limit, nullptr, 0);
#endif
    }
  }

 private:
  bool map(SharedHandle handle) {
    memory_ = reinterpret_cast<SemaphoreMemory*>(map_shared(handle, 0, size));
    return memory_ != nullptr;
  }

  SharedHandle handle_ = no_handle;
  SemaphoreMemory* memory_ = nullptr;
};

}  // namespace clothc::cuda_device
