// os_handle_test.cpp - tests handles with files, which every system has, in place of memory and semaphores of drivers.
#include "platform/os_handle.h"

#include <gtest/gtest.h>

#include <cstdio>

#if defined(_WIN32)
#include <io.h>
#elif defined(__linux__)
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#endif

#include "backend_gpu/import_handle.h"

namespace clothc::os_handle_test {
namespace {

using platform::OsHandle;

// A temporary file, and its handle as a program would pass it.
class File {
 public:
  File() : file_(std::tmpfile()) {}
  ~File() {
    if (file_ != nullptr) std::fclose(file_);
  }
  // A duplicate of the file's own handle, which stays with the file.
  OsHandle handle() const { return own().duplicate(); }

 private:
#if defined(_WIN32)
  OsHandle own() const { return OsHandle(_get_osfhandle(_fileno(file_))); }
#else
  OsHandle own() const { return OsHandle(fileno(file_)); }
#endif
  std::FILE* file_;
};

bool is_open(OsHandle handle) {
  const OsHandle copy = handle.duplicate();
  if (copy.is_set()) copy.close();
  return copy.is_set();
}

TEST(OsHandle, is_not_set_at_first_and_by_what_stands_for_none) {
  EXPECT_FALSE(OsHandle().is_set());
  EXPECT_FALSE(OsHandle(-1).is_set());
#if defined(_WIN32)
  EXPECT_FALSE(OsHandle(0).is_set());
#else
  EXPECT_TRUE(OsHandle(0).is_set());
  EXPECT_FALSE(OsHandle(int64_t{1} << 32).is_set()) << "no file descriptor is that large";
#endif
}

TEST(OsHandle, is_the_number_that_programs_pass) {
  const File file;
  const OsHandle handle = file.handle();
  ASSERT_TRUE(handle.is_set());
  EXPECT_EQ(OsHandle(handle.number()).raw(), handle.raw());
  handle.close();
}

TEST(OsHandle, has_duplicates_that_stay_open_without_it) {
  const File file;
  const OsHandle handle = file.handle(), copy = handle.duplicate();
  ASSERT_TRUE(copy.is_set());
  EXPECT_NE(copy.number(), handle.number());
  EXPECT_TRUE(copy.is_left(handle));
  handle.close();
  EXPECT_FALSE(is_open(handle));
  EXPECT_TRUE(is_open(copy));
  copy.close();
  EXPECT_FALSE(handle.duplicate().is_set()) << "a closed handle has no duplicates";
}

#if !defined(_WIN32)
TEST(OsHandle, tells_whether_a_duplicate_was_closed_and_its_number_given_to_another_file) {
  const File file, other;
  const OsHandle handle = file.handle(), copy = handle.duplicate();
  copy.close();
  EXPECT_FALSE(copy.is_left(handle));
  const OsHandle reused = other.handle();
  ASSERT_EQ(reused.number(), copy.number());
  EXPECT_FALSE(copy.is_left(handle));
  reused.close();
  handle.close();
}
#endif

TEST(OsHandle, may_be_shared_if_it_is_of_a_file) {
  const File file;
  const OsHandle handle = file.handle();
  EXPECT_EQ(handle.kind_that_is_never_shared(), nullptr);
  handle.close();
  EXPECT_EQ(handle.kind_that_is_never_shared(), nullptr) << "a closed handle is of nothing that is known";
}

#if defined(__linux__)
// Opens a descriptor of each kind and closes it again.
void expect_kind(int descriptor, const char* kind) {
  ASSERT_GE(descriptor, 0) << kind;
  const char* found = OsHandle(descriptor).kind_that_is_never_shared();
  EXPECT_STREQ(found, kind);
  close(descriptor);
}

TEST(OsHandle, says_of_what_it_is_where_that_is_never_shared) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  for (const int end : ends) expect_kind(end, "a pipe");
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  for (const int end : ends) expect_kind(end, "a socket");
  expect_kind(open("/", O_RDONLY), "a folder");
  expect_kind(eventfd(0, 0), "an eventfd");
  expect_kind(epoll_create1(0), "an epoll instance");
  expect_kind(timerfd_create(CLOCK_MONOTONIC, 0), "a timer");
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal >= 0) expect_kind(terminal, "a terminal");
  // Memory of the processor, and what NVIDIA's driver gives, are of these kinds.
  expect_kind(memfd_create("memory", 0), nullptr);
  expect_kind(open("/dev/null", O_RDWR), nullptr);
}
#endif

TEST(ImportedHandle, is_closed_on_success_and_what_the_driver_does_not_take_too) {
  const File file;
  const OsHandle handle = file.handle();
  const OsHandle copy = gpu::import_handle(handle, [](OsHandle given) { return given; });
  EXPECT_FALSE(is_open(handle));
  EXPECT_EQ(is_open(copy), OsHandle::is_taken_by_drivers);
  if (OsHandle::is_taken_by_drivers) copy.close();
}

TEST(ImportedHandle, stays_open_when_the_driver_refuses_it) {
  const File file;
  const OsHandle handle = file.handle();
  OsHandle copy;
  const auto refuse = [&](OsHandle given) -> int {
    copy = given;
    fail(CLOTHC_ERROR_INVALID_ARGUMENT, "refused");
  };
  EXPECT_THROW(gpu::import_handle(handle, refuse), Failure);
  EXPECT_TRUE(is_open(handle));
  EXPECT_FALSE(is_open(copy));
  handle.close();
  EXPECT_THROW(gpu::import_handle(handle, refuse), Failure) << "a closed handle reaches no driver";
}

}  // namespace
}  // namespace clothc::os_handle_test
