// process.h - makes the library safe to use in a child process after fork. A child has none of its parent's threads, so
// objects that depend on those threads make no progress there, and locks that those threads held are never released.
// Origin tells a child which objects were made before the fork; ForkMutex ensures that the locks it needs are free.
#pragma once

#include <cstdint>
#include <mutex>
#include <new>

namespace clothc {

// Identifies the process in which an object was made, by the number of forks that led to that process.
class Origin {
 public:
  Origin() : forks_(forks()) {}
  // Returns whether the object was made in this process.
  bool is_here() const { return forks_ == forks(); }

 private:
  static uint32_t forks();
  uint32_t forks_;
};

// A mutex that fork locks before it copies the process, so that a child finds it free and the data it protects
// consistent. Since fork locks all of them in an unspecified order, a thread that holds one must not lock, make or
// destroy another one. It must not call a callback of the application either, because the callback may wait for a lock
// that the application's own fork handler already holds.
class ForkMutex : public std::mutex {
 public:
  ForkMutex();
  ~ForkMutex();

 private:
  friend struct ForkMutexes;
  ForkMutex* previous_ = nullptr;
  ForkMutex* next_ = nullptr;
};

// For use in a child: constructs a new thread or condition variable over one of the parent without destroying the old
// one, because its destructor would wait for threads that do not exist in the child.
template <class T>
void forget_threads(T& waited_for) {
  ::new (static_cast<void*>(&waited_for)) T();
}

}  // namespace clothc
