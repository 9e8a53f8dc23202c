// recorder.h - turns calls into events. A call is made first and written afterwards, with its result and what it made;
// one that raises a fence is written before, because another thread may act on it at once.
#pragma once

#include <initializer_list>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "capture/format.h"
#include "capture/generated/calls.h"
#include "record/contents.h"
#include "record/encoder.h"
#include "record/hashes.h"
#include "record/symbols.h"
#include "record/writer.h"

namespace clothc_tool {

// Appends events of this thread, one after the other, to bytes.
class EventList {
 public:
  EventList();

  // Begins an event, whose data is then appended to bytes(); end() completes it.
  void begin(EventKind kind, Function function, clothc_result result);
  void end();
  void drop();
  void append(EventKind kind, Function function, clothc_result result);
  void append_message(clothc_result result);
  std::vector<uint8_t>& bytes() { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
  size_t begin_ = 0;
};

// The recorder of this process. It is never destroyed, since programs call the library until their very end.
class Recorder {
 public:
  // Null if the process is not recorded.
  static Recorder* instance();

  BufferContents& contents() { return contents_; }
  StateHashes& hashes() { return hashes_; }

  // Writes events; `call_count` of them are calls. Returns the number of the last call.
  uint64_t write(EventList& events, uint32_t call_count);

  // Says that the program has ended.
  void finish();

 private:
  Recorder(const char* path, uint32_t hash_every);

  std::mutex mutex_;
  CaptureWriter writer_;
  uint64_t call_count_ = 0;
  BufferContents contents_;
  StateHashes hashes_;
};

template <class Call>
void append_call(EventList& events, Call& call, clothc_result result, clothc_result written_result) {
  events.begin(EventKind::call, Call::FUNCTION, written_result);
  Encoder encoder(events.bytes(), result);
  call.visit_parameters(encoder);
  if (result < 0 && written_result == result) events.append_message(result);
  events.end();
}

template <class Call>
void write_call(Recorder& recorder, Call& call, clothc_result result) {
  EventList events;
  append_call(events, call, result, result);
  recorder.write(events, 1);
}

// Makes and records a call.
template <class Call>
clothc_result recorded(Call& call) {
  Recorder* const recorder = Recorder::instance();
  const clothc_result result = call.invoke(library());
  if (recorder) write_call(*recorder, call, result);
  return result;
}
clothc_result recorded(DeviceCreateCall& call);
clothc_result recorded(BufferCreateCall& call);
clothc_result recorded(VulkanBufferCreateCall& call);
clothc_result recorded(BufferDestroyCall& call);
clothc_result recorded(BufferMapCall& call);
clothc_result recorded(BufferUnmapCall& call);
clothc_result recorded(BufferWriteCall& call);
clothc_result recorded(SolverSetCall& call);
clothc_result recorded(SolverGetCall& call);
clothc_result recorded(GroupSetSpringsCall& call);
clothc_result recorded(GroupSetActiveCall& call);
clothc_result recorded(ClothBindCall& call);
clothc_result recorded(SolverCreateCall& call);
clothc_result recorded(SolverUpdateCall& call);
clothc_result recorded(SolverDestroyCall& call);
clothc_result recorded(DeviceDestroyCall& call);
clothc_result recorded(FenceSignalCall& call);

// Records a call that was made and changes nothing, if it failed.
clothc_result observed(Function function, clothc_result result);

// Records that a call was made after which the program may change what no call shows.
clothc_result noted(Function function, clothc_result result);

clothc_result recorded_solver_state_hash(clothc_solver solver, uint64_t* hash);

}  // namespace clothc_tool
