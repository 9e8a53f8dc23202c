// process.cpp - the handlers that run before and after a fork. On systems without fork there are none.
#include "core/base/process.h"

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace clothc {
namespace {

// Number of forks, since the library was loaded, that led to this process. It is written only in a new child, while
// that has a single thread.
uint32_t fork_count = 0;

}  // namespace

uint32_t Origin::forks() { return fork_count; }

// A linked list of all ForkMutex objects. It needs no constructor call at run time, so it exists before any of them.
struct ForkMutexes {
  static std::mutex listing;
  static ForkMutex* first;

  static void prepare() {
    listing.lock();
    for (ForkMutex* mutex = first; mutex != nullptr; mutex = mutex->next_) mutex->lock();
  }
  static void resume() {
    for (ForkMutex* mutex = first; mutex != nullptr; mutex = mutex->next_) mutex->unlock();
    listing.unlock();
  }
  static void resume_in_child() {
    ++fork_count;
    resume();
  }
  // Registers the handlers once. The system removes them when the library is unloaded.
  static void watch_forks() {
#if !defined(_WIN32)
    [[maybe_unused]] static const int watched = pthread_atfork(prepare, resume, resume_in_child);
#endif
  }
  static void add(ForkMutex* mutex) {
    const std::lock_guard<std::mutex> lock(listing);
    mutex->next_ = first;
    if (first != nullptr) first->previous_ = mutex;
    first = mutex;
  }
  static void remove(ForkMutex* mutex) {
    const std::lock_guard<std::mutex> lock(listing);
    (mutex->previous_ != nullptr ? mutex->previous_->next_ : first) = mutex->next_;
    if (mutex->next_ != nullptr) mutex->next_->previous_ = mutex->previous_;
  }
};

std::mutex ForkMutexes::listing;
ForkMutex* ForkMutexes::first = nullptr;

ForkMutex::ForkMutex() {
  ForkMutexes::watch_forks();
  ForkMutexes::add(this);
}

ForkMutex::~ForkMutex() { ForkMutexes::remove(this); }

}  // namespace clothc
