// log.h - which data kernels touch, as sets of Access: what they declare in kernels.def and what they are seen to
// do, one set of reads and one of writes per kernel.
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

// What kernels.def says.
AccessTable declared_accesses();

// What runs of checked kernels did.
struct AccessLog {
  AccessTable seen{};
  AccessTable undeclared{};  // seen, but not in the table that the run was given
  uint64_t astray = 0;       // accesses outside every arena
};

// Runs the jobs in order by the kernels' own code on accessors that note every load and every store in the log. A
// counter raised atomically is written and not read: its value does not reach the kernel.
void run_checked(Arenas& arenas, const std::vector<Job>& jobs, const AccessTable& declared, AccessLog& log);

// A line per kernel, access and direction that is in the table: "integrate reads position".
std::vector<std::string> names_of(const AccessTable& table);

const char* name_of(Access access);

}  // namespace clothc::probes
