// processor.cpp - asks the processor by CPUID, and the operating system by its own calls.
#include "platform/processor.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "platform/compiler.h"

#if defined(_WIN32)
#include <windows.h>
#else
#include <unistd.h>
#endif

namespace clothc::platform {
namespace {

#if defined(CLOTHC_X86_64) && !defined(__GNUC__) && !defined(__clang__)
// Whether bit `bit` of the register (0 for EAX to 3 for EDX) of a leaf of CPUID is set.
bool has_bit(int leaf, int index, int bit) {
  int registers[4];
  __cpuidex(registers, leaf, 0);
  return (registers[index] >> bit & 1) != 0;
}

ProcessorFeatures ask_processor() {
  ProcessorFeatures features;
  features.sse4_1 = has_bit(1, 2, 19);
  int registers[4];
  __cpuid(registers, 0);
  // Bit 27 says that the operating system saves extended registers. XCR0 says which of them.
  if (registers[0] < 7 || !has_bit(1, 2, 27)) return features;
  const uint64_t saved = _xgetbv(0);
  features.avx2 = (saved & 0x6) == 0x6 && has_bit(7, 1, 5);
  const bool saves_avx512 = (saved & 0xe6) == 0xe6;
  features.avx512 = saves_avx512 && has_bit(7, 1, 16) && has_bit(7, 1, 31) && has_bit(7, 1, 17) && has_bit(7, 1, 30);
  features.avx512_vbmi2 = saves_avx512 && has_bit(7, 2, 6);
  return features;
}
#elif defined(CLOTHC_X86_64)
ProcessorFeatures ask_processor() {
  __builtin_cpu_init();
  ProcessorFeatures features;
  features.sse4_1 = __builtin_cpu_supports("sse4.1");
  features.avx2 = __builtin_cpu_supports("avx2");
  features.avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  features.avx512_vbmi2 = __builtin_cpu_supports("avx512vbmi2");
  return features;
}
#else
ProcessorFeatures ask_processor() { return {}; }
#endif

#if defined(_WIN32)
// Returns the name that the system keeps in its registry, or an empty one.
std::string system_processor_name() {
  char text[128] = "";
  DWORD size = sizeof(text);
  RegGetValueA(HKEY_LOCAL_MACHINE, "HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0", "ProcessorNameString",
               RRF_RT_REG_SZ, nullptr, text, &size);
  return text;
}
#elif defined(__linux__)
// Returns the name in /proc/cpuinfo, or an empty one, also where the C library has no memory to read the file: a device
// works as well with the plainer name.
std::string system_processor_name() {
  std::string name;
  if (std::FILE* file = std::fopen("/proc/cpuinfo", "r")) {
    char line[256];
    while (std::fgets(line, sizeof(line), file) != nullptr) {
      const char* colon = std::strchr(line, ':');
      if (std::strncmp(line, "model name", 10) != 0 || colon == nullptr) continue;
      name = colon + 1 + std::strspn(colon + 1, " ");
      name.erase(std::remove(name.begin(), name.end(), '\n'), name.end());
      break;
    }
    std::fclose(file);
  }
  return name;
}
#else
std::string system_processor_name() { return ""; }
#endif

}  // namespace

ProcessorFeatures processor_features() {
  static const ProcessorFeatures features = ask_processor();
  return features;
}

std::string processor_name() {
  std::string name = system_processor_name();
  if (!name.empty()) return name;
#if defined(CLOTHC_X86_64)
  return "x86-64 processor";
#elif defined(CLOTHC_ARM64)
  return "arm64 processor";
#else
  return "processor";
#endif
}

uint64_t memory_size() {
#if defined(_WIN32)
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof(status);
  return GlobalMemoryStatusEx(&status) != 0 ? status.ullTotalPhys : 0;
#elif defined(_SC_PHYS_PAGES)
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_size = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_size > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_size) : 0;
#else
  return 0;
#endif
}

}  // namespace clothc::platform
