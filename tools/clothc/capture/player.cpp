// player.cpp - the events of a capture: calls, results, contents and hashes, and what differs. calls.cpp has the calls that
// a replay makes in another way than the program did.
#include "capture/player.h"

#include <algorithm>

namespace clothc_tool {
namespace {

constexpr size_t MOST_FAILURES = 16;

// Errors that say more about the machine than about the calls. Such a call changed nothing, and is not made again.
bool depends_on_machine(int32_t result) {
  return result == CLOTHC_ERROR_UNSUPPORTED || result == CLOTHC_ERROR_OUT_OF_MEMORY ||
         result == CLOTHC_ERROR_DEVICE_LOST || result == CLOTHC_ERROR_INTERNAL;
}

std::string note_of(Function function) {
  const std::string name = FUNCTION_NAMES[static_cast<size_t>(function)];
  if (function == Function::cuda_capture_update) {
    return "the program made graphs with " + name + "; updates of graphs are not in the capture";
  }
  return "the program called " + name + "; what others then wrote to the buffer is not in the capture";
}

}  // namespace

CapturePlayer::CapturePlayer(CaptureReader reader, const DeviceOptions& options, Hooks hooks)
    : reader_(std::move(reader)), options_(options), hooks_(std::move(hooks)), library_(linked_library()) {
  if (reader_.library_version() == clothc_version()) return;
  const auto text = [](uint32_t version) {
    return std::to_string(version >> 16) + "." + std::to_string(version >> 8 & 255) + "." +
           std::to_string(version & 255);
  };
  add_message("the capture is of version " + text(reader_.library_version()) + " of the library, and this is " +
              text(clothc_version()) + "; results can differ between versions");
}

CapturePlayer::~CapturePlayer() {
  if (fences_.is_stuck()) fences_.release();
}

clothc_solver CapturePlayer::next_update() {
  CaptureEvent event{EventKind::end, Function::version, 0, 0, CaptureBytes(nullptr, 0, "")};
  while (next_event(event)) {
    play(event);
    if (!updated_) continue;
    // The hash of an update follows it.
    if (reader_.next(event)) {
      if (event.kind == EventKind::hash) {
        compare_hash(event);
      } else {
        ahead_ = event;
      }
    }
    return std::exchange(updated_, nullptr);
  }
  compare_open_results();
  return nullptr;
}

void CapturePlayer::wait() {
  if (fences_.is_stuck()) release_fences();
  for (clothc_solver solver : solvers_) clothc_solver_wait(solver, UINT64_MAX, CLOTHC_WAIT_FOREVER);
}

bool CapturePlayer::next_event(CaptureEvent& event) {
  if (!ahead_) return reader_.next(event);
  event = *ahead_;
  ahead_.reset();
  return true;
}

void CapturePlayer::play(CaptureEvent& event) {
  switch (event.kind) {
    case EventKind::call:
      return play_call(event);
    case EventKind::contents:
      if (fences_.is_stuck() && ReplayedBuffers::may_wait(event.data)) release_fences();
      return buffers_.write(event.data, objects_);
    case EventKind::hash:
      return compare_hash(event);
    case EventKind::failure:
      return add_failure(0, event.function, event.result, event.data.text());
    case EventKind::note:
      if (event.function != Function::count) add_message(note_of(event.function));
      return;
    case EventKind::result:
      return play_result(event);
    case EventKind::end:
      return;
  }
}

template <class Call>
clothc_result CapturePlayer::make(Call& call) {
  constexpr bool checks_itself = std::is_same_v<Call, SolverUpdateCall> || std::is_same_v<Call, SolverSetCall> ||
                                 std::is_same_v<Call, SolverGetCall>;
  if (Call::MAY_WAIT && !checks_itself && fences_.is_stuck()) release_fences();
  return make_call(call);
}

void CapturePlayer::play_call(CaptureEvent& event) {
  const uint64_t number = ++report_.call_count;
  const bool is_open = event.result == RESULT_NOT_YET_KNOWN;
  with_call_of(event.function, [&](auto call) {
    Decoder decoder(event.data, objects_);
    call.visit_parameters(decoder);
    if (event.result < 0) add_failure(number, event.function, event.result, event.data.text());
    if (event.data.remaining() != 0) event.data.fail("it has bytes behind its arguments");
    if (!decoder.is_readable() || depends_on_machine(event.result)) return;
    recorded_result_ = event.result;
    recorded_solver_ = decoder.recorded_solver();
    const clothc_result result = make(call);
    if (result >= 0) decoder.add_created();
    const std::string message = result < 0 ? clothc_last_error_message() : "";
    if (is_open) {
      if (result != CLOTHC_SUCCESS) open_results_[number] = {event.function, result, message};
    } else {
      compare(number, event.function, event.result, result, message);
    }
  });
}

void CapturePlayer::play_result(CaptureEvent& event) {
  const auto number = event.data.value<uint64_t>();
  add_failure(number, event.function, event.result, event.data.text());
  const auto found = open_results_.find(number);
  const OpenResult replayed =
      found == open_results_.end() ? OpenResult{event.function, CLOTHC_SUCCESS, ""} : found->second;
  if (found != open_results_.end()) open_results_.erase(found);
  if (!depends_on_machine(event.result)) {
    compare(number, event.function, event.result, replayed.result, replayed.message);
  }
}

// Calls that no event gave another result had succeeded.
void CapturePlayer::compare_open_results() {
  for (const auto& [number, open] : std::exchange(open_results_, {})) {
    compare(number, open.function, CLOTHC_SUCCESS, open.result, open.message);
  }
}

void CapturePlayer::compare(uint64_t call, Function function, int32_t recorded, int32_t replayed,
                            const std::string& message) {
  if (recorded == replayed || (report_.call_difference && report_.call_difference->call < call)) return;
  report_.call_difference = CallDifference{call, function, recorded, replayed, message};
}

void CapturePlayer::compare_hash(CaptureEvent& event) {
  const auto recorded = event.data.value<HashEvent>();
  const auto solver = objects_.handle<clothc_solver>(recorded.solver);
  const auto state = states_.find(solver);
  // Without a solver a call has had another result, which is told.
  if (state == states_.end()) return;
  if (fences_.is_stuck()) release_fences();
  uint64_t hash = 0;
  if (clothc_solver_state_hash(solver, &hash) < 0)
    throw clothc::Error(CLOTHC_ERROR_DEVICE_LOST, clothc_last_error_message());
  clothc_solver_info info = {};
  info.struct_size = sizeof info;
  clothc_solver_get_info(solver, &info);
  ++report_.hash_count;
  if (hash == recorded.hash || report_.hash_difference) return;
  report_.hash_difference = HashDifference{state->second.number, recorded.update, recorded.cloth_count,
                                           info.cloth_count,     recorded.hash,   hash};
}

void CapturePlayer::add_failure(uint64_t call, Function function, int32_t result, const std::string& message) {
  ++report_.failure_count;
  if (report_.failures.size() < MOST_FAILURES && function != Function::count) {
    report_.failures.push_back({call, function, result, message});
  }
}

void CapturePlayer::add_message(const std::string& message) {
  auto& messages = report_.messages;
  if (std::find(messages.begin(), messages.end(), message) == messages.end()) messages.push_back(message);
}

void CapturePlayer::release_fences() {
  if (fences_.release() > 0) {
    add_message("updates waited for fences that another thread, program or API raised; the player raised them itself");
  }
}

}  // namespace clothc_tool
