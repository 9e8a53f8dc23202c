// stiffness_log.h - computes the logarithm as which the laid-out fabric stores the stiffness of each constraint.
#pragma once

namespace clothc::cook {

// Returns log2(1 - stiffness) for a stiffness in 0 .. 1, and -128 for 1.
float log2_of_one_minus(float stiffness);

}  // namespace clothc::cook
