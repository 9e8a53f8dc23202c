// Streams run kernels at the same time, and share modules and memory.
#include <thread>

#include "cuda/device/ptx/testing/texts.h"

namespace ptx_streams_test {
namespace {

using namespace ptx::testing;

// Each thread adds what all read to a number of its own, and counts in the first number.
const std::string text = kernel(
    "add.s64 %rd1, %rd1, 512;\nld.global.u64 %rd2, [%rd0+8];\nld.global.u64 %rd3, [%rd1];\n"
    "add.s64 %rd3, %rd3, %rd2;\nst.global.u64 [%rd1], %rd3;\nred.global.add.u32 [%rd0], 1;\n");

// The first 64 numbers of the memory are common; then each stream has 64.
void run_stream(const ptx::Module& module, const ptx::AddressSpace& space, std::vector<uint64_t>& memory,
                uint32_t stream, bool delays_stores) {
  for (uint32_t n = 1; n <= 50; ++n) {
    const ptx::Operation operation{stream, n, {}, "stream " + std::to_string(stream)};
    ptx::Checker checker(space, operation, true);
    const uint64_t begin = reinterpret_cast<uint64_t>(memory.data());
    ptx::Launch launch;
    launch.kernel = module.find(stream == 0 ? "k" : "other");
    launch.block = {64, 1, 1};
    launch.parameters = &begin;
    launch.delays_stores = delays_stores;
    ptx::run(launch, checker);
  }
}

TEST(PtxStreams, kernels_run_at_the_same_time) {
  // The second kernel has numbers of its own 512 bytes further.
  std::string other = text.substr(text.find(".visible"));
  other.replace(other.find(" k("), 3, " other(");
  other.replace(other.find(", 512;"), 6, ", 1024;");
  for (const bool delays_stores : {false, true}) {
    ptx::take_races();
    const ptx::Module module(text + other);
    std::vector<uint64_t> memory(64 * 3);
    memory[1] = 3;
    ptx::AddressSpace space;
    space.add(reinterpret_cast<uint64_t>(memory.data()), memory.size() * 8, "memory");
    std::thread first([&] { run_stream(module, space, memory, 0, delays_stores); });
    std::thread last([&] { run_stream(module, space, memory, 1, delays_stores); });
    first.join();
    last.join();
    EXPECT_EQ(memory[0], 2u * 50 * 64);
    for (size_t k = 64; k < memory.size(); ++k) EXPECT_EQ(memory[k], 150u);
    for (const std::string& race : ptx::take_races()) ADD_FAILURE() << race;
  }
}

}  // namespace
}  // namespace ptx_streams_test
