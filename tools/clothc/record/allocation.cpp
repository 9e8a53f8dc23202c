// allocation.cpp - the recorder's own operator new. A program's operator new may count, fail or take locks, and would
// notice the recorder. Without memory no capture can go on, so the program ends, with all events before in the capture.
#include <cstdio>
#include <cstdlib>
#include <new>

void* operator new(std::size_t size) {
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  std::fputs("clothc record: no memory is left for the capture\n", stderr);
  std::abort();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
