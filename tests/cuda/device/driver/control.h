// control.h - the functions by which a test controls the software device, found by dlsym in the library, and the rules
// that they take. The library stands in for NVIDIA's libcuda.so.1.
//
// Rules are separated by commas. Those of the environment variable CLOTHC_CUDA_DEVICE_RULES are read by cuInit; those
// given to clothc_cuda_device_control are added to them and replace the ones that were given before, so that an empty
// text brings back the rules of the environment. Where two rules disagree, the later one counts.
//
// Calls that fail; if two of these rules apply to a call, the first counts:
//   NAME:N=RESULT   the N-th call from now on of that function, such as cuMemAlloc, returns RESULT, a CUresult as a
//                   number, and does nothing else; NAME may be *, which is any function
//   NAME:N+=RESULT  that call and all later ones do
//   RESULT may be `skip`: nothing happens, and the call succeeds without changing its outputs.
//
// Operations are kernels, copies, fills, host functions, signals and waits of external semaphores, and nodes of graphs,
// counted from 1 in the order of their submission since the rules were given:
//   hang            no operation begins from now on, until the rules are replaced
//   hang=N          the N-th operation does not begin, until the rules are replaced
//   hang=to_host    no copy from a device's memory to the host's begins, until the rules are replaced
//   hang=from_host  no copy from the host's memory to a device's begins, until the rules are replaced
//   kill            operations that hang, and those that would, end with CUDA_ERROR_LAUNCH_TIMEOUT, and the context
//                   with them
//   lose=N          the N-th operation fails with CUDA_ERROR_LAUNCH_FAILED, and the context with it
//   lose=N/RESULT   the same with another error
//
// How operations run:
//   execution=off   they end at once without running kernels, copies and fills, to measure the host's time; default on
//   order=ORDER     order of blocks, threads and unordered nodes of graphs: forward (default), backward or permuted
//   seed=N          of the permuted order; each operation adds its number to it; default 1
//   stores=delayed  stores of a kernel reach other blocks late; default immediate
//   races=off       races are not looked for, which makes kernels faster; default on
//   counts=on       what kernels execute and access is counted, which makes them slower; default off
//   start=early     a call that submits work returns after the work has ended, if nothing precedes it
//   start=late      a stream begins an operation only when something waits for it or asks whether it has ended, or
//                   after half a second; default is start=normal
//
// The device:
//   init=RESULT     result of cuInit
//   devices=N       number of devices, 0 to 16; default 1. If there is none, cuInit returns CUDA_ERROR_NO_DEVICE.
//   driver=N        version of the driver; default 13000
//   attribute:ID=N  value of an attribute of all devices
//   memory=BYTES    size of each device's memory; default 4 GiB
//   clock=N         nanoseconds that the clock of events can tell apart; default 1
//   holes=ANSWER    what pointers into a reserved range of addresses tell where it has no memory: unknown (default), no
//                   attribute has a value; told, they are not mapped; outside, as unknown, and the range of those with
//                   memory is that of the memory
//   dedicated=on    external memory is imported only with the flag CUDA_EXTERNAL_MEMORY_DEDICATED; default off
//   native=FOLDER   native code is accepted if it suits the device and the folder has it, as NAME.sm_ARCHITECTURE.cubin;
//                   what runs is the text NAME.ptx beside it. Otherwise native code is refused, as by a driver that does
//                   not know it.
//
// What is wrong in the kernel with the name NAME, if it is loaded while the rule is in force (planted_text.h):
//   contract=NAME     products are not rounded before a sum
//   divide_up=NAME    quotients are one unit in the last place too great
//   no_barriers=NAME  threads of a block do not wait for each other
//
// A call with a handle of a destroyed object, or of none, ends the process by a signal, after a line on stderr that names
// the call: drivers look into the object without asking whether it is there. They tell of a context that was destroyed
// while it was current on another thread, of a primary context that was reset, and of memory that they do not know.
//
// With ThreadSanitizer, a program's accesses to memory that the device uses are ordered with the device's by the order
// that CUDA promises alone: an operation comes after its submission, and what follows a wait for it, or a query that
// finds that it has ended, comes after it. The memory of devices is memory of the process, so that nothing but such a
// tool finds a program which dereferences a pointer to it.
//
// What the device finds wrong is reported on stderr when the process ends, in lines that begin with "cuda device: ":
// races between operations, wrong accesses, misuses of the API, and handles that were never destroyed. If
// CLOTHC_CUDA_DEVICE_STRICT=1, the process then ends with the status 86. The process that a fork makes reports nothing.
//
// If CLOTHC_CUDA_DEVICE_COUNTS names a file, what was counted by the rule counts=on is written to it when the process
// ends, as clothc_cuda_device_kernel_counts writes it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct clothc_cuda_device_counts {
  // Since the program began. Kernels of graphs are operations and ended kernels, but not kernel launches.
  uint64_t calls;
  uint64_t kernel_launches;
  uint64_t graph_launches;
  uint64_t operations;
  uint64_t ended_operations;
  uint64_t ended_kernels;
  uint64_t copies;
  uint64_t copied_size;
  uint64_t pageable_copies;
  // Calls that had to wait for an operation to end.
  uint64_t waits;
  // Blocks of device memory and pinned memory.
  uint64_t allocations;
  uint64_t races;
  uint64_t wrong_accesses;
  uint64_t misuses;
  // Images of native code that the device was given to load, the architecture of the last of them (86 is 8.6; 0 if there
  // was none), and those of them that it took.
  uint64_t native_images;
  uint64_t last_native_architecture;
  uint64_t native_modules;
  // Objects that live now.
  uint64_t contexts;
  uint64_t streams;
  uint64_t events;
  uint64_t modules;
  uint64_t graphs;
  uint64_t executable_graphs;
  uint64_t user_objects;
  uint64_t device_blocks;
  uint64_t pinned_blocks;
  uint64_t registered_blocks;
  uint64_t mapped_blocks;
  uint64_t shareable_allocations;
  uint64_t address_ranges;
  uint64_t external_memories;
  uint64_t external_semaphores;
};

// Returns 1. No other driver exports this function, so a program can tell the software device by it.
int clothc_cuda_device_is_software(void);
// Replaces the rules. Returns a value other than 0, and changes nothing, if a rule is wrong.
int clothc_cuda_device_control(const char* rules);
void clothc_cuda_device_statistics(struct clothc_cuda_device_counts* counts);
// Returns the number of calls of a function, such as cuMemAlloc, since the program began or the counts were reset,
// including those that failed. Returns 0 for an unknown function.
uint64_t clothc_cuda_device_count(const char* function);
// Forgets the numbers of calls and what kernels have executed.
void clothc_cuda_device_reset_counts(void);
// Writes what kernels have executed under the rule counts=on since the program began or the counts were reset. Each
// kernel has a line, in which its name follows the word `kernel`, and then a line for each instruction that was
// executed. Words are separated by a space:
//   kernel NAME LAUNCHES BLOCKS THREADS READ WRITTEN
//   LINE FORM WARPS LANES SECTORS TURNS
// READ and WRITTEN are the 32-byte sectors of global memory whose first access in a launch was a read, and those that
// were written, summed over the launches. LINE is the line of the module's text, FORM is such as add.rn.f32. WARPS is
// how often a warp has executed the instruction, and LANES for how many threads it had an effect. SECTORS is the number
// of different sectors of global memory of each execution, summed; TURNS how often each needed the banks of shared
// memory, summed. Launches that a fault has ended are not counted.
// Returns the length of the text without the zero at its end; text that does not fit is cut off.
size_t clothc_cuda_device_kernel_counts(char* buffer, size_t size);
// Writes what the device has found wrong so far, a line each, and forgets it. Objects that live are not part of it.
// Returns the number of lines; text that does not fit is cut off.
size_t clothc_cuda_device_report(char* buffer, size_t size);

#ifdef __cplusplus
}
#endif
