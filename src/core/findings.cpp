// findings.cpp - puts what the cooker found in a mesh into sentences that name the element and say what to do.
#include "core/fabric.h"
#include "core/structs.h"

namespace clothc {

clothc_finding describe_finding(const FabricData& data, uint32_t index) {
  CLOTHC_REQUIRE(index < data.findings.size(), "finding %u does not exist; the fabric has %zu", index,
                 data.findings.size());
  clothc_finding finding = make_default<clothc_finding>();
  const Finding& found = data.findings[index];
  finding.kind = found.kind;
  finding.first = found.first;
  finding.second = found.second;
  finding.value = found.value;
  finding.count = data.finding_counts[found.kind];
  return finding;
}

}  // namespace clothc
