// wide_kernels.h - the kernels of class constraints_wide, which a backend may compile again for batches of other
// widths. Include a dialect and its functions first.
#include "kernels/constraints/rows.kernel.h"
#include "kernels/constraints/tethers.kernel.h"
#include "kernels/constraints/edges.kernel.h"
#include "kernels/constraints/rings.kernel.h"
