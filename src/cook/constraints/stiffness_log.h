// stiffness_log.h - the logarithm in which per-constraint stiffness is stored.
#pragma once

namespace clothc::cook {

// log2(1 - stiffness) for a stiffness in 0 .. 1; -128 for 1.
float log2_of_one_minus(float stiffness);

}  // namespace clothc::cook
