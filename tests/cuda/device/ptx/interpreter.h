// interpreter.h - runs PTX, the assembly language of NVIDIA's GPUs, on the processor. A kernel is parsed once into
// instructions whose operands are numbers of registers; then a warp of 32 threads at a time executes them, as far as
// its threads go the same way.
// Source: NVIDIA, Parallel Thread Execution ISA, the descriptions of the single instructions.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cuda/device/ptx/counts.h"
#include "cuda/device/ptx/memory.h"

namespace ptx {

// A text that is no PTX, or PTX that this interpreter does not know. The message names the line and the instruction.
class ParseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The properties of a kernel that the driver needs.
struct KernelInfo {
  std::string name;
  // Size of the parameters in bytes, and offset and size of each.
  uint32_t parameter_size = 0;
  std::vector<std::pair<uint32_t, uint32_t>> parameters;
  // Sizes in bytes.
  uint32_t local_size = 0;
  uint32_t static_shared_size = 0;
  // Largest number of threads in a block.
  uint32_t max_threads = 1024;
};

struct Code;

class Kernel {
 public:
  KernelInfo info;
  std::shared_ptr<const Code> code;
};

// A parsed module. Immutable.
class Module {
 public:
  // Throws ParseError.
  explicit Module(const std::string& text);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  // Returns the kernel of that name, or null. The first call for a kernel parses its body, and throws ParseError if
  // something is wrong there. Any thread may call it.
  const Kernel* find(const std::string& name) const;
  // The numbers of `.version`, and of `.target sm_...` or compute_....
  uint32_t version_major() const;
  uint32_t version_minor() const;
  uint32_t target() const;

 private:
  struct Parsed;
  std::unique_ptr<Parsed> parsed_;
};

// The order in which the blocks of a grid and the threads of a block run.
enum class Order : uint8_t { forward, backward, permuted };

struct Dimensions {
  uint32_t x = 1, y = 1, z = 1;
};

struct Launch {
  const Kernel* kernel = nullptr;
  Dimensions grid, block;
  // Size of the shared memory in addition to static_shared_size, in bytes.
  uint32_t dynamic_shared_size = 0;
  // kernel->info.parameter_size bytes.
  const void* parameters = nullptr;
  Order order = Order::forward;
  uint32_t seed = 1;
  // If set, the stores of a block to global memory reach other blocks only at a fence of the thread that stores, or
  // when the kernel has ended.
  bool delays_stores = false;
  // If set, what the launch does is added to these, which are empty or those of the same kernel. A launch that ends with
  // a fault adds nothing.
  Counts* counts = nullptr;
};

// Runs a kernel to its end. Returns the number of instructions that its threads have executed, those of all threads
// together. Throws Fault if it does what no kernel may do.
uint64_t run(const Launch& launch, Checker& memory);

}  // namespace ptx
