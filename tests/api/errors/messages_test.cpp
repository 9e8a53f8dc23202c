// messages_test.cpp - where the messages of failing calls are reported, and how long they live.
#include <atomic>
#include <thread>

#include "support/scene.h"

using namespace clothc_test;

namespace messages_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Messages);

struct Log {
  std::vector<std::string> messages;
  std::vector<clothc_result> results;
  std::thread::id thread;
  static void CLOTHC_CALL receive(clothc_result result, const char* message, void* user) {
    auto* log = static_cast<Log*>(user);
    log->messages.push_back(message);
    log->results.push_back(result);
    log->thread = std::this_thread::get_id();
  }
};

TEST_P(Messages, go_to_the_callback_of_the_device_on_the_thread_of_the_call) {
  Log log, other_log;
  SceneOptions options(GetParam());
  options.device.message = Log::receive;
  options.device.message_user = &log;
  Scene scene(options);
  options.device.message_user = &other_log;
  Scene other(options);
  EXPECT_TRUE(log.messages.empty());
  clothc_update update = initialised<clothc_update>();
  update.dt = -3;
  std::thread::id caller;
  std::thread([&] {
    caller = std::this_thread::get_id();
    EXPECT_EQ(clothc_solver_update(scene.solver, &update, nullptr), CLOTHC_ERROR_INVALID_ARGUMENT);
    EXPECT_STREQ(log.messages.back().c_str(), clothc_last_error_message());
  }).join();
  ASSERT_EQ(log.messages.size(), 1u);
  EXPECT_EQ(log.thread, caller);
  EXPECT_EQ(log.results[0], CLOTHC_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(log.messages[0].find("-3"), std::string::npos);
  // A call that concerns no device reports to none, whatever the thread's last call was about.
  EXPECT_EQ(clothc_buffer_unmap(nullptr), CLOTHC_ERROR_INVALID_HANDLE);
  EXPECT_EQ(clothc_solver_wait(scene.solver, 1000, 0), CLOTHC_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(log.messages.size(), 2u);
  // Statuses are not failures.
  EXPECT_EQ(clothc_fence_wait(scene.fence(), 1, 0), CLOTHC_TIMEOUT);
  EXPECT_EQ(log.messages.size(), 2u);
  EXPECT_TRUE(other_log.messages.empty());
  options.device.worker_count = 1000;
  clothc_device device = nullptr;
  EXPECT_EQ(clothc_device_create(&options.device, &device), CLOTHC_ERROR_INVALID_ARGUMENT);
  ASSERT_EQ(other_log.messages.size(), 1u) << "a device that is not made reports too";
  EXPECT_NE(other_log.messages[0].find("1000"), std::string::npos);
}

TEST_P(Messages, live_until_the_threads_next_failing_call) {
  std::thread([&] { EXPECT_STREQ(clothc_last_error_message(), ""); }).join();
  Scene scene(GetParam());
  EXPECT_EQ(clothc_buffer_unmap(nullptr), CLOTHC_ERROR_INVALID_HANDLE);
  const char* message = clothc_last_error_message();
  const std::string text = message;
  EXPECT_FALSE(text.empty());
  scene.step(3);
  scene.hash();
  std::thread([&] { EXPECT_EQ(clothc_fence_destroy(nullptr), CLOTHC_ERROR_INVALID_HANDLE); }).join();
  EXPECT_EQ(text, message);
  EXPECT_EQ(message, clothc_last_error_message());
}

// A callback may call the library, and that call may fail.
void CLOTHC_CALL ask_back(clothc_result, const char* message, void* user) {
  auto* depth = static_cast<int*>(user);
  EXPECT_NE(message[0], 0);
  if (++*depth > 1) return;
  EXPECT_EQ(clothc_struct_init(99, nullptr, 0), CLOTHC_ERROR_INVALID_ARGUMENT);
}

TEST_P(Messages, callbacks_may_call_the_library) {
  int depth = 0;
  SceneOptions options(GetParam());
  options.device.message = ask_back;
  options.device.message_user = &depth;
  Scene scene(options);
  EXPECT_EQ(clothc_solver_wait(scene.solver, 1000, 0), CLOTHC_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(depth, 1);
}

}  // namespace
}  // namespace messages_test
