// state.h - all that the device knows, behind one lock. It is never destroyed, because threads of streams may still run
// while the program ends.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "cuda/device/driver/control.h"
#include "cuda/device/driver/external.h"
#include "cuda/device/driver/graph.h"
#include "cuda/device/driver/handles.h"
#include "cuda/device/driver/virtual_memory.h"
#include "cuda/device/ptx/counts.h"

namespace clothc::cuda_device {

// A device's primary context, which exists while it is retained.
struct Primary {
  ContextPointer context;
  uint64_t references = 0;
};

struct State {
  std::mutex mutex;
  // Notified when an operation has ended, when a context fails and when the rules change.
  std::condition_variable progress;

  bool is_initialised = false;
  // Set in the process that a fork makes.
  std::atomic<bool> is_forked{false};

  Rules environment, rules;
  // What control was last given.
  std::string controlled;
  // Tasks that were submitted since the rules were given.
  uint64_t tasks_under_rules = 0;
  // How often the rules were replaced.
  uint64_t rules_version = 0;

  clothc_cuda_device_counts counts{};
  uint64_t calls[function_count] = {};
  // What was found wrong, a line each, and the races among it.
  std::vector<std::string> findings;
  std::set<std::string> races;
  // What kernels have executed, by their names. Kernels of the same name with other instructions are entries of their
  // own.
  std::multimap<std::string, ptx::Counts> kernel_counts;

  // What the host knows to have ended, which all that it submits comes after.
  Clock host_clock;

  std::map<int, Primary> primaries;
  // Primary contexts that have ended. Their handles are still known, as those of contexts that were destroyed.
  std::set<CUcontext> ended_primaries;
  Table<CUcontext, Context> contexts{1};
  Table<CUstream, Stream> streams{2};
  Table<CUevent, Event> events{3};
  Table<CUmodule, Module> modules{4};
  Table<CUfunction, FunctionObject> functions{5};
  Table<CUgraph, Graph> graphs{6};
  Table<CUgraphNode, NodeObject> nodes{7};
  Table<CUgraphExec, ExecutableGraph> executables{8};
  Table<CUmemGenericAllocationHandle, ShareableAllocation> shareables{9};
  Table<CUexternalMemory, ExternalMemory> external_memories{10};
  Table<CUexternalSemaphore, ExternalSemaphore> external_semaphores{11};
  Table<CUuserObject, UserReferences> user_objects{12};
  // All memory that the device may access, by its first address.
  std::map<uint64_t, BlockPointer> blocks;
  std::map<uint64_t, AddressRange> address_ranges;
  std::vector<std::weak_ptr<Capture>> captures;
  uint64_t capture_count = 0;
};

State& state();

}  // namespace clothc::cuda_device
