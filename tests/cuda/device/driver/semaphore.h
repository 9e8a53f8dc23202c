// semaphore.h - the memory behind a file descriptor that the software device imports as an external timeline semaphore.
// A test that plays another API, such as Vulkan, makes one with SharedSemaphore::create, duplicates its descriptor, and
// has the duplicate imported: the import owns the descriptor that it is given.
//
// Layout: a memfd of 4096 bytes that begins with SemaphoreMemory. Whoever raises the value adds 1 to `changes` and
// wakes all waiters of the futex there, which is shared between processes. ThreadSanitizer sees no order in it, because
// each side maps the memory at an address of its own, so orders are declared.
#pragma once

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <ctime>
#include <utility>

#include "cuda/device/driver/sanitizer.h"

namespace clothc::cuda_device {

// The point of the orders between threads of the program that signal and operations of the device that wait: an address
// that the program and the device have in common.
inline const void* order_of_signals() { return &environ; }

struct SemaphoreMemory {
  static constexpr uint64_t signature = 0x636c6f7468637365;
  uint64_t magic;
  std::atomic<uint64_t> value;
  std::atomic<uint32_t> changes;
};

class SharedSemaphore {
 public:
  static constexpr size_t size = 4096;

  static SharedSemaphore create(uint64_t value) {
    SharedSemaphore semaphore;
    semaphore.descriptor_ = memfd_create("clothc CUDA semaphore", MFD_CLOEXEC);
    if (ftruncate(semaphore.descriptor_, size) != 0 || !semaphore.map()) return {};
    semaphore.memory_->magic = SemaphoreMemory::signature;
    semaphore.memory_->value = value;
    return semaphore;
  }

  // Takes over the descriptor if it is that of a semaphore. Otherwise is_open is false.
  static SharedSemaphore open(int descriptor) {
    SharedSemaphore semaphore;
    struct stat status = {};
    if (fstat(descriptor, &status) != 0 || status.st_size != static_cast<off_t>(size)) return semaphore;
    semaphore.descriptor_ = descriptor;
    if (semaphore.map() && semaphore.memory_->magic == SemaphoreMemory::signature) return semaphore;
    semaphore.descriptor_ = -1;
    return {};
  }

  SharedSemaphore() = default;
  SharedSemaphore(SharedSemaphore&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), memory_(std::exchange(other.memory_, nullptr)) {}
  SharedSemaphore& operator=(SharedSemaphore&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~SharedSemaphore() {
    if (memory_) munmap(memory_, size);
    if (descriptor_ >= 0) close(descriptor_);
  }

  bool is_open() const { return memory_ != nullptr; }
  int descriptor() const { return descriptor_; }
  uint64_t value() const { return memory_->value.load(); }

  // Sets the value, which must be larger than the present one. Returns false if it is not.
  bool signal(uint64_t value) {
    uint64_t present = memory_->value.load();
    do {
      if (value <= present) return false;
    } while (!memory_->value.compare_exchange_weak(present, value));
    memory_->changes.fetch_add(1);
    syscall(SYS_futex, &memory_->changes, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
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
      const uint32_t changes = memory_->changes.load();
      if (memory_->value.load() >= value) return true;
      const auto left = end - std::chrono::steady_clock::now();
      if (left <= left.zero()) return false;
      const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
      const timespec limit{nanoseconds / 1000000000, nanoseconds % 1000000000};
      syscall(SYS_futex, &memory_->changes, FUTEX_WAIT, changes, &limit, nullptr, 0);
    }
  }

 private:
  bool map() {
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (memory == MAP_FAILED) return false;
    memory_ = static_cast<SemaphoreMemory*>(memory);
    return true;
  }

  int descriptor_ = -1;
  SemaphoreMemory* memory_ = nullptr;
};

}  // namespace clothc::cuda_device
