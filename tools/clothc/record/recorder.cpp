// recorder.cpp - the events of calls, and what is done when the program ends.
#include "record/recorder.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace clothc_tool {
namespace {

uint32_t number_of_this_thread() {
  static std::atomic<uint32_t> count{0};
  static thread_local const uint32_t number = ++count;
  return number;
}

Recorder* existing = nullptr;

void write_hashes(const std::vector<HashEvent>& hashes) {
  for (const HashEvent& hash : hashes) {
    EventList events;
    events.begin(EventKind::hash, Function::solver_state_hash, CLOTHC_SUCCESS);
    const auto* first = reinterpret_cast<const uint8_t*>(&hash);
    events.bytes().insert(events.bytes().end(), first, first + sizeof hash);
    events.end();
    existing->write(events, 0);
  }
}

void write_hash(const std::optional<HashEvent>& hash) {
  if (hash) write_hashes({*hash});
}

// Solvers that the program did not destroy end with it.
void write_last_hashes() { write_hashes(existing->hashes().last_of_all(nullptr)); }

__attribute__((destructor)) void finish_capture() {
  if (existing) existing->finish();
}

// Writes the contents of wrapped buffers that a call is about to read, and returns with them, before the call.
void append_contents(EventList& events, Recorder& recorder, Function function,
                     std::initializer_list<clothc_buffer> buffers) {
  for (clothc_buffer buffer : buffers) {
    events.begin(EventKind::contents, function, CLOTHC_SUCCESS);
    if (buffer && recorder.contents().read(buffer, events.bytes())) {
      events.end();
    } else {
      events.drop();
    }
  }
}

// Makes and records a call that reads buffers.
template <class Call>
clothc_result recorded_reading(Call& call, std::initializer_list<clothc_buffer> buffers) {
  Recorder* const recorder = Recorder::instance();
  if (!recorder) return call.invoke(library());
  EventList events;
  append_contents(events, *recorder, Call::FUNCTION, buffers);
  const clothc_result result = call.invoke(library());
  append_call(events, call, result, result);
  recorder->write(events, 1);
  return result;
}

// Makes and records a call after which the library writes to its buffer, once or from now on with every update.
template <class Call>
clothc_result recorded_writing(Call& call, bool from_now_on) {
  Recorder* const recorder = Recorder::instance();
  const clothc_result result = call.invoke(library());
  if (!recorder) return result;
  if (result >= 0 && call.buffer) recorder->contents().written_by_library(call.buffer, from_now_on);
  write_call(*recorder, call, result);
  return result;
}

// Makes and records a call that raises a fence.
template <class Call>
clothc_result recorded_beforehand(Recorder& recorder, Call& call) {
  EventList before;
  append_call(before, call, CLOTHC_ERROR_INVALID_ARGUMENT, RESULT_NOT_YET_KNOWN);
  const uint64_t number = recorder.write(before, 1);
  const clothc_result result = call.invoke(library());
  if (result == CLOTHC_SUCCESS) return result;
  EventList after;
  after.begin(EventKind::result, Call::FUNCTION, result);
  const auto* first = reinterpret_cast<const uint8_t*>(&number);
  after.bytes().insert(after.bytes().end(), first, first + sizeof number);
  after.append_message(result);
  after.end();
  recorder.write(after, 0);
  return result;
}

// Whether the device could not make the buffer, and made a HOST one in its place.
bool is_replacement(clothc_buffer buffer) {
  clothc_buffer_info info = {};
  info.struct_size = sizeof info;
  return library().buffer_get_info(buffer, &info) >= 0 && info.kind != info.requested_kind;
}

// Records that a program made a buffer. What the device made in place of another kind is recorded as the HOST buffer that
// it is, which the program maps, and which every device of a replay can make.
template <class Call>
void write_created(Recorder& recorder, Call& call) {
  recorder.contents().add(*call.buffer, *call.desc);
  if (!is_replacement(*call.buffer)) return write_call(recorder, call, CLOTHC_SUCCESS);
  clothc_buffer_desc desc = *call.desc;
  desc.kind = CLOTHC_BUFFER_HOST;
  desc.memory = nullptr;
  desc.external = nullptr;
  desc.flags = 0;
  BufferCreateCall host{call.device, &desc, call.buffer};
  write_call(recorder, host, CLOTHC_SUCCESS);
}

// Makes and records a call that makes a buffer.
template <class Call>
clothc_result recorded_creating(Call& call) {
  Recorder* const recorder = Recorder::instance();
  const clothc_result result = call.invoke(library());
  if (!recorder) return result;
  if (result >= 0) {
    write_created(*recorder, call);
  } else {
    write_call(*recorder, call, result);
  }
  return result;
}

// The update with the defaults of the fields that an older struct lacks, as far as the recorder reads them.
clothc_update update_of(const SolverUpdateCall& call) {
  clothc_update update = {};
  if (call.update && call.update->struct_size >= sizeof update.struct_size) {
    std::memcpy(&update, call.update, std::min<size_t>(call.update->struct_size, sizeof update));
  }
  return update;
}

}  // namespace

EventList::EventList() { bytes_.reserve(512); }

void EventList::begin(EventKind kind, Function function, clothc_result result) {
  begin_ = bytes_.size();
  const EventHeader header = {0, kind, static_cast<uint16_t>(function), result, number_of_this_thread()};
  const auto* first = reinterpret_cast<const uint8_t*>(&header);
  bytes_.insert(bytes_.end(), first, first + sizeof header);
}

void EventList::end() {
  const auto size = static_cast<uint32_t>(std::min<size_t>(bytes_.size() - begin_, UINT32_MAX));
  std::memcpy(bytes_.data() + begin_, &size, sizeof size);
}

void EventList::drop() { bytes_.resize(begin_); }

void EventList::append(EventKind kind, Function function, clothc_result result) {
  begin(kind, function, result);
  end();
}

void EventList::append_message(clothc_result result) {
  const char* const text = result < 0 ? library().last_error_message() : "";
  const auto size = static_cast<uint32_t>(std::strlen(text));
  const auto* first = reinterpret_cast<const uint8_t*>(&size);
  bytes_.insert(bytes_.end(), first, first + sizeof size);
  bytes_.insert(bytes_.end(), text, text + size);
}

Recorder* Recorder::instance() {
  static Recorder* const recorder = []() -> Recorder* {
    const char* const path = std::getenv(CAPTURE_FILE_VARIABLE);
    if (!path || !*path) return nullptr;
    const char* const every = std::getenv(HASH_EVERY_VARIABLE);
    const auto hash_every = every ? static_cast<uint32_t>(std::strtoul(every, nullptr, 10)) : DEFAULT_HASH_EVERY;
    std::unique_ptr<Recorder> made(new Recorder(path, hash_every));
    if (!made->writer_.is_open()) return nullptr;
    existing = made.release();
    // This comes before the end of libraries, which is what destructors are.
    std::atexit(write_last_hashes);
    return existing;
  }();
  return recorder;
}

Recorder::Recorder(const char* path, uint32_t hash_every) : writer_(path, library().version()), hashes_(hash_every) {}

uint64_t Recorder::write(EventList& events, uint32_t call_count) {
  const std::lock_guard lock(mutex_);
  writer_.append(events.bytes());
  return call_count_ += call_count;
}

void Recorder::finish() {
  EventList events;
  events.append(EventKind::end, Function::version, CLOTHC_SUCCESS);
  const std::lock_guard lock(mutex_);
  writer_.append(events.bytes());
}

// ---------------------------------------------------------------------------------------------------- calls

clothc_result observed(Function function, clothc_result result) {
  Recorder* const recorder = result < 0 ? Recorder::instance() : nullptr;
  if (!recorder) return result;
  EventList events;
  events.begin(EventKind::failure, function, result);
  events.append_message(result);
  events.end();
  recorder->write(events, 0);
  return result;
}

clothc_result noted(Function function, clothc_result result) {
  Recorder* const recorder = Recorder::instance();
  if (!recorder || result < 0) return observed(function, result);
  EventList events;
  events.append(EventKind::note, function, result);
  recorder->write(events, 0);
  return result;
}

clothc_result recorded_solver_state_hash(clothc_solver solver, uint64_t* hash) {
  const clothc_result result = library().solver_state_hash(solver, hash);
  Recorder* const recorder = Recorder::instance();
  if (!recorder || result < 0) return observed(Function::solver_state_hash, result);
  write_hash(recorder->hashes().asked_for(solver, *hash));
  return result;
}

clothc_result recorded(DeviceCreateCall& call) {
  Recorder* const recorder = Recorder::instance();
  const clothc_result result = call.invoke(library());
  if (!recorder) return result;
  if (result >= 0) {
    clothc_device_desc desc = {};
    std::memcpy(static_cast<void*>(&desc), call.desc, std::min<size_t>(call.desc->struct_size, sizeof desc));
    const bool tasks_only = desc.submit && (desc.flags & CLOTHC_DEVICE_TASKS_ONLY);
    if (tasks_only) recorder->hashes().add_device_with_tasks_only(*call.device);
  }
  write_call(*recorder, call, result);
  return result;
}

clothc_result recorded(BufferCreateCall& call) { return recorded_creating(call); }
clothc_result recorded(VulkanBufferCreateCall& call) { return recorded_creating(call); }

clothc_result recorded(BufferDestroyCall& call) {
  Recorder* const recorder = Recorder::instance();
  const clothc_result result = call.invoke(library());
  if (!recorder) return result;
  if (result >= 0) recorder->contents().remove(call.buffer);
  write_call(*recorder, call, result);
  return result;
}

clothc_result recorded(BufferMapCall& call) {
  Recorder* const recorder = Recorder::instance();
  const clothc_result result = call.invoke(library());
  // A call that would have had to wait has changed nothing, and may not have to wait the next time.
  if (!recorder || result == CLOTHC_NOT_READY) return result;
  if (result >= 0) recorder->contents().map(call.buffer, call.flags, *call.pointer);
  write_call(*recorder, call, result);
  return result;
}

clothc_result recorded(BufferUnmapCall& call) {
  Recorder* const recorder = Recorder::instance();
  if (!recorder) return call.invoke(library());
  EventList events;
  events.begin(EventKind::contents, BufferUnmapCall::FUNCTION, CLOTHC_SUCCESS);
  if (recorder->contents().unmap(call.buffer, events.bytes())) {
    events.end();
  } else {
    events.drop();
  }
  const clothc_result result = call.invoke(library());
  append_call(events, call, result, result);
  recorder->write(events, 1);
  return result;
}

clothc_result recorded(BufferWriteCall& call) { return recorded_writing(call, false); }
clothc_result recorded(SolverGetCall& call) { return recorded_writing(call, false); }
clothc_result recorded(ClothBindCall& call) { return recorded_writing(call, true); }

clothc_result recorded(SolverSetCall& call) { return recorded_reading(call, {call.buffer}); }
clothc_result recorded(GroupSetSpringsCall& call) {
  return recorded_reading(call, {call.indices, call.rest_lengths, call.stiffness});
}
clothc_result recorded(GroupSetActiveCall& call) { return recorded_reading(call, {call.particles}); }

clothc_result recorded(SolverCreateCall& call) {
  Recorder* const recorder = Recorder::instance();
  const clothc_result result = call.invoke(library());
  if (!recorder) return result;
  if (result >= 0) recorder->hashes().add(*call.solver, call.device);
  write_call(*recorder, call, result);
  return result;
}

clothc_result recorded(SolverUpdateCall& call) {
  Recorder* const recorder = Recorder::instance();
  if (!recorder) return call.invoke(library());
  const clothc_update update = update_of(call);
  clothc_result result = CLOTHC_SUCCESS;
  if (update.signal_fence && !(update.flags & CLOTHC_UPDATE_NO_WAIT)) {
    result = recorded_beforehand(*recorder, call);
  } else {
    result = call.invoke(library());
    // An update that would have had to wait did nothing, and may not have to wait in a replay.
    if (result != CLOTHC_NOT_READY) write_call(*recorder, call, result);
  }
  if (result == CLOTHC_SUCCESS) write_hash(recorder->hashes().updated(call.solver, update));
  return result;
}

clothc_result recorded(SolverDestroyCall& call) {
  Recorder* const recorder = Recorder::instance();
  if (!recorder) return call.invoke(library());
  write_hash(recorder->hashes().last_of(call.solver));
  const clothc_result result = call.invoke(library());
  if (result >= 0) recorder->hashes().remove(call.solver);
  write_call(*recorder, call, result);
  return result;
}

clothc_result recorded(DeviceDestroyCall& call) {
  Recorder* const recorder = Recorder::instance();
  if (!recorder) return call.invoke(library());
  if (call.device) write_hashes(recorder->hashes().last_of_all(call.device));
  const clothc_result result = call.invoke(library());
  if (result >= 0) recorder->hashes().remove_all(call.device);
  write_call(*recorder, call, result);
  return result;
}

clothc_result recorded(FenceSignalCall& call) {
  Recorder* const recorder = Recorder::instance();
  return recorder ? recorded_beforehand(*recorder, call) : call.invoke(library());
}

}  // namespace clothc_tool
