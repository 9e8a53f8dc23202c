// log.h - which data kernels access, as sets of Access: the declared accesses of kernels.def and the observed ones,
// with one set of reads and one of writes per kernel.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "parity/dialect/arenas.h"

namespace clothc::probes {

struct Accesses {
  uint32_t reads = 0;
  uint32_t writes = 0;
};

using AccessTable = std::array<Accesses, kernel_count>;

// Returns the accesses that kernels.def declares.
AccessTable declared_accesses();

// The accesses observed in runs of checked kernels.
struct AccessLog {
  AccessTable seen{};

  // Accesses that were observed but are not in the table given to the run.
  AccessTable undeclared{};

  // Reads of what the same job has written, other than through written_tables and GROUP.
  AccessTable stale{};

  // Number of accesses outside every arena.
  uint64_t astray = 0;
};

// Runs the jobs in order, using the kernels' own code on accessors that record every load and every store in the log.
// An atomically incremented counter is written and not read, because its old value does not reach the kernel.
void run_checked(Arenas& arenas, const std::vector<Job>& jobs, const AccessTable& declared, AccessLog& log);

// Returns one line per kernel, access and direction in the table, such as "integrate reads position".
std::vector<std::string> names_of(const AccessTable& table);

const char* name_of(Access access);

}  // namespace clothc::probes
