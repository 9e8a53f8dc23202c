// process.h - what fork does to the library: a child has none of its parent's threads, so that what they worked for stands
// still there, and what they held stays taken. A child recognises what was made before the fork, and finds the locks that
// it needs free.
#pragma once

#include <cstdint>
#include <mutex>
#include <new>

namespace clothc {

// In which process something was made: the number of forks on the way there.
class Origin {
 public:
  Origin() : forks_(forks()) {}
  bool is_here() const { return forks_ == forks(); }

 private:
  static uint32_t forks();
  uint32_t forks_;
};

// A mutex that fork waits for, so that a child finds it free and what it guards whole. Who holds one neither takes
// another one nor makes or destroys one, since fork takes all of them, in any order; nor calls a callback of the
// application, which may wait for what the application's own preparation for fork has taken.
class ForkMutex : public std::mutex {
 public:
  ForkMutex();
  ~ForkMutex();

 private:
  friend struct ForkMutexes;
  ForkMutex* previous_ = nullptr;
  ForkMutex* next_ = nullptr;
};

// In a child: makes a thread or condition of the parent new in its place, since to destroy the old one would be to wait
// for threads that are not here.
template <class T>
void forget_threads(T& waited_for) {
  ::new (static_cast<void*>(&waited_for)) T();
}

}  // namespace clothc
