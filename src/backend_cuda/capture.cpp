// capture.cpp - see capture.h. The application's graph holds a user object of the driver, whose destructor tells that
// nothing uses the commands any more; it may not call the driver itself, so the next capture frees what they used.
#include "backend_cuda/capture.h"

#include <algorithm>
#include <cstring>

namespace clothc::cuda {
namespace {

[[noreturn]] void refuse(const char* command) {
  fail(CLOTHC_ERROR_INTERNAL, "a %s cannot be part of a CUDA graph; please report it", command);
}

// Any question about a stream may get the answer that its capture has failed, even the one to which context it belongs.
void require_sound_capture(CUstream stream, bool has_failed) {
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, !has_failed,
                    "the capture of stream %p has failed already; end it, and see which call it refused",
                    static_cast<void*>(stream));
}

}  // namespace

CUgraph Captures::graph_of(CUstream stream) {
  const Driver& driver = gpu_->driver();
  CUcontext context = nullptr;
  const CUresult known = driver.StreamGetCtx(stream, &context);
  require_sound_capture(stream, Gpu::is_refused_by_capture(known));
  CLOTHC_REQUIRE(known == CUDA_SUCCESS && context == gpu_->context(),
                 "stream %p is not one of the context in which the device \"%s\" works: cuStreamGetCtx gave %s and the "
                 "context %p",
                 static_cast<void*>(stream), gpu_->adapter().info.name, driver.name_of(known),
                 static_cast<void*>(context));
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  CUgraph graph = nullptr;
  const CUresult result = driver.StreamGetCaptureInfo(stream, &status, nullptr, &graph, nullptr, nullptr);
  require_sound_capture(stream, status == CU_STREAM_CAPTURE_STATUS_INVALIDATED || Gpu::is_refused_by_capture(result));
  gpu_->check(result, "cuStreamGetCaptureInfo");
  CLOTHC_REQUIRE(status == CU_STREAM_CAPTURE_STATUS_ACTIVE,
                 "stream %p is not being captured; call cuStreamBeginCapture before, and cuStreamEndCapture after",
                 static_cast<void*>(stream));
  return graph;
}

void Captures::retain(CUgraph graph, const Part& part) {
  using Flag = std::shared_ptr<std::atomic<bool>>;
  const auto tell = [](void* argument) {
    const std::unique_ptr<Flag> flag(static_cast<Flag*>(argument));
    (*flag)->store(true, std::memory_order_release);
  };
  auto flag = std::make_unique<Flag>(part.is_destroyed);
  const Driver& driver = gpu_->driver();
  CUuserObject object = nullptr;
  gpu_->check(driver.UserObjectCreate(&object, flag.get(), tell, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
              "cuUserObjectCreate");
  static_cast<void>(flag.release());
  const CUresult retained = driver.GraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE);
  if (retained != CUDA_SUCCESS) driver.UserObjectRelease(object, 1);
  gpu_->check(retained, "cuGraphRetainUserObject");
}

void Captures::add(const CommandList& list, CUstream stream) {
  const std::lock_guard<std::mutex> lock(mutex_);
  parts_.erase(std::remove_if(parts_.begin(), parts_.end(),
                              [](const auto& part) { return part->is_destroyed->load(std::memory_order_acquire); }),
               parts_.end());
  const CUgraph graph = graph_of(stream);
  parts_.reserve(parts_.size() + 1);
  auto fresh = std::make_unique<Part>();
  for (const Command& command : list.commands())
    std::visit([&](const auto& each) { record(*fresh, list, each); }, command);
  retain(graph, *fresh);
  parts_.push_back(std::move(fresh));
  Part& part = *parts_.back();
  latest_words_ = part.words;
  Lanes lanes;
  lanes.streams[static_cast<size_t>(Lane::work)] = stream;
  const CUresult result = part.operations.issue(gpu_->driver(), lanes);
  part.operations.clear();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, !Gpu::is_refused_by_capture(result),
                    "the capture of stream %p takes no more work: the driver gave %s; end the capture and destroy its "
                    "graph",
                    static_cast<void*>(stream), gpu_->driver().name_of(result));
  gpu_->check(result, "a captured call");
}

MemoryPointer Captures::keep(Part& part, uint64_t size) {
  part.memories.push_back(memory_->allocate_raw(size, MemoryVisibility::host));
  return part.memories.back();
}

// As in updates, only a schedule with iterations has its words in device memory, where they stay for the next capture.
CUdeviceptr Captures::words_of(Part& part, const std::shared_ptr<const Schedule>& schedule) {
  const uint64_t size = gpu::schedule_bytes(*schedule);
  if (!has_iterations(*schedule)) {
    const MemoryPointer words = keep(part, size);
    gpu::write_schedule(*schedule, 0, words->host_pointer());
    return address_of(words);
  }
  const auto known = std::find_if(latest_words_.begin(), latest_words_.end(),
                                  [&](const Words& words) { return words.schedule == schedule; });
  if (known != latest_words_.end()) {
    part.words.push_back(*known);
  } else {
    std::vector<uint8_t> bytes(size);
    gpu::write_schedule(*schedule, 0, bytes.data());
    part.words.push_back({schedule, memory_->allocate_raw(size, MemoryVisibility::device_only)});
    part.words.back().memory->write(0, bytes.data(), size);
  }
  return address_of(part.words.back().memory);
}

void Captures::record(Part& part, const CommandList& list, const Write& write) {
  const MemoryPointer bytes = keep(part, write.size);
  std::memcpy(bytes->host_pointer(), list.data_of(write), write.size);
  part.memories.push_back(write.target);
  part.operations.copy(Lane::work, address_of(write.target) + write.offset, address_of(bytes), write.size);
}

void Captures::record(Part& part, const CommandList&, const Copy& copy) {
  part.memories.insert(part.memories.end(), {copy.source, copy.target});
  if (copy.element_size * copy.count > 0) add_copy(*functions_, part.operations, target_of(copy), source_of(copy));
}

void Captures::record(Part& part, const CommandList&, const Fill& fill) {
  part.memories.push_back(fill.target);
  add_fill(*functions_, part.operations, fill, [&](const void* pattern, uint64_t size) {
    const MemoryPointer bytes = keep(part, size);
    std::memcpy(bytes->host_pointer(), pattern, size);
    return address_of(bytes);
  });
}

void Captures::record(Part& part, const CommandList&, const Dispatch& dispatch) {
  const Schedule& schedule = *dispatch.schedule;
  if (schedule.programs.empty() && schedule.passes.empty()) return;
  const Arenas& arenas = dispatch.arenas;
  part.memories.insert(part.memories.end(), {arenas.particles, arenas.topology, arenas.records, arenas.tables});
  prepare_functions(*functions_, schedule);
  const Plan plan = {schedule, arenas, dispatch.frame, words_of(part, dispatch.schedule),
                     gpu_->adapter().multiprocessor_count};
  PassLauncher launcher(*functions_, plan, part.operations);
  launcher.programs(dispatch.program_iterations);
  launcher.passes(0, schedule.repeat_begin);
  for (uint32_t k = 0; k < dispatch.repeat_count; ++k) launcher.passes(schedule.repeat_begin, schedule.repeat_end);
  launcher.passes(schedule.repeat_end, static_cast<uint32_t>(schedule.passes.size()));
}

void Captures::record(Part&, const CommandList&, const Wait&) { refuse("wait"); }
void Captures::record(Part&, const CommandList&, const Signal&) { refuse("signal"); }
void Captures::record(Part&, const CommandList&, const Mark&) { refuse("timestamp"); }

}  // namespace clothc::cuda
