// context.h - contexts, and the memory, events and modules that belong to one. The state's lock guards what changes.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cuda/device/driver/stream.h"

namespace clothc::cuda_device {

// What is left of a stream whose handle was destroyed, until the host knows that its work has ended.
struct ClosedStream {
  OperationPointer last;
  bool is_blocking = false;
};

struct Context {
  explicit Context(int device) : device(device) {}

  const int device;
  CUcontext handle = nullptr;
  // The first error of an operation. All later calls return it.
  std::atomic<CUresult> error{CUDA_SUCCESS};
  ptx::AddressSpace space;
  // The default stream.
  StreamPointer legacy;
  // All streams that have not ended, also those whose handles were destroyed.
  std::vector<std::weak_ptr<Stream>> streams;
  std::vector<ClosedStream> closed_streams;
};
using ContextPointer = std::shared_ptr<Context>;

struct Event {
  ContextPointer context;
  bool has_time = true;
  // The latest record, or null.
  OperationPointer record;
  // The capture in which it was last recorded, if it was recorded in one, and the nodes before the record.
  std::shared_ptr<Capture> capture;
  std::vector<size_t> captured;
};

struct Module {
  ContextPointer context;
  std::shared_ptr<const ptx::Module> code;
  bool is_loaded = true;
  std::map<std::string, CUfunction> functions;
};

struct FunctionObject {
  std::shared_ptr<Module> module;
  const ptx::Kernel* kernel = nullptr;
  // Largest dynamic shared memory that a launch may have, in bytes.
  int max_dynamic_shared_size = 0;
};

enum class BlockKind : uint8_t { device, pinned, registered, mapped, external };

// Memory that the device may access.
struct Block {
  BlockKind kind = BlockKind::device;
  uint64_t begin = 0;
  uint64_t size = 0;
  // The pages to return, which include guard pages; none for registered memory.
  uint64_t pages_begin = 0;
  uint64_t pages_size = 0;
  // Null for memory that belongs to no context. Memory of the host is known to all contexts.
  ContextPointer context;
  int device = 0;

  bool is_host() const { return kind == BlockKind::pinned || kind == BlockKind::registered; }
  uint64_t end() const { return begin + size; }
};
using BlockPointer = std::shared_ptr<Block>;

}  // namespace clothc::cuda_device
