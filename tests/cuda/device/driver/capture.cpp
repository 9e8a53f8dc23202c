// capture.cpp - see capture.h, and the API of captures.
#include "cuda/device/driver/capture.h"

#include <algorithm>

namespace clothc::cuda_device {
namespace {

CUstreamCaptureMode& thread_mode() {
  thread_local CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  return mode;
}

// Whether a call of this thread that could disturb the capture is prohibited.
bool is_protected(const Capture& capture) {
  if (thread_mode() == CU_STREAM_CAPTURE_MODE_RELAXED || capture.mode == CU_STREAM_CAPTURE_MODE_RELAXED) return false;
  if (capture.thread == std::this_thread::get_id()) return true;
  return thread_mode() == CU_STREAM_CAPTURE_MODE_GLOBAL && capture.mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
}

void add_dependencies(std::vector<size_t>& target, const std::vector<size_t>& source) {
  for (const size_t node : source) {
    if (std::find(target.begin(), target.end(), node) == target.end()) target.push_back(node);
  }
}

void join_capture(const StreamPointer& stream, const Event& event) {
  require(stream != stream->context->legacy, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  stream->capture = event.capture;
  stream->captured.clear();
  event.capture->streams.push_back(stream);
}

// For each node, whether it is one of these nodes or comes before one.
std::vector<bool> find_ancestors(const Graph& graph, const std::vector<size_t>& last) {
  std::vector<bool> found(graph.nodes.size());
  for (const size_t node : last) found[node] = true;
  for (size_t node = graph.nodes.size(); node-- > 0;) {
    if (!found[node]) continue;
    for (const size_t earlier : graph.nodes[node].dependencies) found[earlier] = true;
  }
  return found;
}

// Whether all work of the other streams comes before the end of the stream in which the capture began.
bool is_joined(const Capture& capture, const Stream& origin) {
  const std::vector<bool> joined = find_ancestors(*capture.graph, origin.captured);
  for (const std::weak_ptr<Stream>& entry : capture.streams) {
    const StreamPointer stream = entry.lock();
    if (!stream || stream->capture.get() != &capture) continue;
    for (const size_t node : stream->captured) {
      if (!joined[node]) return false;
    }
  }
  return true;
}

CUgraph handle_of(Capture& capture) {
  if (capture.handle == nullptr) capture.handle = state().graphs.add(capture.graph);
  return capture.handle;
}

void drop_handle(Capture& capture) {
  if (capture.handle != nullptr) state().graphs.remove(capture.handle);
  capture.handle = nullptr;
}

void end_capture(Capture& capture) {
  capture.has_ended = true;
  for (const std::weak_ptr<Stream>& entry : capture.streams) {
    const StreamPointer stream = entry.lock();
    if (!stream || stream->capture.get() != &capture) continue;
    stream->capture = nullptr;
    stream->captured.clear();
  }
}

}  // namespace

void invalidate(Capture& capture) { capture.is_valid = false; }

Capture& valid_capture(const Stream& stream) {
  require(stream.capture->is_valid, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  return *stream.capture;
}

void capture_task(Stream& stream, TaskPointer task) {
  stream.captured = {add_node(valid_capture(stream).graph, std::move(task), stream.captured)};
}

void capture_plan(Stream& stream, const Plan& plan) {
  const std::shared_ptr<Graph>& graph = valid_capture(stream).graph;
  const size_t first = graph->nodes.size();
  std::vector<bool> is_last(plan.nodes.size(), true);
  for (const Node& node : plan.nodes) {
    std::vector<size_t> dependencies = node.dependencies;
    for (size_t& dependency : dependencies) {
      is_last[dependency] = false;
      dependency += first;
    }
    add_node(graph, node.task, dependencies.empty() ? stream.captured : dependencies);
  }
  if (plan.nodes.empty()) return;
  stream.captured.clear();
  for (size_t k = 0; k < is_last.size(); ++k) {
    if (is_last[k]) stream.captured.push_back(first + k);
  }
}

void capture_record(const Stream& stream, Event& event) {
  valid_capture(stream);
  event.record = nullptr;
  event.capture = stream.capture;
  event.captured = stream.captured;
}

void capture_wait(const StreamPointer& stream, const Event& event) {
  if (stream->capture) valid_capture(*stream);
  if (!event.capture) {
    invalidate(*stream->capture);
    throw Failure(CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
  }
  require(!event.capture->has_ended, CUDA_ERROR_CAPTURED_EVENT);
  require(event.capture->is_valid, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  if (!stream->capture) join_capture(stream, event);
  if (stream->capture != event.capture) {
    invalidate(*stream->capture);
    invalidate(*event.capture);
    throw Failure(CUDA_ERROR_STREAM_CAPTURE_MERGE);
  }
  add_dependencies(stream->captured, event.captured);
}

void require_no_capture(const Call&) {
  bool is_prohibited = false;
  std::vector<std::weak_ptr<Capture>>& all = state().captures;
  for (size_t k = all.size(); k-- > 0;) {
    const std::shared_ptr<Capture> capture = all[k].lock();
    if (!capture || capture->has_ended) {
      all.erase(all.begin() + static_cast<ptrdiff_t>(k));
    } else if (is_protected(*capture)) {
      invalidate(*capture);
      is_prohibited = true;
    }
  }
  require(!is_prohibited, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
}

std::vector<StreamPointer> implicit_captures(const Stream& stream) {
  std::vector<StreamPointer> found;
  if (&stream != stream.context->legacy.get()) return found;
  for (const std::weak_ptr<Stream>& entry : stream.context->streams) {
    const StreamPointer other = entry.lock();
    if (other && other->is_blocking && other->capture) found.push_back(other);
  }
  return found;
}

void require_no_implicit_dependency(const Stream& stream) {
  const std::vector<StreamPointer> captured = implicit_captures(stream);
  for (const StreamPointer& other : captured) invalidate(*other->capture);
  require(captured.empty(), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
}

void require_not_capturing(const Stream& stream) {
  require_no_implicit_dependency(stream);
  if (!stream.capture) return;
  valid_capture(stream);
  invalidate(*stream.capture);
  throw Failure(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
}

void require_not_captured(const Event& event) {
  if (!event.capture) return;
  invalidate(*event.capture);
  throw Failure(CUDA_ERROR_CAPTURED_EVENT);
}

void abandon_capture(Stream& stream) {
  const std::shared_ptr<Capture> capture = stream.capture;
  invalidate(*capture);
  if (capture->origin.lock().get() == &stream) {
    end_capture(*capture);
    drop_handle(*capture);
  }
  stream.capture = nullptr;
}

}  // namespace clothc::cuda_device

using namespace clothc::cuda_device;

CUresult cuStreamBeginCapture_v2(CUstream handle, CUstreamCaptureMode mode) {
  return perform(Function::StreamBeginCapture, Needs::working_context, [&](Call& call) {
    require(mode >= CU_STREAM_CAPTURE_MODE_GLOBAL && mode <= CU_STREAM_CAPTURE_MODE_RELAXED, CUDA_ERROR_INVALID_VALUE);
    const StreamPointer stream = find_stream(call, handle);
    require(stream != call.context->legacy, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    require(!stream->capture, CUDA_ERROR_ILLEGAL_STATE);
    const std::shared_ptr<Capture> capture = std::make_shared<Capture>();
    capture->graph = std::make_shared<Graph>();
    capture->graph->context = call.context;
    capture->id = ++state().capture_count;
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    capture->origin = stream;
    capture->streams = {stream};
    stream->capture = capture;
    stream->captured.clear();
    state().captures.push_back(capture);
  });
}

CUresult cuStreamGetCaptureInfo_v2(CUstream handle, CUstreamCaptureStatus* status, unsigned long long* id,
                                   CUgraph* graph, const CUgraphNode** dependencies, size_t* dependency_count) {
  return perform(Function::StreamGetCaptureInfo, Needs::working_context, [&](Call& call) {
    require(status != nullptr, CUDA_ERROR_INVALID_VALUE);
    // Nobody has asked for these two.
    require(dependencies == nullptr && dependency_count == nullptr, CUDA_ERROR_NOT_SUPPORTED);
    const StreamPointer stream = find_stream(call, handle);
    require(implicit_captures(*stream).empty(), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    *status = CU_STREAM_CAPTURE_STATUS_NONE;
    const std::shared_ptr<Capture>& capture = stream->capture;
    if (!capture) return;
    *status = capture->is_valid ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_INVALIDATED;
    if (!capture->is_valid) return;
    if (id != nullptr) *id = capture->id;
    if (graph == nullptr) return;
    *graph = handle_of(*capture);
  });
}

CUresult cuStreamEndCapture(CUstream handle, CUgraph* graph) {
  return perform(Function::StreamEndCapture, Needs::context, [&](Call& call) {
    require(graph != nullptr, CUDA_ERROR_INVALID_VALUE);
    *graph = nullptr;
    const StreamPointer stream = find_stream(call, handle);
    require(stream->capture != nullptr, CUDA_ERROR_ILLEGAL_STATE);
    const std::shared_ptr<Capture> capture = stream->capture;
    const bool is_own_thread =
        capture->mode == CU_STREAM_CAPTURE_MODE_RELAXED || capture->thread == std::this_thread::get_id();
    require(is_own_thread, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
    require(capture->origin.lock() == stream, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    const bool joined = is_joined(*capture, *stream);
    end_capture(*capture);
    if (!joined || !capture->is_valid) drop_handle(*capture);
    require(capture->is_valid, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    require(joined, CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    *graph = handle_of(*capture);
  });
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return perform(Function::ThreadExchangeStreamCaptureMode, Needs::driver, [&](Call&) {
    require(mode != nullptr && *mode >= CU_STREAM_CAPTURE_MODE_GLOBAL && *mode <= CU_STREAM_CAPTURE_MODE_RELAXED,
            CUDA_ERROR_INVALID_VALUE);
    std::swap(*mode, thread_mode());
  });
}
