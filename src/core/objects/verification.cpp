// verification.cpp - see verification.h.
#include "core/objects/verification.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "core/base/result.h"
#include "core/base/wait.h"

namespace clothc {
namespace {

constexpr const char* form_names[] = {
    "", "launched alone", "in a program", "in the larger program", "an operation on tables", "whole updates"};

std::string listed_message() {
  return "the project lists this device and its driver as proved; clothc_device_verify proves it here";
}

std::string unknown_message() {
  return "nothing is known of the bits that this driver gives; clothc_device_verify finds out";
}

void copy_text(char* target, size_t size, const std::string& text) { std::snprintf(target, size, "%s", text.c_str()); }

bool differs(const clothc_verification_row& row) { return row.different_word_count > 0; }

}  // namespace

Verification::Verification(bool is_listed, std::string identity) : identity_(std::move(identity)) {
  verdict_.verdict = is_listed ? CLOTHC_VERDICT_LISTED : CLOTHC_VERDICT_UNKNOWN;
  verdict_.message = is_listed ? listed_message() : unknown_message();
}

void Verification::end() {
  // In a child process the thread does not exist, and might have held the lock.
  if (!origin_.is_here()) {
    forget_threads(thread_);
    forget_threads(changed_);
    return;
  }
  stop();
  if (thread_.joinable()) thread_.join();
}

void Verification::stop() {
  const std::lock_guard<std::mutex> lock(mutex_);
  is_stopped_ = true;
  changed_.notify_all();
}

void Verification::begin(Run run) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_running_ || is_stopped_) return;
  failure_ = CLOTHC_SUCCESS;
  if (thread_.joinable()) thread_.join();
  thread_ = std::thread([this, run = std::move(run)] { work(run); });
  is_running_ = true;
  ++progress_.total;
}

void Verification::work(const Run& run) {
  const auto is_stopped = [this] {
    const std::lock_guard<std::mutex> lock(mutex_);
    return is_stopped_;
  };
  const auto begin = std::chrono::steady_clock::now();
  clothc_result result = CLOTHC_SUCCESS;
  std::string message;
  std::vector<clothc_verification_row> rows;
  Verdict verdict;
  try {
    rows = run(is_stopped);
    verdict = judge(rows);
  } catch (const Failure& failure) {
    result = failure.result;
    message = failure_message();
  } catch (...) {
    result = CLOTHC_ERROR_OUT_OF_MEMORY;
  }
  const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - begin;
  const std::lock_guard<std::mutex> lock(mutex_);
  failure_ = result;
  failure_message_.swap(message);
  // What is left needs no memory.
  if (result == CLOTHC_SUCCESS && !is_stopped_) {
    rows_ = std::move(rows);
    verdict_ = std::move(verdict);
    time_ns_ = static_cast<uint64_t>(time.count());
    is_measured_ = true;
    is_cached_ = false;
  }
  is_running_ = false;
  ++progress_.done;
  changed_.notify_all();
}

Verification::Verdict Verification::judge(const std::vector<clothc_verification_row>& rows) const {
  if (std::none_of(rows.begin(), rows.end(), differs))
    return {CLOTHC_VERDICT_EQUAL, "the device was verified: all words are those of the scalar code"};
  return {CLOTHC_VERDICT_DIFFERENT, describe_difference(rows)};
}

// Names the first kernel that differs by itself, or else what differs as a whole.
std::string Verification::describe_difference(const std::vector<clothc_verification_row>& rows) const {
  const auto row = std::find_if(rows.begin(), rows.end(), differs);
  const auto count = std::count_if(rows.begin(), rows.end(), differs);
  const bool is_update = row->form == CLOTHC_FORM_UPDATE;
  char text[sizeof(clothc_verification::message)];
  std::snprintf(
      text, sizeof(text),
      "%s%s, %s, gives other bits on %s: %s %llu of %s is 0x%0*llx, and 0x%0*llx with the scalar code; %d of "
      "%zu rows differ. Use another driver or CLOTHC_BACKEND_CPU, and report what clothc info --verify prints",
      is_update ? "" : "kernel ", row->name, form_names[row->form], identity_.c_str(), is_update ? "update" : "word",
      static_cast<unsigned long long>(row->first_word), row->array, is_update ? 16 : 8,
      static_cast<unsigned long long>(row->found), is_update ? 16 : 8, static_cast<unsigned long long>(row->expected),
      static_cast<int>(count), rows.size());
  return text;
}

bool Verification::wait(uint64_t timeout_ns, PreparationProgress& progress) {
  std::unique_lock<std::mutex> lock(mutex_);
  const bool ended = wait_for(changed_, lock, timeout_ns, [this] { return is_stopped_ || !is_running_; });
  progress.done += progress_.done;
  progress.total += progress_.total;
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, !is_stopped_, "the device was destroyed while the call waited for it");
  if (ended && failure_ != CLOTHC_SUCCESS)
    fail(
        failure_, "%s",
        failure_message_.empty() ? "out of memory while the device was verified; free some" : failure_message_.c_str());
  return ended;
}

bool Verification::is_strict() const {
  const clothc_verdict verdict = this->verdict();
  return verdict == CLOTHC_VERDICT_LISTED || verdict == CLOTHC_VERDICT_EQUAL;
}

Verification::Verdict Verification::saved() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return verdict_;
}

Verification::Verdict Verification::measured() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return is_measured_ ? verdict_ : Verdict{};
}

void Verification::take(const Verdict& measured) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (measured.verdict == CLOTHC_VERDICT_UNKNOWN || is_measured_) return;
  verdict_ = measured;
  is_measured_ = is_cached_ = true;
}

void Verification::describe(clothc_verification& verification, std::vector<clothc_verification_row>& rows) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  rows = rows_;
  verification.verdict = verdict_.verdict;
  verification.running = is_running_ ? 1 : 0;
  verification.cached = is_cached_ ? 1 : 0;
  verification.row_count = static_cast<uint32_t>(rows_.size());
  verification.different_row_count = static_cast<uint32_t>(std::count_if(rows_.begin(), rows_.end(), differs));
  for (const clothc_verification_row& row : rows_) {
    verification.word_count += row.word_count;
    verification.different_word_count += row.different_word_count;
  }
  verification.time_ns = time_ns_;
  copy_text(verification.driver, sizeof(verification.driver), identity_);
  copy_text(verification.message, sizeof(verification.message), verdict_.message);
}

}  // namespace clothc
