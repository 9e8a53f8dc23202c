// isa_test.cpp - instruction sets and their kernel tables, and the backend's memory.
#include "backend_cpu/isa.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "backend_cpu/memory.h"
#include "cook/fabric_layout.h"

namespace clothc::cpu::isa_test {
namespace {

bool is_runnable(clothc_isa isa) { return (runnable_isas() & 1u << isa) != 0; }

TEST(Isa, scalar_code_runs_everywhere_and_only_known_sets_are_listed) {
  EXPECT_TRUE(is_runnable(CLOTHC_ISA_SCALAR));
  EXPECT_FALSE(is_runnable(CLOTHC_ISA_AUTO));
  EXPECT_EQ(runnable_isas() >> (CLOTHC_ISA_NEON + 1), 0u);
  EXPECT_FALSE(is_runnable(CLOTHC_ISA_NEON) && is_runnable(CLOTHC_ISA_SSE4_1)) << "no machine is both";
  if (is_runnable(CLOTHC_ISA_AVX2)) {
    EXPECT_EQ(is_runnable(CLOTHC_ISA_SSE4_1), CLOTHC_HAS_SSE4_1 != 0);
  }
  if (is_runnable(CLOTHC_ISA_AVX512)) {
    EXPECT_EQ(is_runnable(CLOTHC_ISA_AVX2), CLOTHC_HAS_AVX2 != 0);
  }
}

// Returns the processor's flags as Linux lists them, or nothing on other systems.
std::set<std::string> processor_flags() {
  std::ifstream file("/proc/cpuinfo");
  std::set<std::string> flags;
  for (std::string line; std::getline(file, line) && flags.empty();) {
    if (line.rfind("flags", 0) != 0) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    for (std::string word; words >> word;) flags.insert(word);
  }
  return flags;
}

TEST(Isa, the_preferred_set_is_the_widest_but_for_avx512_on_processors_that_lower_their_clock_for_it) {
  EXPECT_TRUE(is_runnable(preferred_isa()));
  const bool is_fast = processor_flags().count("avx512_vbmi2") > 0;
  for (clothc_isa isa = CLOTHC_ISA_SCALAR; isa <= CLOTHC_ISA_NEON; ++isa) {
    if (!is_runnable(isa) || (isa == CLOTHC_ISA_AVX512 && !is_fast)) continue;
    EXPECT_GE(kernels_of(preferred_isa())->lane_count, kernels_of(isa)->lane_count);
  }
  EXPECT_EQ(preferred_isa() == CLOTHC_ISA_AVX512, is_fast && is_runnable(CLOTHC_ISA_AVX512));
}

TEST(Isa, runnable_sets_have_kernels_and_others_have_none) {
  for (clothc_isa isa = 0; isa < 100; ++isa) {
    const bool runnable = isa <= CLOTHC_ISA_NEON && is_runnable(isa);
    EXPECT_EQ(kernels_of(isa) != nullptr, runnable) << isa;
  }
  EXPECT_EQ(kernels_of(0xffffffffu), nullptr);
  EXPECT_EQ(kernels_of(CLOTHC_ISA_SCALAR), &scalar_kernels);
}

TEST(Isa, tables_have_every_kernel_but_those_that_are_scalar_code) {
  const int lane_counts[] = {0, 1, 4, 8, 16, 4};
  std::set<std::string> names;
  for (clothc_isa isa = CLOTHC_ISA_SCALAR; isa <= CLOTHC_ISA_NEON; ++isa) {
    const KernelTable* table = kernels_of(isa);
    if (table == nullptr) continue;
    SCOPED_TRACE(name_of_isa(isa));
    EXPECT_TRUE(names.insert(table->name).second);
    EXPECT_EQ(table->lane_count, lane_counts[isa]);
    EXPECT_EQ(lane_padding % static_cast<uint32_t>(table->lane_count), 0u);
    for (uint32_t k = 0; k < static_cast<uint32_t>(Kernel::count); ++k) {
      const bool expected = isa == CLOTHC_ISA_SCALAR || !is_scalar(kernel_infos[k].class_of_items);
      EXPECT_EQ(table->functions[k] != nullptr, expected) << kernel_infos[k].name;
    }
  }
}

TEST(Isa, kernels_of_different_names_are_different_functions) {
  for (clothc_isa isa = CLOTHC_ISA_SCALAR; isa <= CLOTHC_ISA_NEON; ++isa) {
    const KernelTable* table = kernels_of(isa);
    if (table == nullptr) continue;
    std::set<KernelFunction> functions;
    size_t count = 0;
    for (uint32_t k = 0; k < static_cast<uint32_t>(Kernel::count); ++k) {
      if (table->functions[k] == nullptr) continue;
      functions.insert(table->functions[k]);
      ++count;
    }
    EXPECT_EQ(functions.size(), count) << table->name;
  }
}

TEST(Isa, every_set_has_a_name) {
  std::set<std::string> names;
  for (clothc_isa isa = CLOTHC_ISA_AUTO; isa <= CLOTHC_ISA_NEON; ++isa) names.insert(name_of_isa(isa));
  EXPECT_EQ(names, (std::set<std::string>{"auto", "scalar", "sse4.1", "avx2", "avx512", "neon"}));
  EXPECT_STREQ(name_of_isa(77), "unknown");
}

// ------------------------------------------------------------------------------------------------ memory

bool is_aligned(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer) % 64 == 0; }
bool is_zero(const MemoryPointer& memory) {
  const auto* bytes = static_cast<const unsigned char*>(memory->host_pointer());
  for (uint64_t k = 0; k < memory->size(); ++k) {
    if (bytes[k] != 0) return false;
  }
  return true;
}

// An allocator that counts allocations, fills them with garbage, and fails on request.
struct Counter {
  int allocations = 0;
  int frees = 0;
  bool fails = false;
  std::set<void*> living;
  std::vector<size_t> sizes;

  static void* CLOTHC_CALL allocate(size_t size, size_t alignment, void* user) {
    auto* counter = static_cast<Counter*>(user);
    counter->sizes.push_back(size);
    EXPECT_EQ(alignment, 64u);
    if (counter->fails) return nullptr;
    void* pointer = ::operator new(size, std::align_val_t(alignment));
    std::memset(pointer, 0xcd, size);
    counter->living.insert(pointer);
    ++counter->allocations;
    return pointer;
  }
  static void CLOTHC_CALL release(void* pointer, void* user) {
    auto* counter = static_cast<Counter*>(user);
    EXPECT_NE(pointer, nullptr);
    EXPECT_EQ(counter->living.erase(pointer), 1u) << "not ours, or freed twice";
    ++counter->frees;
    ::operator delete(pointer, std::align_val_t(64));
  }
  Allocator allocator() { return {allocate, release, this}; }
};

TEST(Memory, is_aligned_zero_and_as_large_as_asked) {
  Counter counter;
  for (const Allocator& allocator : {Allocator{}, counter.allocator()}) {
    for (int round = 0; round < 3; ++round) {
      for (const uint64_t size : {0, 1, 63, 64, 65, 1000, 4096, 1 << 20}) {
        const MemoryPointer memory = allocate_memory(allocator, size);
        EXPECT_EQ(memory->size(), size);
        ASSERT_NE(memory->host_pointer(), nullptr);
        EXPECT_TRUE(is_aligned(memory->host_pointer())) << size;
        EXPECT_TRUE(is_zero(memory)) << size;
        // All of the memory is writable, and the next pass gets it with other contents.
        std::memset(memory->host_pointer(), 0xff, size);
      }
    }
  }
  EXPECT_EQ(counter.allocations, 24);
  EXPECT_EQ(counter.frees, 24);
  EXPECT_TRUE(counter.living.empty());
}

TEST(Memory, of_the_application_is_asked_for_with_a_size_above_0_and_given_back_by_the_last_owner) {
  Counter counter;
  MemoryPointer memory = allocate_memory(counter.allocator(), 0);
  EXPECT_GE(counter.sizes.at(0), 1u);
  MemoryPointer other = memory;
  memory = nullptr;
  EXPECT_EQ(counter.frees, 0);
  other = nullptr;
  EXPECT_EQ(counter.frees, 1);
}

TEST(Memory, that_the_application_does_not_give_is_a_bad_alloc_and_nothing_is_freed) {
  Counter counter;
  counter.fails = true;
  EXPECT_THROW(allocate_memory(counter.allocator(), 100), std::bad_alloc);
  EXPECT_EQ(counter.sizes.size(), 1u);
  EXPECT_EQ(counter.frees, 0);
}

TEST(Memory, larger_than_the_address_space_is_a_bad_alloc) {
  Counter counter;
  for (const uint64_t size : {UINT64_MAX, UINT64_MAX - 64, UINT64_MAX - 127}) {
    EXPECT_THROW(allocate_memory({}, size), std::bad_alloc);
    EXPECT_THROW(allocate_memory(counter.allocator(), size), std::bad_alloc);
  }
  EXPECT_TRUE(counter.sizes.empty());
}

TEST(Memory, of_the_caller_is_left_as_it_is) {
  unsigned char bytes[100];
  std::memset(bytes, 0x5a, sizeof(bytes));
  {
    const MemoryPointer memory = wrap_memory(bytes, sizeof(bytes));
    EXPECT_EQ(memory->host_pointer(), bytes);
    EXPECT_EQ(memory->size(), sizeof(bytes));
  }
  for (const unsigned char byte : bytes) ASSERT_EQ(byte, 0x5a);
}

}  // namespace
}  // namespace clothc::cpu::isa_test
