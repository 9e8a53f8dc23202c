// texts.h - runs small texts in tests. The kernel of a text is named k, and its first parameter is the address of a
// buffer of 64-bit numbers.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cuda/device/ptx/interpreter.h"

namespace ptx::testing {

constexpr char header[] = ".version 6.3\n.target sm_75\n.address_size 64\n";

// A kernel with registers of all kinds. Register %rd0 has the address of the buffer, %r0 the number of the thread in
// the block, %rd1 the address of the number of the thread in the buffer, and %r1 that of the block.
inline std::string kernel(const std::string& body, const std::string& before = "") {
  return header + before +
         ".visible .entry k(.param .u64 buffer)\n{\n"
         ".reg .pred %p<50>;\n.reg .b16 %h<50>;\n.reg .b32 %r<50>;\n.reg .f32 %f<50>;\n.reg .b64 %rd<50>;\n"
         "ld.param.u64 %rd0, [buffer];\nmov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\n"
         "mul.wide.u32 %rd1, %r0, 8;\nadd.s64 %rd1, %rd1, %rd0;\n" +
         body + "\n}\n";
}

// A device with one buffer.
struct Device {
  explicit Device(size_t size, uint64_t value = 0) : buffer(size, value) { add(buffer, "buffer"); }

  void add(std::vector<uint64_t>& memory, const std::string& name, bool is_writable = true) {
    space.add(reinterpret_cast<uint64_t>(memory.data()), memory.size() * 8, name, is_writable);
  }

  // Runs the text in blocks of as many threads.
  uint64_t run(const std::string& text, uint32_t threads, uint32_t blocks = 1) {
    const Module module(text);
    launch.kernel = module.find("k");
    launch.grid = {blocks, 1, 1};
    launch.block = {threads, 1, 1};
    const uint64_t address = reinterpret_cast<uint64_t>(buffer.data());
    launch.parameters = &address;
    Checker checker(space, operation, finds_races);
    return ptx::run(launch, checker);
  }

  // Returns the message of the fault that the text ends with, which has to be of that kind.
  std::string fault(Fault::Kind kind, const std::string& text, uint32_t threads, uint32_t blocks = 1) {
    try {
      run(text, threads, blocks);
    } catch (const Fault& fault) {
      EXPECT_EQ(fault.kind, kind) << fault.what();
      return fault.what();
    }
    ADD_FAILURE() << "there is no fault";
    return "";
  }

  std::vector<uint64_t> buffer;
  AddressSpace space;
  Operation operation{0, 1, {}, "k"};
  bool finds_races = false;
  Launch launch;
};

constexpr Order orders[] = {Order::forward, Order::backward, Order::permuted};

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace ptx::testing
