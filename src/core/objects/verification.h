// verification.h - what is known of the bits that a device gives: from the project's list, from a cache, or from a
// verification, which runs in a thread. What is run, core/verify decides.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <clothc.h>

#include "core/backend/preparation.h"
#include "core/base/process.h"

namespace clothc {

class Verification {
 public:
  // Returns the results by kernel. is_stopped: whether they are not wanted any more. Throws Failure.
  using Run = std::function<std::vector<clothc_verification_row>(const std::function<bool()>& is_stopped)>;
  // A verdict in a form that can be saved. What the message is about is the device with the same identity.
  struct Verdict {
    clothc_verdict verdict = CLOTHC_VERDICT_UNKNOWN;
    std::string message;
  };

  // is_listed: whether the project lists the device as proved. identity: names the device and its driver.
  Verification(bool is_listed, std::string identity);
  ~Verification() { end(); }
  Verification(const Verification&) = delete;
  Verification& operator=(const Verification&) = delete;

  // Begins a verification, unless one goes on. A failure of an earlier one is forgotten. Throws std::system_error.
  void begin(Run run);
  // Waits until what begin began has ended. Returns false if the time-out passes first. Throws Failure if it failed. Adds
  // the verifications that were begun and that have ended to progress.
  bool wait(uint64_t timeout_ns, PreparationProgress& progress);
  // Makes the thread end soon, and ends every call of wait.
  void stop();
  // Does the same and waits for the thread. Nothing may begin another one then.
  void end();

  clothc_verdict verdict() const { return saved().verdict; }
  // Whether the device gives the bits of all others, as far as is known.
  bool is_strict() const;
  // What clothc_verification has as its message.
  std::string message() const { return saved().message; }
  // The verdict of a verification, here or in the run that made the cache; UNKNOWN if there was none.
  Verdict measured() const;
  // Takes over what measured() returned in an earlier run of the program, unless the device has been verified since.
  void take(const Verdict& measured);
  // verification: struct_size is not written.
  void describe(clothc_verification& verification, std::vector<clothc_verification_row>& rows) const;

 private:
  Verdict saved() const;
  void work(const Run& run);
  // The verdict over the results. Never UNKNOWN.
  Verdict judge(const std::vector<clothc_verification_row>& rows) const;
  std::string describe_difference(const std::vector<clothc_verification_row>& rows) const;

  const std::string identity_;
  const Origin origin_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  Verdict verdict_;
  bool is_measured_ = false;
  bool is_cached_ = false;
  bool is_running_ = false;
  bool is_stopped_ = false;
  PreparationProgress progress_;
  uint64_t time_ns_ = 0;
  std::vector<clothc_verification_row> rows_;
  clothc_result failure_ = CLOTHC_SUCCESS;
  std::string failure_message_;
  std::thread thread_;
};

}  // namespace clothc
